package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// attack is one route out of a box.
type attack struct {
	name    string
	try     func(w world) error // nil if it got through, as far as it can see
	apart   bool                // it changes its process, which cannot make another attempt
	visible func(w world) bool  // whether it got through, if that is seen from outside
}

// attacks returns all of them, or those by sockets.
func (w world) attacks() []attack {
	if w.Sockets {
		return networkAttacks()
	}
	return slices.Concat(fileAttacks(), secretAttacks(), protectedAttacks(), spaceAttacks(), processAttacks(), networkAttacks())
}

// errImpossible is for what this system does not let anybody do.
var errImpossible = errors.New("not here")

// gap is what a box without some mechanisms does not hold.
type gap struct {
	without Mechanisms
	attacks []string // prefixes of their names
	told    string   // what Gaps says of it; empty if it harms nothing
	reason  string
}

var gaps = []gap{
	{Mounts | Landlock, []string{"file", "secret", "protected", "chmod", "chown", "utime", "setxattr", "inherited", "terminal", "system"}, "where programs write", "nothing looks at files"},
	{Mounts, []string{"chmod", "chown", "utime", "setxattr", "inherited"}, "modes, owners and times", "Landlock looks at what is opened"},
	{Mounts, []string{"protected", "secret in the work directory"}, "stays so inside directories", "Landlock gives directories with all that is in them"},
	{Mounts, []string{"secret names"}, "", "they can be listed, not read"},
	{Capabilities, []string{"trace the helper"}, "", "there is no system where they cannot be dropped"},
	{Processes, []string{"signal", "limits", "shared memory"}, "other programs of yours", "they are seen"},
	{Seccomp, []string{"socket unix path", "socket unix pair"}, "unix sockets", "a mount that cannot be written does not stop connect(2)"},
	{Seccomp, []string{"socket vsock", "socket netlink"}, "unix sockets", "they are no part of a namespace"},
	{Seccomp, []string{"keys"}, "unix sockets", "keyrings are no part of a namespace"},
	{Seccomp, []string{"io_uring"}, "", "it goes round the filter, which there is none of"},
	{Seccomp, []string{"setuid"}, "unix sockets", "only a filter sees the mode"},
	{Seccomp | Networks, []string{"socket"}, "without network", "nothing looks at sockets"},
}

// TestEscape lets a program try all that leads out of a box, with and without each mechanism, and holds it against
// the table above. What does not work without a box either is told.
func TestEscape(t *testing.T) {
	switch {
	case os.Getenv("ESCAPE") != "":
		attackAll(os.Getenv("ESCAPE"))
	case os.Getenv("ESCAPE_TOP") != "":
		escapeAs(t, os.Getenv("ESCAPE_TOP"))
	case os.Getuid() != 0:
		t.Log("not run: attacks as root, by a test that is not")
		top := t.TempDir()
		copyTest(t, top)
		escapeAs(t, top)
	default:
		for name, id := range map[string]uint32{"root": 0, "user": 65534} {
			t.Run(name, func(t *testing.T) { rerun(t, id) })
		}
	}
}

