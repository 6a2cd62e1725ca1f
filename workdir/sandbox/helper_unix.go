//go:build unix

package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Helpers tells whether command lines can be interpreted here by a helper.
const Helpers = true

// helpers are those of a Box that wait.
type helpers struct {
	warm     [kinds]*helper
	starting [kinds]sync.Mutex // held while one is looked for or started
	holds    [kinds]Mechanisms // what boxes can be held by, as the person was told
	spaces   atomic.Int32      // whether the system gives helpers namespaces: 0 if that is not known, 1 yes, -1 no
	crowded  atomic.Bool       // a namespace of processes is no use here
}

// dismiss ends the helpers that wait.
func (b *Box) dismiss() {
	for i, h := range b.warm {
		if h != nil {
			h.end()
			b.warm[i] = nil
		}
	}
}

// helper is tricode, started again to close a box around itself and to run one command in it. It waits until it is
// told which.
type helper struct {
	process *process
	conn    *net.UnixConn
	ready   chan struct{} // closed when held is known
	held    Mechanisms    // what its box can be held by
	lost    Mechanisms    // of its namespaces, those that are no use
	failed  error
	closes  []byte // the enclosure that it was told of, as it was sent; nil if it was told of none yet
}

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
// asks about what a command line is about to do.
type said struct {
	Held  Mechanisms `json:",omitempty"`
	Lost  Mechanisms `json:",omitempty"` // which namespaces it has that are no use
	Error string     `json:",omitempty"`
	Ask   *Step      `json:",omitempty"`
}

// told is the answer to a question of a helper.
type told struct {
	Refused bool   `json:",omitempty"`
	Reason  string `json:",omitempty"`
}

// take returns a helper for a box with the given limits: one that waits, or a new one.
func (b *Box) take(l *Limits, closes []byte) (*helper, error) {
	kind := kindOf(l)
	b.starting[kind].Lock()
	defer b.starting[kind].Unlock()
	b.mu.Lock()
	h := b.warm[kind]
	if l == nil || l.Without == 0 {
		b.warm[kind] = nil
	} else {
		h = nil
	}
	b.mu.Unlock()
	switch {
	case h == nil || !h.alive():
	case h.closes == nil || bytes.Equal(h.closes, closes):
		return h, nil
	default: // its box is another one
		h.end()
	}
	return b.newHelper(kind, l)
}

// keep lets a helper wait for the next command with such limits. One of them is enough.
func (b *Box) keep(h *helper, l *Limits) {
	kind := kindOf(l)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.warm[kind] != nil || !waits(l) || l != nil && l.Without != 0 {
		h.end()
		return
	}
	b.warm[kind] = h
}

// Warm starts a helper that closes its box and waits for the next command with these limits, unless one does already. It
// returns at once.
func (b *Box) Warm(l *Limits) {
	if !waits(l) {
		return
	}
	go func() {
		e := b.enclosure(l)
		h, err := b.ready(l, e)
		if err == nil {
			err = h.enclose(e, true)
		}
		if err == nil { // whoever needs one is told otherwise
			b.keep(h, l)
		}
	}()
}

// enclosure is the box with such limits, as it is told a helper: what is not there now is no part of it.
func (b *Box) enclosure(l *Limits) enclosure {
	e := enclosure{Dir: b.Dir, Temp: b.Temp()}
	if l != nil {
		now := *l
		for _, paths := range [...]*[]string{&now.Write, &now.Protect, &now.Hide, &now.Sockets} {
			*paths = slices.DeleteFunc(slices.Clone(*paths), func(path string) bool {
				_, err := os.Lstat(path)
				return err != nil
			})
		}
		if len(now.Sockets) > 0 {
			now.Hide = append(now.Hide, otherSockets(now.Sockets)...)
		}
		e.Limits = &now
	}
	return e
}

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
	h := &helper{process: p, conn: conn.(*net.UnixConn), ready: make(chan struct{})}
	go p.wait()
	go h.greet()
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

// helperEnviron is the environment of a helper. A failure that nothing can catch is one line there, not a page.
func helperEnviron(string) []string { return []string{"GOTRACEBACK=none"} }

// greet reads what the helper's box can be held by.
func (h *helper) greet() {
	defer close(h.ready)
	var hello said
	if err := receive(h.conn, &hello); err != nil {
		h.failed = fmt.Errorf("the helper that runs commands did not start: %w", err)
		return
	}
	h.held, h.lost = hello.Held, hello.Lost
}

