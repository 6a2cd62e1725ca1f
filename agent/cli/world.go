package cli

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tricode/agent/config"
	"tricode/agent/transcript"
	"tricode/approval"
	"tricode/tools"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// world is what a run has around it: directories, programs, its own state, the rules.
type world struct {
	dir          *workdir.Dir
	outputs      *workdir.Dir // long outputs of programs
	box          *sandbox.Box
	sessions     *tools.Sessions
	log          *transcript.Writer
	session      string
	terminal     *terminal
	policy       approval.Policy
	planRequired bool
}

// open makes the world of a run. What it opened is closed again if it fails.
func (c *commandLine) open(cfg *config.Config) (w *world, err error) {
	w = &world{
		session:      time.Now().Format("20060102-150405-") + randomHex(3),
		planRequired: c.RequirePlan || cfg.Agent.PlanRequired,
		terminal:     c.terminal(),
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	extra := cfg.Permissions.AdditionalDirectories
	if c.BypassWorkDirectoryLimit {
		extra = append(slices.Clip(extra), "/")
	}
	if w.dir, err = workdir.Open(cmp.Or(c.WorkDir, "."), extra...); err != nil {
		return w, &usageError{err.Error()}
	}
	if w.policy, err = c.policy(cfg, w.dir.Name()); err != nil {
		return w, err
	}
	if err = w.openState(filepath.Join(cfg.Paths.State, "sessions", w.session)); err != nil {
		return w, err
	}
	w.box = &sandbox.Box{Dir: w.dir.Name(), Hidden: keyVariables(cfg)}
	w.sessions = tools.NewSessions(w.box)
	return w, nil
}

// openState makes the run's own directory, which only the person can read.
func (w *world) openState(dir string) (err error) {
	outputs := filepath.Join(dir, "outputs")
	if err := os.MkdirAll(outputs, 0o700); err != nil {
		return err
	}
	if w.outputs, err = workdir.Open(outputs); err != nil {
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
		if p.KeyEnv != "" {
			names = append(names, p.KeyEnv)
		}
	}
	return names
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails, see crypto/rand
	return hex.EncodeToString(b)
}
