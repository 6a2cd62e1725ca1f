package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// start starts a program with the given files as its first ones.
func (b *Box) start(c Cmd, files []*os.File, attr *syscall.SysProcAttr) (*process, error) {
	name, err := b.LookPath(c.Args[0])
	if err != nil {
		return nil, err
	}
	p, err := b.launch(name, c.Args, func(mark string) []string { return b.environ(c, mark) }, files, attr)
	if err == nil {
		p.begun.Store(true)
	}
	return p, err
}

// start starts the program at a path.
func (p *process) start(name string, args []string, attr *os.ProcAttr) (err error) {
	if p.os, err = os.StartProcess(name, args, attr); err != nil {
		return fmt.Errorf("%s: %w", args[0], reason(err))
	}
	p.pid = p.os.Pid
	p.tree = newTree(p.os)
	return nil
}

var errClosed = errors.New("no program can be started any more")

// reason is an error of starting a program without its path, which the caller knows.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && path.Op == "fork/exec" {
		return path.Err
	}
	return err
}

// LookPath finds the program that Run would start: absolute, links not followed. Names with a slash are relative to
// the Box's directory, others are looked for on PATH, of which relative entries do not count. The error wraps
// exec.ErrNotFound if there is none, or says why it cannot be started.
func (b *Box) LookPath(name string) (string, error) {
	if strings.ContainsAny(name, separators) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(b.Dir, name)
		}
		name, err := filepath.Abs(name) // b.Dir may be empty
		if err != nil {
			return "", err
		}
		return executable(name)
	}
	for _, dir := range filepath.SplitList(searchPath()) {
		if !filepath.IsAbs(dir) || name == "" {
			continue
		}
		if found, err := executable(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

// executable returns the absolute path, on Windows with the extension it lacks, if a program can be started there.
func executable(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err == nil {
		return found, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = exec.ErrNotFound
	} else if e := new(exec.Error); errors.As(err, &e) {
		err = e.Err
	}
	return "", fmt.Errorf("%s: %w", name, err)
}

// defaultPath is where programs are looked for if the environment does not say.
const defaultPath = "/usr/local/bin:/usr/bin:/bin"

func searchPath() string {
	if path := os.Getenv("PATH"); path != "" {
		return path
	}
	return defaultPath
}
