package sandbox

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What a program leaves behind ends with it, and what another leaves behind that still runs does not.
func TestSweepSparesOthers(t *testing.T) {
	b := box(t, "")
	other := start(t, b, "sh", "-c", "(setsid sleep 100 &); echo ready; exec sleep 100")
	watch(t, other).expect("ready")
	for range 30 { // it is in the middle of one thing or another when the program ends
		var out bytes.Buffer
		script := "(setsid sh -c 'echo $$; touch \"$READY\"; exec sleep 100 >/dev/null' &); until test -e \"$READY\"; do sleep 0.01; done"
		if _, err := b.Run(t.Context(), Cmd{Args: []string{"sh", "-c", script}, Env: []string{"READY=" + t.TempDir() + "/ready"}, Stdout: &out}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat("/proc/" + strings.TrimSpace(out.String())); err == nil {
			t.Fatal("what the program left behind lives")
		}
	}
	strays := func() (n int) {
		family.Lock()
		defer family.Unlock()
		for _, pid := range children() { // a helper of another test may be about to end, and is on the list
			if session, dead, ok := stat(pid); ok && !dead && family.live[pid] == nil && session != ownSession() {
				n++
			}
		}
		return n
	}
	if !eventually(func() bool { return strays() == 1 }) {
		t.Errorf("%d programs that left another session live, want 1", strays())
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if n := strays(); n > 0 {
		t.Errorf("%d processes live", n)
	}
}

// What one Box runs is nothing that a program of another left behind.
func TestSweepSparesOtherBoxes(t *testing.T) {
	for range 20 { // those alone are in danger that the main thread happens to start
		b := box(t, "")
		other := start(t, b, "cat")
		shown := watch(t, other)
		if _, err := box(t, "").Run(t.Context(), Cmd{Args: []string{"true"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := other.Type([]byte("alive\n"), time.Minute); err != nil {
			t.Fatal(err)
		}
		shown.expect("alive\r\nalive\r\n")
		b.Close()
	}
}

// A program dies with the process that started it, however that ends.
func TestDiesWithUs(t *testing.T) {
	if os.Getenv("STARTS_AND_WAITS") != "" {
		box(t, "").Run(t.Context(), Cmd{Args: []string{"sh", "-c", "echo $$; exec sleep 100"}, Stdout: os.Stderr})
		return
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	us := exec.Command(os.Args[0], "-test.run=^TestDiesWithUs$")
	us.Env = append(os.Environ(), "STARTS_AND_WAITS=1", "TMPDIR="+t.TempDir())
	us.Stderr = w
	if err := us.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	us.Process.Kill()
	us.Wait()
	if !eventually(func() bool { _, dead, ok := stat(pid); return !ok || dead }) { // the system ends it a moment later
		t.Errorf("process %d lives", pid)
		syscall.Kill(pid, syscall.SIGKILL)
	}
}
