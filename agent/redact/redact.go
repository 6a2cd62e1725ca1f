// Package redact hides secrets that stand in what tools bring: keys and tokens of a known shape, and the keys that this
// very run uses. Each is replaced by a name of its own, the same wherever it comes again, so that what is said about it
// can be followed, and so that it can be put back where a file is written that had it.
//
// It stands beside the agent and not in it because the agent, which applies it, must not know how secrets look.
package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Redactor remembers what it hid. It is safe for concurrent use. The zero Redactor knows no keys yet.
type Redactor struct {
	mu     sync.Mutex
	own    [][]byte       // what is looked for as it is: the keys of this run, and what was found by what stood around it
	found  int            // how many of own were found
	size   int            // what is remembered takes, in bytes
	last   int            // the latest number that was given
	names  map[string]int // the number of each secret
	values map[int]string // each secret by its number, from 1
	taken  map[int]bool   // numbers that stand in texts without being ours
	lost   map[int]bool   // numbers of an earlier run, whose secrets are not known here
}

// How much is remembered, so that no program that prints secrets without end, real or made up, fills the memory or keeps
// everything else waiting: of secrets, of those that are looked for as they are, and of names that somebody else wrote.
const (
	maxSize  = 8 << 20 // bytes
	maxFound = 200
	nameSize = 256 // what a name takes beside its secret, in bytes
)

// another stands for a secret that is not remembered.
const another = "[secret]"

// minOwn is the least number of bytes of a key that is looked for: a shorter one would be found where it is none.
const minOwn = 8

// New makes a Redactor that knows the keys of this run.
func New(values ...string) *Redactor {
	r := &Redactor{}
	r.Know(values...)
	return r
}

// Know adds keys of this run.
func (r *Redactor) Know(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range values {
		if len(v) >= minOwn && !slices.ContainsFunc(r.own, func(o []byte) bool { return string(o) == v }) {
			r.own = append(slices.Clip(r.own), []byte(v))
		}
	}
}

// Count is how many different secrets were hidden.
func (r *Redactor) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.names)
}

// Hide returns the text with a name in the place of each secret. ours says that names in it are those that were given
// here, and not the words of somebody else.
func (r *Redactor) Hide(text string, ours bool) string {
	if !ours {
		r.note([]byte(text), &r.taken)
	}
	s := scan{b: []byte(text), final: true, own: r.keys()}
	if s.run(); len(s.found) == 0 {
		return text
	}
	hidden := string(r.replace(s))
	for _, found := range r.keys()[len(s.own):] { // it may stand further down without what told that it is one
		hidden = strings.ReplaceAll(hidden, string(found), r.name(string(found)))
	}
	return hidden
}

// replace is what a scan looked at, as far as that is safe, with names in the places of secrets.
func (r *Redactor) replace(s scan) []byte {
	var out []byte
	at := s.low
	for _, f := range s.found {
		out = append(append(out, s.b[at:f.start]...), r.name(string(s.b[f.start:f.end]))...)
		at = f.end
	}
	return append(out, s.b[at:s.safe]...)
}

func (r *Redactor) keys() [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.own
}

// name is what stands for a secret. One that is known by what stands around it will be known without that from now on.
func (r *Redactor) name(secret string) string {
	r.mu.Lock()
	n, ok := r.names[secret]
	if !ok {
		n = r.remember(secret)
	}
	r.mu.Unlock()
	if n == 0 {
		return another
	}
	if !ok {
		alone := scan{b: []byte(secret), final: true}
		if alone.run(); len(alone.found) == 0 && r.lookFor() {
			r.Know(secret)
		}
	}
	return open + strconv.Itoa(n) + "]"
}

// lookFor reports whether one secret more can be looked for as it is.
func (r *Redactor) lookFor() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found++
	return r.found <= maxFound
}

// remember gives a secret its number, 0 if there is no room for it.
func (r *Redactor) remember(secret string) int {
	n := r.last + 1
	for r.taken[n] || r.lost[n] {
		n++
	}
	if r.last = n; len(strconv.Itoa(n)) > maxDigits || r.size+len(secret)+nameSize > maxSize {
		r.last = n - 1
		return 0
	}
	if r.names == nil {
		r.names, r.values = map[string]int{}, map[int]string{}
	}
	r.size += len(secret) + nameSize
	r.names[secret], r.values[n] = n, secret
	return n
}

const open = "[secret-"

// note remembers the names that stand in a text.
func (r *Redactor) note(text []byte, in *map[int]bool) {
	for {
		i := bytes.Index(text, []byte(open))
		if i < 0 {
			return
		}
		text = text[i+len(open):]
		if n, ok := number(string(text[:min(len(text), maxDigits+1)])); ok {
			r.mu.Lock()
			if *in == nil {
				*in = map[int]bool{}
			}
			(*in)[n] = true
			r.mu.Unlock()
		}
	}
}

// maxDigits bounds the number of a name.
const maxDigits = 6

// number reads the number of a name to its bracket.
func number(text string) (int, bool) {
	i := strings.IndexByte(text[:min(len(text), maxDigits+1)], ']')
	if i <= 0 {
		return 0, false
	}
	n, err := strconv.Atoi(text[:i])
	return n, err == nil && n > 0 && strconv.Itoa(n) == text[:i]
}

// Recall takes note of the names in a text of an earlier run, whose secrets are not known any more.
func (r *Redactor) Recall(text string) { r.note([]byte(text), &r.lost) }

// Restore puts the secrets back into the arguments of a call, which are JSON, where names of them stand. A name that may
// mean something else as well, or whose secret is not known any more, is an error.
func (r *Redactor) Restore(arguments string) (string, error) {
	var out strings.Builder
	rest := arguments
	for {
		i := strings.Index(rest, open)
		if i < 0 {
			break
		}
		n, ok := number(rest[i+len(open):])
		if !ok {
			out.WriteString(rest[:i+len(open)])
			rest = rest[i+len(open):]
			continue
		}
		name := open + strconv.Itoa(n) + "]"
		value, err := r.value(n, name)
		if err != nil {
			return "", err
		}
		out.WriteString(rest[:i])
		out.WriteString(value)
		rest = rest[i+len(name):]
	}
	return out.String() + rest, nil
}

// value is what a name stands for, as it is written in JSON; the name itself if it stands for nothing.
func (r *Redactor) value(n int, name string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	secret := r.values[n]
	switch {
	case r.lost[n]:
		return "", fmt.Errorf("%s stands for a secret that was hidden from you in an earlier run and is not known any more", name)
	case secret == "":
		return name, nil
	case r.taken[n]:
		return "", fmt.Errorf("%s stands for a secret that was hidden from you, and as it is in what you read; edit around it", name)
	}
	quoted, err := json.Marshal(secret)
	if err != nil {
		return "", err
	}
	return string(quoted[1 : len(quoted)-1]), nil
}
