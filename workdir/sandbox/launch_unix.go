//go:build unix

package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// newHelper starts a helper. Where the system has no namespaces for it, it does without.
func (b *Box) newHelper(kind int, l *Limits) (*helper, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(fds[0])
	unix.CloseOnExec(fds[1])
	ours, theirs := os.NewFile(uintptr(fds[0]), "helper"), os.NewFile(uintptr(fds[1]), "helper")
	defer ours.Close()
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		conn.Close()
		return nil, err
	}
	defer null.Close()
	p, err := b.startHelper(kind, l, []*os.File{null, null, null, theirs})
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("the helper that runs commands cannot be started: %w", err)
	}
	h := &helper{process: p, conn: conn.(*net.UnixConn)}
	go p.wait()
	h.hello = meanwhile(h.greet)
	return h, nil
}

// startHelper starts the process of a helper, in namespaces if it is to be boxed and the system has them.
func (b *Box) startHelper(kind int, l *Limits, files []*os.File) (*process, error) {
	name, err := self()
	if err != nil {
		return nil, err
	}
	if spaces := b.spacesOf(kind, l); spaces != 0 && b.spaces.Load() >= 0 {
		p, err := b.launchSpaced(name, spaces, files)
		if err == nil || b.spaces.Load() > 0 || !slices.ContainsFunc(spaceless[:], func(e error) bool { return errors.Is(err, e) }) {
			return p, err
		}
		b.spaces.Store(-1)
	}
	name, args := enclosed(l, b.Temp(), name, helperArgs(0))
	return b.launch(name, args, helperEnviron, files, programAttr())
}

// launchSpaced starts a helper in namespaces.
func (b *Box) launchSpaced(name string, spaces Mechanisms, files []*os.File) (p *process, err error) {
	for _, attr := range spacedAttrs(spaces) {
		if p, err = b.launch(name, helperArgs(spaces), helperEnviron, files, attr); err == nil {
			b.spaces.Store(1)
			return p, nil
		}
	}
	return nil, err
}

// spacesOf are the namespaces that a helper of a kind begins with where the system has them.
func (b *Box) spacesOf(kind int, l *Limits) Mechanisms {
	if kind == unboxed {
		return 0
	}
	spaces := namespaces &^ l.Without
	if kind == online {
		spaces &^= Networks
	}
	if b.crowded.Load() {
		spaces &^= Processes
	}
	return spaces
}

// helperEnviron is the environment of a helper. A failure that nothing can catch is one line there, not a page. A shell does one
// thing at a time, and starts programs a third faster where no other processor is woken for it.
func helperEnviron(string) []string { return []string{"GOTRACEBACK=none", "GOMAXPROCS=1"} }
