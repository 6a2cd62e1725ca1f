package sandbox

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// world is what a program in a box should not get at. Each attack has directories of its own in it.
type world struct {
	Top      string
	Dir      string // the work directory
	Outside  string
	Home     string // with secrets
	Mirror   string // the same as Home, elsewhere; empty if no mount could be made
	Parent   int    // the process that has the Box
	Helper   int    // what started the program
	Victim   int    // another process of this user
	Address  uint64 // of memory of the parent
	File     int    // a file of the parent
	Shared   int    // memory that the parent shares (shmget(2))
	Handle   string // of a hidden file (name_to_handle_at(2))
	Terminal string // the person's
	TCP, UDP [2]int // ports that are listened at, for IPv4 and IPv6
	Unix     string // a socket
	Abstract string

	Sockets bool     // only they are tried
	Attack  string   // the name of what is tried
	Only    string   // or the only one to try
	Files   []string // what the program inherited beside pipes

	seen *seen
}

// seen is what happened in the world.
type seen struct {
	sync.Mutex
	packets map[string]bool
	victim  *exec.Cmd
	died    chan struct{}
	memory  *[8]byte
	close   []func()
}

const secret = "the secret"

// outside is the attack's directory outside, and dir that in the work directory.
func (w world) outside(name string) string { return filepath.Join(w.Outside, w.slug(), name) }
func (w world) dir(name string) string     { return filepath.Join(w.Dir, w.slug(), name) }
func (w world) slug() string               { return strings.NewReplacer(" ", "-", "/", "-").Replace(w.Attack) }

// of is the world for an attack.
func (w world) of(attack string) world {
	w.Attack = attack
	return w
}

func (w world) hidden() []string {
	return []string{w.Home + "/.ssh", w.Home + "/.netrc", w.Dir + "/.env"}
}

func (w world) protected() (paths []string) {
	for _, a := range w.attacks() {
		if strings.HasPrefix(a.name, "protected") {
			paths = append(paths, w.of(a.name).dir(".git"), w.of(a.name).dir("sub/.git"))
		}
	}
	return paths
}

