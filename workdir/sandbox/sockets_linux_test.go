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
	abstract := "@" + dir[1:]
	for _, name := range []string{dir + "/listed", dir + "/other", abstract} {
		l, err := net.Listen("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	for _, network := range []bool{true, false} {
		for _, without := range []Mechanisms{0, Landlock} {
			// Without Landlock nothing holds abstract sockets but a network that leads nowhere.
			for name, works := range map[string]bool{dir + "/listed": without == 0 || !network, dir + "/other": false, abstract: false} {
				var out bytes.Buffer
				l := &Limits{Network: network, Write: []string{dir}, Sockets: []string{dir + "/listed"}, Without: without}
				status, err := b.Run(t.Context(), Cmd{
					Args: []string{os.Args[0], "-test.run=^TestSockets$"}, Env: []string{"CONNECTS=" + name}, Limits: l, Stdout: &out,
				})
				if (status == 0) != works || err != nil {
					t.Errorf("%s with network %t without %v: status %d, %v: %s", name, network, without, status, err, &out)
				}
			}
		}
	}
}
