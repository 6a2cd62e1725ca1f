//go:build unix

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// box returns a Box that ends with the test.
func box(t testing.TB, dir string) *Box {
	b := &Box{Dir: dir}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		script string
		status int
		want   string
	}{
		{"", 0, ""},
		{"echo out; echo err >&2; echo out", 0, "out\nerr\nout\n"},
		{"exit 7", 7, ""},
		{"kill -TERM $$", 143, ""},
		{"kill -KILL $$", 137, ""},
		{"pwd -P; echo $PWD", 0, dir + "\n" + dir + "\n"},
		{"cat; read x; echo $?", 0, "1\n"},
		{"(exec 2>/dev/null; echo x >/dev/tty) || echo none", 0, "none\n"},
		{"exec >&- 2>&-; exit 3", 3, ""},
		{"printf '\\377\\000'", 0, "\xff\x00"},
		{"test -d $TMPDIR && test -w $TMPDIR && ls -A $TMPDIR", 0, ""},
		{"echo $EXTRA", 0, "1 2\n"},
	} {
		b := box(t, dir)
		var out bytes.Buffer
		status, err := b.Run(t.Context(), Cmd{Args: []string{"sh", "-c", test.script}, Env: []string{"EXTRA=1 2"}, Stdout: &out, Stderr: &out})
		if status != test.status || err != nil || out.String() != test.want {
			t.Errorf("%q: status %d, %v, output %q; want %d, %q", test.script, status, err, &out, test.status, test.want)
		}
	}
}

func TestRunStreams(t *testing.T) {
	var out, errs bytes.Buffer
	for _, c := range []Cmd{{}, {Stdout: &out}, {Stderr: &errs}, {Stdout: &out, Stderr: &errs}, {Stdout: funcs{}, Stderr: funcs{}}} {
		out.Reset()
		errs.Reset()
		c.Args = []string{"sh", "-c", "echo 1; echo 2 >&2"}
		if status, err := box(t, "").Run(t.Context(), c); status != 0 || err != nil {
			t.Errorf("status %d, %v", status, err)
		}
		if c.Stdout == &out && out.String() != "1\n" || c.Stderr == &errs && errs.String() != "2\n" {
			t.Errorf("output is %q and %q", &out, &errs)
		}
	}
}

func TestRunFeeds(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, tt := range []struct {
		script, input, want string
	}{
		{"cat", "in\n", "in\n"},
		{"cat", "", ""},
		{"wc -c", long, "1048576\n"},
		{"head -c 1", long, "x"},
		{"echo unread", long, "unread\n"},
		{"exec <&-; echo closed", long, "closed\n"},
		{"sleep 100 & echo held", long, "held\n"},
	} {
		var out bytes.Buffer
		start := time.Now()
		status, err := box(t, "").Run(t.Context(), Cmd{Args: []string{"sh", "-c", tt.script}, Stdin: strings.NewReader(tt.input), Stdout: &out})
		if status != 0 || err != nil || out.String() != tt.want || time.Since(start) > time.Minute {
			t.Errorf("%q with %d bytes: status %d, %v, output %.40q after %v; want %q", tt.script, len(tt.input), status, err, &out, time.Since(start), tt.want)
		}
	}
}

// funcs is a writer that cannot be compared.
type funcs []func()

func (funcs) Write(p []byte) (int, error) { return len(p), nil }

