//go:build unix

package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// eventually reports whether something becomes so. It takes as long as that does, on a slow machine too.
func eventually(so func() bool) bool {
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// TestMain makes a helper of the test program where it is started as one. It runs command lines with sh.
func TestMain(m *testing.M) {
	if IsHelper() {
		syscall.Exit(Serve( // not os.Exit, which waits for a second where races are looked for
			context.Background(), func(ctx context.Context, s Script) (int, bool) {
				if s.Stdout == nil { // only to see that it works
					return 0, false
				}
				cmd := exec.CommandContext(ctx, "/bin/sh", "-c", s.Text)
				cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Dir, s.Env, s.Stdin, s.Stdout, s.Stderr
				if err := cmd.Run(); cmd.ProcessState == nil {
					fmt.Fprintln(s.Stderr, err)
				}
				return cmd.ProcessState.ExitCode(), false
			}))
	}
	os.Exit(m.Run())
}
