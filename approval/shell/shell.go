// Package shell tells what a command line would run, read and write, without running any of it.
//
// The analysis follows the text as a shell would: it expands what is written in the text itself, looks through
// programs that run other programs, and turns every simple command, redirect and known output into an
// [approval.Subject]. Whatever it cannot follow becomes a subject with [approval.ExecOpaque].
package shell

import (
	"errors"
	"io/fs"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

// The limits of an analysis; what goes beyond them is opaque.
const (
	MaxText    = 16 << 10 // bytes of text, also of text within the text
	maxParts   = 1000     // commands, those of functions and loops each time they run
	maxNesting = 40       // constructs and wrappers within each other
	maxOpeners = 1000     // brackets and the like, so that the parser cannot be driven into deep recursion
	maxEntries = 50_000   // directory entries looked at
)

// room is how much an analysis may say and look at.
type room struct {
	subjects int
	looks    int // names looked up
}

// textRoom is that of a text, argumentRoom that of arguments: a system takes some megabytes of them.
var (
	textRoom     = room{subjects: 4 * maxParts, looks: 10_000}
	argumentRoom = room{subjects: 100_000, looks: 50_000}
)

// Resolver tells an analysis about the world. Names are absolute, with slashes, and may hold "..", which means
// what it means to the system. A Resolver never changes anything.
type Resolver interface {
	// WorkDir is where the text would run and Home the person's home directory, both absolute; Home may be empty.
	WorkDir() string
	Home() string
	// Resolve finds what a name means, every link followed; Entry does not follow the last component.
	Resolve(name string) Place
	Entry(name string) Place
	// List names what a directory holds, sorted, or nothing if it cannot be read.
	List(dir string) []fs.DirEntry
	// Program finds what a name without a slash starts, links not followed, or judges a name with one; an
	// empty path means that there is no such program. ours reports whether the run may write there, so that the
	// program may be anything.
	Program(name string) (path string, ours bool)
	// Untracked counts the files below a path, or the file itself, that git does not track. It may stop
	// counting at a limit of its own.
	Untracked(path string) int
	// Guarded names the files, absolute, that git tracks in the repository of the work directory and that have the name of a
	// secret or that a rule about reading speaks of; with past, those too that it ever tracked. known is false if git could not
	// say all of them.
	Guarded(past bool) (names []string, known bool)
	// Kept reports whether all revisions are commits that a branch, a tag or a reflog of that repository holds, so that Guarded names
	// the files in them, or branches that are not there.
	Kept(revisions []string) bool
}

// Place is what a name means.
type Place struct {
	Path string // absolute, links followed as far as they exist
	Rel  string // relative to the work directory or the additional one it lies in; empty outside
	Via  string // absolute and cleaned as written, where a link makes it differ from Path
	Kind Kind

	Linked bool // a regular file with a second name, perhaps outside
}

// Kind is what stands at a Place.
type Kind int

// The kinds. What lies outside may be Unknown although it exists.
const (
	Unknown Kind = iota
	Missing
	File
	Dir
	Other // a device, a socket, a FIFO or, from Entry, a link
)

// Analysis is what a text would do.
type Analysis struct {
	Subjects []approval.Subject
	Commands []Command // in the order of their subjects
}

// Command is a simple command.
type Command struct {
	approval.Command
	Subject int // its index in Analysis.Subjects
}

// Analyze follows the text. It does not fail: whatever it cannot follow is a subject with ExecOpaque. It reads through r alone.
func Analyze(text string, r Resolver) Analysis {
	crash := approval.Subject{Effects: approval.ExecOpaque, Args: []string{text}, Why: crashed}
	return analyze(r, r.WorkDir(), textRoom, crash, func(w *walker) {
		if why := oddText(text); why != "" {
			w.opaque([]string{text}, why)
		}
		w.script(text)
	})
}

// analyze collects what is followed from a directory. A mistake in here must neither end the run nor let anything through: then
// the crash is all that is known.
func analyze(r Resolver, dir string, most room, crash approval.Subject, follow func(*walker)) (a Analysis) {
	defer func() {
		if recover() != nil {
			a = Analysis{Subjects: []approval.Subject{crash}}
		}
	}()
	out := &Analysis{Subjects: make([]approval.Subject, 0, 2), Commands: make([]Command, 0, 1)}
	w := &walker{r: r, out: out, most: most, state: &state{dirs: []string{dir}}}
	follow(w)
	if len(w.out.Subjects) == 0 {
		w.add(approval.Subject{Effects: approval.Read, Args: []string{}})
	}
	w.link()
	return *w.out
}

// crashed is why a text is opaque that this package has a mistake about.
const crashed = "its analysis failed"

// script follows a text in the current state.
func (w *walker) script(text string) {
	file, text, err := parseWithin(text, 1)
	if err != nil {
		w.opaque([]string{text}, err.Error())
		return
	}
	source := w.source
	w.source = text
	w.statements(file.Stmts)
	w.source = source
}

// parsers are kept because making one takes longer than most texts do. Each begins anew with every text.
var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// Parse returns the tree of a command line, with the settings of the analysis. The error says why there is none.
func Parse(text string) (*syntax.File, error) {
	file, _, err := parseWithin(text, 1)
	return file, err
}

// ParseToRun is Parse for what is to be interpreted, which may be larger than what can be analysed.
func ParseToRun(text string) (*syntax.File, error) {
	file, _, err := parseWithin(text, 8)
	return file, err
}

// parseWithin parses a text of bounded size. The text that it returns is the one that the positions in the tree are of.
func parseWithin(text string, times int) (file *syntax.File, parsed string, err error) {
	if len(text) > times*MaxText {
		return nil, text, errors.New("it is too long to be analysed")
	}
	if tooDeep(text, times*maxOpeners) {
		return nil, text, errors.New("it is too deeply nested to be analysed")
	}
	p := parsers.Get().(*syntax.Parser)
	file, parsed, err = parseKeys(p, text)
	parsers.Put(p)
	if err != nil {
		return nil, text, errors.New("it is no complete command line")
	}
	return file, parsed, nil
}

// tooDeep reports whether a text could nest deeply. Deep nesting ends the parser with a stack overflow, which no
// recover can catch, so this counts openers without asking whether they are quoted.
func tooDeep(text string, most int) bool {
	openers := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[', '`', '!':
			openers++
		}
	}
	return openers > most || strings.Contains(text, "((((((((") // each pair is tried twice
}

// oddText says what makes a text look or read differently to a person, to the parser and to a shell.
func oddText(text string) string {
	hash, continued := false, false
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(text[i:])
			if invisible(r) {
				return "it holds invisible characters"
			}
			i += size
			continue
		case c < ' ' && c != '\n' && c != '\t' || c == 0x7f:
			return "it holds control characters"
		case c == '#':
			hash = true
		case c == '\\' && i+1 < len(text) && text[i+1] == '\n':
			continued = true
		}
		i++
	}
	if hash && continued {
		return "shells disagree about comments beside continued lines" // a backslash ends a comment in bash alone
	}
	return ""
}

// invisible reports whether a person cannot see a character or may take it for a blank.
func invisible(r rune) bool {
	switch {
	case r == utf8.RuneError, unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Zs, unicode.Zl, unicode.Zp):
		return true
	case r == 0x115f, r == 0x1160, r == 0x2800, r == 0x3164, r == 0xffa0: // fillers and the empty Braille pattern
		return true
	}
	return false
}
