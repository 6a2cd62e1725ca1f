package approval

import "strings"

// Effects says what an action or a part of it does to the world. It is a set; the zero value means that
// nothing is known, and what is not known is asked about.
type Effects uint32

// The vocabulary of rules, questions, logs and JSON.
const (
	Read         Effects = 1 << iota // reads files, directories or tricode's own state
	Write                            // makes or changes a file or directory
	Delete                           // removes one
	Exec                             // starts a known program
	ExecProject                      // runs code of the project: make, npm test, ./script
	ExecOpaque                       // starts something that cannot be analysed: the action is incomplete
	Network                          // reaches another machine
	Dangerous                        // is hard to take back: recursive removal, force push
	History                          // rewrites or drops version-control history
	Outside                          // touches a path outside the work and additional directories
	Protected                        // writes a protected or system path
	Secret                           // reads a credential
	HardLink                         // changes a file that has a second name, perhaps elsewhere
	Catastrophic                     // could destroy the work directory, a home directory or a device
)

var effectNames = [...]string{
	"read", "write", "delete", "exec", "exec-project", "exec-opaque", "network", "dangerous", "history",
	"outside", "protected", "secret", "hard-link", "catastrophic",
}

// Has reports whether e contains any of the given effects.
func (e Effects) Has(any Effects) bool { return e&any != 0 }

// Only reports whether e is known and contains nothing but the given effects.
func (e Effects) Only(of Effects) bool { return e != 0 && e&^of == 0 }

// Looks reports whether e does no more than read, a secret or outside perhaps.
func (e Effects) Looks() bool { return e.Has(Read) && e.Only(Read|Secret|Outside) }

// Names lists the effects in the order of the vocabulary; none for the zero value.
func (e Effects) Names() []string {
	var names []string
	for i, name := range effectNames {
		if e.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// String is the names with commas between them, "unknown" for the zero value.
func (e Effects) String() string {
	if e == 0 {
		return "unknown"
	}
	return strings.Join(e.Names(), ", ")
}

// MarshalText gives the form that logs and JSON carry, the same as String.
func (e Effects) MarshalText() ([]byte, error) { return []byte(e.String()), nil }
