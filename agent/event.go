package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// Event is something that happened in a run. Events come one at a time, in order. Each marshals to a JSON object;
// Encode adds its kind.
type Event interface{ Kind() string }

// The events of a run.
type (
	// Started opens a run.
	Started struct {
		Session  string `json:"session"`
		Time     string `json:"time"` // RFC 3339
		Version  string `json:"version"`
		Provider string `json:"provider"`
		Model    string `json:"model"`
		WorkDir  string `json:"work_dir"`
		Mode     string `json:"mode"`
		Task     string `json:"task"`

		Resumes []string `json:"resumes,omitempty"` // the sessions that it goes on with, the latest first
	}
	// Said is a message that was added to the conversation: what the model said in full, or what it was told.
	Said struct {
		Message providers.Message `json:"message"`
		Cost    float64           `json:"cost,omitempty"` // in US dollars, where prices are known
		File    string            `json:"file,omitempty"` // has all that was said, where the message has the beginning and the end
	}
	// Turn says that the model is asked for its next message; N counts from 1.
	Turn struct {
		N int `json:"n"`
	}
	// Text is a piece of what the model is saying right now.
	Text struct {
		Text string `json:"text"`
	}
	// Retry says that the model could not be asked, or did not answer to the end, and is asked again after a wait.
	Retry struct {
		Text   string `json:"text"` // a line that says why, when and whom
		Millis int64  `json:"wait_ms"`
		Void   bool   `json:"void,omitempty"` // the text since the turn began counts no more
	}
	// Proposed is a call that was planned and is about to be decided.
	Proposed struct {
		Call    string `json:"call"`
		Tool    string `json:"tool"`
		Summary string `json:"summary"`
	}
	// Decided is what became of a proposed call.
	Decided struct {
		Call     string            `json:"call"`
		Tool     string            `json:"tool"`
		Summary  string            `json:"summary"`
		Time     string            `json:"time"`           // RFC 3339
		Part     bool              `json:"part,omitempty"` // of a call that was allowed: a program, a file
		Decision approval.Decision `json:"decision"`
	}
	// Output is a piece of what a running program prints.
	Output struct {
		Call string `json:"call"`
		Text []byte `json:"text"`
	}
	// Done closes a call. Result is what the model is told.
	Done struct {
		Call    string   `json:"call"`
		Tool    string   `json:"tool"`
		Failed  bool     `json:"failed,omitempty"`
		Result  string   `json:"result"`
		Note    string   `json:"note,omitempty"`    // what went wrong with a call that did not fail: "exit status 1"
		Changed []string `json:"changed,omitempty"` // paths that were known to change
		Millis  int64    `json:"ms"`
		Ends    bool     `json:"-"` // the run ends with this call, and Ended says why
	}
	// PlanChanged shows the plan as it is now.
	PlanChanged struct {
		Steps []tools.Step `json:"steps"`
	}
	// Compacted says that the conversation was made shorter: Message is in the place of so many others, those behind what
	// the model was told first.
	Compacted struct {
		Dropped int               `json:"dropped"`
		Message providers.Message `json:"message"`
		Before  int               `json:"before"` // how many tokens the conversation had, as far as can be told
		After   int               `json:"after"`
		Usage   providers.Usage   `json:"usage,omitzero"` // what the summary took
		Cost    float64           `json:"cost,omitempty"`
	}
	// Notice is one line for the person, such as that an answer was cut off.
	Notice struct {
		Text string `json:"text"`
	}
	// Ended closes a run.
	Ended struct {
		Status int    `json:"status"`
		Reason string `json:"reason,omitempty"` // empty for status 0
		Hint   string `json:"hint,omitempty"`   // what to type to get further
		Answer string `json:"answer"`
		File   string `json:"file,omitempty"` // has all of the answer, where Answer has its beginning and its end
		Millis int64  `json:"ms"`
		Tally
	}
)

