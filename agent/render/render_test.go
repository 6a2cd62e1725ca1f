package render

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"tricode/agent"
	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// events is a run with text before a call, a command that prints, a failure and an answer.
func events() []agent.Event {
	call := providers.Message{Role: providers.Assistant, Text: "Let me look.", Calls: []providers.Call{{ID: "c1", Name: "run_command"}}}
	return []agent.Event{
		agent.Turn{N: 1}, agent.Text{Text: "Let me "}, agent.Text{Text: "look."}, agent.Said{Message: call},
		agent.Proposed{Call: "c1", Tool: "run_command", Summary: "run ls\x1b[2J"},
		agent.Decided{Call: "c1", Decision: approval.Decision{Verdict: approval.Allow, Layer: approval.LayerBuiltin, Reason: "it only reads"}},
		agent.Output{Call: "c1", Text: []byte("1\n2\n3\n4\n5\n6\n")}, agent.Output{Call: "c1", Text: []byte("7")},
		agent.Done{Call: "c1", Failed: true, Result: "exit status 2\nmore"},
		agent.PlanChanged{Steps: []tools.Step{{Text: "look", Done: true}, {Text: "act"}}},
		agent.Turn{N: 2}, agent.Text{Text: "All "}, agent.Text{Text: "done"}, agent.Said{Message: providers.Message{Role: providers.Assistant, Text: "All done"}},
		agent.Ended{Answer: "All done", Millis: 1240, Tally: agent.Tally{Turns: 2, Allowed: 1, Changed: []string{"a"}, Usage: providers.Usage{Input: 10, Output: 2}}},
	}
}

const progress = `• run ls\x1b[2J
  … 2 lines before
  3
  4
  5
  6
  7
  exit status 2
  [x] 1. look
  [ ] 2. act
`

const footer = `changed: a
1 allowed, 0 denied · 2 turns · 12 tokens (10 in, 2 out) · 1.2s
`

func TestText(t *testing.T) {
	tests := []struct {
		name     string
		out, err bool // terminals
		v        Verbosity
		wantOut  string
		wantErr  string
	}{
		{"on a terminal", true, true, Normal, "Let me look.\nAll done\n", progress + footer},
		{"answer to a file, the rest on a terminal", false, true, Normal, "All done\n", "Let me look.\n" + progress + "All done\n" + footer},
		{"no terminal", false, false, Normal, "All done\n", "Let me look.\n" + progress + footer},
		{"quiet", false, true, Quiet, "All done\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, err bytes.Buffer
			view := NewText(Stream{Writer: &out, Terminal: tt.out}, Stream{Writer: &err, Terminal: tt.err}, tt.v)
			emit(t, view.Emit, events())
			if out.String() != tt.wantOut {
				t.Errorf("standard output:\n%q\nwant\n%q", out.String(), tt.wantOut)
			}
			if err.String() != tt.wantErr {
				t.Errorf("standard error:\n%q\nwant\n%q", err.String(), tt.wantErr)
			}
		})
	}
}

// A plan is shown when its steps change: that one of them is done says the line of its call.
func TestPlan(t *testing.T) {
	var out, err bytes.Buffer
	view := NewText(Stream{Writer: &out}, Stream{Writer: &err}, Normal)
	two := []tools.Step{{Text: "look"}, {Text: "act"}}
	emit(t, view.Emit, []agent.Event{
		agent.Proposed{Summary: "plan: 2 steps"}, agent.PlanChanged{Steps: two},
		agent.Proposed{Summary: "step 1 of 2 done: look"}, agent.PlanChanged{Steps: []tools.Step{{Text: "look", Done: true}, {Text: "act"}}},
		agent.Proposed{Summary: "plan changed: 1 step"}, agent.PlanChanged{Steps: []tools.Step{{Text: "look", Done: true}}},
		agent.Proposed{Summary: "no plan needed"}, agent.PlanChanged{},
	})
	const want = "• plan: 2 steps\n  [ ] 1. look\n  [ ] 2. act\n• step 1 of 2 done: look\n• plan changed: 1 step\n  [x] 1. look\n• no plan needed\n"
	if err.String() != want {
		t.Errorf("standard error:\n%s\nwant\n%s", err.String(), want)
	}
}

func emit(t *testing.T, to func(agent.Event) error, events []agent.Event) {
	t.Helper()
	for _, e := range events {
		if err := to(e); err != nil {
			t.Fatal(err)
		}
	}
}

func TestColourIsOnlyWhereItIsWanted(t *testing.T) {
	for _, colour := range []bool{false, true} {
		var err bytes.Buffer
		view := NewText(Stream{Writer: io.Discard}, Stream{Writer: &err, Color: colour}, Normal)
		emit(t, view.Emit, events())
		if got := strings.Contains(err.String(), "\x1b["); got != colour {
			t.Errorf("colour %v: escapes on standard error: %v", colour, got)
		}
	}
}

