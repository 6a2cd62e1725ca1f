package tools

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tricode/approval"
)

func TestEditFile(t *testing.T) {
	const missing = "(missing)"
	patchOf := func(pairs ...any) string {
		return object("path", "f", "mode", "patch", "hunks", []any{hunkOf(pairs...)})
	}
	mode := func(mode, content string) string { return object("path", "f", "mode", mode, "content", content) }
	for _, tt := range []struct {
		name, old, args, want string
		answer                string // empty: no more than that it worked
	}{
		{"overwrite", "a\nb\n", mode("overwrite", "a\nc\nd\n"), "a\nc\nd\n", "edited f (+2 -1)"},
		{"overwrite a missing file", missing, mode("overwrite", "a\n"), "a\n", "created f (+1)"},
		{"overwrite by nothing", "a\n", mode("overwrite", ""), "", "edited f (-1)"},
		{"overwrite an empty file", "", mode("overwrite", "a"), "a", "edited f (+1)"},
		{"overwrite takes the final line end as it is", "a\n", mode("overwrite", "a"), "a", "edited f (+1 -1)"},
		{"overwrite what is not text", "a\x00b\n", mode("overwrite", "a\n"), "a\n", "edited f (+1)"},
		{"overwrite keeps CRLF", "a\r\nb\r\n", mode("overwrite", "a\nc\n"), "a\r\nc\r\n", "edited f (+1 -1)"},
		{"overwrite with CRLF keeps CRLF", "a\r\nb\r\n", mode("overwrite", "a\r\nc\r\n"), "a\r\nc\r\n", ""},
		{"overwrite makes CRLF", "a\nb\n", mode("overwrite", "a\r\nb\r\n"), "a\r\nb\r\n", "edited f (+2 -2)"},
		{"overwrite keeps the mark", bom + "a\n", mode("overwrite", "b\n"), bom + "b\n", ""},
		{"overwrite does not double the mark", bom + "a\n", mode("overwrite", bom+"b\n"), bom + "b\n", ""},
		{"overwrite by the same", "a\n", mode("overwrite", "a\n"), "a\n", "no change"},

		{"append", "a\n", mode("append", "b\n"), "a\nb\n", "edited f (+1)"},
		{"append keeps the final line end", "a\n", mode("append", "b"), "a\nb\n", ""},
		{"append does not glue", "a", mode("append", "b"), "a\nb", ""},
		{"append does not double line ends", "a", mode("append", "\nb"), "a\nb", ""},
		{"append to nothing", "", mode("append", "b"), "b", ""},
		{"append to a missing file", missing, mode("append", "b"), "b", "created f (+1)"},
		{"append keeps CRLF", "a\r\n", mode("append", "b\nc"), "a\r\nb\r\nc\r\n", "edited f (+2)"},
		{"append keeps LF", "a\n", mode("append", "b\r\n"), "a\nb\n", ""},
		{"append to mixed line ends", "a\r\nb\n", mode("append", "c\n"), "a\r\nb\nc\n", "edited f (+1)"},
		{"prepend", "a\n", mode("prepend", "b\n"), "b\na\n", "edited f (+1)"},
		{"prepend does not glue", "a", mode("prepend", "b"), "b\na", ""},
		{"prepend goes after the mark", bom + "a\r\n", mode("prepend", "b"), bom + "b\r\na\r\n", ""},
		{"prepend to a missing file", missing, mode("prepend", "b"), "b", ""},

		{"patch", "a\nb\n", patchOf("op", "replace", "anchor", "b", "content", "c"), "a\nc\n", "edited f (+1 -1)"},
		{"patch finds lines with CRLF", "a\r\nb\r\n", patchOf("op", "replace", "anchor", "a\nb\n", "content", "c\n"), "c\r\n", "edited f (+1 -2)"},
		{"patch finds the start after the mark", bom + "a\n", patchOf("op", "insert_before", "anchor", `\Aa`, "regex", true, "content", "b"), bom + "b\na\n", ""},
		{"patch that changes nothing", "a\n", patchOf("op", "replace", "anchor", "a", "content", "a"), "a\n", "no change"},
		{"patch keeps what is not UTF-8", "\xff\xfe\na\n", patchOf("op", "replace", "anchor", "a", "content", "b"), "\xff\xfe\nb\n", ""},

		{"precondition", "a\n", object("path", "f", "mode", "append", "content", "b", "precondition", map[string]any{"file_sha256": strings.ToUpper(digest([]byte("a\n")))}),
			"a\nb\n", "edited f (+1), sha256 " + digest([]byte("a\nb\n"))},
		{"dry run", "a\nb\n", object("path", "f", "mode", "overwrite", "content", "a\n", "dry_run", true), "a\nb\n", "f (-1)\n@@ -1,2 +1 @@\n a\n-b"},
		{"dry run of a missing file", missing, object("path", "f", "mode", "append", "content", "a\n", "dry_run", true), missing, "f (+1)\n@@ -0,0 +1 @@\n+a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, nil)
			if tt.old != missing {
				p.put("f", tt.old)
			}
			got, err := p.call("edit_file", tt.args)
			if err != nil {
				t.Fatal(err)
			}
			if tt.answer != "" && got != tt.answer {
				t.Errorf("answer is %q, want %q", got, tt.answer)
			}
			after, ok := p.files()["f"]
			if !ok {
				after = missing
			}
			if after != tt.want {
				t.Errorf("the file holds %q, want %q", after, tt.want)
			}
			asked := 1
			if tt.old == tt.want {
				asked = 0
			}
			if p.yes.asked != asked || len(p.files()) > 1 {
				t.Errorf("asked %d times, want %d; there are %s", p.yes.asked, asked, p.names())
			}
		})
	}
}

