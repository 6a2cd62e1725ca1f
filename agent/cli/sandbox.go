package cli

import (
	"context"
	"path/filepath"
	"strings"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/approval"
	"tricode/workdir/sandbox"
)

// sandboxError says that programs cannot be held as the person wants it.
type sandboxError struct{ gaps []string }

func (e *sandboxError) Error() string {
	return "the sandbox is required, and the system does not enforce " + strings.Join(e.gaps, ", ")
}

// requireBoxes returns an error if boxes must hold everything and do not.
func (w *world) requireBoxes(ctx context.Context) error {
	if w.confined.Mode != sandbox.Require {
		return nil
	}
	for _, look := range [...]bool{true, false} {
		if gaps := w.boxes.Gaps(ctx, look); len(gaps) > 0 {
			return &sandboxError{gaps}
		}
	}
	return nil
}

// preview lets commands run in previews, or says why they cannot. What they change is kept in the run's own directory until then.
func (c *commandLine) preview(ctx context.Context, w *world) {
	if !c.Preview {
		return
	}
	w.boxes.Layer = filepath.Join(filepath.Dir(w.outputs.Name()), "layer")
	w.boxes.Hidden = func(text string) string { return c.secrets.Hide(text, false) }
	if err := w.boxes.Previews(ctx); err != nil {
		w.boxes.Layer = ""
		c.notice("no previews here, so commands are asked about as usual: " + err.Error())
	}
}

// admit says once, before the first command, what the system does not enforce, unless the person wants nothing enforced.
func (r *run) admit(ctx context.Context, a *approval.Action) error {
	if a.Text == "" || r.admitted || r.world.confined.Mode == sandbox.Off {
		return nil
	}
	r.admitted = true
	if gaps := r.world.boxes.Gaps(ctx, false); len(gaps) > 0 {
		return r.emit(agent.Notice{Text: "the system does not enforce " + strings.Join(gaps, ", ") + " (--sandbox=require does not start then)"})
	}
	return nil
}

// sandboxBy is what the configuration and the flag say about the boxes of programs.
func (c *commandLine) sandboxBy(cfg *config.Config) (config.Sandbox, error) {
	s := cfg.Sandbox
	if c.Sandbox == "" {
		return s, nil
	}
	mode, err := sandbox.ParseMode(c.Sandbox)
	if err != nil {
		return s, &usageError{"--sandbox " + err.Error()}
	}
	s.Mode = mode
	return s, nil
}

// writeSandbox says what is said about the boxes of programs, and where.
func (c *commandLine) writeSandbox(line func(string, ...any), s *config.Sandbox) {
	switch {
	case c.Sandbox != "":
		line("sandbox: %s (--sandbox)", s.Mode)
	case s.Sources["mode"] != "":
		line("sandbox: %s (%s)", s.Mode, s.Sources["mode"])
	default:
		line("sandbox: %s (the default)", s.Mode)
	}
	for _, said := range []struct {
		key, text string
		set       bool
	}{
		{"network", "no network", s.NoNetwork},
		{"caches", "the caches of tools are not written", s.NoCaches},
		{"secrets", "every secret can be read", s.Secrets},
		{"writable", "may write " + strings.Join(s.Writable, ", "), len(s.Writable) > 0},
		{"readable", "may read " + strings.Join(s.Readable, ", "), len(s.Readable) > 0},
		{"sockets", "may use " + strings.Join(s.Sockets, ", "), len(s.Sockets) > 0},
		{"env", "keeps " + strings.Join(s.Env, ", "), len(s.Env) > 0},
		{"shell", "runs command lines with " + s.Shell, s.Shell != ""},
	} {
		if said.set {
			line("  %s (%s)", said.text, s.Sources[said.key])
		}
	}
}
