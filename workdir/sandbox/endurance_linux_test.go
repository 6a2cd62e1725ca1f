package sandbox

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// ways are how programs try to live longer than their command; $1 is how long they sleep.
var ways = []string{
	"sleep $1 & echo ready",
	"nohup sleep $1 >/dev/null 2>&1 & echo ready",
	"setsid sleep $1 & echo ready",
	"(setsid sh -c '(sleep '$1' &) & setsid sleep '$1 & ) ; echo ready",
	"trap '' TERM HUP INT; (trap '' TERM HUP; setsid sleep $1) & echo ready",
}

// sleepers counts the processes that sleep for so long.
func sleepers(seconds string) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, _ := os.ReadFile(file); string(text) == "sleep\x00"+seconds+"\x00" {
			n++
		}
	}
	return n
}

// awaitEnd waits until no process sleeps for so long any more.
func awaitEnd(t *testing.T, seconds string) {
	if eventually(func() bool { return sleepers(seconds) == 0 }) {
		return
	}
	t.Errorf("%d processes that sleep for %s s live", sleepers(seconds), seconds)
}

// Nothing lives longer than its command in a box, with and without namespaces.
func TestBoxLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	for i, way := range ways {
		for j, without := range []Mechanisms{0, Processes, Mounts | Processes | Networks} {
			seconds := fmt.Sprint(7000000+1000*os.Getpid()%100000, i, j)
			b := box(t, dir)
			var out bytes.Buffer
			l := &Limits{Write: []string{dir}, Without: without}
			_, err := b.Run(t.Context(), Cmd{Args: []string{"sh", "-c", way, "sh", seconds}, Limits: l, Stdout: &out})
			if err != nil || out.String() != "ready\n" {
				t.Errorf("%s without %v: %v, %q", way, without, err, &out)
			}
			awaitEnd(t, seconds)
		}
	}
}

// Nothing in a box, and no helper, lives longer than the process that has the Box, however that ends.
func TestBoxDiesWithUs(t *testing.T) {
	if seconds := os.Getenv("BOXES_AND_WAITS"); seconds != "" {
		b := box(t, t.TempDir())
		b.Warm(&Limits{Look: true})
		for _, way := range ways {
			go b.Run(t.Context(), Cmd{Args: []string{"sh", "-c", way + "; exec sleep $1", "sh", seconds}, Limits: &Limits{Network: true}, Stdout: os.Stderr})
		}
		select {}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	temp, seconds := t.TempDir(), fmt.Sprint(8000000+os.Getpid())
	us := exec.Command(os.Args[0], "-test.run=^TestBoxDiesWithUs$")
	us.Env = append(os.Environ(), "BOXES_AND_WAITS="+seconds, "TMPDIR="+temp)
	us.Stderr = w
	if err := us.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	r.SetReadDeadline(time.Now().Add(time.Minute))
	lines := bufio.NewScanner(r)
	for range ways {
		if lines.Scan(); lines.Text() != "ready" {
			t.Errorf("%q, %v", lines.Text(), lines.Err())
		}
	}
	us.Process.Kill()
	us.Wait()
	awaitEnd(t, seconds)
	if !eventually(func() bool { return len(waiting()) == 0 }) {
		t.Errorf("helpers %v live", waiting())
	}
}

// waiting lists the helpers that this test was started as.
func waiting() (found []string) {
	program, _ := os.Executable()
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		exe, _ := os.Readlink(filepath.Dir(file) + "/exe")
		if strings.HasPrefix(string(text), helperName) && strings.TrimSuffix(exe, " (deleted)") == program {
			found = append(found, file)
		}
	}
	return found
}

