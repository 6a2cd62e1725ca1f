package sandbox

import (
	"bytes"
	"net"
	"os"
	"testing"
)

// Of the sockets of this machine, those that are listed can be used and no others.
func TestSockets(t *testing.T) {
	if path := os.Getenv("CONNECTS"); path != "" {
		if _, err := net.Dial("unix", path); err != nil {
			t.Fatal(err)
		}
		return
	}
	dir, err := os.MkdirTemp("/tmp", "sockets-") // its name is short enough for sockets, wherever other temporary files are
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := box(t, dir)
	for _, name := range []string{"/listed", "/other"} {
		l, err := net.Listen("unix", dir+name)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	for _, network := range []bool{true, false} {
		for name, want := range map[string]int{"/listed": 0, "/other": 1} {
			var out bytes.Buffer
			l := &Limits{Network: network, Write: []string{dir}, Sockets: []string{dir + "/listed"}}
			status, err := b.Run(t.Context(), Cmd{
				Args: []string{os.Args[0], "-test.run=^TestSockets$"}, Env: []string{"CONNECTS=" + dir + name}, Limits: l, Stdout: &out,
			})
			if status != want || err != nil {
				t.Errorf("%s with network %t: status %d, %v, want %d: %s", name, network, status, err, want, &out)
			}
		}
	}
}
