package ask

import (
	"strings"
	"testing"

	"tricode/approval"
	"tricode/approval/plain"
)

// create is the action of the documentation.
func create(args ...approval.Argument) *approval.Action {
	a := approval.NewAction("create example.txt", nil, approval.Subject{Effects: approval.Write, Path: "/w/example.txt"})
	a.Tool = "create_file"
	a.Preview.Arguments = args
	return a
}

const menu = `============================================================
⚠️  DESTRUCTIVE OPERATION REQUESTED
============================================================
Tool: create_file
Arguments:
  path: example.txt
  content: Hello World
============================================================
Options:
  1 - Allow this operation (once)
  2 - Allow all future create_file operations in this session
  3 - Deny and terminate agent
============================================================
`

func TestMenu(t *testing.T) {
	a := create(approval.Argument{Name: "path", Value: "example.txt"}, approval.Argument{Name: "content", Value: "Hello World"})
	q := question{action: a, width: 80}
	if got := q.text(brief(0)); got != menu {
		t.Errorf("got:\n%s\nwant:\n%s", got, menu)
	}
}

func TestQuestion(t *testing.T) {
	q := question{
		action: &approval.Action{
			Tool: "run_command", Effects: approval.Exec | approval.Write,
			Preview: approval.Preview{
				Arguments: []approval.Argument{
					{Name: "command", Value: "cat <<E\n\tone\r\ntwo\nE\n"}, {Name: "note", Value: "one line\n"}, {Name: "empty"},
				},
				Sections: []approval.Section{
					{Title: "Programs", Lines: []string{"/bin/cat", "a\nb"}},
					{Title: "Changes", Lines: []string{"@@ -1 +1 @@\n", "-old", "+new"}, Diff: true},
				},
			},
		},
		decision: approval.Decision{Reason: "rule 3 in config.toml"},
		width:    80,
	}
	want := `Arguments:
  command:
    cat <<E
        one\r
    two
    E
  note: one line\n
  empty:
Programs:
  /bin/cat
  a\nb
Changes:
    @@ -1 +1 @@
  1 -old
  1 +new
Reason: rule 3 in config.toml
============================================================
Options:
  1 - Allow this operation (once)
  2 - Allow all future run_command operations in this session
      (what deletes, is secret or unclear still asks)
`
	if got := q.text(brief(0)); !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant in it:\n%s", got, want)
	}
	q.color = true
	if got, want := q.text(brief(0)), "\x1b[32m+new\x1b[0m\n"; !strings.Contains(got, want) {
		t.Errorf("got %q; want in it %q", got, want)
	}
	q.action.Effects, q.action.Preview = 0, approval.Preview{}
	if got := q.text(brief(0)); !strings.Contains(got, "Arguments:\n  (none)\n") || !strings.Contains(got, "still asks)") {
		t.Errorf("the question about an unknown action is %q", got)
	}
}

func TestQuestionIsBounded(t *testing.T) {
	lines := strings.TrimSuffix(strings.Repeat("0123456789\n", 140), "\n")
	tests := []struct {
		name, value string
		want        string
		rows        int
	}{
		{"many lines", lines, "    … 120 more lines, 1,319 bytes: v shows all\n", 22},
		{"one long line", strings.Repeat("x", 5000), "    … 3,525 more bytes: v shows all\n", 21},
		{"one emoji", strings.Repeat("👩\u200d", 5000), "    … 29,846 more bytes: v shows all\n", 21},
		{"wide characters", strings.Repeat("世", 5000), "    … 12,789 more bytes: v shows all\n", 21},
	}
	for _, tt := range tests {
		a := create(approval.Argument{Name: "content", Value: tt.value})
		q := question{action: a, width: 80}
		got := q.text(brief(0))
		_, body, _ := strings.Cut(got, "Arguments:\n")
		body, _, _ = strings.Cut(body, "====")
		if rows := strings.Count(body, "\n"); rows != tt.rows || !strings.HasSuffix(body, tt.want) {
			t.Errorf("%s: %d rows; want %d that end in %q\n%s", tt.name, rows, tt.rows, tt.want, body)
		}
		flat := strings.NewReplacer("\n", "", " ", "")
		if !strings.Contains(flat.Replace(q.text(whole)), flat.Replace(plain.Text(tt.value))) {
			t.Errorf("%s: v does not show all", tt.name)
		}
	}
	var a approval.Action
	for range 30 {
		a.Preview.Arguments = append(a.Preview.Arguments, approval.Argument{Name: "a", Value: "b"})
		a.Preview.Sections = append(a.Preview.Sections, approval.Section{Title: "t"})
	}
	q := question{action: &a, width: 80}
	for _, want := range []string{"  … 6 more arguments: v shows all\n", "… 22 more sections: v shows all\n"} {
		if got := q.text(brief(0)); !strings.Contains(got, want) {
			t.Errorf("got:\n%s\nwant in it %q", got, want)
		}
	}
}

