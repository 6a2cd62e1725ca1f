//go:build unix

package runner

import (
	"context"
	"testing"
)

func BenchmarkInterpret(b *testing.B) {
	for _, text := range []string{"true", "echo hi", "X=1; for i in 1 2 3; do echo $((i+X)); done", "/bin/true"} {
		b.Run(text, func(b *testing.B) {
			s := Script{Text: text, Dir: b.TempDir(), Env: environment(b), Check: func(context.Context, Start) error { return nil }}
			b.ReportAllocs()
			for b.Loop() {
				if status, _, err := Interpret(context.Background(), s); status != 0 || err != nil {
					b.Fatal(status, err)
				}
			}
		})
	}
}
