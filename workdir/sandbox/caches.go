package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
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

// Caches are the directories in which the tools of this machine keep what they can have again. The first of a tool's is made
// if none is there, because the tool could not do it in its box.
func Caches(home string) []string {
	cached.Lock()
	defer cached.Unlock()
	if cached.home != home {
		cached.home, cached.dirs = home, nil
		for _, c := range caches {
			cached.dirs = append(cached.dirs, c.find(home)...)
		}
	}
	return cached.dirs
}

// cached is what Caches found for a home directory.
var cached struct {
	sync.Mutex
	home string
	dirs []string
}

func (c cache) find(home string) (dirs []string) {
	if at := os.Getenv(c.variable); c.variable != "" && filepath.IsAbs(at) {
		return present(at)
	}
	if home == "" {
		return nil
	}
	for _, dir := range c.dirs {
		if rest, ok := strings.CutPrefix(dir, ".cache/"); ok && filepath.IsAbs(os.Getenv("XDG_CACHE_HOME")) {
			dirs = append(dirs, present(filepath.Join(os.Getenv("XDG_CACHE_HOME"), rest))...)
		} else {
			dirs = append(dirs, present(filepath.Join(home, dir))...)
		}
	}
	if dirs == nil && onPath(c.program) {
		first := filepath.Join(home, c.dirs[0])
		if os.MkdirAll(first, 0o755) == nil {
			dirs = present(first)
		}
	}
	return dirs
}

// present is the directory at a path with its links followed, if there is one.
func present(at string) []string {
	real, err := filepath.EvalSymlinks(at)
	if err != nil {
		return nil
	}
	return []string{real}
}

func onPath(program string) bool {
	_, err := (&Box{}).LookPath(program)
	return err == nil
}
