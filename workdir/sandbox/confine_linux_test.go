package sandbox

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// boxed runs a command line for sh in a box and returns what it wrote.
func boxed(t *testing.T, b *Box, l *Limits, text string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.Run(t.Context(), Cmd{Text: text, Limits: l, Stdout: &out, Stderr: &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBoxWrites(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	b := box(t, dir)
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := &Limits{Write: []string{dir}, Protect: []string{filepath.Join(dir, ".git")}}
	for _, test := range []struct{ text, want string }{
		{"echo x >f && cat f", "x\n"},
		{"echo x >$TMPDIR/f && cat $TMPDIR/f", "x\n"},
		{"echo x >/dev/null && echo done", "done\n"},
		{"cat /proc/self/oom_score_adj", "500\n"},
		{"echo x >.git/config || echo no", "no\n"},
		{"echo x >" + other + "/f || echo no", "no\n"},
	} {
		if got := boxed(t, b, l, "exec 2>/dev/null; "+test.text); got != test.want {
			t.Errorf("%s: %q", test.text, got)
		}
	}
}

// A place to hide may lie in another one, or be named twice.
func TestBoxHidesPlacesInPlaces(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	os.MkdirAll(other+"/own/state", 0o755)
	write(t, other+"/own/config", secret, 0o644)
	write(t, other+"/own-key", secret, 0o644)
	l := &Limits{Write: []string{dir}, Hide: []string{other + "/own/config", other + "/own", other + "/own/state", other + "/own", other + "/own-key"}}
	if got := boxed(t, box(t, dir), l, "exec 2>&1; ls "+other+"/own; cat "+other+"/own-key "+other+"/own/config || echo done"); strings.Contains(got, secret) || !strings.HasSuffix(got, "done\n") {
		t.Errorf("got %q", got)
	}
}

// What is protected may be a link: then that is protected to which it leads in the directory.
func TestBoxProtectsBehindLinks(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, dir+"/real/config", "old", 0o600)
	for link, to := range map[string]string{".git": "real", ".husky": "/", "node_modules": other, "loop": "loop", "self": "."} {
		if err := os.Symlink(to, dir+"/"+link); err != nil {
			t.Fatal(err)
		}
	}
	l := &Limits{Write: []string{dir}, Protect: []string{dir + "/.git", dir + "/.husky", dir + "/node_modules", dir + "/loop", dir + "/self"}}
	if got := boxed(t, box(t, dir), l, "exec 2>/dev/null; echo x >real/config || echo no; echo x >.git/new || echo no; echo y >f && cat f"); got != "no\nno\ny\n" {
		t.Errorf("%q", got)
	}
}

// What leads to a secret, or to another directory that may be written, cannot be moved away: the next box would look for it where it was.
func TestBoxHoldsWhatLeadsToSecrets(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, dir+"/home/.docker/config.json", secret, 0o600)
	write(t, dir+"/a/b/file", "", 0o600)
	b := box(t, dir)
	l := &Limits{Write: []string{dir, dir + "/a/b"}, Hide: []string{dir + "/home/.docker/config.json"}}
	boxed(t, b, l, "mv home/.docker x; mv home y; mv a z && ln -s "+other+" a")
	if got := boxed(t, b, l, "cat home/.docker/config.json x/* y/.docker/* y/*; echo x >home/new && echo x >a/new && ls a home"); strings.Contains(got, secret) || !strings.HasSuffix(got, "a:\nb\nnew\n\nhome:\nnew\n") {
		t.Errorf("%q", got)
	}
}

// A work directory in the shared memory of the machine is there in the box, and nothing else of that.
func TestBoxInSharedMemory(t *testing.T) {
	top, err := os.MkdirTemp(sharedMemory, "tricode-test-")
	if err != nil {
		t.Skip("not run: ", err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	t.Setenv("TMPDIR", top)
	dir := top + "/work"
	write(t, dir+"/.git/config", "old", 0o600)
	write(t, top+"/other", secret, 0o600)
	write(t, top+"/file", "", 0o600)
	b := box(t, dir)
	l := &Limits{Write: []string{dir, top + "/file"}, Protect: []string{dir + "/.git"}}
	text := "exec 2>/dev/null; echo in >f && cat f; echo too >../file && cat ../file; mktemp >/dev/null && echo temp; echo x >.git/config || echo no; cat ../other || echo no; echo own >/dev/shm/f && cat /dev/shm/f"
	if got := boxed(t, b, l, text); got != "in\ntoo\ntemp\nno\nno\nown\n" {
		t.Errorf("%q", got)
	}
	if got := boxed(t, b, &Limits{Look: true}, "cat f; echo x 2>/dev/null >f || echo no"); got != "in\nno\n" {
		t.Errorf("to look: %q", got)
	}
	if _, err := os.Stat(sharedMemory + "/f"); err == nil {
		t.Error("it wrote to the shared memory of the machine")
	}
}

// What took the place of a file or a directory while a helper waited is hidden, and protected, as that was.
func TestWaitingBoxIsAsNow(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	b := box(t, dir)
	l := &Limits{Write: []string{dir}, Protect: []string{dir + "/.git"}, Hide: []string{other + "/secret"}}
	os.Mkdir(dir+"/.git", 0o755)
	write(t, other+"/secret", secret, 0o644)
	b.Warm(l)
	if !eventually(func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.warm[kindOf(l)] != nil
	}) {
		t.Fatal("no helper waits")
	}
	os.Remove(dir + "/.git")
	os.Mkdir(dir+"/.git", 0o755)
	write(t, other+"/new", secret, 0o644)
	os.Rename(other+"/new", other+"/secret")
	if got := boxed(t, b, l, "cat "+other+"/secret 2>&1; echo x 2>/dev/null >.git/config"); strings.Contains(got, secret) {
		t.Errorf("the secret is read: %q", got)
	}
	if _, err := os.Stat(dir + "/.git/config"); err == nil {
		t.Error("what is protected was written to")
	}
}

// No thread of a helper, and nothing that it starts, has rights that what it starts could get, with and without the mechanisms that see
// to that too.
func TestBoxHandsOnNoRights(t *testing.T) {
	b := box(t, t.TempDir())
	for _, without := range []Mechanisms{0, Landlock, Landlock | Seccomp} {
		l := &Limits{Write: []string{b.Dir}, Without: without}
		if held, err := b.Holds(t.Context(), l); err != nil || !held.Has(Capabilities|Processes) {
			t.Skip("not run: no namespaces for processes here: ", held, err)
		}
		want := "CapAmb:\t0000000000000000\nCapInh:\t0000000000000000\nNoNewPrivs:\t1\n"
		if got := boxed(t, b, l, "grep -hE '^(CapAmb|CapInh|NoNewPrivs)' /proc/1/task/*/status /proc/self/status | sort -u"); got != want {
			t.Errorf("without %v: %q", without, got)
		}
	}
}

// A command takes the helper that is only about to be ready, and starts no other one.
func TestCommandsWaitForTheHelperThatStarts(t *testing.T) {
	b := box(t, t.TempDir())
	l := &Limits{Write: []string{b.Dir}}
	b.Warm(l)
	if !eventually(func() bool { return len(b.members()) == 1 }) {
		t.Fatal("no helper starts")
	}
	if got := boxed(t, b, l, "echo out"); got != "out\n" {
		t.Errorf("%q", got)
	}
	if !eventually(func() bool { b.spend(nil); return len(b.members()) == 0 }) {
		t.Error("another helper was started")
	}
}

// Of the helpers whose jobs have ended, one at most is still there, until the next ones start.
func TestHelpersEndOneByOne(t *testing.T) {
	b := box(t, t.TempDir())
	l := &Limits{Write: []string{b.Dir}}
	for range 5 {
		boxed(t, b, l, "echo out")
	}
	if !eventually(func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.spent != nil && len(b.members()) == 1
	}) {
		t.Errorf("%d helpers are there", len(b.members()))
	}
	before := b.members()
	b.Warm(l)
	if !eventually(func() bool { now := b.members(); return len(now) == 1 && !slices.Contains(before, now[0]) }) {
		t.Errorf("%d helpers are there", len(b.members()))
	}
	if err := b.Close(); err != nil || !eventually(func() bool { return len(b.members()) == 0 }) {
		t.Errorf("%d helpers are there, %v", len(b.members()), err)
	}
}

// A helper that never became ready is no reason for a command to fail.
func TestCommandsOutliveTheHelperThatStarts(t *testing.T) {
	b := box(t, t.TempDir())
	l := &Limits{Write: []string{b.Dir}}
	h, err := b.newHelper(kindOf(l), l)
	if err != nil {
		t.Fatal(err)
	}
	<-h.hello.done
	h.hello.err = errOrphan
	b.keep(h, l)
	if got := boxed(t, b, l, "echo out"); got != "out\n" {
		t.Errorf("%q", got)
	}
}

// A program that starts itself without end does not take the machine with it.
func TestBoxBoundsProcesses(t *testing.T) {
	b := box(t, t.TempDir())
	l := &Limits{Write: []string{b.Dir}}
	if held, err := b.Holds(t.Context(), l); err != nil || !held.Has(Processes) {
		t.Skip("not run: no namespaces for processes here: ", held, err)
	}
	before := boxed(t, b, nil, "cat /proc/sys/kernel/pid_max")
	inside := strings.Fields(boxed(t, b, l, "cat /proc/sys/kernel/pid_max; prlimit --nproc --noheadings --output HARD"))
	if after := boxed(t, b, nil, "cat /proc/sys/kernel/pid_max"); after != before {
		t.Errorf("the machine has %s process numbers, had %s", after, before)
	}
	most := strconv.Itoa(maxProcesses())
	if len(inside) != 2 || ownNumbers() && inside[0] != most || inside[1] != most {
		t.Errorf("numbers and processes: %q, want %s", inside, most)
	}
}

// A helper that hangs holds nobody up.
func TestHelperHangs(t *testing.T) {
	b := box(t, t.TempDir())
	l := &Limits{}
	if _, err := b.Holds(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(b.warm[kindOf(l)].process.pid, unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errStop)
	defer cancel()
	start, much := time.Now(), "X="+strings.Repeat("x", 1<<20) // more than waits in a connection
	_, err := b.Run(ctx, Cmd{Text: "echo", Env: []string{much}, Limits: l})
	if took := time.Since(start); err != errStop || took > helperStarts/2 {
		t.Errorf("%v after %v", err, took)
	}
}

// A helper that hangs before it reads what its box is holds nobody up either, not even where that is more than waits in a connection.
func TestHelperHangsAtItsStart(t *testing.T) {
	for name, begin := range map[string]func(context.Context, *Box, Cmd) error{
		"a command":                   func(ctx context.Context, b *Box, c Cmd) error { _, err := b.Run(ctx, c); return err },
		"what holds it":               func(ctx context.Context, b *Box, c Cmd) error { _, err := b.Holds(ctx, c.Limits); return err },
		"a program behind a terminal": func(ctx context.Context, b *Box, c Cmd) error { _, err := b.Start(ctx, c); return err },
	} {
		b := box(t, t.TempDir())
		l := &Limits{Hide: slices.Repeat([]string{b.Dir}, 1<<20/len(b.Dir))}
		h, err := b.newHelper(kindOf(l), l)
		if err != nil {
			t.Fatal(err)
		}
		if err := unix.Kill(h.process.pid, unix.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		b.keep(h, l)
		b.Warm(l)
		if !eventually(func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.warm[kindOf(l)] == nil || h.told != nil
		}) {
			t.Fatal("the helper is not told of its box")
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errStop)
		start := time.Now()
		err = begin(ctx, b, Cmd{Text: "echo", Limits: l})
		if took := time.Since(start); err != errStop || took > helperStarts/2 {
			t.Errorf("%s: %v after %v", name, err, took)
		}
		cancel()
	}
}

// A helper that somebody starts by hand, with the namespaces of everybody, changes nothing there.
func TestHelperWithoutNamespacesOfItsOwn(t *testing.T) {
	for _, args := range [][]string{helperArgs(namespaces), {helperName}, {helperName, "7"}} {
		if got := helperSpaces(args); got != 0 {
			t.Errorf("%q: %v", args, got)
		}
	}
}