// help lets a helper run the command with the given files as its first ones.
func (b *Box) help(c Cmd, files []*os.File, terminal bool) (*process, error) {
	j := job{Text: c.Text, Args: c.Args, Terminal: terminal, Checked: c.Check != nil, Builtins: c.Builtins, Ours: c.Ours}
	if c.Text == "" {
		path, err := b.LookPath(c.Args[0])
		if err != nil {
			return nil, err
		}
		j.Path = path
	}
	e := b.enclosure(c.Limits)
	h, err := b.ready(c.Limits, e)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	j.Env = b.environ(c, h.process.mark)
	b.mu.Unlock()
	h.process.begun.Store(true)
	if err = h.enclose(e, false); err == nil {
		err = h.run(j, files, c.Check)
	}
	if err != nil {
		h.end()
		return nil, err
	}
	return h.process, nil
}

// ready returns a helper that has said what its box can be held by.
func (b *Box) ready(l *Limits, e enclosure) (*helper, error) {
	for {
		h, err := b.take(l, e.text())
		if err != nil {
			return nil, err
		}
		err = h.await()
		if err == nil {
			err = b.steady(h, l)
		}
		if err == nil && l != nil && l.Overlay != "" && !(h.held &^ l.Without).Has(Mounts) {
			err = ErrNoOverlay // what would be written would really be
		}
		if err == nil && (!h.lost.Has(Processes) || b.crowded.Swap(true)) {
			return h, nil
		}
		h.end()
		if err != nil {
			return nil, err
		}
	}
}

// steady refuses a helper if less would hold its box than held those before: what the person was
// told stays true.
func (b *Box) steady(h *helper, l *Limits) error {
	if l == nil || l.Without != 0 {
		return nil
	}
	kind := kindOf(l)
	b.mu.Lock()
	defer b.mu.Unlock()
	if lost := b.holds[kind] &^ h.held; lost != 0 {
		return fmt.Errorf("the box is not as it was: the system no longer gives it %v", lost)
	}
	b.holds[kind] = h.held
	return nil
}

// text is what tells one box from another.
func (e enclosure) text() []byte {
	text, _ := json.Marshal(e)
	return text
}

// enclose tells the helper to close its box, unless it was told already.
func (h *helper) enclose(e enclosure, wait bool) error {
	if h.closes != nil {
		return nil
	}
	h.closes = e.text()
	e.Waits = wait
	return gone(send(h.conn, e))
}

// run tells the helper what to do and returns once it is about it.
func (h *helper) run(j job, files []*os.File, check func(context.Context, Step) error) error {
	fds := make([]int, len(files))
	for i, f := range files {
		fds[i] = int(f.Fd())
	}
	if _, _, err := h.conn.WriteMsgUnix([]byte{0}, unix.UnixRights(fds...), nil); err != nil {
		return gone(err)
	}
	if err := send(h.conn, j); err != nil {
		return gone(err)
	}
	h.conn.SetReadDeadline(time.Now().Add(helperStarts))
	for range 2 { // the box is closed, the job is begun
		var done said
		if err := receive(h.conn, &done); err != nil {
			return gone(err)
		}
		if done.Error != "" {
			return errors.New(done.Error)
		}
	}
	h.conn.SetReadDeadline(time.Time{})
	go h.answer(check)
	return nil
}

func gone(err error) error {
	if err != nil {
		err = fmt.Errorf("the helper that runs commands is gone: %w", err)
	}
	return err
}

// answer answers what the helper asks, until it is gone.
func (h *helper) answer(check func(context.Context, Step) error) {
	defer h.conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		var q said
		if err := receive(h.conn, &q); err != nil || q.Ask == nil {
			return
		}
		var answer told
		if err := check(ctx, *q.Ask); err != nil {
			answer = told{Refused: true, Reason: err.Error()}
		}
		if err := send(h.conn, answer); err != nil {
			return
		}
	}
}

// Holds returns what boxes with such limits are held by here. It starts a helper if none was started yet.
func (b *Box) Holds(l *Limits) (Mechanisms, error) {
	if l == nil {
		return 0, nil
	}
	b.mu.Lock()
	held := b.holds[kindOf(l)]
	b.mu.Unlock()
	if held != 0 && l.Without == 0 {
		return held, nil
	}
	h, err := b.ready(l, b.enclosure(l))
	if err != nil {
		return 0, err
	}
	b.keep(h, l)
	return h.held &^ l.Without, nil
}

// await waits until the helper has said what its box can be held by.
func (h *helper) await() error {
	select {
	case <-h.ready:
	case <-time.After(helperStarts):
		h.end()
		return errors.New("the helper that runs commands does not answer")
	}
	return h.failed
}

// helperStarts is how long a helper may take to start, and to close its box.
const helperStarts = 10 * time.Second

// end ends a helper that has nothing to do.
func (h *helper) end() {
	h.process.kill()
	h.conn.Close()
}

// alive reports whether a helper that waits is still there: one that is gone has closed its end of the connection.
func (h *helper) alive() (alive bool) {
	conn, err := h.conn.SyscallConn()
	if err != nil {
		return false
	}
	conn.Control(func(fd uintptr) {
		n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd)}}, 0)
		alive = n == 0
	})
	return alive
}
