//go:build unix

package sandbox

// enclosure is what a helper is told first: the box that it is to close.
type enclosure struct {
	Dir, Temp string
	Limits    *Limits
	Files     []string // what stands at its paths: a mount does not stay where something else takes the place of what it covers
	Waits     bool     // nobody waits for it yet
}

// job is what a helper is told then.
type job struct {
	Text     string
	Args     []string
	Path     string // the program of Args
	Env      []string
	Terminal bool
	Builtins []string
	Ours     []string
	Checked  bool
}

// said is what a helper says: what its box can be held by; what holds it, once it is closed; that the job was begun. Then it
// asks about what a command line is about to do, and tells its end if nothing else is left in the box.
type said struct {
	Held  Mechanisms
	Lost  Mechanisms // which namespaces it has that are no use
	Error string
	Ask   *Step
	Ended *int // the status
}

// told is the answer to a question of a helper.
type told struct {
	Refused bool
	Reason  string
}
