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
	for range 300 {
		if sleepers(seconds) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
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
	for lines, n := bufio.NewScanner(r), 0; n < len(ways) && lines.Scan(); n++ {
		if lines.Text() != "ready" {
			t.Fatal(lines.Text())
		}
	}
	us.Process.Kill()
	us.Wait()
	awaitEnd(t, seconds)
	for range 300 {
		if len(helpersOf(os.Args[0])) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("helpers %v live", helpersOf(os.Args[0]))
}

// helpersOf lists the helpers that a program was started as.
func helpersOf(program string) (found []string) {
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
	count := func() string {
		files, _ := os.ReadDir("/proc/self/fd")
		mounts, _ := mountTable()
		return fmt.Sprint(len(files), " files, ", len(mounts), " mounts, ", len(helpersOf(os.Args[0])), " helpers")
	}
	l := &Limits{Write: []string{b.Dir}}
	run := func() {
		b.Warm(l)
		if _, err := b.Run(t.Context(), Cmd{Args: []string{"true"}, Limits: l}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	before, goroutines := "", 0
	for i := range 200 {
		run()
		if i == 0 {
			warm(t, b, l)
			time.Sleep(2 * linger) // what was not needed ends
			before, goroutines = count(), runtime.NumGoroutine()
		}
	}
	warm(t, b, l)
	for start := time.Now(); count() != before && time.Since(start) < 30*time.Second; {
		time.Sleep(10 * time.Millisecond)
	}
	if after := count(); after != before || runtime.NumGoroutine() > goroutines+3 {
		t.Errorf("first %s, %d goroutines; then %s, %d goroutines", before, goroutines, after, runtime.NumGoroutine())
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(temp); len(entries) > 0 || len(helpersOf(os.Args[0])) > 0 {
		t.Errorf("%v and helpers %v are left", entries, helpersOf(os.Args[0]))
	}
}

// warm lets a helper wait for the next command with such limits.
func warm(t *testing.T, b *Box, l *Limits) *helper {
	b.Warm(l)
	for range 500 {
		b.mu.Lock()
		h := b.warm[kindOf(l)]
		b.mu.Unlock()
		if h != nil {
			return h
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no helper waits")
	return nil
}

// A helper that waits and dies is replaced by another.
func TestHelperDies(t *testing.T) {
	b := box(t, t.TempDir())
	l := &Limits{}
	for range 3 {
		h := warm(t, b, l)
		unix.Kill(h.process.pid, unix.SIGKILL)
		for start := time.Now(); h.alive() && time.Since(start) < 5*time.Second; {
			time.Sleep(time.Millisecond)
		}
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
