package approval

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// systemDirs belong to the operating system; /lib stands for /lib64 and its like too.
var systemDirs = [...]string{"/etc", "/usr", "/bin", "/sbin", "/boot", "/sys", "/proc", "/dev"}

// harmlessDevices take writes without harm.
var harmlessDevices = [...]string{
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
	"/dev/stdin", "/dev/stdout", "/dev/stderr",
}

// HarmlessDevice reports whether writing to the device at this path changes nothing.
func HarmlessDevice(p string) bool {
	for _, d := range harmlessDevices {
		if p == d {
			return true
		}
	}
	return strings.HasPrefix(p, "/dev/fd/")
}

// consequences are the effects that follow from where a subject of a call lies.
func (p *Policy) consequences(c *call, s Subject) Effects {
	if s.Path == "" {
		return 0
	}
	var e Effects
	if s.Rel == "" {
		e |= Outside
	}
	removes := s.Effects.Only(Delete|Dangerous) && c.command()
	switch {
	case !s.Effects.Has(Write | Delete):
	case removes && !p.isProtected(s, modules) && p.isProtected(s, ""):
		e |= Dangerous // a command may remove node_modules: it can be had again
	case p.isProtected(s, ""):
		e |= Protected
	}
	if s.Effects.Has(Read) && (IsSecret(s.Path, p.Home) || s.Via != "" && IsSecret(s.Via, p.Home) || p.isPrivate(s)) {
		e |= Secret
	}
	if s.Effects.Has(Write|Delete) && p.everything(s) {
		e |= Catastrophic
	}
	return e
}

// tooMany is Catastrophic if the subjects together would delete more untracked files than one action may.
func (p *Policy) tooMany(subjects []Subject) Effects {
	n := 0
	for _, s := range subjects {
		n += s.Untracked
	}
	if n > cmp.Or(p.MaxUntracked, DefaultMaxUntracked) {
		return Catastrophic
	}
	return 0
}

// modules is the directory of packages that a package manager fetches.
const modules = "node_modules"

// everything reports whether the subject is the work directory, an additional one, the home directory, the root or
// a directory around one of them. What is only written to in a directory of the run is not lost.
func (p *Policy) everything(s Subject) bool {
	if s.Rel != "" && !s.Effects.Has(Delete) {
		return false
	}
	return s.Rel == "." || s.Path == "/" || Within(p.WorkDir, s.Path) || Within(p.Home, s.Path)
}

// isPrivate reports whether reading a subject reads tricode's own configuration or state.
func (p *Policy) isPrivate(s Subject) bool {
	return slices.ContainsFunc(p.Private, func(own string) bool {
		return Within(s.Path, own) || s.Via != "" && Within(s.Via, own) || s.Tree && Within(own, s.Path)
	})
}

// Protects reports whether nothing may write to a subject, in any mode.
func (p *Policy) Protects(s Subject) bool { return p.isProtected(s, "") }

// isProtected reports whether nothing may write to a subject; components of its path that are called but do not count.
func (p *Policy) isProtected(s Subject, but string) bool {
	names := s.Rel
	if names == "" {
		names = s.Path
		if isSystem(s.Path) {
			return true
		}
	}
	if !s.Kept && hasProtectedName(names, but) || s.Via != "" && hasProtectedName(strings.TrimPrefix(s.Via, p.WorkDir), but) {
		return true
	}
	if p.matchesProtected(s, s.Rel) || p.matchesProtected(s, s.Path) {
		return true
	}
	for _, own := range p.Own {
		if Within(s.Path, own) || s.Effects.Has(Delete) && Within(own, s.Path) {
			return true
		}
	}
	return false
}

// matchesProtected holds a path, relative or absolute, against the globs of the configuration, ignoring case. What
// holds a protected path is protected from deletion.
func (p *Policy) matchesProtected(s Subject, name string) bool {
	name = strings.ToLower(name)
	for _, glob := range p.Protected {
		glob = strings.ToLower(glob)
		if ok, _ := doublestar.Match(glob, name); ok {
			return true
		}
		if base, _ := doublestar.SplitPattern(glob); s.Effects.Has(Delete) && Within(base, name) {
			return true
		}
	}
	return false
}

// mayHitProtected reports whether a subject writes files, which it does not name, where the configuration protects some.
func (p *Policy) mayHitProtected(s Subject) bool {
	return s.Tree && s.Effects.Has(Write) && slices.ContainsFunc(p.Protected, func(glob string) bool {
		base, name := literalBase(strings.ToLower(glob)), strings.ToLower(s.Rel)
		if path.IsAbs(base) {
			name = strings.ToLower(s.Path)
		}
		return base == "" || name == "." || Within(base, name) || Within(name, base)
	})
}

func isSystem(p string) bool {
	if HarmlessDevice(p) {
		return false
	}
	for _, dir := range systemDirs {
		if Within(p, dir) {
			return true
		}
	}
	return strings.HasPrefix(p, "/lib")
}

// Within reports whether a path is a directory or lies below it, both absolute or both relative to the same place; nothing is within the
// empty path, nor it in anything.
func Within(p, dir string) bool {
	if p == "" || dir == "" {
		return false
	}
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
