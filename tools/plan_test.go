package tools

import (
	"encoding/json"
	"strings"
	"testing"
)

// The steps of a contract carry calls; what they say is kept as it was written.
func TestContract(t *testing.T) {
	for _, tt := range []struct{ args, wrong string }{
		{`{"action":"create","steps":[{"text":"a","calls":[{"tool":"x","args":{"b":[1,{}]}},{"tool":"y"},{"tool":"z","args":null}]},{"text":"b"}]}`, ""},
		{`{"action":"create","steps":["a"]}`, "steps[0]: want an object"},
		{`{"action":"create","steps":[{"text":"a","calls":[{"tool":"x","args":"{}"}]}]}`, "steps[0].calls[0].args: not an object"},
		{`{"action":"create","steps":[{"text":"a","calls":[{"args":{}}]}]}`, "steps[0].calls[0].tool: missing"},
		{`{"action":"create","steps":[{"text":"a","calls":[{"tool":"x","args":{]}]}]}`, "not JSON"},
		{`{"action":"create","steps":[{"text":"a","calls":[` + strings.Repeat(`{"tool":"x"},`, maxCalls) + `{"tool":"x"}]}]}`, "more than 100 calls"},
	} {
		p := &Plan{Contract: true}
		a, err := NewPlan(p).Plan(t.Context(), json.RawMessage(tt.args))
		switch {
		case tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)):
			t.Errorf("plan(%.80s) = %v; want %s", tt.args, err, tt.wrong)
		case tt.wrong == "" && err != nil:
			t.Errorf("plan(%.80s): %v", tt.args, err)
		case tt.wrong == "" && a.Summary != "plan: 1 step" && a.Summary != "plan: 2 steps":
			t.Errorf("plan(%.80s) is %q", tt.args, a.Summary)
		}
	}
}