func TestJSON(t *testing.T) {
	var stream, object, complaint bytes.Buffer
	emit(t, JSON{Out: &stream, Err: Stream{Writer: &complaint}, Stream: true}.Emit, events())
	emit(t, JSON{Out: &object, Err: Stream{Writer: &complaint}}.Emit, []agent.Event{agent.Turn{N: 1}, agent.Retry{Text: "p: 503"}, agent.Ended{Status: 4, Reason: "nobody", Hint: "do it"}})
	if got, want := strings.Count(stream.String(), "\n"), len(events())-2; got != want {
		t.Errorf("stream: %d lines, want %d: all but the output of programs", got, want)
	}
	if !strings.HasPrefix(object.String(), `{"type":"ended","v":1,"status":4,"reason":"nobody","hint":"do it",`) || strings.Count(object.String(), "\n") != 1 {
		t.Errorf("object: %s", object.String())
	}
	object.Reset()
	emit(t, JSON{Out: &object}.Emit, []agent.Event{agent.Ended{Answer: "\u009b31m\u202e"}})
	if !strings.Contains(object.String(), `"answer":"\u009b31m\u202e"`) {
		t.Errorf("hostile text: %q", object.String())
	}
	if want := "tricode: p: 503\ntricode: nobody\ntricode: hint: do it\n"; complaint.String() != want {
		t.Errorf("standard error: %q, want %q", complaint.String(), want)
	}
}

// What a program prints without end is kept in bounded memory.
func TestTailIsBounded(t *testing.T) {
	var tl tail
	for range 1000 {
		tl.write(bytes.Repeat([]byte("x\n"), 5000))
	}
	if cap(tl.end) > 4*tailBytes {
		t.Errorf("the tail holds %d bytes", cap(tl.end))
	}
	if lines := tl.lines(tailWidth); lines[0] != "… 4,999,995 lines before" || len(lines) != tailLines+1 {
		t.Errorf("lines = %q", lines)
	}
}

func BenchmarkText(b *testing.B) {
	view := NewText(Stream{Writer: io.Discard, Terminal: true}, Stream{Writer: io.Discard}, Normal)
	piece := agent.Text{Text: strings.Repeat("0123456789", 10)}
	b.ReportAllocs()
	for b.Loop() {
		if err := view.Emit(piece); err != nil {
			b.Fatal(err)
		}
	}
}

// A line without end does not fill the screen, and a beginning that is lost does not pass for one.
func TestTailOfLongLines(t *testing.T) {
	tests := []struct {
		name, printed string
		want          []string
	}{
		{"nothing", "", nil},
		{"one line more", "1\n2\n3\n4\n5\n6\n", []string{"… 1 line before", "2", "3", "4", "5", "6"}},
		{"a wide line", strings.Repeat("x", 200) + "\n", []string{strings.Repeat("x", 148) + "… (52 more)"}},
		{"an endless line", strings.Repeat("é", 9000), []string{"…" + strings.Repeat("é", 145) + "… (1,903 more)"}},
		{"tabs", "a\tb\r\nc\rd", []string{"a    b", `c\rd`}},
		{"nothing but line ends", "\n\n", []string{"", ""}},
	}
	for _, tt := range tests {
		var tl tail
		for _, b := range []byte(tt.printed) {
			tl.write([]byte{b})
		}
		if got := tl.lines(tailWidth); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The end of the last line of a result is no line of its own.
func TestVerboseResult(t *testing.T) {
	for result, want := range map[string]string{"one\ntwo\n": "  one\n  two\n", "one": "  one\n", "one\n\n": "  one\n  \n"} {
		var err bytes.Buffer
		emit(t, NewText(Stream{Writer: io.Discard}, Stream{Writer: &err}, Verbose).Emit, []agent.Event{agent.Done{Result: result}})
		if got := err.String(); got != want {
			t.Errorf("%q: %q, want %q", result, got, want)
		}
	}
}

// What went wrong with a call is one line, unless it ended the run: that is said at the end.
func TestWhatWentWrong(t *testing.T) {
	tests := []struct {
		name string
		done agent.Done
		want string
	}{
		{"it went well", agent.Done{Result: "fine"}, ""},
		{"a program failed", agent.Done{Result: "no such file\nexit status 2", Note: "exit status 2"}, "  exit status 2\n"},
		{"a tool failed", agent.Done{Failed: true, Result: "error: no\nsecond line"}, "  error: no\n"},
		{"a denial that ends the run", agent.Done{Failed: true, Ends: true, Result: "denied: a person said no"}, ""},
	}
	for _, tt := range tests {
		for _, v := range []Verbosity{Normal, Verbose} {
			var err bytes.Buffer
			emit(t, NewText(Stream{Writer: io.Discard}, Stream{Writer: &err}, v).Emit, []agent.Event{tt.done})
			if got := err.String(); v == Normal && got != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			} else if v == Verbose && tt.done.Ends && got != "" {
				t.Errorf("%s, verbose: %q, want nothing", tt.name, got)
			}
		}
	}
}
