package tools

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"tricode/approval"
)

// sections show a person what would run, what that would change and delete, and what it reads that is not an
// ordinary file of the work directory.
func sections(ctx context.Context, w World, subjects []approval.Subject) []approval.Section {
	runs := approval.Section{Title: "Runs"}
	changes := approval.Section{Title: "Changes"}
	reads := approval.Section{Title: "Reads"}
	opens := approval.Section{Title: "Gets to read"}
	var deleted deletion
	for _, s := range subjects {
		switch {
		case len(s.Args) > 0:
			runs.Lines = append(runs.Lines, quoted(s.Args))
			runs.Notes = append(runs.Notes, runNote(s))
			if line := openLine(s, w.Home); line != "" && !slices.Contains(opens.Lines, line) {
				opens.Lines = append(opens.Lines, line)
			}
		case s.Path == "":
		case s.Effects.Has(approval.Delete) && !moved(s):
			deleted.add(ctx, w, s)
		case !s.Effects.Only(approval.Read):
			if line := changeLine(s); !slices.Contains(changes.Lines, line) {
				changes.Lines = append(changes.Lines, line)
			}
		case approval.IsSecret(s.Path, w.Home):
			reads.Lines = append(reads.Lines, shownPath(s)+" (may hold a secret)")
		case s.Rel == "":
			reads.Lines = append(reads.Lines, s.Path)
		}
	}
	return slices.DeleteFunc([]approval.Section{runs, changes, deleted.section(), reads, opens}, func(s approval.Section) bool {
		return len(s.Lines) == 0
	})
}

// runNote is what is worth knowing about a command: what it starts, and what that does.
func runNote(s approval.Subject) string {
	var notes []string
	if s.Command != nil && s.Command.Program != "" && s.Command.Program != s.Args[0] {
		notes = append(notes, s.Command.Program)
	}
	for _, e := range []struct {
		effect approval.Effects
		note   string
	}{
		{approval.ExecProject, "runs code of the project"},
		{approval.ExecOpaque, "cannot be analysed"},
		{approval.Network, "reaches the network"},
	} {
		if s.Effects.Has(e.effect) {
			notes = append(notes, e.note)
		}
	}
	if s.Why != "" {
		notes = append(notes, s.Why)
	}
	return strings.Join(notes, "; ")
}

// openLine names the credentials that a command gets to read, empty if it needs none.
func openLine(s approval.Subject, home string) string {
	if s.Command == nil || len(s.Command.Needs) == 0 {
		return ""
	}
	var names []string
	for _, name := range s.Command.Needs {
		if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(home, "/")+"/"); ok {
			name = "~/" + rest
		}
		names = append(names, name)
	}
	return path.Base(s.Args[0]) + ": " + strings.Join(names, ", ")
}

// changeLine is one path that a command changes.
func changeLine(s approval.Subject) string {
	verb := ""
	if s.Effects.Has(approval.Delete) {
		verb = "moves away"
	}
	return withNotes(shownPath(s), verb, s.Why)
}

// withNotes puts the notes that are not empty in parentheses behind a text.
func withNotes(text string, notes ...string) string {
	notes = slices.DeleteFunc(notes, func(n string) bool { return n == "" })
	if len(notes) == 0 {
		return text
	}
	return text + " (" + strings.Join(notes, "; ") + ")"
}

func shownPath(s approval.Subject) string {
	if s.Rel != "" {
		return s.Rel
	}
	return s.Path
}

// moved reports whether what the commands take away is somewhere else afterwards.
func moved(s approval.Subject) bool {
	other := func(c *approval.Command) bool { return path.Base(c.Program) != "mv" }
	return len(s.By) > 0 && !slices.ContainsFunc(s.By, other)
}

// deletion is what commands would delete, all together.
type deletion struct {
	tree
	untracked int
	partly    bool // there is more than could be counted
	lines     []string
}

// add counts what is at a path that would be deleted. What cannot be looked through is named, and not counted.
func (d *deletion) add(ctx context.Context, w World, s approval.Subject) {
	name := shownPath(s)
	d.untracked += s.Untracked
	p, err := w.Dir.Entry(s.Path)
	if err != nil {
		d.lines = append(d.lines, withNotes(name, s.Why))
		return
	}
	info, err := p.Info()
	if err != nil {
		d.lines = append(d.lines, withNotes(name, "not there", s.Why))
		return
	}
	t, err := look(ctx, p, info)
	d.files, d.dirs, d.bytes = d.files+t.files, d.dirs+t.dirs, d.bytes+t.bytes
	if !info.IsDir() {
		d.lines = append(d.lines, withNotes(name, s.Why))
		return
	}
	d.dirs++
	note := "and all in it"
	switch {
	case err != nil:
		note, d.partly = err.Error(), true
	case t.files+t.dirs == 0:
		note = "empty"
	}
	d.lines = append(d.lines, withNotes(name+"/", note, s.Why))
	for _, rel := range t.first {
		d.lines = append(d.lines, path.Join(name, rel))
	}
	if more := t.files - len(t.first); more > 0 {
		d.lines = append(d.lines, fmt.Sprintf("and %d more", more))
	}
}

func (d *deletion) section() approval.Section {
	s := approval.Section{Title: "Would be deleted"}
	where := ""
	if d.dirs > 0 {
		where = " and " + number(d.dirs, "directory", "directories")
	}
	switch {
	case d.partly:
		s.Lines = []string{"at least " + number(d.files, "file", "files") + ", " + byteCount(d.bytes) + where + ", and what could not be looked through"}
	case d.files+d.dirs > 0:
		s.Lines = []string{d.total(where, d.untracked)}
	}
	s.Lines = append(s.Lines, d.lines...)
	return s
}
