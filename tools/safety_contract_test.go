//go:build unix

package tools

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"tricode/approval"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// The built-in safety that the documentation promises for tools, a subtest for each statement of it.

func TestProtectedPathsAreNeverWrittenByTools(t *testing.T) {
	state := t.TempDir()
	for _, c := range []struct {
		statement string
		paths     []string // of files; a name that ends in a slash is a directory
	}{
		{"the directory .git", []string{".git/config", ".git/hooks/pre-commit", ".git/", "sub/.git/x"}},
		{"the file .git", []string{"module/.git"}},
		{".husky", []string{".husky/pre-commit", ".husky/"}},
		{"node_modules", []string{"node_modules/x/index.js", "node_modules/", "sub/node_modules/y"}},
		{".tricode", []string{".tricode/config.toml", ".tricode/"}},
		{"what protected adds", []string{"infra/prod/main.tf", "infra/prod/new"}},
		{"programs of trusted hooks", []string{"check"}},
		{"tricode's own configuration and state", []string{state + "/trust.json", state + "/", "state/x"}},
		{"by path component", []string{"a/b/.git/c/d"}},
		{"ignoring case", []string{".GIT/config", "Node_Modules/x", ".Husky/x", ".TRICODE/x", "INFRA/Prod/x"}},
		{"through links", []string{"hooks/pre-commit", "prod/main.tf"}},
		{"also when nothing is there yet", []string{"new/.git", "new/.husky/x", "new/node_modules/x"}},
	} {
		t.Run(c.statement, func(t *testing.T) {
			p := newPlace(t, map[string]string{
				".git/config": "x", "module/.git": "gitdir: x", "infra/prod/main.tf": "x", "check": "x", "a.txt": "x", "dir/": "", "hooks": "-> .git/hooks", ".git/hooks/": "", "prod": "-> infra/prod", "state": "-> " + state,
			})
			anywhere, err := workdir.Open(p.dir, "/")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { anywhere.Close() })
			p.w.Dir = anywhere
			p.gate.Policy.SkipAll, p.gate.Policy.Unlimited = true, true
			p.gate.Policy.Protected, p.gate.Policy.Own = []string{"infra/prod/**"}, []string{state, p.dir + "/check"}
			before := p.files()
			for _, path := range c.paths {
				for tool, args := range map[string]string{
					"create_file": object("path", path, "content", "y"), "edit_file": object("path", path, "mode", "overwrite", "content", "y"), "mkdir": object("path", path),
					"delete_file": object("path", path), "delete_path": object("path", path, "recursive", true),
					"move_path": object("source", "a.txt", "destination", path),
				} {
					_, err := p.call(tool, args)
					var denied *approval.Denied
					if !errors.As(err, &denied) || denied.Decision.Layer != approval.LayerProtected {
						t.Errorf("%s %s with everything skipped: %v", tool, path, err)
					}
				}
			}
			if after := p.files(); !maps.Equal(before, after) {
				t.Errorf("changed: %v", after)
			}
		})
	}
}

func TestSecretsAreAskedAboutBeforeToolsReadThem(t *testing.T) {
	for _, name := range []string{".env", ".env.local", ".envrc", ".env-prod", "server.key", "tls.pem", "id_rsa", ".netrc", ".git-credentials", ".npmrc", ".pypirc", ".zsh_history",
		"home/.ssh/config", "home/.aws/credentials", "home/.gnupg/x", "home/.kube/config", "home/.docker/config.json", "home/.config/gh/hosts.yml", "home/.cargo/credentials.toml", "home/.config/gcloud/x", "home/.mozilla/x", "own/config.toml"} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{name: "word\n"})
			p.gate.Policy.Home, p.w.Home = p.dir+"/home", p.dir+"/home"
			p.gate.Policy.Private = []string{p.dir + "/own"}
			for i, call := range []string{"read_file " + object("path", name), "search_context " + object("path", name, "pattern", "word")} {
				tool, args, _ := strings.Cut(call, " ")
				p.gate.Policy.Mode = approval.ModeAcceptEdits
				if got, err := p.call(tool, args); err != nil || !strings.Contains(got, "word") || p.yes.asked != i+1 {
					t.Errorf("%s: %q, %v, asked %d times", call, got, err, p.yes.asked)
				}
				p.gate.Policy.Mode = approval.ModeReadOnly
				var denied *approval.Denied
				if got, err := p.call(tool, args); !errors.As(err, &denied) {
					t.Errorf("%s in mode read_only: %q, %v", call, got, err)
				}
			}
		})
	}
	t.Run("but templates", func(t *testing.T) {
		p := newPlace(t, map[string]string{".env.example": "x", ".env.sample": "x", ".env.template": "x"})
		for name := range p.files() {
			if got, err := p.call("read_file", object("path", name)); err != nil || got == "" || p.yes.asked > 0 {
				t.Errorf("%s: %q, %v, asked %d times", name, got, err, p.yes.asked)
			}
		}
	})
}

