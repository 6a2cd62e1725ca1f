//go:build linux

package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tricode/approval"
	"tricode/workdir/sandbox"
)

// boxed is a place whose commands run in boxes and are held against rules at each step. Its home directory has a secret.
func boxed(t *testing.T, mode approval.Mode, denied ...string) *place {
	t.Helper()
	p := newPlace(t, map[string]string{
		"a": "one\n", "f": "two\n", ".env": "KEY=hidden\n", ".git/config": "[core]\n", "node_modules/m/index.js": "1\n", "sub/.git/HEAD": "ref\n",
	})
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".ssh", "id"), []byte("hidden\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	rules := []approval.Rule{}
	for _, text := range denied {
		r, err := approval.ParseRule(text, approval.Deny)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	p.gate.Policy.Mode, p.gate.Policy.Home = mode, home
	if p.gate.Policy.Rules, _, err = approval.Compile(rules, nil, p.dir, home); err != nil {
		t.Fatal(err)
	}
	p.w.Home, p.w.Recheck, p.w.Concern = home, p.gate.Recheck, p.gate.Policy.Rules.Concern
	p.w.Boxes = &Boxes{Box: p.w.Box, Dir: p.w.Dir, Home: home, Secrets: approval.HomeSecrets(home, nil), Shields: p.gate.Policy.Protects}
	if gaps := p.w.Boxes.Gaps(t.Context(), false); len(gaps) > 0 {
		t.Skipf("the system does not enforce %s", strings.Join(gaps, ", "))
	}
	return p
}

// What fills one directory hides nothing at the top of another.
func TestPlacesComeFromTheTop(t *testing.T) {
	files := map[string]string{".git/config": "", "node_modules/m/index.js": "", "web/node_modules/m/index.js": "", "web/.env": "", "web/deep/down/.env": ""}
	for i := range 40 {
		files["+full/x/"+strconv.Itoa(i)+"/y"] = ""
	}
	p := newPlace(t, files)
	b := &Boxes{Box: p.w.Box, Dir: p.w.Dir}
	for entries, want := range map[int][]string{
		maxPlaced: {".git", "node_modules", "web/.env", "web/deep/down/.env", "web/node_modules"},
		60:        {".git", "node_modules", "web/.env", "web/node_modules"},
		20:        {".git", "node_modules"},
	} {
		found, got := b.find(entries), []string{}
		for _, at := range slices.Concat(found.kept, found.secrets) {
			rel, _ := filepath.Rel(p.dir, at)
			got = append(got, rel)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%d entries: %q, want %q", entries, got, want)
		}
	}
}

// What one command made, the next one is already held from.
func TestPlacesOfTheCommandBefore(t *testing.T) {
	p := boxed(t, approval.ModeBypass)
	for _, test := range []struct{ command, want string }{
		{"true; cat .env", "KEY=hidden"}, {"git init -q new", ""}, {`python3 -c 'open("new/.git/config", "a")'`, "Read-only file system"},
	} {
		if got, err := p.call("run_command", object("command", test.command)); err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, %v; want %q", test.command, got, err, test.want)
		}
	}
}

// What a line leaves in the background ends with it, and what it is to end ends, whatever holds its box.
func TestBoxesEndWhatIsLeft(t *testing.T) {
	p := boxed(t, approval.ModeBypass)
	for _, without := range []sandbox.Mechanisms{0, sandbox.Processes, sandbox.Mounts | sandbox.Processes | sandbox.Networks} {
		for command, want := range map[string]string{
			"sleep 100 & sleep 0.05; echo done":                                    "done\n",
			"(sleep 100; echo no) & sleep 100 | cat & sleep 0.05; echo done":       "done\n",
			"sleep 100 & p=$!; sleep 0.05; kill $p; wait $p; echo $?":              "143\n",
			"sleep 100 & true | true; sleep 0.05; kill -9 $!; wait; echo done":     "done\n",
			"trap 'echo end' EXIT; sleep 100 & sleep 0.05; kill -STOP $!; echo ok": "ok\nend\n",
			"python3 -c 'import os, time; open(\"pid\", \"w\").write(str(os.getpid())); time.sleep(100)' & until test -s pid; do sleep 0.02; done; kill $(cat pid); wait; rm pid; echo done": "done\n",
		} {
			for range 3 {
				var out strings.Builder
				start := time.Now()
				l := &sandbox.Limits{Write: []string{p.dir}, Without: without}
				_, err := p.w.Box.Run(t.Context(), sandbox.Cmd{Text: command, Limits: l, Stdout: &out, Stderr: &out})
				if took := time.Since(start); err != nil || out.String() != want || took > 30*time.Second {
					t.Fatalf("%s without %v: %q, %v, after %v", command, without, &out, err, took)
				}
			}
		}
	}
}

