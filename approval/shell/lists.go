package shell

import (
	"io/fs"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// lister is a command that prints names of files and nothing else.
type lister struct {
	roots []string // below which the files lie
	in    sweep    // which of them
	whole bool     // a name with blanks is one word
}

// listed is what lists the names that an unquoted word of the text, or a variable, stands for; many says that it may be more than one.
func (w *walker) listed(x *syntax.Word) (l *lister, many bool) {
	if len(x.Parts) != 1 {
		return nil, false
	}
	part := x.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		if _, variable := q.Parts[0].(*syntax.ParamExp); !variable {
			return nil, false
		}
		part = q.Parts[0]
	}
	switch part := part.(type) {
	case *syntax.CmdSubst:
		if len(part.Stmts) == 1 && len(part.Stmts[0].Redirs) == 0 {
			return lists(part.Stmts[0]), true
		}
	case *syntax.ParamExp:
		if part.Param != nil && plainParam(part) {
			return w.lookup(part.Param.Value).from, false
		}
	}
	return nil, false
}

// listedFiles records the files whose names are listed and that are given to a program that only reads them.
func (w *walker) listedFiles(l *lister, as kind) {
	if as != names {
		for _, root := range l.roots {
			w.tree(root, l.in)
		}
	}
	if w.dashes(".") {
		w.opaque(l.roots, "a file name looks like an option")
	}
	if !l.whole && slices.ContainsFunc(l.roots, func(root string) bool { return w.splits(root, l.in) }) {
		w.opaque(l.roots, "a file name is more than one word")
	}
}

// lists finds out whether a statement only prints names of files, by words that stand in the text as they are; nil
// if not. Where those files lie is judged with the command itself.
func lists(s *syntax.Stmt) *lister {
	if s.Negated || s.Background || s.Coprocess || slices.ContainsFunc(s.Redirs, speaks) {
		return nil
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe && passes(c.Y) {
			return lists(c.X)
		}
	case *syntax.CallExpr:
		if ws, ok := plainWords(c); ok {
			return listing(ws[0], words(ws[1:]))
		}
	}
	return nil
}

// speaks reports whether a redirect changes more than that complaints are dropped.
func speaks(r *syntax.Redirect) bool {
	return r.Op != syntax.RdrOut || r.N == nil || r.N.Value != "2" || r.Word.Lit() != "/dev/null"
}

// splits reports whether names that are listed below a root may come apart into words where they are read one after the other, lose
// characters or stand for others.
func (w *walker) splits(root string, in sweep) bool {
	if strings.ContainsAny(root, breaking) {
		return true
	}
	for _, full := range w.from(root) {
		if place := w.r.Resolve(full); place.Kind == Dir && (place.Rel == "" || w.splitsBelow(place.Path, in, 0)) {
			return true
		}
	}
	return false
}

// breaking are the characters that xargs and shells do not take as they are.
const breaking = " \t\n'\"\\*?["

func (w *walker) splitsBelow(dir string, in sweep, level int) bool {
	if w.entries > maxEntries || level > maxLevels {
		return true
	}
	entries := w.r.List(dir)
	w.entries += len(entries)
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		name := entry.Name()
		switch {
		case name[0] == '.' && !in.hidden, in.name != "" && !entry.IsDir() && !matches(in.name, name):
			return false
		case strings.ContainsAny(name, breaking):
			return true
		}
		return entry.IsDir() && name != ".git" && name != "node_modules" && w.splitsBelow(dir+"/"+name, in, level+1)
	})
}

// plainWords are the words of a call, if none needs more than unquoting.
func plainWords(c *syntax.CallExpr) ([]string, bool) {
	ws := make([]string, 0, len(c.Args))
	if len(c.Assigns) > 0 {
		return nil, false
	}
	for _, x := range c.Args {
		text, ok := plainText(x.Parts)
		if !ok {
			return nil, false
		}
		ws = append(ws, text)
	}
	return ws, len(ws) > 0
}

func plainText(parts []syntax.WordPart) (string, bool) {
	text := ""
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text += part.Value
		case *syntax.SglQuoted:
			text += part.Value
		case *syntax.DblQuoted:
			inner, ok := plainText(part.Parts)
			if !ok {
				return "", false
			}
			text += inner
		default:
			return "", false
		}
	}
	return text, true
}