// Many commands leave no process, no mount, no file and no directory.
func TestBoxManyTimes(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	b := &Box{Dir: t.TempDir()}
	count := func() (files, mounts, goroutines int) {
		names, _ := os.ReadDir("/proc/self/fd")
		table, _ := mountTable()
		return len(names), len(table), runtime.NumGoroutine()
	}
	l := &Limits{Write: []string{b.Dir}}
	run := func() {
		b.Warm(l)
		if _, err := b.Run(t.Context(), Cmd{Args: []string{"true"}, Limits: l}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	run()
	warm(t, b, l)
	if !eventually(func() bool { return len(waiting()) == 1 }) {
		t.Fatalf("helpers %v live, want one that waits", waiting())
	}
	files, mounts, goroutines := count()
	for range 200 {
		run()
	}
	warm(t, b, l)
	if !eventually(func() bool {
		f, m, g := count()
		return len(waiting()) == 1 && f <= files && m <= mounts && g <= goroutines+3
	}) {
		f, m, g := count()
		t.Errorf("%d files, %d mounts and %d goroutines, before %d, %d and %d; helpers %v live", f, m, g, files, mounts, goroutines, waiting())
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(temp); len(entries) > 0 || !eventually(func() bool { return len(waiting()) == 0 }) {
		t.Errorf("%v and helpers %v are left", entries, waiting())
	}
}

// A helper that has nothing to do is killed at the end, which takes the system as long as a short run; nobody waits for that.
func TestCloseWaitsForNoHelper(t *testing.T) {
	b := &Box{Dir: t.TempDir()}
	dying := &process{box: b, pid: -1, reaped: true, done: make(chan struct{})} // done is never closed
	family.Lock()
	if family.live == nil {
		family.live = map[int]*process{}
	}
	family.live[dying.pid] = dying
	family.Unlock()
	defer dying.forget()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// warm lets a helper wait for the next command with such limits.
func warm(t *testing.T, b *Box, l *Limits) *helper {
	b.Warm(l)
	var h *helper
	if !eventually(func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		h = b.warm[kindOf(l)]
		return h != nil
	}) {
		t.Fatal("no helper waits")
	}
	return h
}

// A helper that waits and dies is replaced by another.
func TestHelperDies(t *testing.T) {
	b := box(t, t.TempDir())
	l := &Limits{}
	for range 3 {
		h := warm(t, b, l)
		unix.Kill(h.process.pid, unix.SIGKILL)
		eventually(func() bool { return !h.alive() })
		if got := boxed(t, b, l, "echo done"); got != "done\n" {
			t.Errorf("%q", got)
		}
	}
}

// Where everything may be written, what is protected and hidden stays so.
func TestBoxOfEverything(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, dir+"/.git/config", "old", 0o600)
	write(t, other+"/key", secret, 0o600)
	l := &Limits{Write: []string{dir, "/"}, Protect: []string{dir + "/.git"}, Hide: []string{other + "/key"}}
	got := boxed(t, box(t, dir), l, "exec 2>/dev/null; echo out >"+other+"/f && cat "+other+"/f; echo x >.git/config || echo no; cat "+other+"/key; echo")
	if got != "out\nno\n\n" {
		t.Errorf("%q", got)
	}
}

// What is mounted in a directory that may be written to may be written to as well, unless it could not before.
func TestBoxOfMounts(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	for point, flags := range map[string]uintptr{dir + "/disk": 0, dir + "/image": unix.MS_RDONLY} {
		if err := os.Mkdir(point, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mount("none", point, "tmpfs", flags, ""); err != nil {
			t.Skip("not run: nothing can be mounted here: ", err)
		}
		t.Cleanup(func() { unix.Unmount(point, unix.MNT_DETACH) })
	}
	text := "exec 2>/dev/null; cd " + dir + "; echo a >f && cat f; echo b >disk/f && cat disk/f; echo c >image/f || echo no; echo d >/proc/sys/kernel/pid_max || echo no"
	for _, l := range []*Limits{{Write: []string{dir}}, {Write: []string{"/"}}} {
		if got := boxed(t, box(t, elsewhere), l, text); got != "a\nb\nno\nno\n" {
			t.Errorf("%v: %q", l.Write, got)
		}
	}
}
