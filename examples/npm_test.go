//go:build unix

package examples

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// npmDir is where the packages of other people's servers are installed, see .ci/run.
func npmDir() string { return os.Getenv("TRICODE_NPM") }

// npmInstalled is the condition [npm:PACKAGE]: Node and the package are there.
func npmInstalled(condition string) (bool, error) {
	name, ok := strings.CutPrefix(condition, "npm:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	if _, err := exec.LookPath("node"); err != nil || npmDir() == "" {
		return false, nil
	}
	_, err := os.Stat(filepath.Join(npmDir(), "node_modules", name))
	return err == nil, nil
}

// npm starts a server of an npm package and makes it the provider of the configuration. $PORT in the arguments is where
// it is to listen.
func npm(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: npm PROGRAM ARG...")
	}
	args[0] = filepath.Join(npmDir(), "node_modules", args[0])
	for try := 1; ; try++ { // an address that was free may be somebody else's by now
		address := freeAddress(ts)
		err := node(ts, address, args)
		if err == nil {
			configure(ts, "http://"+address+"/v1")
			return
		}
		if try == 3 {
			ts.Check(err)
		}
	}
}

// node starts a server and waits until it listens.
func node(ts *testscript.TestScript, address string, args []string) error {
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command("node")
	for _, arg := range args {
		cmd.Args = append(cmd.Args, strings.ReplaceAll(arg, "$PORT", port))
	}
	var said strings.Builder
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout, cmd.Stderr = &said, &said
	ts.Check(cmd.Start())
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	ts.Defer(func() {
		cmd.Process.Kill()
		<-ended
	})
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("%s ended: %v\n%s", args[0], cmd.ProcessState, said.String())
		default:
		}
	}
	return errors.New(args[0] + " does not listen")
}

// freeAddress is one on loopback where nobody listens.
func freeAddress(ts *testscript.TestScript) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer l.Close()
	return l.Addr().String()
}
