package render

import (
	"bytes"
	"io"
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
	emit(t, JSON{Out: &stream, Err: &complaint, Stream: true}.Emit, events())
	emit(t, JSON{Out: &object, Err: &complaint}.Emit, []agent.Event{agent.Turn{N: 1}, agent.Ended{Status: 4, Reason: "nobody", Hint: "do it"}})
	if got, want := strings.Count(stream.String(), "\n"), len(events())-2; got != want {
		t.Errorf("stream: %d lines, want %d: all but the output of programs", got, want)
	}
	if !strings.HasPrefix(object.String(), `{"type":"ended","status":4,"reason":"nobody","hint":"do it",`) || strings.Count(object.String(), "\n") != 1 {
		t.Errorf("object: %s", object.String())
	}
	if want := "tricode: nobody\ntricode: hint: do it\n"; complaint.String() != want {
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
	if lines := tl.lines(); lines[0] != "… 4999995 lines before" || len(lines) != tailLines+1 {
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
