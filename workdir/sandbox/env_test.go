//go:build unix

package sandbox

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestKeeps(t *testing.T) {
	b := &Box{Env: []string{"NPM_TOKEN", "LD_LIBRARY_PATH", "PATH"}, Hidden: []string{"MY_PROVIDER"}}
	for name, want := range map[string]bool{
		"HOME": true, "LANG": true, "USER": true, "TERM": true, "SSH_AUTH_SOCK": true, "GOPATH": true, "KEYBOARD": true, "GITHUB_REF": true,
		"GIT_AUTHOR_NAME": true, "GIT_COMMITTER_EMAIL": true, "GIT_TERMINAL_PROMPT": true, "ENVIRONMENT": true, "MYLD_X": true,
		"OPENAI_API_KEY": false, "GITHUB_TOKEN": false, "aws_secret_access_key": false, "DB_PASSWORD": false, "X_SECRET": false,
		"MY_PROVIDER": false, "LD_PRELOAD": false, "DYLD_INSERT_LIBRARIES": false, "BASH_ENV": false, "BASH_FUNC_ls%%": false, "ENV": false,
		"PROMPT_COMMAND": false, "GIT_DIR": false, "GIT_SSH_COMMAND": false, "GIT_CONFIG_COUNT": false, "GIT_EXTERNAL_DIFF": false,
		"PAGER": false, "MANPAGER": false, "GIT_PAGER": false, "LESSOPEN": false, "RIPGREP_CONFIG_PATH": false, "NODE_OPTIONS": false,
		"PYTHONSTARTUP": false, "PYTHONPATH": false, "PERL5OPT": false, "PERL5LIB": false, "RUBYOPT": false, "GOFLAGS": false,
		"JAVA_TOOL_OPTIONS": false, "CDPATH": false, "SHELLOPTS": false,
		"NPM_TOKEN": true, "LD_LIBRARY_PATH": true, // named
		"PATH": false, "TMPDIR": false, "PWD": false, "TRICODE": false, // made anew
	} {
		if got := b.keeps(name); got != want {
			t.Errorf("keeps(%q) = %v", name, got)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "x")
	t.Setenv("LD_PRELOAD", "")
	t.Setenv("KEPT", "a=b\nc")
	t.Setenv("CHANGED", "before")
	b := box(t, t.TempDir())
	env := func(c Cmd) []string {
		var out bytes.Buffer
		c.Args, c.Stdout = []string{"env", "-0"}, &out
		if status, err := b.Run(t.Context(), c); status != 0 || err != nil {
			t.Fatal(status, err)
		}
		return strings.Split(strings.TrimSuffix(out.String(), "\x00"), "\x00")
	}
	got := env(Cmd{Env: []string{"CHANGED=after", "PWD=/elsewhere"}})
	for _, want := range []string{"KEPT=a=b\nc", "CHANGED=after", "PWD=/elsewhere", "TMPDIR=" + b.temp} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	names := map[string]bool{}
	for _, pair := range got {
		name, _, _ := strings.Cut(pair, "=")
		if names[name] || name == "SECRET_TOKEN" || name == "LD_PRELOAD" || strings.HasPrefix(name, "GIT_CONFIG") {
			t.Errorf("%s is there, or twice", name)
		}
		names[name] = true
	}
	if !names["TRICODE"] {
		t.Errorf("no mark in %q", got)
	}
	if info, err := os.Stat(b.temp); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("temporary directory: %v, %v", info, err)
	}
	if look := env(Cmd{Look: true}); !slices.Contains(look, "GIT_CONFIG_KEY_0=core.fsmonitor") || !slices.Contains(look, "GIT_PAGER=cat") {
		t.Errorf("looking: %q", look)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(b.temp); err == nil {
		t.Error("the temporary directory stayed")
	}
}

// TestTempAfterClose closes a Box while a helper that nobody waits for may still be starting: what that would need is not
// made any more.
func TestTempAfterClose(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	b := &Box{Dir: t.TempDir()}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if temp := b.Temp(); temp != "" {
		t.Errorf("a directory that nobody removes: %s", temp)
	}
}