func (Contract) Kind() string    { return "contract" }
func (Started) Kind() string     { return "started" }
func (Said) Kind() string        { return "said" }
func (Turn) Kind() string        { return "turn" }
func (Text) Kind() string        { return "text" }
func (Retry) Kind() string       { return "retry" }
func (Proposed) Kind() string    { return "proposed" }
func (Decided) Kind() string     { return "decided" }
func (Output) Kind() string      { return "output" }
func (Done) Kind() string        { return "done" }
func (PlanChanged) Kind() string { return "plan" }
func (Compacted) Kind() string   { return "compacted" }
func (Notice) Kind() string      { return "notice" }
func (Ended) Kind() string       { return "ended" }

// WithoutAnswer is for a record that has the answer already, in the last message, and each decision in its event.
func (e Ended) WithoutAnswer() Ended {
	e.Answer, e.Decisions = "", nil
	return e
}

// Format is the version of the lines that Encode writes. It grows when something in them gets another meaning or is left
// out; what is added leaves it as it is.
const Format = 1

// Encode gives the event as one line of JSON, with its kind as "type" and the version of the format as "v" before all else.
func Encode(e Event) ([]byte, error) {
	var line bytes.Buffer
	fmt.Fprintf(&line, `{"type":%q,"v":%d,`, e.Kind(), Format)
	head := line.Len()
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, err
	}
	// Every event has fields, so the brace that opens them is all that stands between the two.
	whole := line.Bytes()
	return append(whole[:head], whole[head+1:]...), nil
}

// NewTally has seen nothing. Unlike those of the zero Tally, its lists are empty and not null in JSON.
func NewTally() Tally { return Tally{Changed: []string{}, Denials: []Denial{}} }

// Tally counts what happened in a run. The zero Tally has seen nothing.
type Tally struct {
	Turns   int             `json:"turns"`
	Usage   providers.Usage `json:"usage"`
	Cost    float64         `json:"cost,omitempty"`   // in US dollars, as far as prices are known
	Hidden  int             `json:"hidden,omitempty"` // secrets that were found in what tools brought
	Allowed int             `json:"allowed"`          // calls that do more than read
	Denied  int             `json:"denied"`
	Changed []string        `json:"changed"` // each path once, in the order of the first change
	Denials []Denial        `json:"denials"`

	Decisions []Ruling `json:"decisions,omitempty"` // all of them, in order
}

// Ruling is what was decided about one call, without how that came about.
type Ruling struct {
	Call    string           `json:"call"`
	Tool    string           `json:"tool"`
	Summary string           `json:"summary"` // of the call, one line
	Verdict approval.Verdict `json:"verdict"`
	Layer   approval.Layer   `json:"layer"`
	Rule    string           `json:"rule,omitempty"`
	By      approval.By      `json:"by"`
	Reason  string           `json:"reason"`
}

// Denial is a call that was not performed.
type Denial struct {
	Tool    string `json:"tool"`
	Reason  string `json:"reason"`
	Summary string `json:"summary"` // of the call, one line
	Time    string `json:"time"`    // RFC 3339
}

// Add counts one event.
func (t *Tally) Add(e Event) {
	switch e := e.(type) {
	case Turn:
		t.Turns++
	case Said:
		t.spend(e.Message.Usage, e.Cost)
	case Compacted:
		t.spend(e.Usage, e.Cost)
	case Decided:
		d := e.Decision
		t.Decisions = append(t.Decisions, Ruling{e.Call, e.Tool, e.Summary, d.Verdict, d.Layer, d.Rule, d.By, d.Reason})
		switch {
		case e.Decision.Verdict == approval.Deny:
			t.Denied++
			t.Denials = append(t.Denials, Denial{e.Tool, e.Decision.Reason, e.Summary, e.Time})
		case !e.Decision.Effects.Only(approval.Read):
			t.Allowed++
		}
	case Done:
		for _, path := range e.Changed {
			if !slices.Contains(t.Changed, path) {
				t.Changed = append(t.Changed, path)
			}
		}
	}
}

func (t *Tally) spend(u providers.Usage, cost float64) {
	t.Usage.Input += u.Input
	t.Usage.Output += u.Output
	t.Usage.Cached += u.Cached
	t.Cost = math.Round((t.Cost+cost)*1e9) / 1e9 // sums of fractions are not told digit by digit
}
