package approval

import "fmt"

// Verdict is what a layer or a whole decision says. The zero value asks.
type Verdict int

// The verdicts, in the order of their strictness.
const (
	Ask Verdict = iota
	Allow
	Deny
)

func (v Verdict) String() string { return [...]string{"ask", "allow", "deny"}[v] }

// MarshalText gives the form that logs and JSON carry, the same as String.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// stricter returns the stricter of two verdicts: deny > ask > allow.
func stricter(a, b Verdict) Verdict {
	rank := [...]int{Ask: 1, Allow: 0, Deny: 2}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// Layer is a place in the order of one decision; the first layer with an answer decides.
type Layer int

// The layers, numbered as in the documentation.
const (
	LayerTools     Layer = iota + 1 // the list of tools of this run
	LayerWorkDir                    // the work-directory limit
	LayerProtected                  // protected and system paths
	LayerDeny                       // deny rules and what was denied before
	LayerMode                       // what plan and read_only leave
	LayerHooks                      // hooks before a call
	LayerBypass                     // bypass and skip
	LayerRules                      // ask and allow rules
	LayerSession                    // "allow for this session"
	LayerBuiltin                    // reading, and accept_edits
	LayerDefault                    // ask
	LayerPerson                     // the answer at the terminal
)

var layerNames = [...]string{
	"", "tool list", "work directory", "protected paths", "deny rules", "mode", "hooks", "bypass", "rules",
	"session", "built in", "default", "person",
}

func (l Layer) String() string { return layerNames[l] }

// MarshalText gives the form that logs and JSON carry, the same as String.
func (l Layer) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Step is one layer that was consulted about one subject.
type Step struct {
	Layer   Layer  `json:"layer"`
	Verdict string `json:"verdict"` // a verdict, or "-" where the layer had no answer
	Subject string `json:"subject,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// String is the step as a person reads it: "11 default: ask, removes recursively (rm -r x)".
func (s Step) String() string {
	line := fmt.Sprintf("%d %s: %s", int(s.Layer), s.Layer, s.Verdict)
	if s.Reason != "" {
		line += ", " + s.Reason
	}
	if s.Subject != "" {
		line += " (" + s.Subject + ")"
	}
	return line
}

// Decision is the policy's answer to one action, with all that led to it.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	Layer   Layer   `json:"layer"`
	Rule    string  `json:"rule,omitempty"` // the rule that decided, with its source; empty if none did
	By      By      `json:"by"`
	Reason  string  `json:"reason"`  // one line for people; empty where the default asked
	Effects Effects `json:"effects"` // the action's, with what follows from its paths
	Trace   []Step  `json:"trace,omitempty"`

	negotiable bool // where it is to ask, a permission hook may allow it
}
