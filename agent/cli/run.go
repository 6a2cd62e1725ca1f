package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"tricode/agent"
	"tricode/agent/redact"
	"tricode/approval"
	"tricode/providers"
)

// run is what happens in a run: events come in, are counted, recorded and shown.
type run struct {
	started time.Time
	world   *world
	latest  *approval.Action // the latest that was decided about

	trace, traceAll bool // which decisions are printed, see tracing

	admitted bool   // what the system does not enforce was said
	spoken   string // the file of the latest message, if that is too long

	mu      sync.Mutex // events come one at a time, also those of steps of a command while it prints
	tally   agent.Tally
	secrets *redact.Redactor
	log     sink
	view    sink
}

// thinks is when what its commands may need begins to start while a model thinks: once the request is surely on its way, which would
// have to wait for that, and as long as there was no call, once the answer cannot be a short one without any.
func (r *run) thinks() time.Duration {
	if r.admitted {
		return 2 * time.Millisecond
	}
	return 4 * time.Millisecond
}

// sink takes events: the transcript, the terminal.
type sink interface{ Emit(agent.Event) error }

// emit records an event before it is shown: what cannot be recorded does not happen.
func (r *run) emit(e agent.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tally.Add(e)
	switch e := e.(type) {
	case agent.Turn:
		time.AfterFunc(r.thinks(), r.world.boxes.Warm)
	case agent.Said:
		r.spoken = e.File
	}
	if err := r.log.Emit(e); err != nil {
		return err
	}
	return r.view.Emit(e)
}

func (r *run) decided(ctx context.Context, a *approval.Action, d approval.Decision) error {
	r.latest = a
	if err := r.admit(ctx, a); err != nil {
		return err
	}
	if r.traceAll || r.trace && questioned(d) {
		fmt.Fprint(folding{os.Stderr}, trace(a, d))
	}
	return r.emit(agent.Decided{Call: a.Call, Tool: a.Tool, Summary: a.Summary, Time: time.Now().Format(time.RFC3339), Part: a.Part, Decision: d})
}

// guarded makes an error of a mistake of ours, so that the transcript is closed and whoever reads JSON is told.
func (r *run) guarded(do func() (providers.Message, error)) (answer providers.Message, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &agent.CrashError{Tool: "the run", Cause: cause}
		}
	}()
	return do()
}

// end closes the run and returns its status.
func (r *run) end(answer string, err error) int {
	r.tally.Hidden = r.secrets.Count()
	e := agent.Ended{Status: statusOf(err), Tally: r.tally, Millis: time.Since(r.started).Milliseconds()}
	if err != nil {
		e.Reason, e.Hint = reasonFor(err), hintFor(err)
	}
	if denied := (*approval.Denied)(nil); errors.As(err, &denied) && denied.By == approval.ByNobody {
		e.Hint = onlyPerson // where a hook wants to ask
		if denied.Decision.Layer != approval.LayerHooks {
			e.Hint = r.world.least(r.latest)
		}
	}
	if err == nil || e.Status == statusPolicy {
		e.Answer, e.File = answer, r.spoken
	}
	logged := r.log.Emit(e.WithoutAnswer())
	if shown := r.view.Emit(e); e.Status == statusDone && (logged != nil || shown != nil) {
		return statusBroken
	}
	return e.Status
}
