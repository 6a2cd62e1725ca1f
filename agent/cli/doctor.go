package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"tricode/agent/config"
	"tricode/approval/plain"
	"tricode/workdir/sandbox"
)

// doctorCommand looks at everything that a run needs.
type doctorCommand struct {
	JSON  bool     `help:"Print JSON."`
	Check []string `placeholder:"A,B" help:"Look at these only."`
}

// health is how something is.
type health string

// How something can be. Only what is broken makes the doctor fail.
const (
	healthy health = "OK"
	ailing  health = "WARN"
	broken  health = "FAIL"
	skipped health = "SKIP"
)

// finding is what was found about one thing. Fix says what to do about it.
type finding struct {
	Check  string `json:"check"`
	Health health `json:"status"`
	Text   string `json:"text"`
	Fix    string `json:"fix,omitempty"`
}

// doctor is one examination. Of what could not be read, what hangs on it is skipped.
type doctor struct {
	c       *commandLine
	cfg     config.Config
	project *config.Project
	unread  error // why the configuration could not be read
	paths   config.Paths
	box     *sandbox.Box // looks programs up and asks them for their version
	out     io.Writer
	found   []finding
	lost    error // why what was found could not be written

	resolves map[string]resolved // by the name of the provider
}

// check is one of the things that are looked at.
type check struct {
	name string
	look func(d *doctor, ctx context.Context)
	free bool // it does not need the configuration
}

// checks are all of them, in the order in which one thing needs another.
var checks = [...]check{
	{"configuration", (*doctor).configuration, true},
	{"permissions", (*doctor).permissions, false},
	{"trust", (*doctor).trust, false},
	{"hooks", (*doctor).hooks, false},
	{"keys", (*doctor).keys, false},
	{"providers", (*doctor).providers, false},
	{"models", (*doctor).models, false},
	{"sandbox", (*doctor).sandbox, false},
	{"terminal", (*doctor).terminal, true},
	{"git", (*doctor).git, true},
	{"ripgrep", (*doctor).ripgrep, true},
	{"state", (*doctor).state, true},
}

func checkNames() []string {
	names := make([]string, len(checks))
	for i, one := range checks {
		names[i] = one.name
	}
	return names
}

// doctor examines everything, or what was asked for, and returns the status: 1 if something is broken.
func (c *commandLine) doctor(ctx context.Context, out io.Writer) (int, error) {
	names := checkNames()
	for _, name := range c.Doctor.Check {
		if !slices.Contains(names, name) {
			return 0, &usageError{fmt.Sprintf("--check: there is no %q; there are %s", name, strings.Join(names, ", "))}
		}
	}
	paths, err := config.Locate(c.Config, os.Getenv)
	if err != nil {
		return 0, &usageError{err.Error()}
	}
	d := &doctor{c: c, paths: paths, box: &sandbox.Box{Dir: cmp.Or(c.WorkDir, ".")}, out: out}
	defer d.box.Close()
	d.read()
	for _, one := range checks {
		if len(c.Doctor.Check) > 0 && !slices.Contains(c.Doctor.Check, one.name) {
			continue
		}
		d.examine(ctx, one)
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
	}
	if err := d.end(); err != nil {
		return 0, err
	}
	if slices.ContainsFunc(d.found, func(f finding) bool { return f.Health == broken }) {
		return statusFindings, nil
	}
	return statusDone, nil
}

// checkTime bounds a check. Asking a person for a key has its own bound, see keyTime.
const checkTime = 5 * time.Second

// examine makes a check and shows what it found.
func (d *doctor) examine(ctx context.Context, one check) {
	before := len(d.found)
	if d.unread != nil && !one.free {
		d.add(one.name, skipped, "", "the configuration cannot be read")
	} else {
		stop := d.c.waiting(one.name)
		one.look(d, ctx)
		stop()
	}
	if !d.c.Doctor.JSON {
		d.write(d.found[before:])
	}
}

// statusFindings is the status of an examination that found something broken.
const statusFindings = 1

// read reads the configuration as a run would, without a word.
func (d *doctor) read() {
	if d.cfg, d.unread = config.Load(d.paths); d.unread != nil {
		return
	}
	d.cfg.Environ(os.Getenv, d.c.unwritten(&d.cfg)...)
	dir, err := d.c.projectDir()
	if err != nil {
		d.unread = err
		return
	}
	if d.project, d.unread = d.cfg.ReadProject(dir); d.project != nil {
		d.cfg.AddProject(d.project)
	}
}

// add adds what was found; what is not well should have a fix.
func (d *doctor) add(check string, h health, fix, format string, args ...any) {
	d.found = append(d.found, finding{check, h, fmt.Sprintf(format, args...), fix})
}

// write writes findings, as soon as they are known: the next ones may have to be waited for.
func (d *doctor) write(found []finding) {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%-4s  %-13s  %s\n", f.Health, f.Check, plain.Line(f.Text))
		if f.Fix != "" {
			fmt.Fprintf(&b, "%-21sFix: %s\n", "", plain.Line(f.Fix))
		}
	}
	if _, err := io.WriteString(folded(d.out), b.String()); d.lost == nil {
		d.lost = err
	}
}

// end writes what is written as one, and returns what could not be.
func (d *doctor) end() error {
	if d.c.Doctor.JSON {
		return printJSON(d.out, map[string][]finding{"findings": d.found})
	}
	return d.lost
}