// What is protected and does not exist yet no box can hold; a command that makes it tells.
func TestWhatIsProtectedIsNotMadeUnseen(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{`python3 -c 'import os; os.makedirs("made/.git")'`, "(no output)\nit made what is protected, and nobody was asked about that: made/.git"},
		{`python3 -c 'import os; os.makedirs("made/.git"); exit(3)'`, "exit status 3; it made what is protected, and nobody was asked about that: made/.git"},
		{`python3 -c 'import os; [os.makedirs(str(i)+"/.husky") for i in range(7)]'`, "0/.husky, 1/.husky, 2/.husky, 3/.husky, 4/.husky, and 2 more"},
		{`python3 -c 'import os; os.makedirs("made/.GIT")'`, "made/.GIT"},
		{`python3 -c 'import os; os.mkdir(".tricode")'`, ": .tricode"},
		{`python3 -c 'open("made", "w")'`, "(no output)"},
		{`git init -q made`, "(no output)"},
		{`mkdir -p x/y; echo x >x/z`, "(no output)"},
	} {
		p := boxed(t, approval.ModeBypass)
		got, err := p.call("run_command", object("command", test.command))
		if err != nil || !strings.HasSuffix(got, test.want) {
			t.Errorf("%s: %q, %v; want %q", test.command, got, err, test.want)
		}
	}
}

// A session tells at its end.
func TestSessionsTellWhatTheyMade(t *testing.T) {
	p := boxed(t, approval.ModeBypass)
	p.w.Sessions = NewSessions(p.w.Box)
	t.Cleanup(p.w.Sessions.Close)
	for _, test := range []struct{ command, made string }{
		{`python3 -c 'import os; os.makedirs("made/.git"); print("ready"); input()'`, "\nit made what is protected, and nobody was asked about that: made/.git"},
		{`python3 -c 'import os; os.makedirs("other"); print("ready"); input()'`, ""},
	} {
		got := p.start(object("command", test.command))
		id := strings.Fields(got)[1]
		p.until(id, got, "ready")
		got, err := p.do(CloseSession(p.w), object("session_id", id))
		if err != nil || !strings.HasSuffix(got, test.made) || test.made == "" && strings.Contains(got, "protected") {
			t.Errorf("%s: %q, %v; want %q", test.command, got, err, test.made)
		}
	}
}

// What static analysis cannot know is denied when it happens, whatever the spelling.
func TestStepsAreHeldAgainstRules(t *testing.T) {
	for _, command := range []string{
		`X=$(echo rm); $X -rf f`, `$(echo rm) -rf f`, `r() { "$@" f; }; r rm`, `a=r; read b <<< m; $a$b f`, `eval "$(echo rm f)"`,
		`echo 'rm f' > s; sh s`, `printf '#!/bin/sh\nrm f\n' > s; chmod +x s; ./s`, `x='rm f'; bash -c "$x"`, `n=rm; env $n f`,
		`n=rm; echo f | xargs $n`, `trap "$(echo rm) f" EXIT`, `. <(echo rm f)`, `ln -s $(command -v rm) y; ./y f`,
	} {
		t.Run(command, func(t *testing.T) {
			p := boxed(t, approval.ModeBypass, "run_command(rm *)")
			got, err := p.call("run_command", object("command", command))
			if _, there := p.files()["f"]; !there {
				t.Errorf("rm ran: %q, %v", got, err)
			}
			if denied := (*approval.Denied)(nil); err != nil && !errors.As(err, &denied) {
				t.Error(err)
			}
		})
	}
}

