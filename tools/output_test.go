package tools

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tricode/workdir"
)

// do plans one call of a tool and brings it before the gate.
func (p *place) do(tool Tool, args string) (string, error) {
	p.t.Helper()
	a, err := tool.Plan(p.t.Context(), json.RawMessage(args))
	if err != nil {
		return "", err
	}
	got, err := p.gate.Do(p.t.Context(), a, io.Discard)
	return got.Text, err
}

// withOutputs gives the place a directory for outputs.
func (p *place) withOutputs() string {
	p.t.Helper()
	dir := p.t.TempDir()
	var err error
	if p.w.Outputs, err = workdir.Open(dir); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { p.w.Outputs.Close() })
	return dir
}

func outputsDir(t *testing.T) (*workdir.Dir, string) {
	t.Helper()
	name := t.TempDir()
	dir, err := workdir.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir, dir.Name()
}

func TestOutput(t *testing.T) {
	const bound = shownHead + shownTail
	line := strings.Repeat("x", 99) + "\n"
	for _, test := range []struct {
		name, in, want string // NAME stands for the file
		kept           bool
	}{
		{"nothing", "", "", false},
		{"short", "a\nb", "a\nb", false},
		{"just fits", strings.Repeat("x", bound), strings.Repeat("x", bound), false},
		{"one too long", strings.Repeat("x", bound+1),
			strings.Repeat("x", shownHead) + "\n[... 1 bytes (0 lines) left out; all of it is in NAME ...]\n" + strings.Repeat("x", shownTail), true},
		{"lines", strings.Repeat(line, 1000),
			strings.Repeat(line, 81) + "[... 83800 bytes (838 lines) left out; all of it is in NAME ...]\n" + strings.Repeat(line, 81), true},
		{"characters", "x" + strings.Repeat("é", bound),
			"x" + strings.Repeat("é", 4095) + "\n[... 16386 bytes (0 lines) left out; all of it is in NAME ...]\n" + strings.Repeat("é", 4096), true},
		{"binary", "a\x00\xff\x00b\xc3", "a\uFFFDb\uFFFD", false},
		{"no text", strings.Repeat("\x80", 2*bound), "\uFFFD\n[... 16387 bytes (0 lines) left out; all of it is in NAME ...]\n\uFFFD", true},
	} {
		for _, chunk := range []int{1, 7, 5000, 1 << 20} {
			dir, name := outputsDir(t)
			var live strings.Builder
			out := newOutput(World{Outputs: dir}, &live)
			for rest := []byte(test.in); len(rest) > 0; {
				n, err := out.Write(rest[:min(chunk, len(rest))])
				if err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			got := out.text()
			if want := strings.ReplaceAll(test.want, "NAME", name+"/output-1.txt"); got != want || live.String() != test.in {
				t.Errorf("%s, by %d: %d bytes, want %d: ...%.200q", test.name, chunk, len(got), len(want), got[min(len(got), 8080):])
			}
			if data, err := os.ReadFile(name + "/output-1.txt"); (err == nil) != test.kept || test.kept && string(data) != test.in {
				t.Errorf("%s: %d bytes are kept, %v", test.name, len(data), err)
			}
		}
	}
}

// Whatever is printed, the model gets valid text of bounded size, and the counts add up.
func TestOutputAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out := newOutput(World{}, io.Discard)
		part := rapid.OneOf(
			rapid.SliceOfN(rapid.Byte(), 0, 9000),
			rapid.Map(rapid.StringN(0, 3000, 9000), func(s string) []byte { return []byte(s) }),
			rapid.Map(rapid.IntRange(0, 3*shownHead), func(n int) []byte { return []byte(strings.Repeat("line\n", n/5)) }),
		)
		var all []byte
		for _, p := range rapid.SliceOfN(part, 0, 10).Draw(t, "parts") {
			all = append(all, p...)
			out.Write(p)
		}
		got := out.text()
		if !utf8.ValidString(got) || strings.Contains(got, "\x00") || len(got) > 3*(shownHead+shownTail)+200 {
			t.Fatalf("%d bytes become %d: %q", len(all), len(got), got)
		}
		if len(all) <= shownHead+shownTail && utf8.Valid(all) && !strings.Contains(string(all), "\x00") && got != string(all) {
			t.Fatalf("%q becomes %q", all, got)
		}
	})
}

// full is a disk that has room for so many bytes.
type full struct{ room int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		n := f.room
		f.room = 0
		return n, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

func (f *full) Close() error { return nil }

// A full disk loses the rest of a file and nothing else.
func TestOutputDiskFull(t *testing.T) {
	out := newOutput(World{}, io.Discard)
	out.file = &outputFile{file: &full{20_000}, path: workdir.Path{Abs: "/outputs/output-1.txt"}, room: keptOutput}
	for range 100 {
		if n, err := out.Write([]byte(strings.Repeat("x", 999) + "\n")); n != 1000 || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := out.text(); !strings.Contains(got, "kept in part in /outputs/output-1.txt: no space left on device ...]\n") || !strings.HasSuffix(got, "x\n") {
		t.Errorf("%q", got[8000:8400])
	}
}

func TestOutputNotKept(t *testing.T) {
	long := []byte(strings.Repeat("x", shownHead+shownTail+1))
	out := newOutput(World{}, io.Discard)
	out.Write(long)
	if got := out.text(); !strings.Contains(got, "not kept: there is no directory for it ...]") {
		t.Errorf("%q", got[8000:8400])
	}
	dir, name := outputsDir(t)
	if err := os.WriteFile(name+"/output-1.txt", []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	out = newOutput(World{Outputs: dir}, io.Discard)
	out.Write(long)
	if got := out.text(); !strings.Contains(got, "/output-2.txt ...]") {
		t.Errorf("%q", got[8000:8400])
	}
	if err := os.Truncate(name+"/output-1.txt", keptOutputs); err != nil {
		t.Fatal(err)
	}
	out = newOutput(World{Outputs: dir}, io.Discard)
	out.Write(long)
	if got := out.text(); !strings.Contains(got, "not kept: the outputs of this run take 256 MiB already ...]") {
		t.Errorf("%q", got[8000:8400])
	}
	os.RemoveAll(name)
	out = newOutput(World{Outputs: dir}, io.Discard)
	out.Write(long)
	if got := out.text(); !strings.Contains(got, "not kept: ") {
		t.Errorf("%q", got[8000:8400])
	}
}

// The limit of one file holds where little room is left, and the model is told what really is in it.
func TestOutputCut(t *testing.T) {
	dir, name := outputsDir(t)
	if err := os.WriteFile(name+"/output-1.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name+"/output-1.txt", keptOutputs-50_000); err != nil {
		t.Fatal(err)
	}
	out := newOutput(World{Outputs: dir}, io.Discard)
	for range 100 {
		out.Write(make([]byte, 1000))
	}
	if got := out.text(); !strings.Contains(got, "the first 50000 bytes are in "+name+"/output-2.txt ...]") {
		t.Errorf("%q", got)
	}
}
