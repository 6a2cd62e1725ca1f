package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/workdir"
)

// lines are numbered lines, each with an end.
func lines(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestReadFile(t *testing.T) {
	long := strings.Repeat("x", 5000)
	p := newPlace(t, map[string]string{
		"five":     lines(1, 5),
		"empty":    "",
		"open":     "a\nb",
		"crlf":     "a\r\nb\r\n",
		"mixed":    "a\r\nb\nc\rd\n",
		"bom":      "\ufeffa\n",
		"latin":    "caf\xe9 \xff\n",
		"late nul": strings.Repeat("a\n", 5000) + "\x00\n",
		"binary":   "\x7fELF\x00\x01",
		"utf16":    "\xff\xfea\x00",
		"wide":     "a\n" + long + "\nb\n",
		"one":      strings.Repeat("é", 50_000),
		"many":     lines(1, 5000),
		"fat":      strings.Repeat(strings.Repeat("y", 999)+"\n", 100),
		"dir/file": "inside\n",
		"link":     "-> dir/file",
		"dangling": "-> nowhere",
	})
	for _, test := range []struct{ args, want string }{
		{`{"path":"five"}`, lines(1, 5)},
		{`{"path":"five","start_line":2,"end_line":3}`, lines(2, 3) + "[lines 2-3 of 5]"},
		{`{"path":"five","start_line":4}`, lines(4, 5) + "[lines 4-5 of 5]"},
		{`{"path":"five","end_line":1}`, lines(1, 1) + "[lines 1-1 of 5]"},
		{`{"path":"five","end_line":99}`, lines(1, 5)},
		{`{"path":"five","start_line":0,"end_line":0}`, lines(1, 5)},
		{`{"path":"five","max_bytes":14}`, lines(1, 2) + "[lines 1-2 of 5; go on with start_line 3]"},
		{`{"path":"five","max_bytes":3}`, "lin[+3 bytes]\n[lines 1-1 of 5; go on with start_line 2; lines longer than 3 bytes are cut; max_bytes shows more of a line, up to 1048576]"},
		{`{"path":"empty"}`, "[the file is empty]"},
		{`{"path":"open"}`, "a\nb\n[no newline at the end of the file]"},
		{`{"path":"open","end_line":1}`, "a\n[lines 1-1 of 2]"},
		{`{"path":"crlf"}`, "a\nb\n[lines end in CR LF]"},
		{`{"path":"mixed"}`, "a\nb\nc\rd\n[1 of 3 lines end in CR LF]"},
		{`{"path":"bom"}`, "a\n[the file begins with a byte order mark]"},
		{`{"path":"latin"}`, "caf\ufffd \ufffd\n[2 bytes that are not UTF-8 text are shown as \ufffd]"},
		{`{"path":"late nul","start_line":5001}`, "\ufffd\n[lines 5001-5001 of 5001; 1 bytes that are not UTF-8 text are shown as \ufffd]"},
		{`{"path":"binary"}`, "[binary file, 6 bytes: not shown]"},
		{`{"path":"binary","start_line":7}`, "[binary file, 6 bytes: not shown]"},
		{`{"path":"utf16"}`, "[UTF-16 text, 4 bytes: not shown]"},
		{`{"path":"wide"}`, "a\n" + long[:2000] + "[+3000 bytes]\nb\n[lines longer than 2000 bytes are cut; max_bytes shows more of a line, up to 1048576]"},
		{`{"path":"wide","start_line":2,"end_line":2,"max_bytes":5000}`, long + "\n[lines 2-2 of 3]"},
		{`{"path":"one","max_bytes":99999999}`, strings.Repeat("é", 50_000) + "\n[no newline at the end of the file]"},
		{`{"path":"one","max_bytes":5}`, "éé[+99996 bytes]\n[lines longer than 5 bytes are cut; max_bytes shows more of a line, up to 1048576; no newline at the end of the file]"},
		{`{"path":"many"}`, lines(1, 2000) + "[lines 1-2000 of 5000; go on with start_line 2001]"},
		{`{"path":"many","start_line":2001,"end_line":4500}`, lines(2001, 4500) + "[lines 2001-4500 of 5000]"},
		{`{"path":"fat"}`, strings.Repeat(strings.Repeat("y", 999)+"\n", 65) + "[lines 1-65 of 100; go on with start_line 66]"},
		{`{"path":"link"}`, "inside\n"},
		{`{"path":"./dir/../dir/file"}`, "inside\n"},
	} {
		got, err := p.call("read_file", test.args)
		if err != nil || got != test.want {
			t.Errorf("read_file(%s) = %q, %v\nwant %q", test.args, got, err, test.want)
		}
	}
	if p.yes.asked > 0 {
		t.Errorf("a person was asked %d times", p.yes.asked)
	}
}

func TestReadFileErrors(t *testing.T) {
	p := newPlace(t, map[string]string{"five": lines(1, 5), "empty": "", "dir/file": "", ".env": "KEY=1\n", "out": "-> /etc/hostname"})
	for _, test := range []struct{ args, want string }{
		{`{"path":"none"}`, "none does not exist"},
		{`{"path":"dir/none/x"}`, "dir/none/x does not exist"},
		{`{"path":"dir"}`, "dir is a directory; list_directory shows it"},
		{`{"path":"five","start_line":6}`, "five has 5 lines; start_line 6 is past its end"},
		{`{"path":"empty","start_line":2}`, "empty has 0 lines; start_line 2 is past its end"},
		{`{"path":"five","start_line":-1}`, "start_line: -1 is less than 1"},
		{`{"path":"five","end_line":-1}`, "end_line: -1 is less than 1"},
		{`{"path":"five","max_bytes":-1}`, "max_bytes: -1 is less than 1"},
		{`{"path":"five","start_line":3,"end_line":2}`, "end_line: 2 is before start_line 3"},
		{`{"path":""}`, `"": name is empty`},
		{`{"path":"../x"}`, "denied: " + filepath.Dir(p.dir) + "/x is outside the work directory " + p.dir},
		{`{"path":"out"}`, "denied: /etc/hostname is outside the work directory " + p.dir},
	} {
		if _, err := p.call("read_file", test.args); err == nil || err.Error() != test.want {
			t.Errorf("read_file(%s): %v\nwant %s", test.args, err, test.want)
		}
	}
	p.gate.Asker = nil
	if _, err := p.call("read_file", `{"path":".env"}`); err == nil || !strings.Contains(err.Error(), "may hold a secret") {
		t.Errorf("read_file of a secret: %v", err)
	}
}

func TestReadFileMetadata(t *testing.T) {
	p := newPlace(t, map[string]string{"a": "hello\nworld", "b": "\x00"})
	os.Chmod(p.dir+"/a", 0o644)                                                    // whatever the mask of this process is
	const sum = "26c60a61d01db5836ca70fefd44a6a016620413c8ef5f259a6c5612d4f79d3b8" // printf 'hello\nworld' | sha256sum
	got, err := p.call("read_file", `{"path":"a","with_metadata":true,"end_line":1}`)
	head, rest, _ := strings.Cut(got, "\n")
	if err != nil || !strings.HasPrefix(head, "[11 bytes, 2 lines, sha256 "+sum+", mode 0644, changed 20") || rest != "hello\n[lines 1-1 of 2]" {
		t.Errorf("read_file with metadata = %q, %v", got, err)
	}
	got, err = p.call("read_file", `{"path":"b","with_metadata":true}`)
	if err != nil || !strings.HasPrefix(got, "[1 bytes, 1 lines, sha256 6e340b9c") || !strings.HasSuffix(got, "]\n[binary file, 1 bytes: not shown]") {
		t.Errorf("read_file of a binary file with metadata = %q, %v", got, err)
	}
}

// What was spilled can be read although it lies outside and where secrets are kept; nothing beside it can.
func TestSpilledOutputsAreReadableAndNothingElseOfTheState(t *testing.T) {
	p := newPlace(t, nil)
	state := filepath.Join(t.TempDir(), ".local/state/tricode/sessions")
	for _, name := range []string{"1/outputs/3.txt", "1/transcript", "2/outputs/3.txt"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(state, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(state, name), []byte("spilled\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../transcript", filepath.Join(state, "1/outputs/link")); err != nil {
		t.Fatal(err)
	}
	outputs, err := workdir.Open(filepath.Join(state, "1/outputs"))
	if err != nil {
		t.Fatal(err)
	}
	defer outputs.Close()
	p.w.Outputs = outputs
	p.gate.Asker = nil
	p.gate.Policy.Home = strings.TrimSuffix(outputs.Name(), "/.local/state/tricode/sessions/1/outputs")
	got, err := p.call("read_file", object("path", outputs.Name()+"/3.txt"))
	if err != nil || got != "spilled\n" {
		t.Errorf("read_file of an output = %q, %v", got, err)
	}
	got, err = p.call("search_context", object("path", outputs.Name()+"/3.txt", "pattern", "spill"))
	if err != nil || got != outputs.Name()+"/3.txt:1:spilled\n" {
		t.Errorf("search_context of an output = %q, %v", got, err)
	}
	for _, name := range []string{"/../transcript", "/../../2/outputs/3.txt", "/link", "", "/none", "/.."} {
		var denied *approval.Denied
		for tool, args := range map[string]string{"read_file": object("path", outputs.Name()+name), "search_context": object("path", outputs.Name()+name, "pattern", "spilled")} {
			if got, err := p.call(tool, args); !errors.As(err, &denied) {
				t.Errorf("%s(outputs%s) = %q, %v; want a denial", tool, name, got, err)
			}
		}
	}
}

// However large a file is, what is kept of it is small.
func TestReadFileMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("what it measures says nothing in a short run, which looks for races")
	}
	v := viewer{window: window{first: 1, lines: defaultLines, bytes: defaultBytes, width: defaultWidth}}
	if err := v.read(t.Context(), io.LimitReader(endless{}, 64<<20), true); err != nil {
		t.Fatal(err)
	}
	if cap(v.text)+cap(v.head) > 1<<20 || v.line != 1 || v.size != 64<<20 {
		t.Errorf("%d bytes are kept of %d in %d lines", cap(v.text)+cap(v.head), v.size, v.line)
	}
	v = viewer{window: v.window}
	if err := v.read(t.Context(), endless{}, false); err != nil || !v.more || len(v.text) > 2*defaultWidth {
		t.Errorf("read without an end: %v, more: %v, %d bytes of text", err, v.more, len(v.text))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v = viewer{}
	if err := v.read(ctx, endless{}, false); !errors.Is(err, context.Canceled) {
		t.Errorf("read after the end of ctx: %v", err)
	}
}

// endless is one line without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}
