package cli

import (
	"context"
	"os"
	"syscall"
	"testing"

	"tricode/tools/runner"
	"tricode/workdir/sandbox"
)

// TestMain makes a helper of the test program where it is started as one.
func TestMain(m *testing.M) {
	if sandbox.IsHelper() {
		syscall.Exit(runner.Main(context.Background())) // not os.Exit, which waits for a second where races are looked for
	}
	os.Exit(m.Run())
}