func newWorld(t *testing.T, top string, sockets bool) world {
	unix.Umask(0o022) // modes are looked at
	dir, err := os.MkdirTemp(top, "world-")
	if err != nil {
		t.Fatal(err)
	}
	w := world{Top: top, Dir: dir + "/work", Outside: dir + "/outside", Home: dir + "/home", Parent: os.Getpid(), Sockets: sockets, seen: &seen{packets: map[string]bool{}}}
	if _, err := os.Stat(top + "/mirror"); err == nil {
		w.Home, w.Mirror = top+"/shown/"+filepath.Base(dir), top+"/mirror/"+filepath.Base(dir)
	}
	for _, a := range w.attacks() {
		a := w.of(a.name)
		write(t, a.outside("file"), "old", 0o600)
		os.Mkdir(a.outside("empty"), 0o755)
		write(t, a.dir("file"), "new", 0o600)
		os.Mkdir(a.dir("sub"), 0o755)
		if strings.HasPrefix(a.Attack, "protected") {
			write(t, a.dir(".git/config"), "old", 0o600)
			write(t, a.dir("sub/.git/config"), "old", 0o600)
		}
	}
	write(t, w.Home+"/.ssh/key", secret, 0o600)
	write(t, w.Home+"/.netrc", secret, 0o600)
	write(t, w.Dir+"/.env", secret, 0o600)
	w.prepare(t)
	return w
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

// prepare starts what runs in the world.
func (w *world) prepare(t *testing.T) {
	s := w.seen
	s.memory = &[8]byte{}
	w.Address = address(s.memory)
	write(t, w.of("file through a file of the parent").outside("file"), "old", 0o600)
	file, err := os.OpenFile(w.of("file through a file of the parent").outside("file"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.close = append(s.close, func() { file.Close() })
	w.File = int(file.Fd())
	if w.Shared, err = unix.SysvShmGet(unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o600); err != nil {
		t.Fatal(err)
	}
	s.close = append(s.close, func() { unix.SysvShmCtl(w.Shared, unix.IPC_RMID, nil) })
	if handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, w.Home+"/.netrc", 0); err == nil {
		w.Handle = fmt.Sprint(handle.Type(), " ", hex.EncodeToString(handle.Bytes()))
	}
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err == nil {
		s.close = append(s.close, func() { master.Close() })
		unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
		n, _ := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
		w.Terminal = fmt.Sprint("/dev/pts/", n)
	}
	s.victim = exec.Command("sleep", "100")
	if err := s.victim.Start(); err != nil {
		t.Fatal(err)
	}
	w.Victim = s.victim.Process.Pid
	s.died = make(chan struct{})
	go func() { s.victim.Wait(); close(s.died) }()
	w.listen(t)
}

// listen opens sockets that a program in a box should not reach.
func (w *world) listen(t *testing.T) {
	s := w.seen
	w.Unix, w.Abstract = w.Outside+"/socket", "@"+filepath.Base(filepath.Dir(w.Outside))
	for i, at := range []struct{ network, address string }{
		{"tcp4", "127.0.0.1:0"}, {"tcp6", "[::1]:0"}, {"unix", w.Unix}, {"unix", w.Abstract},
	} {
		l, err := net.Listen(at.network, at.address)
		if err != nil {
			t.Logf("not run: %s sockets: %v", at.network, err)
			continue
		}
		if tcp, ok := l.Addr().(*net.TCPAddr); ok {
			w.TCP[i] = tcp.Port
		}
		s.close = append(s.close, func() { l.Close() })
	}
	for i, at := range []struct{ network, address string }{{"udp4", "127.0.0.1:0"}, {"udp6", "[::1]:0"}, {"unixgram", w.Unix + ".gram"}} {
		c, err := net.ListenPacket(at.network, at.address)
		if err != nil {
			t.Logf("not run: %s sockets: %v", at.network, err)
			continue
		}
		if udp, ok := c.LocalAddr().(*net.UDPAddr); ok {
			w.UDP[i] = udp.Port
		}
		s.close = append(s.close, func() { c.Close() })
		go func() {
			for buf := make([]byte, 100); ; {
				n, _, err := c.ReadFrom(buf)
				if err != nil {
					return
				}
				s.Lock()
				s.packets[string(buf[:n])] = true
				s.Unlock()
			}
		}()
	}
}

func (w world) close() {
	for _, f := range w.seen.close {
		f()
	}
	w.seen.victim.Process.Kill()
	<-w.seen.died
}

// arrived reports whether a packet with the attack's name came.
func (w world) arrived() bool {
	w.seen.Lock()
	defer w.seen.Unlock()
	return w.seen.packets[w.Attack]
}

// changed reports whether the attack's directory outside is not what it was.
func (w world) changed() bool {
	var all []string
	filepath.WalkDir(w.outside(""), func(path string, d os.DirEntry, err error) error {
		info, infoErr := os.Lstat(path)
		if err != nil || infoErr != nil {
			all = append(all, path)
			return nil
		}
		all = append(all, fmt.Sprint(strings.TrimPrefix(path, w.outside("")), info.Mode()))
		return nil
	})
	text, err := os.ReadFile(w.outside("file"))
	if err != nil || string(text) != "old" || fmt.Sprint(all) != "[drwxr-xr-x /emptydrwxr-xr-x /file-rw-------]" {
		return true
	}
	var st unix.Stat_t
	if unix.Stat(w.outside("file"), &st) != nil || st.Mtim.Sec < 1e9 || int(st.Uid) != os.Getuid() || st.Nlink != 1 {
		return true
	}
	n, _ := unix.Listxattr(w.outside("file"), nil)
	return n > 0
}

// repainted reports whether what is protected is not what it was.
func (w world) repainted() bool {
	for _, name := range []string{".git", "sub/.git"} {
		text, err := os.ReadFile(w.dir(name + "/config"))
		entries, _ := os.ReadDir(w.dir(name))
		info, statErr := os.Lstat(w.dir(name))
		if err != nil || string(text) != "old" || len(entries) != 1 || statErr != nil || !info.IsDir() || info.Mode().Perm() != 0o755 {
			return true
		}
	}
	return false
}

// reads is an attempt to read a file with a secret.
func reads(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 100))
	if err == nil && string(text) != secret {
		err = errors.New("it is not the secret")
	}
	return err
}

// overwrites is an attempt to change a file.
func overwrites(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString("changed")
	return err
}