func hunkOf(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

func TestEditFileErrors(t *testing.T) {
	p := newPlace(t, map[string]string{
		"f": "a\na\n", "dir/": "", "binary": "a\x00", ".git/config": "", "large": strings.Repeat("a", maxEdit+1), "full": strings.Repeat("a", maxEdit),
	})
	for _, tt := range []struct{ args, want string }{
		{`{"path":"f","mode":"patch"}`, "hunks: missing"},
		{`{"path":"f","mode":"patch","hunks":[]}`, "hunks: missing"},
		{`{"path":"f","mode":"patch","content":"x"}`, "content: with mode patch it belongs into the hunks"},
		{`{"path":"f","mode":"append","content":""}`, "content: missing"},
		{`{"path":"f","mode":"overwrite"}`, "content: missing"},
		{`{"path":"f","mode":"append","content":"x","hunks":[{"op":"delete","anchor":"a"}]}`, "hunks: only with mode patch"},
		{`{"path":"f","mode":"patch","hunks":[{"op":"delete"}]}`, "hunks[0].anchor: missing"},
		{`{"path":"f","mode":"patch","hunks":[{"op":"delete","anchor":"a"}]}`, "f: hunks[0]: anchor: matches 2 times (lines 1, 2)"},
		{`{"path":"f","mode":"patch","hunks":[{"op":"remove","anchor":"a"}]}`, `hunks[0].op: "remove" is not one of`},
		{`{"path":"f","mode":"append","content":"b","precondition":{"file_sha256":"00"}}`, "f: precondition: the file has changed, its sha256 is " + digest([]byte("a\na\n"))},
		{`{"path":"x","mode":"append","content":"b","precondition":{"file_sha256":"00"}}`, "x: no such file"},
		{`{"path":"x","mode":"patch","hunks":[{"op":"delete","anchor":"a"}]}`, "x: no such file or directory; create_file makes one"},
		{`{"path":"dir","mode":"append","content":"b"}`, "dir: not a regular file"},
		{`{"path":"f/x","mode":"append","content":"b"}`, "f/x: not a directory"},
		{`{"path":"binary","mode":"append","content":"b"}`, "binary: not a text file"},
		{`{"path":"large","mode":"overwrite","content":"b"}`, "large: has more than 16 MiB, too large to edit"},
		{`{"path":"full","mode":"append","content":"b"}`, "full: would have more than 16 MiB"},
		{`{"path":".git/config","mode":"patch","hunks":[{"op":"delete","anchor":"a"}]}`, "is protected from writing"},
		{`{"path":"../f","mode":"append","content":"b"}`, "is outside the work directory"},
	} {
		_, err := p.call("edit_file", tt.args)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.args, err, tt.want)
		}
	}
	if p.yes.asked > 0 {
		t.Errorf("asked %d times about what is not possible", p.yes.asked)
	}
}