// What was not shown and lies outside, or is protected, is not written, by the shell itself or by programs.
func TestStepsAreHeldToTheLimits(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{`d=$(echo ..); echo x > $d/out`, "is outside the work directory"},
		{`d=$(echo ..); touch $d/out`, "is outside the work directory"},
		{`python3 -c 'open("../out", "w")'`, "Read-only file system"},
		{`g=$(echo .git/config); echo x > $g`, "is protected from writing"},
		{`python3 -c 'open("../out", "w")'`, "exit status 1; the sandbox lets programs write only to the work directory, caches"},
		{`python3 -c 'open(".git/config", "w")'`, "Read-only file system"},
		{`python3 -c 'open("sub/.git/HEAD", "w")'`, "Read-only file system"},
		{`python3 -c 'import socket; socket.socket(socket.AF_UNIX)'`, "exit status 1; the sandbox refuses namespaces"},
		{`unshare -Ur true`, "and sockets of this machine that a person did not list ([sandbox] sockets)"},
		{`f=$(mktemp); echo hi > $f; cat $f`, "hi\n"},
		{`python3 -c 'import os; print(open(os.environ["HOME"] + "/.ssh/id").read())'`, "No such file"},
	} {
		t.Run(test.command, func(t *testing.T) {
			p := boxed(t, approval.ModeBypass)
			before := p.files()
			got, err := p.call("run_command", object("command", test.command))
			if err != nil || !strings.Contains(got, test.want) {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(p.dir), "out")); err == nil {
				t.Error("it wrote outside")
			}
			for name, text := range before {
				if p.files()[name] != text {
					t.Errorf("it changed %s", name)
				}
			}
		})
	}
}

