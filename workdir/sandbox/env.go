package sandbox

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// secretSuffixes end the names of variables that hold secrets.
var secretSuffixes = [...]string{"_TOKEN", "_KEY", "_SECRET", "_PASSWORD", "PAGER"}

// hookPrefixes begin the names of variables that make other programs or code run, or that change what a command means.
var hookPrefixes = [...]string{"LD_", "DYLD_", "BASH_FUNC_", "GIT_"}

// hookNames are whole names of such variables.
var hookNames = [...]string{
	"BASH_ENV", "ENV", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "PS4", "CDPATH", "GLOBIGNORE",
	"LESSOPEN", "LESSCLOSE", "RIPGREP_CONFIG_PATH", "NODE_OPTIONS", "NODE_PATH",
	"PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "PERL5OPT", "PERL5LIB", "PERL5DB", "RUBYOPT", "RUBYLIB",
	"GOFLAGS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS",
}

// harmlessGit begin the names of git's variables that programs keep.
var harmlessGit = [...]string{"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_TERMINAL_"}

// replaced are variables that every program gets anew.
var replaced = [...]string{"PWD", "OLDPWD", "PATH", "TMPDIR", "TMP", "TEMP", "TRICODE"}

// environ is the clean environment of a program, with what it gets anew and what c adds.
func (b *Box) environ(c Cmd, mark string) []string {
	all := os.Environ()
	env := make([]string, 0, len(all)+len(c.Env)+len(lookEnv)+5)
	for _, pair := range all {
		// On Windows the current directories of drives have names that begin with "=".
		if name, _, ok := strings.Cut(pair, "="); ok && b.keeps(name) {
			env = append(env, pair)
		}
	}
	env = append(env, "PATH="+absolutePath())
	if b.Dir != "" {
		env = append(env, "PWD="+b.Dir)
	}
	env = append(env, mark)
	env = append(env, b.tempVars()...)
	if c.Look {
		env = append(env, lookEnv...)
	}
	return slices.Concat(without(env, c.Env), c.Env)
}

// without takes out of env what has a name that others has too: of two variables of one name, programs see either.
func without(env, others []string) []string {
	if len(others) == 0 {
		return env
	}
	taken := make(map[string]bool, len(others))
	for _, pair := range others {
		name, _, _ := strings.Cut(pair, "=")
		taken[name] = true
	}
	return slices.DeleteFunc(env, func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return taken[name]
	})
}

// makeTemp makes the temporary directory if there is none yet. A Box that was closed would leave it behind.
func (b *Box) makeTemp() {
	if b.temp == "" && !b.closed {
		b.temp, _ = os.MkdirTemp("", "tricode-")
		b.temp, _ = filepath.EvalSymlinks(b.temp)
	}
}

// Temp is the temporary directory of all programs, absolute and with links followed; empty where none can be made, and in
// a Box that was closed before anybody needed it.
func (b *Box) Temp() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.makeTemp()
	return b.temp
}

// tempVars point programs to their temporary directory, or to that of tricode where none can be made.
func (b *Box) tempVars() []string {
	b.makeTemp()
	temp := b.temp
	if temp == "" {
		temp = os.TempDir()
	}
	if runtime.GOOS == "windows" {
		return []string{"TMP=" + temp, "TEMP=" + temp}
	}
	return []string{"TMPDIR=" + temp}
}

// keeps reports whether programs get the variable.
func (b *Box) keeps(name string) bool {
	upper := strings.ToUpper(name)
	switch {
	case slices.Contains(replaced[:], upper):
		return false
	case slices.Contains(b.Env, name):
		return true
	case slices.Contains(b.Hidden, name), slices.Contains(hookNames[:], upper):
		return false
	case hasAny(strings.HasPrefix, upper, harmlessGit[:]):
		return true
	}
	return !hasAny(strings.HasSuffix, upper, secretSuffixes[:]) && !hasAny(strings.HasPrefix, upper, hookPrefixes[:])
}

func hasAny(has func(s, part string) bool, s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return has(s, part) })
}

// absolutePath is PATH without relative entries, so that LookPath and shells find the same programs.
func absolutePath() string {
	path := searchPath()
	dirs := filepath.SplitList(path)
	if !slices.ContainsFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) }) {
		return path
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) })
	return strings.Join(dirs, string(filepath.ListSeparator))
}
