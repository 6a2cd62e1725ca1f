package tools

import (
	"fmt"
	"io/fs"
	"strings"

	"tricode/approval"
)

// What a preview shows of what was changed: how many lines of a list and of diffs, how large a file may be for a diff, in bytes, and
// how much of what was printed.
const (
	maxListed  = 1000
	maxDiffed  = 1 << 20
	maxPrinted = 10
)

// String is how much was changed.
func (f *changes) String() string {
	var made, changed, gone int
	for _, c := range f.list {
		switch {
		case c.now == nil:
			gone++
		case c.was == nil:
			made++
		default:
			changed++
		}
	}
	var parts []string
	for _, part := range [...]struct {
		n    int
		what string
	}{{made, "made"}, {changed, "changed"}, {gone, "deleted"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return strings.Join(parts, ", ")
}

// sections show a person what was changed: all places, then the texts that are different.
func (f *changes) sections() []approval.Section {
	places := approval.Section{Title: "Changed"}
	var texts []approval.Section
	left, more := maxShown, 0
	for i, c := range f.list {
		d, text := c.diff(left > 0)
		if i < maxListed {
			places.Lines = append(places.Lines, c.line(d))
		}
		switch {
		case text && len(d.lines) > 0:
			texts = append(texts, approval.Section{Title: c.path.Shown(), Diff: true, Lines: d.lines})
			left -= len(d.lines)
		case left <= 0:
			more++
		}
	}
	if n := len(f.list) - maxListed; n > 0 {
		places.Lines = append(places.Lines, fmt.Sprintf("and %d more", n))
	}
	if more > 0 {
		texts = append(texts, approval.Section{Title: "Not compared", Lines: []string{number(more, "further change", "further changes")}})
	}
	return append([]approval.Section{places}, texts...)
}

// diff compares the contents of a file; text says that both are.
func (c change) diff(wanted bool) (d diff, text bool) {
	if !wanted || c.now == nil || !c.now.Mode().IsRegular() {
		return diff{}, false
	}
	var was []byte
	if c.was != nil && c.was.Mode().IsRegular() {
		var err error
		if was, err = c.path.Read(maxDiffed); err != nil || binary(was) {
			return diff{}, false
		}
	}
	now, err := c.from.Read(maxDiffed)
	if err != nil || binary(now) {
		return diff{}, false
	}
	return diffOf(was, now), true
}

// line is one change.
func (c change) line(d diff) string {
	name := c.path.Shown()
	if c.now == nil {
		return "deleted " + withNotes(name, c.wentWith())
	}
	verb, size, mode := "changed ", "", ""
	switch {
	case c.was == nil:
		verb = "made "
		size = byteCount(c.now.Size())
	case c.same:
	case c.now.Mode().IsRegular() && d.added+d.removed > 0:
		size = strings.Trim(changed(d.added, d.removed), " ()")
	case c.now.Mode().IsRegular() && c.was.Mode().IsRegular():
		size = fmt.Sprintf("%s, was %s", byteCount(c.now.Size()), byteCount(c.was.Size()))
	}
	if c.was != nil && c.was.Mode() != c.now.Mode() {
		mode = fmt.Sprintf("%v, was %v", c.now.Mode(), c.was.Mode())
	} else if c.was == nil && c.now.Mode().IsRegular() && c.now.Mode()&0o111 != 0 {
		mode = "can be started"
	}
	switch c.now.Mode().Type() {
	case fs.ModeDir:
		name, size = name+"/", ""
	case fs.ModeSymlink:
		target, _ := c.from.Target() // that it cannot be read is noticed when it is kept
		name, size = name+" -> "+target, ""
	}
	return verb + withNotes(name, size, mode)
}

// wentWith is how much is deleted.
func (c change) wentWith() string {
	if c.was.Mode().Type() == fs.ModeSymlink {
		return "a link"
	}
	if !c.was.IsDir() && c.lost == 0 {
		return byteCount(c.was.Size())
	}
	return c.gone.total("", c.lost)
}

// printed shows the end of what the command printed.
func printed(text string) approval.Section {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if more := len(lines) - maxPrinted; more > 0 {
		lines = append([]string{fmt.Sprintf("… %s above", number(more, "line", "lines"))}, lines[more:]...)
	}
	return approval.Section{Title: "Printed", Lines: lines}
}
