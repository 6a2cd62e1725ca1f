package agent

import (
	"fmt"
	"slices"

	"tricode/approval"
)

// Contract is a plan that the model made before anything happened, with what it needs. It is recorded when a person
// answered, or when it was written to a file.
type Contract struct {
	Task   string         `json:"task"`
	Steps  []ContractStep `json:"steps"`
	Rules  []string       `json:"rules"`  // the least set of permissions, as rules of the command line
	Answer string         `json:"answer"` // "ask": each call is asked about; "grant", "stop"; "written": nobody was asked
}

// ContractStep is a step of a contract.
type ContractStep struct {
	Text  string         `json:"text"`
	Calls []ContractCall `json:"calls"`
}

// ContractCall is a call that a step needs.
type ContractCall struct {
	Tool    string `json:"tool"`
	Summary string `json:"summary"`
	Needs   Need   `json:"needs"`
	Reason  string `json:"reason,omitempty"` // why it will still be asked about, or is denied
}

// Need is what a call of a contract needs.
type Need int

// The needs. What is not known is asked about.
const (
	NeedsPerson  Need = iota // it will still be asked about
	NeedsNothing             // it is allowed as it is
	NeedsRule                // the rules of the contract allow it
	NeedsChange              // it is denied, whatever is answered
)

func (n Need) String() string { return [...]string{"person", "nothing", "rule", "change"}[n] }

// MarshalText gives the form that logs and JSON carry, the same as String.
func (n Need) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// mark stands before a call of the contract.
func (n Need) mark() string { return [...]string{"?", "·", "+", "x"}[n] }

// Sections are the contract as a person reads it. Nothing in them is safe to print raw.
func (c Contract) Sections() []approval.Section {
	var steps []string
	var needs []Need
	for i, s := range c.Steps {
		steps = append(steps, fmt.Sprintf("%d. %s", i+1, s.Text))
		for _, call := range s.Calls {
			line := fmt.Sprintf("   %s %s", call.Needs.mark(), call.Summary)
			if call.Reason != "" {
				line += ": " + call.Reason
			}
			steps, needs = append(steps, line), append(needs, call.Needs)
		}
	}
	all := []approval.Section{{Title: "Task", Lines: []string{c.Task}}, {Title: "Steps", Lines: steps}}
	var legend []string
	person := "is asked about in any case"
	if c.Answer == "written" { // --plan-in asks nobody
		person = "needs a person, and is denied by --plan-in"
	}
	for _, l := range [...]struct {
		need Need
		text string
	}{
		{NeedsRule, "needs one of these permissions"}, {NeedsPerson, person},
		{NeedsChange, "is denied in any case"}, {NeedsNothing, "needs nothing"},
	} {
		if slices.Contains(needs, l.need) {
			legend = append(legend, l.need.mark()+" "+l.text)
		}
	}
	if legend != nil {
		all = append(all, approval.Section{Title: "Signs", Lines: legend})
	}
	rules := c.Rules
	if len(rules) == 0 {
		rules = []string{"none"}
	}
	return append(all, approval.Section{Title: "Permissions", Lines: rules})
}
