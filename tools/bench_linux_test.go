package tools

import (
	"os/exec"
	"testing"
	"time"

	"tricode/workdir/sandbox"
)

// BenchmarkBox holds a command in a box, with a helper that waits and without one, against a bare shell.
func BenchmarkBox(b *testing.B) {
	dir := b.TempDir()
	box := &sandbox.Box{Dir: dir}
	defer box.Close()
	run := func(b *testing.B, c sandbox.Cmd) {
		if _, err := box.Run(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	limits := &sandbox.Limits{Write: []string{dir}, Network: true}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			run(b, sandbox.Cmd{Args: []string{"sh", "-c", "true"}})
		}
	})
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			exec.Command("sh", "-c", "true").Run()
		}
	})
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			run(b, sandbox.Cmd{Text: "true", Limits: limits})
		}
	})
	b.Run("warm", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			box.Warm(limits)
			time.Sleep(40 * time.Millisecond)
			b.StartTimer()
			run(b, sandbox.Cmd{Text: "true", Limits: limits})
		}
	})
}
