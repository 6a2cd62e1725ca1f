package sandbox

import "fmt"

// Config is what a person says about the boxes that hold programs. The zero Config is what holds where nothing is said.
// Paths are absolute.
type Config struct {
	Mode      Mode
	NoNetwork bool     // programs in the work box do not reach the network
	NoCaches  bool     // they do not write to the caches of tools
	Secrets   bool     // they may read every secret of the home directory
	Writable  []string // what they may write beside the work and additional directories, see Writable
	Readable  []string // secrets that they may read, see Followed
	Sockets   []string // unix sockets that they may use
	Env       []string // names of variables that stay in their environment although they look like secrets
	Shell     string   // the program that runs command lines; empty for the interpreter
}

// Mode says what happens where the system cannot enforce a box.
type Mode int

// The modes.
const (
	Auto    Mode = iota // programs run, and the person is told what is not enforced
	Require             // tricode does not start
	Off                 // nothing is enforced anywhere
)

var modeNames = [...]string{"auto", "require", "off"}

func (m Mode) String() string { return modeNames[m] }

// ParseMode reads the name of a mode.
func ParseMode(name string) (Mode, error) {
	for i, n := range modeNames {
		if n == name {
			return Mode(i), nil
		}
	}
	return Auto, fmt.Errorf("%q is not one of auto, require, off", name)
}
