package providers_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tricode/agent"
	"tricode/agent/transcript"
	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// job is a task of several steps that is gone on with until it is done, whatever the server does.
type job struct {
	dir     string // where each run leaves its transcript, which the next one goes on from; empty: nowhere
	history []providers.Message
	done    [steps]int // how often each step was made
	runs    int
	close   func() error // the transcript
}

// step is the tool: its effect may happen once.
func (j *job) step() tools.Tool {
	type input struct {
		N int `json:"n"`
	}
	return tools.New("step", "Makes a step.", func(_ context.Context, in input) (*approval.Action, error) {
		if in.N < 0 || in.N >= steps {
			return nil, errors.New("no such step")
		}
		return approval.NewAction("step", func(context.Context, io.Writer) (approval.Result, error) {
			j.done[in.N]++
			return approval.Result{Text: fmt.Sprintf("made %d", in.N)}, nil
		}, approval.Subject{Effects: approval.Write, Path: "/work/f", Rel: "f"}), nil
	})
}

// run goes on with the job from what was recorded, as a resumed session does.
func (j *job) run(f *faulty) error {
	j.runs++
	record, err := j.transcript()
	if err != nil {
		return err
	}
	client, err := providers.New(providers.Config{Name: "p", BaseURL: "http://localhost/v1", Model: "m",
		StallTimeout: providers.Duration(10 * time.Millisecond)})
	if err != nil {
		return err
	}
	client.Through(f)
	ctx, cancel := context.WithTimeoutCause(context.Background(), 30*time.Second, errors.New("it hangs"))
	defer cancel()
	ctx, f.leave = context.WithCancelCause(ctx)
	defer f.leave(nil)
	a := &agent.Agent{
		Model: client, Tools: []tools.Tool{j.step()}, Limits: agent.Limits{Turns: 50},
		Gate: &approval.Gate{Policy: approval.Policy{Mode: approval.ModeBypass, WorkDir: "/work"}},
		Emit: func(e agent.Event) error {
			if said, ok := e.(agent.Said); ok {
				j.history = append(j.history, said.Message)
			}
			return record(e)
		},
	}
	_, err = a.Run(ctx, append([]providers.Message(nil), j.history...))
	if failed := j.readBack(); failed != nil {
		return failed
	}
	return err
}

// transcript begins the record of a run with what was said in those before.
func (j *job) transcript() (record func(agent.Event) error, err error) {
	if j.dir == "" {
		return func(agent.Event) error { return nil }, nil
	}
	w, err := transcript.Create(j.path())
	if err != nil {
		return nil, err
	}
	for _, m := range j.history {
		if err := w.Emit(agent.Said{Message: m}); err != nil {
			return nil, err
		}
	}
	j.close = w.Close
	return w.Emit, nil
}

func (j *job) path() string { return filepath.Join(j.dir, fmt.Sprint(j.runs)) }

// readBack goes on with what the transcript has, which must be all that was said.
func (j *job) readBack() error {
	if j.dir == "" {
		return nil
	}
	run, err := transcript.Read(j.path())
	if err = errors.Join(err, j.close()); err != nil {
		return err
	}
	said := len(j.history)
	if j.history = run.Conversation(); len(j.history) != said {
		return fmt.Errorf("%d messages were said, the transcript has %d", said, len(j.history))
	}
	return nil
}

// try does a job in spite of faults and returns what is wrong with how that went. A run ends well, with an error of the
// model in one line, or because the person left; what is recorded can be gone on from; each step is made once.
func try(faults []byte, dir string) error {
	j := &job{dir: dir, history: []providers.Message{{Role: providers.User, Text: "go"}}}
	f := &faulty{faults: faults}
	for {
		err := j.run(f)
		if err := answered(j.history); err != nil {
			return err
		}
		var model *agent.ModelError
		switch {
		case err == nil && j.history[len(j.history)-1].Text == "All done.":
			if j.done != [steps]int{1, 1, 1, 1} {
				return fmt.Errorf("the steps were made %v times", j.done)
			}
			return nil
		case err == nil: // an answer without a call, such as one that was cut off by a filter: the person says to go on
			j.history = append(j.history, providers.Message{Role: providers.User, Text: "go on"})
		case err == errLeft:
		case !errors.As(err, &model):
			return fmt.Errorf("a run ended with %T: %w", err, err)
		case strings.Contains(err.Error(), "\n") || len(err.Error()) > 600:
			return fmt.Errorf("an error is not one short line: %q", err)
		}
		if j.runs > len(faults)/2+1 {
			return fmt.Errorf("run %d ended with %v", j.runs, err)
		}
	}
}

// answered checks that each call has one answer, before anything else is said.
func answered(history []providers.Message) error {
	open := map[string]bool{}
	for _, m := range history {
		if m.Role == providers.ToolRole && !open[m.CallID] {
			return fmt.Errorf("an answer to %q, which was not called", m.CallID)
		}
		if delete(open, m.CallID); m.Role != providers.ToolRole && len(open) > 0 {
			return fmt.Errorf("calls without an answer: %v", open)
		}
		for _, c := range m.Calls {
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("calls without an answer: %v", open)
	}
	return nil
}

// tryAlone does a job by a clock that only waiting moves, and sees to it that nothing of it goes on.
func tryAlone(t *testing.T, faults []byte, dir string) {
	synctest.Test(t, func(t *testing.T) {
		if err := try(faults, dir); err != nil {
			t.Errorf("faults %v: %v", faults, err)
		}
	})
}

// TestEveryFaultEverywhere has each fault at each point of the first answer, and of the second, and goes on from the
// transcript that is left.
func TestEveryFaultEverywhere(t *testing.T) {
	const fine = 28 // a comment between events
	for kind := range faults {
		step := 16 // enough for what stands between events
		if kind < 3 {
			step = 1
		}
		for at := kind % 16; at < 256; at += step {
			tryAlone(t, []byte{byte(kind), byte(at)}, t.TempDir())
			tryAlone(t, []byte{fine, 0, byte(kind), byte(at)}, t.TempDir())
		}
	}
}

// TestFaultSequences tries ten thousand random sequences of faults, a thousand with -short. examples/fuzz goes on with
// FuzzFaults.
func TestFaultSequences(t *testing.T) {
	count := uint64(10_000)
	if testing.Short() {
		count = 1000
	}
	for n := range count {
		random := rand.New(rand.NewPCG(n+1, 0))
		sequence := make([]byte, 2*random.IntN(8))
		for i := range sequence {
			sequence[i] = byte(random.Uint32())
		}
		if tryAlone(t, sequence, ""); t.Failed() {
			return
		}
	}
}

// FuzzFaults looks for a sequence of faults that a run does not survive.
func FuzzFaults(f *testing.F) {
	f.Add([]byte{})
	for kind := range faults {
		f.Add([]byte{byte(kind), 128, byte(kind), 0})
	}
	f.Fuzz(func(t *testing.T, sequence []byte) {
		tryAlone(t, sequence[:min(len(sequence), 16)], "")
	})
}
