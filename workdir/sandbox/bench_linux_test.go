package sandbox

import (
	"testing"
	"time"
)

// BenchmarkBox compares a bare shell with one in a box, with a helper that waits and without.
func BenchmarkBox(b *testing.B) {
	dir := b.TempDir()
	bx := box(b, dir)
	run := func(b *testing.B, c Cmd) {
		if _, err := bx.Run(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	limits := &Limits{Write: []string{dir}}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			run(b, Cmd{Args: []string{"sh", "-c", "true"}})
		}
	})
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			run(b, Cmd{Text: "true", Limits: limits})
		}
	})
	b.Run("warm", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			bx.Holds(limits)
			time.Sleep(time.Millisecond)
			b.StartTimer()
			run(b, Cmd{Text: "true", Limits: limits})
		}
	})
}
