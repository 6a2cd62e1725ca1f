package sandbox

import (
	"os"
	"path"
	"slices"
)

// Beside lists what lies in a directory beside some files and directories below it: what is to be hidden where they alone
// may be seen. Paths are absolute, with slashes. A directory that cannot be listed is listed itself.
func Beside(dir string, seen []string) (others []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{dir}
	}
	for _, e := range entries {
		at := path.Join(dir, e.Name())
		switch {
		case slices.ContainsFunc(seen, func(s string) bool { return s == at }):
		case e.IsDir() && slices.ContainsFunc(seen, func(s string) bool { return inside(s, at) }):
			others = append(others, Beside(at, seen)...)
		default:
			others = append(others, at)
		}
	}
	return others
}
