//go:build unix

package sandbox

import "encoding/json"

// enclosure is what a helper is told first: the box that it is to close.
type enclosure struct {
	Dir, Temp string
	Limits    *Limits `json:",omitempty"`
	Waits     bool    `json:",omitempty"` // nobody waits for it yet
}

// job is what a helper is told then.
type job struct {
	Text     string   `json:",omitempty"`
	Args     []string `json:",omitempty"`
	Path     string   `json:",omitempty"` // the program of Args
	Env      []string
	Terminal bool     `json:",omitempty"`
	Builtins []string `json:",omitempty"`
	Ours     []string `json:",omitempty"`
	Checked  bool     `json:",omitempty"`
}

// said is what a helper says: what its box can be held by; what holds it, once it is closed; that the job was begun. Then it
// asks about what a command line is about to do, and tells its end if nothing else is left in the box.
type said struct {
	Held  Mechanisms `json:",omitempty"`
	Lost  Mechanisms `json:",omitempty"` // which namespaces it has that are no use
	Error string     `json:",omitempty"`
	Ask   *Step      `json:",omitempty"`
	Ended *int       `json:",omitempty"` // the status
}

// told is the answer to a question of a helper.
type told struct {
	Refused bool   `json:",omitempty"`
	Reason  string `json:",omitempty"`
}

// text is what tells one box from another.
func (e enclosure) text() []byte {
	text, _ := json.Marshal(e)
	return text
}
