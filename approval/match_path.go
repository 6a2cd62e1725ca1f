package approval

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// pathGlob is what a rule says of paths.
type pathGlob struct {
	glob    string // cleaned; relative to the work directory, or absolute
	below   string // the same for what lies below what it names; empty for allow rules
	base    string // what every match begins with, as whole components
	abs     bool
	effects Effects // what must happen to the path
	fold    bool    // letter case does not count
	secrets bool    // of an allow rule: it names what holds credentials, not only reaches it
}

// newPathGlob compiles the glob of a rule. Deny and ask rules speak of what lies below a directory too, and of every
// letter case, because there are file systems to which that is the same.
func newPathGlob(glob string, r Rule, tools *toolSet, at place) *pathGlob {
	p := &pathGlob{effects: pathEffects(tools)}
	switch {
	case glob == "~" || strings.HasPrefix(glob, "~/"):
		glob = EscapeGlob(at.home) + glob[1:]
	case strings.HasPrefix(path.Clean(glob), ".."):
		glob = EscapeGlob(at.workDir) + "/" + glob
	}
	p.glob = path.Clean(glob)
	p.abs = path.IsAbs(p.glob)
	if r.Action != Allow {
		p.fold = true
		p.glob = strings.ToLower(p.glob)
		p.below = strings.TrimSuffix(p.glob, "/") + "/**"
	}
	if p.base = literalBase(p.glob); p.fold && p.base == "." {
		p.base, p.below = "", "**" // all of the work directory
	}
	p.secrets = p.namesSecrets(at)
	return p
}

// namesSecrets reports whether the glob says that it is about credentials: it has no wildcard, the directory before its
// first one holds them, or its last component without wildcards is what such a file is called.
func (p *pathGlob) namesSecrets(at place) bool {
	base := p.base
	if !p.abs {
		base = at.workDir + "/" + base
	}
	name := strings.NewReplacer("*", "", "?", "").Replace(path.Base(p.glob))
	return p.base == p.glob || IsSecret(base, at.home) || IsSecret("/"+name, "")
}

// literalBase is the part of a glob before its first component with something special in it; empty if there is none.
func literalBase(glob string) string {
	i := strings.IndexAny(glob, `*?[{\`)
	if i < 0 {
		return glob
	}
	if i = strings.LastIndexByte(glob[:i], '/'); i <= 0 {
		return ""
	}
	return glob[:i]
}

// EscapeGlob is a glob that matches a path alone.
func EscapeGlob(p string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`).Replace(p)
}

// pathEffects are the effects that a path rule for some tools binds: a rule for reading tools binds reading.
func pathEffects(tools *toolSet) Effects {
	switch {
	case tools.any(commandTools):
	case !tools.any(writingTools):
		return Read
	case !tools.any(readingTools):
		return Write | Delete
	}
	return Read | Write | Delete
}

// names are the ways in which a subject's path is known to rules.
type names struct {
	list [5]name
	n    int
}

type name struct {
	text string
	abs  bool
}

// namesOf lists the names of a subject: its target, and the path as it was written where a link makes that another
// one; absolute and relative to the work directory.
func namesOf(s Subject, at place, fold bool) names {
	var all names
	add := func(text string, abs bool) {
		if fold {
			text = strings.ToLower(text)
		}
		if text != "" && all.n < len(all.list) {
			all.list[all.n] = name{text, abs}
			all.n++
		}
	}
	add(s.Path, true)
	add(below(s.Path, at.workDir), false)
	if s.Rel != below(s.Path, at.workDir) && fold {
		add(s.Rel, false)
	}
	add(s.Via, true)
	add(below(s.Via, at.workDir), false)
	return all
}

// below is a path relative to a directory it lies in; empty if it does not.
func below(p, dir string) string {
	switch {
	case !Within(p, dir):
		return ""
	case p == dir:
		return "."
	}
	return strings.TrimPrefix(p[len(strings.TrimSuffix(dir, "/")):], "/")
}

// matches reports whether the glob matches one name.
func (p *pathGlob) matches(n name) bool {
	if n.abs != p.abs || !strings.HasPrefix(n.text, p.base) {
		return false
	}
	if ok, _ := doublestar.Match(p.glob, n.text); ok {
		return true
	}
	if p.below == "" {
		return false
	}
	ok, _ := doublestar.Match(p.below, n.text)
	return ok
}

// speaks reports whether a deny or ask rule speaks of a subject: of its path, or of something that goes with it.
func (p *pathGlob) speaks(s Subject, all *names) bool {
	if s.Effects != 0 && !s.Effects.Has(p.effects) {
		return false
	}
	for _, n := range all.list[:all.n] {
		if p.matches(n) || s.Effects.Has(Delete) && p.effects.Has(Delete) && p.holds(n) {
			return true
		}
	}
	return false
}

// holds reports whether a directory holds all that the glob can match.
func (p *pathGlob) holds(n name) bool {
	return n.abs == p.abs && (n.text == "." || Within(p.base, n.text))
}

// touches reports whether something that the glob matches, and of which the rule binds one of the effects, may lie below one of
// the names.
func (p *pathGlob) touches(all *names, e Effects) bool {
	if !p.effects.Has(e) {
		return false
	}
	for _, n := range all.list[:all.n] {
		if n.abs == p.abs && (p.base == "" || n.text == "." || Within(p.base, n.text) || Within(n.text, p.base)) {
			return true
		}
	}
	return false
}

// covers reports whether an allow rule covers a subject: its target, and the path as it was written too. What is
// secret or outside it has to name.
func (p *pathGlob) covers(s Subject, at place) bool {
	if s.Effects.Has(Secret) && !p.secrets || s.Effects.Has(Outside) && p.base == "" {
		return false
	}
	return p.matchesPath(s.Path, at) && (s.Via == "" || p.matchesPath(s.Via, at))
}

func (p *pathGlob) matchesPath(full string, at place) bool {
	if p.abs {
		return p.matches(name{full, true})
	}
	rel := below(full, at.workDir)
	return rel != "" && p.matches(name{rel, false})
}

// matchHost reports whether a host is the one of a rule, or below it where the rule begins with "*.".
func matchHost(rule, host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if suffix, ok := strings.CutPrefix(rule, "*"); ok {
		return strings.HasSuffix(host, suffix) && host != suffix
	}
	return host == rule
}
