package shell

import (
	"io/fs"
	"strings"
	"testing"
)

// nowhere is a Resolver without a file system behind it, so that a benchmark measures the analysis alone.
type nowhere struct{}

func (nowhere) WorkDir() string                    { return "/src/p" }
func (nowhere) Home() string                       { return "/home/u" }
func (nowhere) Entry(name string) Place            { return nowhere{}.Resolve(name) }
func (nowhere) List(string) []fs.DirEntry          { return nil }
func (nowhere) Program(name string) (string, bool) { return "/usr/bin/" + name, false }
func (nowhere) Untracked(string) int               { return 0 }
func (nowhere) Guarded(bool) ([]string, bool)      { return nil, true }
func (nowhere) Kept([]string) bool                 { return true }
func (nowhere) Resolve(name string) Place {
	rel, _ := strings.CutPrefix(name, "/src/p/")
	return Place{Path: name, Rel: rel, Kind: File}
}

var typical = map[string]string{
	"short":  "git status --short",
	"pipe":   "grep -rn 'func main' src | head -20",
	"chain":  "cd src && go test ./... 2>&1 | tail -40",
	"danger": "sudo rm -rf build && git push --force origin main",
}

func BenchmarkAnalyze(b *testing.B) {
	for name, text := range typical {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Analyze(text, nowhere{})
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for name, text := range typical {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(text)
			}
		})
	}
}
