package sandbox

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

// family are the programs of this process that run and were not waited for. All Boxes share it, as they share what the
// system gives to a process and not to a Box: its children, and the orphans that those leave behind.
var family struct {
	sync.Mutex
	live    map[int]*process // by process id
	started int              // how many programs
}

// launch starts the program at a path, with what env makes of its mark for its environment.
func (b *Box) launch(name string, args []string, env func(mark string) []string, files []*os.File, attr *syscall.SysProcAttr) (*process, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errClosed
	}
	family.Lock() // nobody may meet a process that is not on the list yet
	defer family.Unlock()
	if family.started == 0 {
		closeInherited()
	}
	family.started++
	p := &process{
		box: b, mark: "TRICODE=" + strconv.Itoa(family.started),
		done: make(chan struct{}), over: make(chan int, 1), drained: make(chan struct{}),
	}
	adopt()
	if err := p.start(name, args, &os.ProcAttr{Dir: b.Dir, Env: env(p.mark), Files: files, Sys: attr}); err != nil {
		return nil, err
	}
	if family.live == nil {
		family.live = map[int]*process{}
	}
	family.live[p.pid] = p
	return p, nil
}

// members are the programs of a Box that run.
func (b *Box) members() []*process {
	family.Lock()
	defer family.Unlock()
	return slices.DeleteFunc(slices.Collect(maps.Values(family.live)), func(p *process) bool { return p.box != b })
}

// forget takes a program that was waited for off the list of those that run.
func (p *process) forget() {
	family.Lock()
	defer family.Unlock()
	if family.live[p.pid] == p {
		delete(family.live, p.pid)
	}
}
