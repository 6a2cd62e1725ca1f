package agent

import (
	"testing"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// Programs read these lines: what they are called, what is in them and in which order is a promise, and a change of it
// another Format.
func TestLinesForPrograms(t *testing.T) {
	d := approval.Decision{Verdict: approval.Deny, Layer: approval.LayerDeny, Rule: "deny rule run_command(git push:*) (config.toml:4)", Reason: "no",
		Effects: approval.Exec | approval.Network, Trace: []approval.Step{{Layer: approval.LayerDeny, Verdict: "deny", Subject: "git push", Reason: "no"}}}
	tally := NewTally()
	for _, e := range []Event{
		Turn{N: 1}, Said{Message: providers.Message{Role: providers.Assistant, Usage: providers.Usage{Input: 9, Output: 2, Cached: 4}}, Cost: 0.25},
		Decided{Call: "c1", Tool: "run_command", Summary: "run git push", Time: "2026-01-02T03:04:05Z", Decision: d},
		Decided{Call: "c2", Tool: "create_file", Summary: "create a", Decision: approval.Decision{Layer: approval.LayerPerson, Verdict: approval.Allow, By: approval.ByPerson, Effects: approval.Write}},
		Done{Call: "c2", Tool: "create_file", Changed: []string{"a"}},
	} {
		tally.Add(e)
	}
	for _, tt := range []struct {
		event Event
		want  string
	}{
		{Started{Session: "s", Time: "t", Version: "v1", Provider: "p", Model: "m", WorkDir: "/w", Mode: "ask", Task: "<do> it"},
			`{"type":"started","v":1,"session":"s","time":"t","version":"v1","provider":"p","model":"m","work_dir":"/w","mode":"ask","task":"<do> it"}`},
		{Said{Message: providers.Message{Role: providers.ToolRole, Text: "x", CallID: "c"}},
			`{"type":"said","v":1,"message":{"role":"tool","text":"x","call_id":"c"}}`},
		{Said{Message: providers.Message{Role: providers.Assistant, Calls: []providers.Call{{ID: "c", Name: "f", Arguments: "{}"}}, Provider: "p", Model: "m", Usage: providers.Usage{Input: 1}, Finish: "stop"}, Cost: 0.5},
			`{"type":"said","v":1,"message":{"role":"assistant","calls":[{"id":"c","name":"f","arguments":"{}"}],"provider":"p","model":"m","usage":{"input":1,"output":0},"finish":"stop"},"cost":0.5}`},
		{Turn{N: 3}, `{"type":"turn","v":1,"n":3}`},
		{Text{Text: "a"}, `{"type":"text","v":1,"text":"a"}`},
		{Retry{Text: "503", Millis: 5, Void: true}, `{"type":"retry","v":1,"text":"503","wait_ms":5,"void":true}`},
		{Proposed{Call: "c", Tool: "f", Summary: "do"}, `{"type":"proposed","v":1,"call":"c","tool":"f","summary":"do"}`},
		{Decided{Call: "c", Tool: "f", Summary: "do", Time: "t", Decision: d},
			`{"type":"decided","v":1,"call":"c","tool":"f","summary":"do","time":"t","decision":{"verdict":"deny","layer":"deny rules","rule":"deny rule run_command(git push:*) (config.toml:4)","by":"policy","reason":"no","effects":"exec, network","trace":[{"layer":"deny rules","verdict":"deny","subject":"git push","reason":"no"}]}}`},
		{Done{Call: "c", Tool: "f", Failed: true, Result: "r", Note: "n", Changed: []string{"a"}, Millis: 7},
			`{"type":"done","v":1,"call":"c","tool":"f","failed":true,"result":"r","note":"n","changed":["a"],"ms":7}`},
		{PlanChanged{Steps: []tools.Step{{Text: "a", Done: true}}}, `{"type":"plan","v":1,"steps":[{"text":"a","done":true}]}`},
		{Contract{Task: "x", Rules: []string{"mkdir(a)"}, Answer: "grant", Steps: []ContractStep{{Text: "a", Calls: []ContractCall{{Tool: "mkdir", Summary: "make a", Needs: NeedsRule}, {Tool: "f", Summary: "f", Reason: "why"}}}}},
			`{"type":"contract","v":1,"task":"x","steps":[{"text":"a","calls":[{"tool":"mkdir","summary":"make a","needs":"rule"},{"tool":"f","summary":"f","needs":"person","reason":"why"}]}],"rules":["mkdir(a)"],"answer":"grant"}`},
		{Compacted{Dropped: 2, Message: providers.Message{Role: providers.User, Text: "x"}, Before: 9, After: 5},
			`{"type":"compacted","v":1,"dropped":2,"message":{"role":"user","text":"x"},"before":9,"after":5}`},
		{Notice{Text: "x"}, `{"type":"notice","v":1,"text":"x"}`},
		{Ended{Status: 4, Reason: "nobody", Hint: "h", Answer: "", Millis: 7, Tally: tally},
			`{"type":"ended","v":1,"status":4,"reason":"nobody","hint":"h","answer":"","ms":7,"turns":1,"usage":{"input":9,"output":2,"cached":4},"cost":0.25,"allowed":1,"denied":1,"changed":["a"],` +
				`"denials":[{"tool":"run_command","reason":"no","summary":"run git push","time":"2026-01-02T03:04:05Z"}],"decisions":[` +
				`{"call":"c1","tool":"run_command","summary":"run git push","verdict":"deny","layer":"deny rules","rule":"deny rule run_command(git push:*) (config.toml:4)","by":"policy","reason":"no"},` +
				`{"call":"c2","tool":"create_file","summary":"create a","verdict":"allow","layer":"person","by":"person","reason":""}]}`},
	} {
		if got, err := Encode(tt.event); err != nil || string(got) != tt.want+"\n" {
			t.Errorf("Encode(%T) = %s%v\nwant %s", tt.event, got, err, tt.want)
		}
	}
}
