package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"tricode/agent/config"
	"tricode/approval/ask"
	"tricode/workdir/sandbox"
)

func (d *doctor) configuration(context.Context) {
	const name = "configuration"
	for _, w := range d.cfg.Warnings {
		text, fix, _ := strings.Cut(w, "; ")
		d.add(name, ailing, fix, "%s", text)
	}
	_, err := os.Stat(d.paths.File)
	switch {
	case d.unread != nil:
		d.add(name, broken, "correct it where the line says; README.md lists all keys", "%v", d.unread)
	case errors.Is(err, fs.ErrNotExist) && len(d.cfg.Providers) == 0:
		d.add(name, ailing, "tricode init makes one", "there is no %s", d.paths)
	case errors.Is(err, fs.ErrNotExist):
		d.add(name, healthy, "", "there is no %s; the environment says what is needed", d.paths)
	default:
		d.add(name, healthy, "", "%s", d.paths)
	}
}

func (d *doctor) permissions(context.Context) {
	const name = "permissions"
	w, err := d.c.look(&d.cfg)
	if err != nil {
		d.add(name, broken, "tricode permissions check says more", "%v", err)
		return
	}
	defer w.close()
	for _, warning := range w.warnings {
		d.add(name, ailing, "tricode permissions check says more", "%s: %s %s", warning.Rule.Source, warning.Rule, warning.Text)
	}
	d.add(name, healthy, "", "mode %s, rules: %d", w.policy.Mode, len(w.rules)+len(w.settings.Tools))
}

func (d *doctor) trust(context.Context) {
	const name = "trust"
	var waiting []string
	if d.project != nil {
		waiting = d.project.Counting(d.cfg.Permissions.Mode)
	}
	switch p := d.project; {
	case p == nil:
		d.add(name, healthy, "", "there is no %s here", config.ProjectFile)
	case p.Trusted && unchanged(p.Programs, d.projectPrograms(), "you trusted it") != nil:
		d.add(name, broken, "tricode trust shows it and asks anew", "%v", unchanged(p.Programs, d.projectPrograms(), "you trusted it"))
	case p.Trusted:
		d.add(name, healthy, "", "all of %s counts", config.ProjectFile)
	case p.Changed:
		d.add(name, ailing, "tricode trust shows it and asks anew", "%s changed since you trusted it", config.ProjectFile)
	case len(waiting) > 0:
		d.add(name, ailing, "tricode trust shows it and asks", "not trusted, so not used of %s: %s", config.ProjectFile, strings.Join(waiting, ", "))
	default:
		d.add(name, healthy, "", "%s only makes rules stricter, which needs no trust", config.ProjectFile)
	}
}

// projectPrograms are the programs in the work directory that a trusted project's hooks run.
func (d *doctor) projectPrograms() []string {
	var files []string
	for _, h := range d.project.Settings.Hooks {
		files = append(files, programs(&sandbox.Box{Dir: d.project.Dir}, h.Command)...)
	}
	return files
}

func (d *doctor) hooks(context.Context) {
	const name = "hooks"
	if len(d.cfg.Hooks) == 0 {
		d.add(name, healthy, "", "there are none")
	}
	for _, h := range d.cfg.Hooks {
		if _, err := d.box.LookPath(h.Command[0]); err != nil {
			d.add(name, broken, "install the program, or take the hook out: as it is, all that it is asked about is denied", "%s: %v", &h, err)
			continue
		}
		d.add(name, healthy, "", "%s", &h)
	}
}

func (d *doctor) terminal(context.Context) {
	const name = "terminal"
	t, err := ask.Open(&d.c.terminal().options)
	if err != nil { // whatever it is, a run would find the same
		d.add(name, ailing, "run it in a terminal; in scripts, rules or --permission-mode say what may happen unasked",
			"there is none, so nobody can be asked, and what would have to be is denied")
		return
	}
	t.Close()
	shows := "no colours"
	if d.c.coloured(true) {
		shows = "colours"
	}
	size := ""
	if width, height, err := term.GetSize(int(os.Stderr.Fd())); err == nil {
		size = sizeText(width, height)
	}
	d.add(name, healthy, "", "%s, %s%s", cmp.Or(os.Getenv("TERM"), "unnamed"), shows, size)
}

// state looks at the directory that every run writes to. Nothing is made there that stays.
func (d *doctor) state(context.Context) {
	const name = "state"
	dir, shown := d.paths.State, d.paths.Tilde(d.paths.State)
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		d.add(name, healthy, "", "%s is made by the first run", shown)
		return
	}
	if err == nil && !info.IsDir() {
		err = errors.New("it is no directory")
	}
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".doctor-*"); err == nil {
			_, full := f.Write(make([]byte, 4096)) // a full disk still takes empty files
			err = errors.Join(full, f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		d.add(name, broken, "make it a directory that you can write to; XDG_STATE_HOME names another place", "%s: %v", shown, err)
		return
	}
	if open := info.Mode().Perm() & 0o077; open != 0 && os.PathSeparator == '/' {
		d.add(name, ailing, "chmod 700 "+shown, "%s can be read by others", shown)
	}
	runs, _ := filepath.Glob(filepath.Join(dir, "sessions", "*", "transcript.jsonl"))
	d.add(name, healthy, "", "%s, runs: %d", shown, len(runs))
}
