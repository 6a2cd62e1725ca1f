package sandbox

import "strings"

// Limits is what a box holds its programs to: they may read everything but what is hidden, and write nothing but
// what is listed and their temporary directory. Paths are absolute and have their links followed; one that does not
// exist does not count. What is hidden or protected is so below every mount that shows it, but not by a second hard
// link that it has already; and what somebody outside puts in its place while programs run in the box is not. Where unix
// sockets may be used, those of Linux that listen when the box is closed are hidden but for the listed ones, and one that
// is made later is not.
type Limits struct {
	Look    bool       // nothing can be reached by a socket, not even on this machine
	Network bool       // the network can be reached; not in a look box
	Write   []string   // files and directories that may be written
	Protect []string   // what may not be, though it lies in such a directory
	Hide    []string   // files and directories that cannot be read
	Sockets []string   // unix sockets that may be used; none if empty, or where the system cannot keep them apart from others
	Overlay string     // takes what would be written to the Box's directory, see Overlay; empty for nothing
	Without Mechanisms // what is left out, so that tests see what the others hold
}

// Mechanisms are the means of the system that hold a box.
type Mechanisms uint8

// The mechanisms of Linux, and the one of macOS.
const (
	Mounts       Mechanisms = 1 << iota // what may not be written is mounted read-only, what is hidden has a mount over it
	Processes                           // programs see no processes but their own, which all end with the first one
	Networks                            // programs without network have one of their own, which leads nowhere
	Landlock                            // the kernel checks each file that is opened (landlock(7))
	Seccomp                             // the kernel refuses system calls that lead out (seccomp(2))
	Capabilities                        // the rights of an administrator are dropped (capabilities(7))
	Seatbelt                            // the profile of sandbox-exec(1)
)

var mechanismNames = [...]string{"mounts", "processes", "networks", "Landlock", "seccomp", "capabilities", "sandbox-exec"}

func (m Mechanisms) String() string {
	var names []string
	for i, name := range mechanismNames {
		if m&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Has reports whether all of others are among m.
func (m Mechanisms) Has(others Mechanisms) bool { return m&others == others }

// Gaps says what a box with these mechanisms does not enforce, in words for a person; nothing for a box that holds.
func (m Mechanisms) Gaps() []string {
	if m.Has(Seatbelt) {
		return nil
	}
	var gaps []string
	switch {
	case m&(Mounts|Landlock) == 0:
		gaps = append(gaps, "where programs write", "which secrets they read")
	case m&Mounts == 0:
		gaps = append(gaps, "that files outside keep their modes, owners and times",
			"that what is protected or secret stays so inside directories that may be written")
	}
	if m&Processes == 0 {
		gaps = append(gaps, "that other programs of yours are left alone", "that everything ends when tricode is killed")
	}
	if m&(Networks|Seccomp) == 0 {
		gaps = append(gaps, "that programs without network stay without")
	}
	if m&Seccomp == 0 {
		gaps = append(gaps, "that services of this machine are not reached by unix sockets")
	}
	return gaps
}
