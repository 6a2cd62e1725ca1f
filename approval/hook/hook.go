// Package hook lets the person's own programs have a say: before a call, where a person would be asked, and after it.
//
// A hook is told of the call as JSON on standard input and answers with JSON on standard output, with nothing, or with
// exit status 2. Whatever else happens to it is a denial: a hook that does not work must not be one that allows.
package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"tricode/approval"
)

// Event is when a hook is asked. The zero Event is never.
type Event string

// The events.
const (
	BeforeTool Event = "before_tool" // what no limit, deny rule or mode forbids; it may deny, or have a person asked
	Permission Event = "permission"  // where a person would be asked; it may also allow
	AfterTool  Event = "after_tool"  // when it is done; it may add a note for the model
)

// Events lists them all.
var Events = [...]Event{BeforeTool, Permission, AfterTool}

// Hook is a program that is asked about calls.
type Hook struct {
	Event   Event
	Tools   []string // as rules name them; none for all
	Command []string // a program and its arguments
	Timeout time.Duration
	Project bool   // a project brought it, and a person trusted that
	Source  string // where it is written: "config.toml:12"
}

// Bounds of the time that a hook may take.
const (
	DefaultTimeout = 10 * time.Second
	MaxTimeout     = 10 * time.Minute
)

// String names the hook in reasons.
func (h *Hook) String() string { return "hook " + oneLine(strings.Join(h.Command, " "), maxName) }

// Runner runs a program to its end, or until ctx is done or a writer fails, and then ends everything that it started.
// The error is nil whenever the program ran to its end, whatever its status.
type Runner func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (status int, err error)

// Hooks are the hooks of one run. They implement approval.Hooks.
type Hooks struct {
	hooks   []matched
	run     Runner
	setting Setting
}

// Setting is what hooks are told of the run.
type Setting struct {
	WorkDir string
	Session string
	// Intact returns an error if the program of a hook is not the one that the person knows. Nil trusts all.
	Intact func(*Hook) error
}

type matched struct {
	Hook
	concerns func(tool string) bool
}

// New prepares the hooks of a run, in the order in which they are asked. The error says which tool is none.
func New(hooks []Hook, run Runner, s Setting) (*Hooks, error) {
	all := &Hooks{run: run, setting: s}
	for _, h := range hooks {
		concerns, err := approval.MatchTools(h.Tools)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", &h, err)
		}
		all.hooks = append(all.hooks, matched{h, concerns})
	}
	return all, nil
}

// Before implements approval.Hooks.
func (hs *Hooks) Before(ctx context.Context, a *approval.Action) *approval.Opinion {
	return hs.opinion(ctx, BeforeTool, a)
}

// Permission implements approval.Hooks.
func (hs *Hooks) Permission(ctx context.Context, a *approval.Action) *approval.Opinion {
	return hs.opinion(ctx, Permission, a)
}

// After implements approval.Hooks.
func (hs *Hooks) After(ctx context.Context, a *approval.Action, r approval.Result, err error) string {
	c := hs.describe(AfterTool, a)
	c.Result = r.Text
	if err != nil {
		c.Error = err.Error()
	}
	var notes []string
	for _, h := range hs.concerned(AfterTool, a.Tool) {
		if o := hs.ask(ctx, h, c); o.Reason != "" {
			notes = append(notes, o.Reason)
		}
	}
	return strings.Join(notes, "\n")
}

// opinion asks the hooks of an event in turn until one denies; the strictest answer counts.
func (hs *Hooks) opinion(ctx context.Context, e Event, a *approval.Action) *approval.Opinion {
	var all *approval.Opinion
	for _, h := range hs.concerned(e, a.Tool) {
		o := hs.ask(ctx, h, hs.describe(e, a))
		if all == nil {
			all = &approval.Opinion{}
		}
		if o.Given && (!all.Given || rank(o.Verdict) > rank(all.Verdict)) {
			*all = o
		}
		if all.Given && all.Verdict == approval.Deny {
			break
		}
	}
	return all
}

// rank orders verdicts by how strict they are.
func rank(v approval.Verdict) int {
	return [...]int{approval.Allow: 0, approval.Ask: 1, approval.Deny: 2}[v]
}

func (hs *Hooks) concerned(e Event, tool string) []*Hook {
	var list []*Hook
	for i := range hs.hooks {
		if h := &hs.hooks[i]; h.Event == e && h.concerns(tool) {
			list = append(list, &h.Hook)
		}
	}
	return list
}

// call is what a hook is told.
type call struct {
	Event     Event           `json:"event"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Effects   []string        `json:"effects"` // empty if they are not known
	Summary   string          `json:"summary"`
	WorkDir   string          `json:"work_dir"`
	Session   string          `json:"session"`
	Result    string          `json:"result,omitempty"` // after_tool only, as Error
	Error     string          `json:"error,omitempty"`
}

func (hs *Hooks) describe(e Event, a *approval.Action) call {
	c := call{
		Event: e, Tool: a.Tool, Arguments: json.RawMessage(a.Input), Effects: a.Effects.Names(), Summary: a.Summary,
		WorkDir: hs.setting.WorkDir, Session: hs.setting.Session,
	}
	if strings.TrimSpace(a.Input) == "" {
		c.Arguments = json.RawMessage("{}")
	}
	if c.Effects == nil {
		c.Effects = []string{}
	}
	return c
}

// Bounds of what hooks say to people and models, in bytes.
const (
	maxName   = 100
	maxReason = 2000
)

// oneLine makes a line of a text.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) <= most {
		return text
	}
	cut := most
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + " …"
}
