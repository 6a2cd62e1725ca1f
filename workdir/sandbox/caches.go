package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// cache is where a program keeps what it can have again: a variable that says where, and directories below the home
// directory where it does not.
type cache struct {
	program  string
	variable string
	dirs     []string
}

// caches are those of the tools that builds need, by their documentation. What makes a program from what it finds there
// checks it first (checksums, content addresses), or could be led astray by any package as well.
var caches = [...]cache{
	{"go", "GOCACHE", []string{".cache/go-build", "Library/Caches/go-build"}},
	{"go", "GOMODCACHE", []string{"go/pkg"}},
	{"golangci-lint", "GOLANGCI_LINT_CACHE", []string{".cache/golangci-lint"}},
	{"staticcheck", "STATICCHECK_CACHE", []string{".cache/staticcheck"}},
	{"npm", "npm_config_cache", []string{".npm"}},
	{"yarn", "YARN_CACHE_FOLDER", []string{".cache/yarn", ".yarn/berry"}},
	{"pnpm", "", []string{".cache/pnpm", ".local/share/pnpm/store"}},
	{"node", "", []string{".cache/node", ".cache/node-gyp"}},
	{"bun", "BUN_INSTALL_CACHE_DIR", []string{".bun/install/cache"}},
	{"deno", "DENO_DIR", []string{".cache/deno"}},
	{"pip", "PIP_CACHE_DIR", []string{".cache/pip"}},
	{"uv", "UV_CACHE_DIR", []string{".cache/uv"}},
	{"poetry", "POETRY_CACHE_DIR", []string{".cache/pypoetry"}},
	{"pre-commit", "PRE_COMMIT_HOME", []string{".cache/pre-commit"}},
	{"cargo", "", []string{".cargo/registry", ".cargo/git"}},
	{"mvn", "", []string{".m2/repository"}},
	{"gradle", "", []string{".gradle/caches", ".gradle/daemon", ".gradle/native", ".gradle/wrapper"}},
	{"bundle", "", []string{".bundle/cache"}},
	{"composer", "COMPOSER_CACHE_DIR", []string{".cache/composer"}},
	{"dotnet", "NUGET_PACKAGES", []string{".nuget/packages"}},
	{"ccache", "CCACHE_DIR", []string{".cache/ccache", ".ccache"}},
	{"zig", "ZIG_GLOBAL_CACHE_DIR", []string{".cache/zig"}},
	{"bazel", "", []string{".cache/bazel"}},
}

// Caching reports whether a program of those that keep caches may be started.
func Caching(starts func(program string) bool) bool {
	return slices.ContainsFunc(caches[:], func(c cache) bool { return starts(c.program) })
}

// Writable are the places beside some directories that programs may write to: those that a person lists, and the directories in which
// the tools of this machine keep what they can have again; see Apart. Where a tool has none, and starts says that it may be started,
// one is made, because the tool could not do that in its box.
func Writable(home string, listed, dirs []string, starts func(program string) bool) []string {
	all := slices.Clone(listed)
	for _, c := range caches {
		all = append(all, c.places(home)...)
	}
	for _, c := range caches {
		at := c.places(home)
		if len(at) > 0 && starts(c.program) && len(Standing(at)) == 0 && onPath(c.program) && !passes(at[0], slices.Concat(dirs, Standing(all))) {
			_ = os.MkdirAll(at[0], 0o755) // the tool does without one, or says that it cannot
		}
	}
	return Apart(all, dirs)
}

// Standing are those of some files and directories that are there, with their links followed.
func Standing(paths []string) (found []string) {
	for _, path := range paths {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			found = append(found, real)
		}
	}
	return found
}

// Followed are those of some files and directories that are there, with their links followed, but for those to which the way leads
// through places that programs may write.
func Followed(paths, writable []string) (found []string) {
	for _, path := range paths {
		if real, err := filepath.EvalSymlinks(path); err == nil && !passes(path, writable) {
			found = append(found, real)
		}
	}
	return found
}

// Apart are those of some files and directories that are there, with their links followed, but for those to which the way leads
// through what programs may write, or will if they may write to the others: they may have made a link of it.
func Apart(paths, writable []string) (found []string) {
	reals := make([]string, len(paths)) // empty where nothing is
	for i, path := range paths {
		reals[i], _ = filepath.EvalSymlinks(path)
	}
	for i, path := range paths {
		others := slices.DeleteFunc(slices.Clone(reals), func(dir string) bool { return dir == "" || dir == reals[i] })
		if reals[i] != "" && !slices.Contains(found, reals[i]) && !passes(path, slices.Concat(writable, others)) {
			found = append(found, reals[i])
		}
	}
	return found
}

// maxLinks is how many links a way has at most (path_resolution(7)).
const maxLinks = 40

// passes reports whether the way to an absolute path leads into one of some directories, which have no links before them.
func passes(path string, dirs []string) bool {
	volume := filepath.VolumeName(path)
	at, left := volume+separator, strings.Split(path[len(volume):], separator)
	for links := 0; len(left) > 0 && len(dirs) > 0; {
		next := filepath.Join(at, left[0])
		left = left[1:]
		if slices.ContainsFunc(dirs, func(dir string) bool { return inside(next, dir) }) {
			return true
		}
		target, err := os.Readlink(next)
		if err != nil {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return true
		}
		if filepath.IsAbs(target) {
			at = volume + separator
		}
		left = append(strings.Split(target, separator), left...)
	}
	return false
}

const separator = string(filepath.Separator)

// places are where a tool may keep its cache, the best first.
func (c cache) places(home string) (places []string) {
	if at := os.Getenv(c.variable); c.variable != "" && filepath.IsAbs(at) {
		return []string{at}
	}
	if home == "" {
		return nil
	}
	for _, dir := range c.dirs {
		if rest, ok := strings.CutPrefix(dir, ".cache/"); ok && filepath.IsAbs(os.Getenv("XDG_CACHE_HOME")) {
			places = append(places, filepath.Join(os.Getenv("XDG_CACHE_HOME"), rest))
		} else {
			places = append(places, filepath.Join(home, dir))
		}
	}
	return places
}

func onPath(program string) bool {
	_, err := (&Box{}).LookPath(program)
	return err == nil
}
