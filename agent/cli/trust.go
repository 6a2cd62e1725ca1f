package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/ask"
	"tricode/approval/plain"
	"tricode/workdir/sandbox"
)

// trustCommand is what can be typed after "tricode trust".
type trustCommand struct {
	Show   bool `help:"Only show what it says and whether you trust it."`
	Revoke bool `help:"Trust it no longer."`
}

// errTrustTerminal says that nobody is there to trust anything.
var errTrustTerminal = errors.New("trust needs a terminal, to show you what the project asks for and to ask you")

// trust shows what the project's configuration would change and, if the person says so, remembers exactly that.
func (c *commandLine) trust(ctx context.Context) (int, error) {
	if c.Trust.Show && c.Trust.Revoke {
		return 0, &usageError{"--show and --revoke contradict each other"}
	}
	cfg, p, err := c.project()
	if err != nil {
		return 0, err
	}
	switch {
	case c.Trust.Revoke:
		return statusDone, revoke(cfg.Paths, p.Dir)
	case p.Text == nil:
		return 0, &usageError{fmt.Sprintf("there is no %s in %s", config.ProjectFile, p.Dir)}
	}
	sums, err := projectSums(p)
	if err != nil {
		return 0, err
	}
	if c.Trust.Show {
		return statusDone, describeProject(os.Stdout, cfg, p, sums)
	}
	person, err := ask.Open(&c.terminal().options)
	if errors.Is(err, approval.ErrNobody) || err == nil && !term.IsTerminal(int(os.Stderr.Fd())) {
		return 0, errTrustTerminal
	}
	if err != nil {
		return 0, err
	}
	defer person.Close()
	return statusDone, askTrust(ctx, person, folding{os.Stderr}, cfg, p, sums)
}

// project reads the person's own configuration and that of the project, which has no text if there is none.
func (c *commandLine) project() (*config.Config, *config.Project, error) {
	paths, err := config.Locate(c.Config, os.Getenv)
	if err != nil {
		return nil, nil, &usageError{err.Error()}
	}
	cfg, err := config.Load(paths)
	if err != nil {
		return nil, nil, err
	}
	dir, err := c.projectDir()
	if err != nil {
		return nil, nil, &usageError{err.Error()}
	}
	if c.Trust.Revoke { // also where the file is gone or broken
		return &cfg, &config.Project{Dir: dir}, nil
	}
	p, err := cfg.ReadProject(dir)
	if p == nil {
		p = &config.Project{Dir: dir}
	}
	return &cfg, p, err
}

// projectSums are the sums of the project's programs that its configuration names.
func projectSums(p *config.Project) (map[string]string, error) {
	box := &sandbox.Box{Dir: p.Dir} // looks programs up, starts none
	found := map[string]string{}
	for _, h := range p.Settings.Hooks {
		if err := sums(found, programs(box, h.Command)); err != nil {
			return nil, &usageError{fmt.Sprintf("%s: %v", &h, err)}
		}
	}
	return found, nil
}

// askTrust lets the person read it and decide. Anything but a yes is a no.
func askTrust(ctx context.Context, person prompter, out io.Writer, cfg *config.Config, p *config.Project, sums map[string]string) error {
	if err := describeProject(out, cfg, p, sums); err != nil {
		return err
	}
	answer, err := person.Line(ctx, "Trust it? yes/no", "no")
	switch {
	case errors.Is(err, approval.ErrNobody):
		return errTrustTerminal
	case err != nil:
		return err
	}
	if answer = strings.ToLower(answer); answer != "yes" && answer != "y" {
		_, err := fmt.Fprintln(out, "Nothing was changed.")
		return err
	}
	trust, err := config.LoadTrust(cfg.Paths)
	if err != nil {
		return err
	}
	trust[p.Dir] = config.Trusted{Config: config.Sum(p.Text), Programs: sums}
	if err := config.SaveTrust(cfg.Paths, trust); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "Trusted, until it changes. tricode trust --revoke takes it back.")
	return err
}

// describeProject writes what a person needs to know before trusting.
func describeProject(out io.Writer, cfg *config.Config, p *config.Project, sums map[string]string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s says:\n\n", config.ProjectFile, plain.Line(p.Dir))
	for line := range strings.Lines(plain.Text(string(p.Text))) {
		b.WriteString("    " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("\nIts deny and ask rules and its protected paths count anyway.\n")
	if counting := p.Counting(cfg.Permissions.Mode); len(counting) > 0 {
		fmt.Fprintf(&b, "With trust these count too: %s.\n", plain.Line(strings.Join(counting, ", ")))
	}
	if p.SaysMode() && !p.Stricter(cfg.Permissions.Mode) {
		fmt.Fprintf(&b, "Its mode %s counts in no case: yours, %s, is at least as strict.\n", p.Settings.Permissions.Mode, cfg.Permissions.Mode)
	}
	for _, h := range p.Settings.Hooks {
		fmt.Fprintf(&b, "It runs, outside the sandbox, for %s: %s\n", h.Event, plain.Line(strings.Join(h.Command, " ")))
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		changed := ""
		if p.Trusted && p.Programs[name] != sums[name] {
			changed = ", CHANGED since you trusted it: tricode trust again"
		}
		fmt.Fprintf(&b, "A change of this program will deny: %s (%s)%s\n", plain.Line(name), sums[name], changed)
	}
	switch {
	case p.Trusted:
		b.WriteString("You trust it.\n")
	case p.Changed:
		b.WriteString("You trusted another version of it.\n")
	default:
		b.WriteString("You do not trust it.\n")
	}
	_, err := io.WriteString(folded(out), b.String())
	return err
}

// revoke forgets a project.
func revoke(paths config.Paths, dir string) error {
	trust, err := config.LoadTrust(paths)
	if err != nil {
		return err
	}
	if _, ok := trust[dir]; !ok {
		_, err := fmt.Println("It was not trusted.")
		return err
	}
	delete(trust, dir)
	if err := config.SaveTrust(paths, trust); err != nil {
		return err
	}
	_, err = fmt.Println("It is not trusted any more.")
	return err
}
