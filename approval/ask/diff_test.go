package ask

import (
	"fmt"
	"strings"
	"testing"

	"tricode/approval"
)

// edit is the question about a diff.
func edit(lines ...string) *question {
	a := &approval.Action{Tool: "edit_file"}
	a.Preview.Sections = []approval.Section{{Title: "Changes", Lines: lines, Diff: true}}
	return &question{action: a, width: 60}
}

// changes are the rows of the diff.
func changes(q *question) string {
	_, rest, _ := strings.Cut(q.text(brief(0)), "Changes:\n")
	rows, _, _ := strings.Cut(rest, "\n====")
	return rows
}

func TestDiffRows(t *testing.T) {
	lines := []string{
		"@@ -98,3 +98,4 @@ func f", " same", "-wait(30, x)", "-\tgone", "+wait(300, x)", "+\tnew", "+more", "\\ No newline at end of file",
		"@@ -200 +201 @@", "-timeout = old", "+timeout = new",
	}
	tests := []struct {
		name string
		edit func(q *question)
		want []string
	}{
		{"without colours", func(q *question) {}, []string{
			"      @@ -98,3 +98,4 @@ func f",
			"   98  same",
			"   99 -wait(30, x)",
			"            ^^",
			"  100 -    gone",
			"   99 +wait(300, x)",
			"            ^^^",
			"  100 +    new",
			"  101 +more",
			"      \\ No newline at end of file",
			"      @@ -200 +201 @@",
			"  200 -timeout = old",
			"                 ^^^",
			"  201 +timeout = new",
			"                 ^^^",
		}},
		{"narrow", func(q *question) { q.width, q.action.Preview.Sections[0].Lines = 16, lines[:3] }, []string{
			"     @@ -98,3 ", "       +98,4 @@ ", "       func f", "  98  same", "  99 -wait(30, ", "       x)",
		}},
		{"spoken", func(q *question) { q.spoken, q.action.Preview.Sections[0].Lines = true, lines[8:] }, []string{
			"      @@ -200 +201 @@", "  200 -timeout = old", "  201 +timeout = new",
		}},
		{"colours", func(q *question) { q.color, q.action.Preview.Sections[0].Lines = true, lines[8:] }, []string{
			"  \x1b[2m    \x1b[22m\x1b[36m@@ -200 +201 @@\x1b[0m",
			"  \x1b[2m200 \x1b[22m\x1b[31m-timeout = \x1b[0m\x1b[31;1;7mold\x1b[0;22;27m",
			"  \x1b[2m201 \x1b[22m\x1b[32m+timeout = \x1b[0m\x1b[32;1;7mnew\x1b[0;22;27m",
		}},
		{"without a head", func(q *question) { q.action.Preview.Sections[0].Lines = []string{"+a", "", "-b"} }, []string{"  +a", "  ", "  -b"}},
	}
	for _, tt := range tests {
		q := edit(lines...)
		tt.edit(q)
		got, _, _ := strings.Cut(changes(q), "\nOptions:")
		if want := strings.Join(tt.want, "\n"); got != want {
			t.Errorf("%s: got:\n%s\n%[2]q\nwant:\n%s", tt.name, got, want)
		}
	}
}

// Where much goes, what comes in its place is seen too, and what is not is counted.
func TestShortened(t *testing.T) {
	diff := []string{"@@ -1,9 +1,9 @@"}
	for n := range 9 {
		diff = append(diff, fmt.Sprintf("-old %d", n))
	}
	for n := range 9 {
		diff = append(diff, fmt.Sprintf("+new %d", n))
	}
	q := edit(append(diff, " same", "@@ -100 +100 @@", "-a", "+b")...)
	q.height, q.spoken = 24, true
	_, got, _ := strings.Cut(q.text(brief(q.height)), "Changes:\n")
	got, _, _ = strings.Cut(got, "Options:\n")
	if want := `      @@ -1,9 +1,9 @@
    1 -old 0
      … 8 more lines, 55 bytes: v shows all
    1 +new 0
      … 8 more lines, 55 bytes: v shows all
  … 4 more lines, 27 bytes: v shows all
`; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := q.text(whole); strings.Contains(got, "more") || strings.Count(got, "new") != 9 {
		t.Errorf("v shows:\n%s", got)
	}
}

// A change, however long, does not push what it is about off the usual screen.
func TestLongChangesFitTheScreen(t *testing.T) {
	for _, name := range []string{"long-edit", "replace"} {
		q := &question{action: asked()[name], width: 80, height: 24}
		q.action.Preview.Arguments = append(q.action.Preview.Arguments, approval.Argument{Name: "mode", Value: "overwrite"},
			approval.Argument{Name: "content", Value: strings.Repeat("line\n", 100)})
		if rows := strings.Count(q.text(brief(q.height)), "\n") + 1; rows > q.height { // with the prompt
			t.Errorf("%d rows:\n%s", rows, q.text(brief(q.height)))
		}
	}
}

// What is marked are whole words and whole characters, of lines that have something in common.
func TestMarkChange(t *testing.T) {
	tests := []struct{ gone, come, goneMark, comeMark string }{
		{"a := foo(x)", "a := food(x)", "foo", "food"},
		{"a := foo(x)", "a := foo(x, y)", "", ", y"},
		{"name = аpple", "name = apple", "аpple", "apple"},
		{"héllo wörld", "héllo world", "wörld", "world"},
		{"go to e\u0301", "go to e\u0300", "e\u0301", "e\u0300"},
		{"nothing alike", "else entirely", "", ""},
		{"x", "", "", ""}, {"", "", "", ""}, {"  x = 1", "  x = 1 ", "", " "},
	}
	for _, tt := range tests {
		gone, come := line{text: "-" + tt.gone}, line{text: "+" + tt.come}
		markChange(&gone, &come)
		if g, c := gone.text[gone.from:gone.to], come.text[come.from:come.to]; g != tt.goneMark || c != tt.comeMark {
			t.Errorf("%q, %q: %q and %q; want %q and %q", tt.gone, tt.come, g, c, tt.goneMark, tt.comeMark)
		}
	}
}

// Arguments that a diff repeats take little room, and on a narrow terminal nothing is wider than that.
func TestNarrow(t *testing.T) {
	q := edit("@@ -1 +1 @@", "-"+strings.Repeat("a b ", 60), "+"+strings.Repeat("世界", 60))
	q.action.Preview.Arguments = []approval.Argument{{Name: "content", Value: strings.Repeat("word\n", 50)}}
	q.width = 44
	text := q.text(brief(24))
	for row := range strings.Lines(text) {
		if w := len([]rune(strings.ReplaceAll(row, "世界", "世界世界"))) - 1; w > 44 {
			t.Errorf("a row of %d columns: %q", w, row)
		}
	}
	for _, want := range []string{strings.Repeat("=", 44) + "\n", "word\n    … 47 more lines, 234 bytes: v shows all\n", "more lines, 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	q.spoken = true
	if text = q.text(brief(24)); strings.ContainsAny(text, "=⚠") || !strings.HasPrefix(text, title) {
		t.Errorf("spoken:\n%s", text)
	}
}