func TestSearchLeavesOutSecretAndDeniedFilesAndSaysHowMany(t *testing.T) {
	p := newPlace(t, map[string]string{"a": "word\n", "tls.pem": "word\n", "id_rsa": "word\n", "private/x": "word\n", "own/log": "word\n"})
	rule, err := approval.ParseRule("Read(private/**)", approval.Deny)
	if err != nil {
		t.Fatal(err)
	}
	if p.gate.Policy.Rules, _, err = approval.Compile([]approval.Rule{rule}, nil, p.dir, ""); err != nil {
		t.Fatal(err)
	}
	p.gate.Policy.Private = []string{p.dir + "/own"}
	p.w.Hides = p.gate.Policy.Hides
	got, err := p.call("search_context", `{"pattern":"word"}`)
	if want := "a:1:word\n[2 files that may hold secrets left out; 2 files that a rule denies left out]"; got != want || err != nil || p.yes.asked > 0 {
		t.Errorf("search_context = %q, %v, asked %d times; want %q", got, err, p.yes.asked, want)
	}
}

// always is a person who answers 2.
type always struct{ asked int }

func (a *always) Ask(context.Context, *approval.Action, approval.Decision) (approval.Answer, error) {
	a.asked++
	return approval.Answer{Choice: approval.Always}, nil
}

func (p *place) always() *always {
	person := &always{}
	p.gate.Asker = person
	return person
}

func TestInputToAProgramIsCompleteAndAboutItsSession(t *testing.T) {
	p := withSessions(t)
	for range 2 {
		p.start(`{"command":"cat"}`)
	}
	a, err := SendInput(p.w).Plan(t.Context(), json.RawMessage(`{"session_id":"s1","input_text":"rm -rf /"}`))
	if err != nil || len(a.Subjects) != 1 || a.Subjects[0].Session != "s1" || a.Subjects[0].Args != nil || a.Effects.Has(approval.ExecOpaque) {
		t.Errorf("%+v, %v; want one subject, the session, that is complete", a, err)
	}
	t.Run("2 covers that session only", func(t *testing.T) {
		person := p.always()
		for i, step := range []struct {
			session string
			asked   int
		}{{"s1", 1}, {"s1", 1}, {"s2", 2}, {"s1", 2}, {"s2", 2}} {
			if _, err := p.send(step.session, "hello"); err != nil || person.asked != step.asked {
				t.Errorf("input %d, to %s: %v, asked %d times, want %d", i, step.session, err, person.asked, step.asked)
			}
		}
	})
}

// Each of the programs that git's configuration can name is named alone, and git asked for what runs it: without a gate it
// does, but not where nobody is asked.
func TestUnaskedGitRunsNoneOfTheProgramsItsConfigurationNames(t *testing.T) {
	for program, c := range map[string]struct{ key, tool, command string }{
		"fsmonitor":     {"core.fsmonitor", "run_command", "git status"},
		"hooks":         {"core.hooksPath", "run_command", "git status"},
		"external diff": {"diff.external", "run_command", "git diff"},
		"textconv":      {"diff.word.textconv", "run_command", "git diff"},
		"diff driver":   {"diff.word.command", "run_command", "git diff"},
		"filters":       {"filter.word.clean", "run_command", "git diff"},
		"signatures":    {"gpg.program", "run_command", "git log"},
		"pager":         {"core.pager", "start_session", "git log"},
	} {
		t.Run(program, func(t *testing.T) {
			p := withSessions(t)
			ran := p.naming(c.key)
			var out strings.Builder
			if _, err := p.w.Box.Run(t.Context(), sandbox.Cmd{Args: strings.Fields(c.command), Stdout: &out, Stderr: &out}); err != nil {
				t.Fatal(err)
			}
			if c.tool == "run_command" && !ran() { // there is no pager without a terminal
				t.Fatalf("git does not run what %s names: %s", c.key, out.String())
			}
			if got, err := p.call(c.tool, object("command", c.command)); err != nil || p.yes.asked > 0 || ran() {
				t.Errorf("%s: %q, %v, asked %d times; or it ran what %s names", c.command, got, err, p.yes.asked, c.key)
			}
		})
	}
}

// naming makes the directory a repository with a change, a signed commit and a program that a key of git's configuration
// names. ran reports whether it ran since it was asked last.
func (p *place) naming(key string) (ran func() bool) {
	p.t.Helper()
	evil := p.t.TempDir()
	text := []byte("#!/bin/sh\ntouch " + evil + "/ran\n")
	for _, name := range []string{"/evil", "/post-index-change"} {
		if err := os.WriteFile(evil+name, text, 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	value := evil + "/evil"
	if key == "core.hooksPath" {
		value = evil
	}
	setup := `set -e; exec >&2
		git init -q; git config user.name n; git config user.email e; echo '* diff=word filter=word' > .git/info/attributes
		echo a > a; echo c > c; git add a c; git commit -qm m; git config log.showSignature true
		signature='gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----'
		git cat-file commit HEAD | awk "{print} /^committer/ {print \"$signature\"}" | git hash-object -t commit -w --stdin | xargs git update-ref HEAD
		touch -t 200101010000 c; echo b >> a; git config "$KEY" "$VALUE"`
	var out strings.Builder
	if status, err := p.w.Box.Run(p.t.Context(), sandbox.Cmd{Args: []string{"sh", "-c", setup}, Env: []string{"KEY=" + key, "VALUE=" + value}, Stdout: &out, Stderr: &out}); status != 0 || err != nil {
		p.t.Fatal(status, err, out.String())
	}
	age := time.Unix(1e9, 0)
	return func() bool {
		_, err := os.Stat(evil + "/ran")
		os.Remove(evil + "/ran")
		age = age.Add(time.Hour)
		os.Chtimes(p.dir+"/c", age, age) // so that git has to note again that this file is as it was
		return err == nil
	}
}
