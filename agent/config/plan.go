package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tricode/approval"
)

// Plan is a plan that a person has reviewed: what a run is for, and all that it may do beside reading.
type Plan struct {
	Task  string
	Steps []string
	Rules []approval.Rule

	Comment []string // lines for whoever reviews it, which are not read
}

// planFile is what can stand in the file of a plan.
type planFile struct {
	Task  string `toml:"task"`
	Steps []struct {
		Text string `toml:"text"`
	} `toml:"steps"`
	Permissions struct {
		Rules []rule `toml:"rules"`
	} `toml:"permissions"`
}

// ReadPlan reads the file of a plan. Mistakes are an *Error.
func ReadPlan(name string) (Plan, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return Plan{}, &Error{File: name, Text: cause(err)}
	}
	defer f.Close()
	data, _, err := read(f)
	if err != nil {
		return Plan{}, &Error{File: name, Text: cause(err)}
	}
	d := &document{name: name, data: bytes.TrimPrefix(data, []byte("\uFEFF"))}
	var in planFile
	if err := d.decode(&in); err != nil {
		return Plan{}, err
	}
	d.file.Permissions.Rules = in.Permissions.Rules
	p := Plan{Task: in.Task}
	for _, s := range in.Steps {
		p.Steps = append(p.Steps, s.Text)
	}
	for i := range in.Permissions.Rules {
		r, err := d.rule(i)
		if err != nil {
			return Plan{}, err
		}
		p.Rules = append(p.Rules, r)
	}
	return p, nil
}

// String is the text of the file.
func (p Plan) String() string {
	var b strings.Builder
	b.WriteString("# A plan of tricode. With --plan-in, a run may do what these rules allow, and\n# beside that only read.\n")
	if p.Comment != nil {
		b.WriteString("#\n")
	}
	for _, line := range p.Comment {
		fmt.Fprintf(&b, "# %s\n", approval.TOMLComment(line))
	}
	fmt.Fprintf(&b, "task = %s\n", approval.TOMLString(p.Task))
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "\n[[steps]]\ntext = %s\n", approval.TOMLString(s))
	}
	for _, r := range p.Rules {
		b.WriteString("\n" + r.TOML())
	}
	return b.String()
}

// CheckPlanOut returns an error if a plan cannot be written to a file, or would replace something that is no plan.
func CheckPlanOut(name string) error {
	if _, err := os.Lstat(name); err == nil {
		if _, err := ReadPlan(name); err != nil {
			return fmt.Errorf("%s is there already and is no plan", name)
		}
		return nil
	}
	info, err := os.Stat(filepath.Dir(name))
	switch {
	case err != nil:
		return errors.New(filepath.Dir(name) + ": " + cause(err))
	case !info.IsDir():
		return errors.New(filepath.Dir(name) + " is not a directory")
	}
	return nil
}

// Write writes the file: all of it or nothing. It is meant to be read by others, so the umask alone says who can.
func (p Plan) Write(name string) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	temporary, err := writeBeside(name, p.String(), 0o644)
	if err != nil {
		return err
	}
	defer os.Remove(temporary) // gone already if all went well
	return os.Rename(temporary, name)
}
