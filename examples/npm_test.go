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
	address := freeAddress(ts)
	_, port, _ := net.SplitHostPort(address)
	args[0] = filepath.Join(npmDir(), "node_modules", args[0])
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "$PORT", port)
	}
	var said strings.Builder
	cmd := exec.Command("node", args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout, cmd.Stderr = &said, &said
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	ts.Defer(func() {
		cmd.Process.Kill()
		<-ended
	})
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			break
		}
		select {
		case err := <-ended:
			ended <- err
			ts.Fatalf("%s ended: %v\n%s", args[0], err, said.String())
		default:
		}
		if time.Since(start) > 30*time.Second {
			ts.Check(errors.New(args[0] + " does not listen"))
		}
	}
	configure(ts, "http://"+address+"/v1")
}

// freeAddress is one on loopback where nobody listens.
func freeAddress(ts *testscript.TestScript) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer l.Close()
	return l.Addr().String()
}