// What a program makes of a place that it may write to does not say where the next one may write.
func TestBoxesAreNotLedAstray(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("PIP_CACHE_DIR", "")
	for _, test := range []struct{ listed, link, to string }{
		{".cache/pip/own", ".cache/pip/own", "other"},
		{".cache/pip/own/deep", ".cache/pip/own", "other"},
		{".cache/pip/own", ".cache/pip/own", "."},
		{"listed/own", "listed/own", "other"},
	} {
		p := boxed(t, approval.ModeBypass)
		for _, dir := range []string{".cache/pip", "listed", "other/deep"} {
			if err := os.MkdirAll(filepath.Join(p.w.Home, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		p.w.Boxes.Config.Writable = []string{p.w.Home + "/listed", p.w.Home + "/" + test.listed}
		for _, code := range []string{
			fmt.Sprintf("os.symlink(os.path.realpath(%q), %q)", test.to, test.link), `open("other/x", "w")`, `open("other/deep/x", "w")`,
		} {
			got, err := p.call("run_command", object("command", `python3 -c 'import os; os.chdir(os.environ["HOME"]); `+code+`'`))
			if want := strings.HasPrefix(code, "os."); err != nil || (got == "(no output)") != want || !want && !strings.Contains(got, "Read-only file system") {
				t.Errorf("%+v: %s: %q, %v", test, code, got, err)
			}
		}
	}
}

// What a program makes of a place that it may write to does not say which secrets the next one may read.
func TestReadableIsNotLedAstray(t *testing.T) {
	for _, writable := range []string{"listed", ".cache/pip"} {
		p := boxed(t, approval.ModeBypass)
		if err := os.MkdirAll(filepath.Join(p.w.Home, writable), 0o755); err != nil {
			t.Fatal(err)
		}
		p.w.Boxes.Config.Writable = []string{p.w.Home + "/listed"}
		p.w.Boxes.Config.Readable = []string{filepath.Join(p.w.Home, writable, "key")}
		const text = `python3 -c 'import os; os.chdir(os.environ["HOME"]); %s'`
		if got, err := p.call("run_command", object("command", fmt.Sprintf(text, `os.symlink(os.path.realpath(".ssh"), "`+writable+`/key")`))); err != nil || got != "(no output)" {
			t.Fatalf("%q, %v", got, err)
		}
		if got, err := p.call("run_command", object("command", fmt.Sprintf(text, `print(os.listdir(".ssh"))`))); err != nil || got != "[]\n" {
			t.Errorf("%s: the secrets are read: %q, %v", writable, got, err)
		}
	}
}

// What a line was seen to read of a directory with secrets opens nothing else in it.
func TestBoxesOpenExactlyWhatIsRead(t *testing.T) {
	const others = `python3 -c 'import os,glob; print("".join(open(f).read() for f in sorted(glob.glob(os.path.expanduser("~/.ssh/**"), recursive=True)) if os.path.isfile(f)), end="")'`
	for _, test := range []struct {
		command  string
		readable []string
		want     string
	}{
		{"cat ~/.ssh/config", nil, "host\nhost\n"},
		{"cat ~/.ssh/keys/one", nil, "first\nfirst\n"},
		{"cat ~/.ssh/keys/none 2>/dev/null", nil, ""},
		{"cat ~/.ssh/keys/one | true", []string{"/.ssh/config"}, "host\nfirst\n"},
		{"true", []string{"/.ssh/config"}, "host\n"},
		{"true", nil, ""},
		{"true", []string{"/.ssh"}, "host\nhidden\nfirst\nsecond\n"},
		{"grep -rh f ~/.ssh", nil, "first\nhost\nhidden\nfirst\nsecond\n"},
	} {
		p := boxed(t, approval.ModeBypass)
		if err := os.Mkdir(p.w.Home+"/.ssh/keys", 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"config": "host\n", "keys/one": "first\n", "keys/two": "second\n"} {
			if err := os.WriteFile(p.w.Home+"/.ssh/"+name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, at := range test.readable {
			p.w.Boxes.Config.Readable = append(p.w.Boxes.Config.Readable, p.w.Home+at)
		}
		got, err := p.call("run_command", object("command", test.command+"; "+others))
		if got == "(no output)" {
			got = ""
		}
		if err != nil || got != test.want {
			t.Errorf("%s, readable %q: %q, %v; want %q", test.command, test.readable, got, err, test.want)
		}
	}
}

// What tools find out with other programs happens in the look box too.
func TestBoxesHoldWhatToolsFindOutWith(t *testing.T) {
	p := boxed(t, approval.ModeBypass)
	bin := t.TempDir()
	for _, name := range []string{"rg", "git"} {
		script := fmt.Sprintf("#!/bin/sh\ncat ~/.ssh/id .env > %[1]s/%[2]s 2>&1\ncat ~/.ssh/id .env\nexit 0\n", p.dir, name)
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	re, err := parseExpression("KEY")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ripgrep(p.w, re.tree)(t.Context(), []string{"a"}); err != nil {
		t.Error(err)
	}
	var said strings.Builder
	if !askGit(t.Context(), p.w, time.Minute, &said, "ls-files") || said.Len() > 0 {
		t.Errorf("git could read %q", said.String())
	}
	for name := range p.files() {
		if name == "rg" || name == "git" {
			t.Errorf("%s could write", name)
		}
	}
}

// Secrets of the home directory that are links are hidden where they lead, and what a line may read of them opens there.
func TestBoxesHideLinkedSecrets(t *testing.T) {
	const all = `python3 -c 'import glob, os; print("".join(open(f).read() for f in sorted(glob.glob(os.path.expanduser("~/dot/**"), recursive=True)) if os.path.isfile(f)), end="")'`
	for _, test := range []struct{ command, want string }{
		{"true", ""}, {"cat ~/.netrc", "token\ntoken\n"}, {"ssh -V 2>/dev/null", "key\n"}, {`python3 -c 'print(open("a").read(), end="")'`, "one\n"},
	} {
		p := boxed(t, approval.ModeBypass)
		for name, text := range map[string]string{"netrc": "token\n", "ssh/id": "key\n"} {
			if err := errors.Join(os.MkdirAll(p.w.Home+"/dot/ssh", 0o700), os.WriteFile(p.w.Home+"/dot/"+name, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.RemoveAll(p.w.Home+"/.ssh"), os.Symlink("dot/ssh", p.w.Home+"/.ssh"), os.Symlink("dot/netrc", p.w.Home+"/.netrc"), os.Symlink(p.dir+"/a", p.w.Home+"/.npmrc")); err != nil {
			t.Fatal(err)
		}
		got, err := p.call("run_command", object("command", test.command+"; "+all))
		if got == "(no output)" {
			got = ""
		}
		if err != nil || got != test.want {
			t.Errorf("%s: %q, %v; want %q", test.command, got, err, test.want)
		}
	}
}

// A line that nobody looks at reads no secret of the work directory, also where the analysis takes it to read something else.
func TestLookBoxHidesSecrets(t *testing.T) {
	p := boxed(t, approval.ModeAsk)
	for _, command := range []string{"ls", "grep -rn --include='a*' one .", "rg one", "diff -r sub sub"} {
		c, err := newCommandLine(t.Context(), p.w, command)
		if err != nil {
			t.Fatal(err)
		}
		if l := p.w.Boxes.limits(c); !l.Look || !slices.Contains(l.Hide, p.dir+"/.env") {
			t.Errorf("%s: %+v, want a look box that hides .env", command, l)
		}
	}
}

// What a person allowed to be removed, and what git writes, is not held back.
func TestBoxesLetHappenWhatWasApproved(t *testing.T) {
	for _, test := range []struct{ command, gone, made string }{
		{"rm -rf node_modules", "node_modules/", ""},
		{"rm -rf sub", "sub/", ""},
		{"git init -q new", "", "new/.git/HEAD"},
		{"git -C new init -q 2>/dev/null || git init -q", "", ".git/HEAD"},
		{"cat .env > copy", "", "copy"},
	} {
		t.Run(test.command, func(t *testing.T) {
			p := boxed(t, approval.ModeBypass)
			got, err := p.call("run_command", object("command", test.command))
			files := p.files()
			_, there := files[test.gone]
			_, made := files[test.made]
			if err != nil || there || test.made != "" && !made {
				t.Errorf("%q, %v, %s", got, err, p.names())
			}
		})
	}
}

// Git in a worktree writes to the repository that the worktree belongs to; nothing else does.
func TestGitInAWorktree(t *testing.T) {
	p := boxed(t, approval.ModeBypass)
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", `rm -rf .git sub; git init -q ../repo; cd ../repo
		git config user.name a; git config user.email a@b; git commit -q --allow-empty -m r
		git worktree add -q ../tree; mv ../tree/.git "$OLDPWD"; git worktree repair "$OLDPWD"`)
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, test := range []struct{ command, want string }{
		{`python3 -c 'open("../repo/.git/HEAD", "a")'`, "Read-only file system"},
		{"git add a && git commit -qm made && git log -1 --format=%s", "made\n"},
	} {
		if got, err := p.call("run_command", object("command", test.command)); err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, %v; want %q", test.command, got, err, test.want)
		}
	}
}

// Nobody looks at what only reads: it runs where nothing can be written or reached.
func TestLookBox(t *testing.T) {
	p := boxed(t, approval.ModeAsk)
	l := p.w.Boxes.limits(analysed(t.Context(), p.w, "cat a", ""))
	if !l.Look || l.Network || l.Write != nil {
		t.Errorf("%+v", l)
	}
	if got, err := p.call("run_command", object("command", "cat a && ls -A")); err != nil || p.yes.asked > 0 || !strings.HasPrefix(got, "one\n.env") {
		t.Errorf("%q, %v, asked %d times", got, err, p.yes.asked)
	}
	var out strings.Builder
	script := `cat .env; echo x > new; echo x > a; python3 -c "import socket; socket.socket()"`
	if _, err := p.w.Box.Run(t.Context(), sandbox.Cmd{Text: script, Limits: l, Stdout: &out, Stderr: &out}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "KEY") || strings.Count(out.String(), "ead-only file system") != 2 || !strings.Contains(out.String(), "not permitted") {
		t.Errorf("%s", &out)
	}
}

// The table of reading commands may be wrong about git too: whatever git starts is held. What tricode itself asks git, with -C, is not.
func TestUnaskedGitRunsInTheLookBox(t *testing.T) {
	evil := t.TempDir()
	if err := os.WriteFile(evil+"/git", []byte("#!/bin/sh\ntest \"$1\" = -C && exit\necho ran; echo x > new; echo x > .git/config; python3 -c 'import socket; socket.socket()'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", evil+":"+os.Getenv("PATH"))
	p := boxed(t, approval.ModeAsk)
	before := p.files()
	for _, command := range []string{"git status", "cd . && git log -3 | head", "find . -name a -exec git diff {} +"} {
		got, err := p.call("run_command", object("command", command))
		if err != nil || p.yes.asked > 0 || !strings.Contains(got, "ran") || !strings.Contains(got, "ead-only file system") || !strings.Contains(got, "not permitted") {
			t.Errorf("%s: %q, %v, asked %d times", command, got, err, p.yes.asked)
		}
	}
	if after := p.files(); !maps.Equal(before, after) {
		t.Errorf("changed: %v", after)
	}
}

// A helper that waits has closed the box that most lines need.
func TestUsualLinesNeedTheBoxThatWaits(t *testing.T) {
	p := boxed(t, approval.ModeAsk)
	text := func(l *sandbox.Limits) string {
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for command, only := range map[string]bool{
		"true": true, "cat a | wc -l": true, "ls -la && grep -rn one a": true,
		"touch x": false, "mkdir -p d && echo x > d/y": false, "make test": false, "python3 -c 'print(1)'": false,
	} {
		got := text(p.w.Boxes.limits(analysed(t.Context(), p.w, command, "")))
		look, want := p.w.Boxes.usual()
		if only {
			want = look
		}
		if got != text(want) {
			t.Errorf("%s: %s; want %s", command, got, text(want))
		}
	}
}