// TestNothingPassesForTheQuestion holds that a value cannot begin a row of the screen: a terminal would break a long
// line there, and what follows would look like tricode's own.
func TestNothingPassesForTheQuestion(t *testing.T) {
	fake := strings.Repeat(" ", 31) + "Options:"
	for width := range 120 {
		a := create(approval.Argument{Name: "content", Value: strings.Repeat(fake, 20)}, approval.Argument{Name: "b", Value: fake + "\n" + fake})
		q := question{action: a, width: width, decision: approval.Decision{Reason: strings.Repeat(fake, 9)}}
		for _, row := range strings.Split(q.text(whole), "\n") {
			if strings.HasPrefix(row, " ") && len(row) > max(width, 25) && strings.Contains(row, " Options:") {
				t.Errorf("at %d columns: a row of %d: %q", width, len(row), row)
			}
		}
	}
}

// The line of 2 says what it does not reach, where this call shows that the tool can do that.
func TestExcept(t *testing.T) {
	tests := []struct {
		subject approval.Subject
		found   approval.Effects // by the policy
		want    string
	}{
		{approval.Subject{Effects: approval.Write, Path: "/w/a"}, approval.Write, ""},
		{approval.Subject{Effects: approval.Read, Path: "/w/.env"}, approval.Read | approval.Secret, " (what is secret still asks)"},
		{approval.Subject{Effects: approval.Read, Path: "/x/.env"}, approval.Secret | approval.Outside, " (what is secret or outside still asks)"},
		{approval.Subject{Effects: approval.Write | approval.HardLink, Path: "/w/a"}, 0, " (what is hard-linked still asks)"},
		{approval.Subject{Effects: approval.Delete, Path: "/w"}, approval.Catastrophic, " (what is catastrophic still asks)"},
		{approval.Subject{Effects: approval.Read, Args: []string{"cat", ".env"}}, approval.Secret, " (what deletes, is secret or unclear still asks)"},
		{approval.Subject{}, 0, " (what deletes, is secret or unclear still asks)"},
	}
	for _, tt := range tests {
		q := question{action: approval.NewAction("", nil, tt.subject), decision: approval.Decision{Effects: tt.found}}
		if got := q.except(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.subject, got, tt.want)
		}
	}
}

func TestLinksAreShown(t *testing.T) {
	a := create()
	a.Subjects = []approval.Subject{{Effects: approval.Write, Path: "/w/real/x", Via: "/w/link/x"}, {Effects: approval.Write, Path: "/w/y"}}
	q := question{action: a, width: 80}
	if got, want := q.text(brief(0)), "Links:\n  /w/link/x -> /w/real/x\n==="; !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant in it %q", got, want)
	}
}

// Names that look like others are pointed out, wherever they stand.
func TestLookalikesAreShown(t *testing.T) {
	a := create()
	a.Subjects = []approval.Subject{
		{Effects: approval.Write, Path: "/w/mаin.go"}, {Host: "xn--pple-43d.com"}, {Args: []string{"cat", "mаin.go"}}, {Path: "/w/y"},
	}
	q := question{action: a, width: 80}
	want := `Look closely:
  mаin looks like main but has Cyrillic а
  xn--pple-43d is аpple, which looks like apple but has Cyrillic а
===`
	if got := q.text(brief(0)); !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant in it:\n%s", got, want)
	}
}

// A long line of a section does not take the room of the others, and words stay whole where that is possible.
func TestLongLines(t *testing.T) {
	a := create()
	a.Preview.Sections = []approval.Section{
		{Title: "Runs", Lines: []string{"rm " + strings.Repeat("build/file.o ", 40), "ls -l"}}, {Title: "Work directory", Lines: []string{"/w"}},
	}
	q := question{action: a, width: 40}
	want := `Runs:
  rm build/file.o build/file.o 
    build/file.o build/file.o 
    build/file.o build/file.o 
    build/file.o build/file.o 
    … 416 more bytes: v shows all
  ls -l
Work directory: /w
`
	if got := q.text(brief(0)); !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant in it:\n%s", got, want)
	}
	if got := strings.Count(q.text(whole), "build/file.o"); got != 40 {
		t.Errorf("v shows %d of 40 names", got)
	}
}
