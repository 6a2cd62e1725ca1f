package approval

import (
	"fmt"
	"slices"
	"strings"
)

// Mode is what may happen without asking.
type Mode int

// The modes. The zero value asks about everything but reading.
const (
	ModeAsk         Mode = iota
	ModeAcceptEdits      // new and changed files inside the work directory too
	ModePlan             // only reading; the model is told to end with a plan
	ModeReadOnly         // only reading; everything else is denied, not asked
	ModeBypass           // everything that no limit, no ask rule and no catastrophe stops
)

var modeNames = [...]string{"ask", "accept_edits", "plan", "read_only", "bypass"}

// modeSynonyms are the words other agents use.
var modeSynonyms = map[string]Mode{
	"balanced": ModeAsk, "edit": ModeAcceptEdits, "deny": ModeReadOnly, "safe": ModeReadOnly,
	"allow": ModeBypass, "trust": ModeBypass,
}

func (m Mode) String() string { return modeNames[m] }

// ParseMode reads the name of a mode or a synonym; hyphens and underscores are the same.
func ParseMode(name string) (Mode, error) {
	word := strings.ReplaceAll(name, "-", "_")
	if i := slices.Index(modeNames[:], word); i >= 0 {
		return Mode(i), nil
	}
	if m, ok := modeSynonyms[word]; ok {
		return m, nil
	}
	return 0, fmt.Errorf("permission mode %q is not one of %s", name, strings.Join(modeNames[:], ", "))
}
