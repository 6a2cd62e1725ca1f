package approval

import "strings"

// protectedNames are never written to, at any depth below the work directory, with the short names that Windows gives them.
var protectedNames = [...]string{
	".git", ".husky", "node_modules", ".tricode",
	"git~1", "husky~1", "node_m~1", "tricod~1",
}

// ProtectedName reports whether a file or directory of this name is protected from writing, on whatever file system.
func ProtectedName(name string) bool {
	name = foldName(name)
	if short := strings.TrimRight(name, "0123456789"); short != name && strings.HasSuffix(short, "~") {
		name = short + "1" // the number depends on what else is there
	}
	for _, p := range protectedNames {
		if strings.EqualFold(name, p) {
			return true
		}
	}
	return false
}

// hasProtectedName reports whether a component of a path is a protected name other than but. Git takes backslashes for
// separators too, wherever the tree may be checked out.
func hasProtectedName(p, but string) bool {
	for name := range strings.FieldsFuncSeq(p, func(c rune) bool { return c == '/' || c == '\\' }) {
		if ProtectedName(name) && !strings.EqualFold(name, but) {
			return true
		}
	}
	return false
}

// foldName is a name as the file systems compare it that ignore the most of it: letter case; on NTFS the stream behind a
// colon, and blanks and dots at the end; on HFS+ some characters that nobody sees. Source: is_ntfs_dotgit and
// is_hfs_dotgit of git 2.39.
func foldName(name string) string {
	name = strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return r
	}, name)
	if i := strings.IndexByte(name, ':'); i > 0 {
		name = name[:i]
	}
	if short := strings.TrimRight(name, " ."); short != "" {
		name = short
	}
	return strings.ToLower(name)
}

// ignorable reports whether HFS+ ignores a character in names.
func ignorable(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}