func TestRunMistakes(t *testing.T) {
	dir := t.TempDir()
	script := dir + "/script"
	if err := os.WriteFile(script, []byte("#!/no/such\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		box  *Box
		name string
		want error
	}{
		{box(t, ""), "no-such-program", exec.ErrNotFound},
		{box(t, ""), "", exec.ErrNotFound},
		{box(t, ""), "./no-such-program", exec.ErrNotFound},
		{box(t, ""), "/", syscall.EISDIR},
		{box(t, ""), "/etc/passwd", syscall.EACCES},
		{box(t, dir), "./script", syscall.ENOENT},
		{box(t, dir+"/none"), "sh", syscall.ENOENT},
	} {
		status, err := test.box.Run(t.Context(), Cmd{Args: []string{test.name}})
		if !errors.Is(err, test.want) {
			t.Errorf("%s: status %d, %v; want %v", test.name, status, err, test.want)
		}
	}
}

var errStop = errors.New("stop")

func TestRunCancelled(t *testing.T) {
	for _, script := range []string{
		"sleep 100",
		"sleep 100; echo x",
		"trap '' TERM; sleep 100; sleep 100",
		"trap 'exit 0' TERM; while :; do sleep 0.01; done",
		"sleep 100 & sleep 100 & wait",
		"setsid sleep 100",
		"setsid sh -c 'trap \"\" TERM; sleep 100' & sleep 100",
		"kill -STOP $$; sleep 100",
		"yes",
		"exec >&- 2>&-; sleep 100",
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(50*time.Millisecond, func() { cancel(errStop) })
		start := time.Now()
		_, err := box(t, "").Run(ctx, Cmd{Args: []string{"sh", "-c", script}, Stdout: io.Discard, Stderr: io.Discard})
		if took := time.Since(start); err != errStop || took > time.Minute {
			t.Errorf("%q: %v after %v", script, err, took)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, err := box(t, "").Run(ctx, Cmd{Args: []string{"sh", "-c", "touch " + t.TempDir() + "/x"}}); err != errStop {
		t.Errorf("Run after the end: %v", err)
	}
}

// Nothing that a program leaves behind lives longer than it does.
func TestRunLeavesNothing(t *testing.T) {
	for _, script := range []string{
		"sleep 100 & echo $!",
		"sleep 100 >/dev/null 2>&1 & echo $!",
		"setsid sh -c 'echo $$; >ready; exec sleep 100' & ready",
		"(setsid sh -c 'echo $$; >ready; exec sleep 100' &); ready",
		"(setsid sh -c 'echo $$; >ready; exec sleep 100 >/dev/null 2>&1' &); ready",
		"(setsid sh -c 'setsid sh -c \"echo \\$\\$; >ready; exec sleep 100\" & sleep 100' &); ready",
		"(env -i setsid sh -c 'echo $$; >ready; exec sleep 100' &); ready",
	} {
		var out bytes.Buffer
		b := box(t, t.TempDir())
		start := time.Now()
		ready := "ready() { until test -e ready; do sleep 0.01; done; }; "
		status, err := b.Run(t.Context(), Cmd{Args: []string{"sh", "-c", ready + script}, Stdout: &out})
		if status != 0 || err != nil || time.Since(start) > time.Minute {
			t.Errorf("%q: status %d, %v after %v", script, status, err, time.Since(start))
		}
		pid, err := strconv.Atoi(strings.TrimSpace(out.String()))
		if err != nil {
			t.Errorf("%q: %v", script, err)
		} else if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("%q: process %d lives", script, pid)
			syscall.Kill(pid, syscall.SIGKILL)
		}
		if n := len(b.members()); n > 0 {
			t.Errorf("%q: %d are on the list", script, n)
		}
	}
}

// A helper that waits is nobody from whom something that is left could come.
func TestRunLeavesNothingBesideHelpers(t *testing.T) {
	b := box(t, t.TempDir())
	if _, err := b.Holds(t.Context(), &Limits{}); err != nil { // it waits now
		t.Fatal(err)
	}
	var out bytes.Buffer
	script := "(env -i setsid sh -c 'echo $$; >ready; exec sleep 100' &); until test -e ready; do sleep 0.01; done"
	if _, err := b.Run(t.Context(), Cmd{Args: []string{"sh", "-c", script}, Stdout: &out}); err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(out.String()))
	if err != nil || syscall.Kill(pid, 0) != syscall.ESRCH {
		t.Errorf("process %d lives, %v", pid, err)
	}
}

// What a program left behind may finish what it writes.
func TestRunLingers(t *testing.T) {
	var out bytes.Buffer
	b := box(t, "")
	b.linger = time.Minute
	script := "(sleep 0.03; echo late) &"
	if _, err := b.Run(t.Context(), Cmd{Args: []string{"sh", "-c", script}, Stdout: &out}); err != nil || out.String() != "late\n" {
		t.Errorf("%v, %q", err, &out)
	}
}

// What a program wrote before it ended is not lost to a reader that is slower.
func TestRunSlowReader(t *testing.T) {
	for _, limits := range []*Limits{nil, {}} {
		out := &slow{read: make(chan struct{})}
		time.AfterFunc(5*linger, func() { close(out.read) })
		script := "echo begin; sleep 0.05; head -c 60000 /dev/zero; echo end"
		_, err := box(t, t.TempDir()).Run(t.Context(), Cmd{Args: []string{"sh", "-c", script}, Limits: limits, Stdout: out})
		if want := "begin\n" + strings.Repeat("\x00", 60000) + "end\n"; err != nil || out.String() != want {
			t.Errorf("%v, %d bytes, want %d", err, out.Len(), len(want))
		}
	}
}

// slow is a writer that does not return from the first Write until the channel is closed.
type slow struct {
	bytes.Buffer
	read chan struct{}
}

func (s *slow) Write(p []byte) (int, error) {
	<-s.read
	return s.Buffer.Write(p)
}

func TestRunWriterFails(t *testing.T) {
	start := time.Now()
	_, err := box(t, "").Run(t.Context(), Cmd{Args: []string{"yes"}, Stdout: failing{}})
	if err != errStop || time.Since(start) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errStop }

func BenchmarkRun(b *testing.B) {
	box := box(b, b.TempDir())
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		if _, err := box.Run(b.Context(), Cmd{Args: []string{"bash", "--norc", "--noprofile", "-c", "echo hi"}, Stdout: &out, Stderr: &out}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMinimal is what BenchmarkRun is held against.
func BenchmarkMinimal(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := exec.Command("bash", "--norc", "--noprofile", "-c", "echo hi").CombinedOutput(); err != nil {
			b.Fatal(err)
		}
	}
}

const much = "head -c 200000000 /dev/zero"

func BenchmarkMuchOutput(b *testing.B) {
	box := box(b, "")
	for b.Loop() {
		if _, err := box.Run(b.Context(), Cmd{Args: []string{"sh", "-c", much}, Stdout: io.Discard}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMuchOutputMinimal(b *testing.B) {
	for b.Loop() {
		c := exec.Command("sh", "-c", much)
		r, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if err = errors.Join(err, c.Wait()); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"/tool", "/bin/other"} {
		os.Mkdir(dir+"/bin", 0o777)
		if err := os.WriteFile(dir+name, []byte("#!/bin/sh\necho "+name+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", fmt.Sprintf(".::bin:%s/bin:/bin", dir))
	b := box(t, dir)
	for name, want := range map[string]string{
		"sh": "/bin/sh", "./tool": dir + "/tool", "bin/other": dir + "/bin/other", "tool": "", "other": dir + "/bin/other", "bin": "",
		dir + "/tool": dir + "/tool", dir: "", "./bin": "",
	} {
		got, err := b.LookPath(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("LookPath(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	var out bytes.Buffer
	if _, err := b.Run(t.Context(), Cmd{Args: []string{"sh", "-c", "echo $PATH; command -v tool; other"}, Stdout: &out}); err != nil {
		t.Error(err)
	}
	if want := dir + "/bin:/bin\n/bin/other\n"; out.String() != want {
		t.Errorf("a shell finds %q, want %q", &out, want)
	}
}