// rerun runs the test as another user among mounts of its own, in a new process.
func rerun(t *testing.T, id uint32) {
	top, err := os.MkdirTemp("/tmp", "escape-") // t.TempDir would lie in a directory of root
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(top) // the mounts have gone with the process
	copyTest(t, top)
	for _, dir := range []string{"", "/shown", "/mirror"} {
		os.Mkdir(top+dir, 0o755)
		if err := errors.Join(os.Chmod(top+dir, 0o755), os.Chown(top+dir, int(id), int(id))); err != nil {
			t.Fatal(err)
		}
	}
	// One directory is seen at two places, as with a mount of /home elsewhere.
	script := `mount --make-rprivate / && mount --bind "$0/shown" "$0/mirror" && exec "$@"`
	args := []string{"-m", "sh", "-c", script, top, "setpriv", fmt.Sprint("--reuid=", id), fmt.Sprint("--regid=", id), "--clear-groups"}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", append(args, top+"/test", "-test.run=^TestEscape$", "-test.v")...)
	cmd.Env = append(os.Environ(), "ESCAPE_TOP="+top, "HOME="+top, "TMPDIR="+top)
	cmd.Dir = top
	out, err := cmd.CombinedOutput()
	for line := range bytes.Lines(out) {
		if s := string(bytes.TrimSpace(line)); strings.Contains(s, "not run:") || err != nil {
			t.Log(s)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// copyTest copies this test to where all users can start it.
func copyTest(t *testing.T, top string) {
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(top+"/test", os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(to.Chmod(0o755), to.Close()); err != nil { // whatever the mask of this process is
		t.Fatal(err)
	}
}

// box is one that keeps the world safe.
func (w world) box(kind string) *Limits {
	return &Limits{
		Look: kind == "look", Network: kind == "online", Write: []string{w.Dir}, Protect: w.protected(), Hide: w.hidden(),
	}
}

// escapeAs tries everything as the user of this process.
func escapeAs(t *testing.T, top string) {
	possible := map[string]bool{}
	for name, result := range try(t, newWorld(t, top, false), nil) {
		possible[name] = result == ""
		if result != "" {
			t.Logf("not run: %s, without a box too: %s", name, result)
		}
	}
	spaces := Mounts | Processes | Networks
	for _, without := range []Mechanisms{0, Mounts, Processes, Networks, Landlock, Seccomp, Capabilities, spaces, spaces | Seccomp, Mounts | Landlock} {
		for i, kind := range []string{"online", "offline", "look"} {
			w := newWorld(t, top, i > 0 && without != 0) // the others differ by sockets only
			l := w.box(kind)
			l.Without = without
			for name, result := range try(t, w, l) {
				if result == "" && possible[name] && !excused(name, kind, without) {
					t.Errorf("%s gets out of the %s box without %v", name, kind, without)
				}
			}
		}
	}
}

// excused reports whether an attack is known to get through, and a person is told.
func excused(name, kind string, without Mechanisms) bool {
	if kind == "online" && strings.HasPrefix(name, "socket inet") {
		return true
	}
	all := Mounts | Processes | Networks | Landlock | Seccomp | Capabilities
	told := strings.Join((all &^ without).Gaps(), ", ")
	for _, g := range gaps {
		if without.Has(g.without) && slices.ContainsFunc(g.attacks, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return strings.Contains(told, g.told)
		}
	}
	return false
}

// try lets a program try everything, and returns what became of it: nothing for what got through.
func try(t *testing.T, w world, l *Limits) map[string]string {
	defer w.close()
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	b := &Box{Dir: w.Dir}
	defer b.Close()
	var out bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	status, err := b.Run(ctx, Cmd{
		Args: []string{w.Top + "/test", "-test.run=^TestEscape$"}, Env: []string{"ESCAPE=" + string(text)}, Limits: l, Stdout: &out, Stderr: &out,
	})
	if status != 0 || err != nil {
		t.Fatalf("%+v: status %d, %v: %s", l, status, err, &out)
	}
	return w.results(t, &out)
}

// results reads what the program said and adds what is seen from outside.
func (w world) results(t *testing.T, out io.Reader) map[string]string {
	said := map[string]string{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if name, result, ok := strings.Cut(lines.Text(), "\t"); ok {
			said[name] = result
		}
	}
	for _, a := range w.attacks() {
		result, ok := said[a.name]
		switch {
		case !ok:
			t.Errorf("%s was not tried", a.name)
		case a.visible == nil:
		case a.visible(w.of(a.name)):
			said[a.name] = ""
		case result == "":
			said[a.name] = "it seemed to work, but nothing happened"
		}
	}
	return said
}

// attackAll makes all attempts, or the one that is named.
func attackAll(text string) {
	var w world
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		panic(err)
	}
	if w.Only == "" {
		w.Helper, w.Files = os.Getppid(), inherited()
	}
	for _, a := range w.attacks() {
		var err error
		switch w.Attack = a.name; {
		case w.Only == a.name:
			err = a.try(w)
		case w.Only != "":
			continue
		case a.apart:
			err = again(w)
		default:
			err = a.try(w)
		}
		fmt.Printf("%s\t%s\n", a.name, explain(err))
	}
	syscall.Exit(0) // at once, also where races are looked for
}

func explain(err error) string {
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
}

// again makes an attempt in a new process.
func again(w world) error {
	w.Only = w.Attack
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(w.Top, "test"), "-test.run=^TestEscape$")
	cmd.Env = append(os.Environ(), "ESCAPE="+string(text))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if result, ok := strings.CutPrefix(line, w.Attack+"\t"); ok {
			if result = strings.TrimSpace(result); result != "" {
				return errors.New(result)
			}
			return nil
		}
	}
	return fmt.Errorf("%w: %.300s", err, out)
}
