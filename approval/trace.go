package approval

import (
	"fmt"
	"slices"
	"strings"
)

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

// Consultation is what layers said about subjects, the same about each.
type Consultation struct {
	Subjects []string
	Steps    []Step // without the subjects' names
}

// Consulted takes a trace apart by subject, and puts neighbours about which the same was said together.
func Consulted(trace []Step) []Consultation {
	var all []Consultation
	for len(trace) > 0 {
		// the layers come in order, so a lower one begins the next subject, which may have the same name
		n := 1
		for n < len(trace) && trace[n].Subject == trace[0].Subject && trace[n].Layer > trace[n-1].Layer {
			n++
		}
		one := Consultation{Steps: slices.Clone(trace[:n])}
		if name := trace[0].Subject; name != "" {
			one.Subjects = []string{name}
		}
		for i, step := range one.Steps {
			one.Steps[i].Subject = ""
			if rest, ok := strings.CutPrefix(step.Reason, step.Subject+" "); ok && step.Subject != "" {
				one.Steps[i].Reason = "it " + rest
			}
		}
		if last := len(all) - 1; last >= 0 && slices.Equal(all[last].Steps, one.Steps) {
			all[last].Subjects = append(all[last].Subjects, one.Subjects...)
		} else {
			all = append(all, one)
		}
		trace = trace[n:]
	}
	return all
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