// The model learns nothing about a file with credentials unasked, not even whether a guess is right.
func TestEditSecret(t *testing.T) {
	for _, args := range []string{
		`{"path":".env","mode":"patch","hunks":[{"op":"delete","anchor":"KEY=b"}]}`,
		`{"path":".env","mode":"patch","hunks":[{"op":"replace","anchor":"KEY=a","content":"KEY=a"}]}`,
		`{"path":".env","mode":"overwrite","content":"KEY=a\n"}`,
		`{"path":".env","mode":"append","content":"b","precondition":{"file_sha256":"00"}}`,
		`{"path":".env","mode":"append","content":"b","dry_run":true}`,
		`{"path":"link","mode":"patch","hunks":[{"op":"replace","anchor":"KEY","content":"key"}]}`,
	} {
		p := newPlace(t, map[string]string{".env": "KEY=a\n", "link": "-> .env"})
		p.gate.Policy.Mode = approval.ModeAcceptEdits
		p.gate.Asker = nil
		got, err := p.call("edit_file", args)
		var denied *approval.Denied
		if !errors.As(err, &denied) || denied.By != approval.ByNobody {
			t.Errorf("%s: %q, %v; want a question", args, got, err)
		}
	}
}

func TestEditAccepted(t *testing.T) {
	p := newPlace(t, map[string]string{"f": "a\n"})
	p.gate.Policy.Mode = approval.ModeAcceptEdits
	_, err := p.call("edit_file", `{"path":"f","mode":"patch","hunks":[{"op":"replace","anchor":"a","content":"b"}]}`)
	if err != nil || p.yes.asked > 0 {
		t.Errorf("edit: %v, asked %d times", err, p.yes.asked)
	}
	if err := os.Link(filepath.Join(p.dir, "f"), filepath.Join(p.dir, "g")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.call("edit_file", `{"path":"f","mode":"append","content":"b"}`); err != nil || p.yes.asked != 1 {
		t.Errorf("edit of a file with two names: %v, asked %d times", err, p.yes.asked)
	}
}

func TestEditKeepsMode(t *testing.T) {
	p := newPlace(t, map[string]string{"f": "a\n", "link": "-> f"})
	name := filepath.Join(p.dir, "f")
	if err := os.Chmod(name, 0o750); err != nil {
		t.Fatal(err)
	}
	before, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.call("edit_file", `{"path":"link","mode":"append","content":"b"}`); err != nil {
		t.Fatal(err)
	}
	after, err := os.Lstat(name)
	if err != nil || after.Mode() != before.Mode() {
		t.Errorf("mode became %v, %v; want %v", after.Mode(), err, before.Mode())
	}
	if files := p.files(); files["link"] != "-> f" || files["f"] != "a\nb\n" {
		t.Errorf("files are %q", files)
	}
}

// What a person was shown is what happens, whatever the line ends.
func TestEditShowsWhatHappens(t *testing.T) {
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\r\n", "\n", "\r\n", "d", "\r", bom})
	text := func(t *rapid.T, name string) string {
		return strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, name), "")
	}
	p := newPlace(t, nil)
	rapid.Check(t, func(r *rapid.T) {
		old, content := text(r, "old"), text(r, "content")
		if rapid.Bool().Draw(r, "windows") {
			old = strings.ReplaceAll(strings.ReplaceAll(old, "\r\n", "\n"), "\n", "\r\n")
		}
		p.put("f", old)
		mode := rapid.SampledFrom([]string{"overwrite", "append", "prepend"}).Draw(r, "mode")
		a, err := p.plan("edit_file", object("path", "f", "mode", mode, "content", content))
		if err != nil {
			return // nothing to append
		}
		if _, err := p.gate.Do(t.Context(), a, io.Discard); err != nil {
			r.Fatal(err)
		}
		got := p.files()["f"]
		want := old
		if len(a.Preview.Sections) > 0 {
			want = shown(t, old, a.Preview.Sections[0].Lines)
		}
		if got != want {
			r.Fatalf("%q became %q, shown was %q", old, got, want)
		}
	})
	if p.names() != "f" {
		t.Errorf("there are %s", p.names())
	}
}
