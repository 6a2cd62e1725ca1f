package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tricode/agent/config"
	"tricode/agent/transcript"
	"tricode/approval"
	"tricode/approval/hook"
	"tricode/tools"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// world is what a run has around it: directories, programs, its own state, the rules.
type world struct {
	dir          *workdir.Dir
	outputs      *workdir.Dir // long outputs of programs
	redact       func(io.Writer) io.WriteCloser
	box          *sandbox.Box
	confined     config.Sandbox // what holds programs
	boxes        *tools.Boxes
	sessions     *tools.Sessions
	gate         *approval.Gate // once the run begins
	log          *transcript.Writer
	session      string
	terminal     *terminal
	file         string // the person's own configuration, as people read it
	policy       approval.Policy
	modeBy       string             // what chose its mode
	settings     config.Permissions // what the policy was made of, the project's part in it
	rules        []approval.Rule    // all of them, in the order in which they count
	warnings     []approval.Warning // about rules
	hooks        approval.Hooks     // nil if there are none
	asked        []hook.Hook        // what hooks there are
	planRequired bool
	reviewed     string // the file of the plan that alone allows something; empty for none
}

// open makes the world of a run that goes on with another one, if there is one. What it opened is closed again if it fails.
func (c *commandLine) open(ctx context.Context, cfg *config.Config, before *earlier) (*world, error) {
	w, err := c.look(cfg)
	if err != nil {
		return nil, err
	}
	if err := w.requireBoxes(ctx); err != nil {
		w.close()
		return nil, err
	}
	w.session = time.Now().Format(sessionTime) + randomHex(3) // in the order of their names
	if err := w.openState(filepath.Join(cfg.Paths.State, "sessions", w.session), before.outputs(cfg.Paths.State)); err != nil {
		w.close()
		return nil, &stateError{err}
	}
	if w.hooks, err = w.newHooks(cfg); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// look makes a world without a state of its own: what is there can be looked at, and nothing on disk changes.
func (c *commandLine) look(cfg *config.Config) (w *world, err error) {
	w = &world{planRequired: c.RequirePlan || cfg.Agent.PlanRequired, terminal: c.terminal(), redact: c.secrets.Live}
	if cfg.Notify {
		w.terminal.options.Notify = notification()
	}
	defer func() {
		if err != nil {
			w.close()
			w = nil
		}
	}()
	extra := cfg.Permissions.AdditionalDirectories
	if c.BypassWorkDirectoryLimit {
		extra = append(slices.Clip(extra), "/")
	}
	if w.dir, err = workdir.Open(cmp.Or(c.WorkDir, "."), extra...); err != nil {
		return w, &usageError{err.Error()}
	}
	if err = c.decideBy(w, cfg); err != nil {
		return w, err
	}
	if w.confined, err = c.sandboxBy(cfg); err != nil {
		return w, err
	}
	w.box = &sandbox.Box{Dir: w.dir.Name(), Env: w.confined.Env, Hidden: keyVariables(cfg)}
	w.sessions = tools.NewSessions(w.box)
	w.asked = cfg.Hooks
	for _, h := range w.asked {
		w.policy.Own = append(w.policy.Own, protectedPaths(w.box, h.Command)...)
	}
	w.boxes = &tools.Boxes{
		Config: w.confined.Config, Box: w.box, Dir: w.dir, Home: w.policy.Home, Own: w.policy.Own,
		Secrets: w.secretPlaces(), Shields: w.policy.Protects,
	}
	return w, nil
}

// secretPlaces are what commands cannot read: the credentials of the home directory, unless the person opened them, and
// what is tricode's own.
func (w *world) secretPlaces() []string {
	places := slices.Clone(w.policy.Private)
	if w.confined.Secrets {
		return places
	}
	entries, _ := os.ReadDir(w.policy.Home) // the known names count in any case
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return append(places, approval.HomeSecrets(w.policy.Home, names)...)
}

// openState makes the run's own directory, which only the person can read. What lies in the others can be read too.
func (w *world) openState(dir string, others []string) (err error) {
	outputs := filepath.Join(dir, "outputs")
	if err := os.MkdirAll(outputs, 0o700); err != nil {
		return err
	}
	if w.outputs, err = workdir.Open(outputs, others...); err != nil {
		return err
	}
	w.log, err = transcript.Create(filepath.Join(dir, "transcript.jsonl"))
	return err
}

// close ends what the run left running and lets go of everything.
func (w *world) close() {
	if w.sessions != nil {
		w.sessions.Close()
		w.box.Close()
	}
	w.terminal.close()
	if w.boxes != nil {
		w.boxes.Close()
	}
	for _, dir := range []*workdir.Dir{w.dir, w.outputs} {
		if dir != nil {
			dir.Close()
		}
	}
	if w.log != nil {
		w.log.Close()
	}
}

// keyVariables are the variables that hold keys of providers: no program that the model starts gets one.
func keyVariables(cfg *config.Config) []string {
	var names []string
	for _, p := range cfg.Providers {
		names = append(names, p.Variables()...)
	}
	return names
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails, see crypto/rand
	return hex.EncodeToString(b)
}
