package runner

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
)

// environ is what a shell begins with: the environment, and the variables of bash(1) that change by themselves.
type environ struct {
	sh    *subshell
	fixed expand.Environ
	begun bool // the interpreter knows where it makes FIFOs
}

func fixed(f frame) expand.Environ { return expand.ListEnviron(f.env...) }

func given(env []string) map[string]string {
	m := make(map[string]string, len(env))
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		m[name] = value
	}
	return m
}

// living are the variables that change by themselves, as the interpreter lacks them.
var living = []string{"SECONDS", "EPOCHSECONDS", "EPOCHREALTIME", "BASHPID", "BASH", "BASH_VERSION", "BASH_SOURCE", "HOSTNAME", "OSTYPE", "HOSTTYPE", "MACHTYPE", "BASH_VERSINFO"}

func (e *environ) Get(name string) expand.Variable {
	if name == "TMPDIR" && !e.begun { // it asks once, before anything runs
		e.begun = true
		return expand.Variable{Set: true, Exported: true, Kind: expand.String, Str: e.sh.fifos}
	}
	if v := e.fixed.Get(name); v.Declared() {
		return v
	}
	text := ""
	switch name {
	case "SECONDS":
		text = strconv.Itoa(int(time.Since(e.sh.began).Seconds()))
	case "EPOCHSECONDS":
		text = strconv.FormatInt(time.Now().Unix(), 10)
	case "EPOCHREALTIME":
		text = strconv.FormatFloat(float64(time.Now().UnixMicro())/1e6, 'f', 6, 64)
	case "BASHPID":
		text = strconv.Itoa(os.Getpid())
	case "BASH":
		text = "/bin/bash"
	case "BASH_VERSION":
		text = "5.2.0(1)-release" // what it is held against
	case "BASH_SOURCE":
		text = e.sh.source
		if text == "" {
			return expand.Variable{}
		}
	case "HOSTNAME":
		text, _ = os.Hostname()
	case "OSTYPE":
		text = "linux-gnu"
	case "HOSTTYPE":
		text = machine()
	case "MACHTYPE":
		text = machine() + "-pc-linux-gnu"
	case "TERM":
		text = "dumb"
	case "SHLVL":
		text = strconv.Itoa(1 + e.sh.depth)
	case "BASH_VERSINFO":
		return expand.Variable{Set: true, Kind: expand.Indexed, List: []string{"5", "2", "0", "1", "release", machine() + "-pc-linux-gnu"}}
	case lastArgument:
		if last := e.sh.argument.Load(); last != nil {
			text = *last
		}
	default:
		return e.sh.empty(name)
	}
	return expand.Variable{Set: true, Kind: expand.String, Str: text}
}

// machine is what bash calls the processor.
func machine() string {
	switch runtime.GOARCH {
	case "amd64":
		return "x86_64"
	case "arm64":
		return "aarch64"
	}
	return runtime.GOARCH
}

// empty is an array without elements for a name that is used like one: nounset does not mind that.
func (s *session) empty(name string) expand.Variable {
	if _, ok := s.arrays.Load(name); !ok {
		return expand.Variable{}
	}
	return expand.Variable{Set: true, Kind: expand.Indexed, List: []string{}}
}

func (e *environ) Each(do func(name string, v expand.Variable) bool) {
	more := true
	e.fixed.Each(func(name string, v expand.Variable) bool {
		more = do(name, v)
		return more
	})
	for _, name := range living {
		if v := e.Get(name); more && v.Set && !v.Exported {
			more = do(name, v)
		}
	}
	e.sh.arrays.Range(func(name, _ any) bool {
		if v := e.fixed.Get(name.(string)); more && !v.Declared() {
			more = do(name.(string), e.sh.empty(name.(string)))
		}
		return more
	})
}

// fifoDir is where the FIFOs of <( ) and >( ) are. It is made when there are any.
func fifoDir(given map[string]string) string {
	parent := given["TMPDIR"]
	if !filepath.IsAbs(parent) {
		parent = os.TempDir()
	}
	return filepath.Join(parent, "fifos-"+strconv.FormatUint(rand.Uint64(), 36))
}

// feeds makes that directory for a process substitution; where it cannot be made, that fails and says so.
func (s *session) feeds() {
	os.MkdirAll(s.fifos, 0o700)
	s.mu.Lock()
	s.fed = true
	s.mu.Unlock()
}

// removeFIFOs lets those go that still wait for another end, and removes all.
func (s *session) removeFIFOs() {
	entries, err := os.ReadDir(s.fifos)
	if err != nil {
		return
	}
	for _, e := range entries {
		if f, err := os.OpenFile(filepath.Join(s.fifos, e.Name()), os.O_RDWR|nonblocking, 0); err == nil {
			defer f.Close()
		}
	}
	os.RemoveAll(s.fifos)
}
