package ask

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tricode/approval"
	"tricode/approval/plain"
)

var update = flag.Bool("update", false, "write the screens as they are now")

const screensFile = "testdata/screens.txtar"

// asked are questions of each kind.
func asked() map[string]*approval.Action {
	long := strings.Repeat("a very long line without an end, ", 20)
	named := func(tool string, args []approval.Argument, sections ...approval.Section) *approval.Action {
		return &approval.Action{Tool: tool, Effects: approval.Write, Subjects: []approval.Subject{{Effects: approval.Write, Path: "/w/a", Rel: "a"}},
			Preview: approval.Preview{Arguments: args, Sections: sections}}
	}
	many := []string{"@@ -1,60 +1,60 @@"}
	for n := range 60 {
		many = append(many, fmt.Sprintf("-old %d", n), fmt.Sprintf("+new %d", n))
	}
	replaced := []string{"@@ -1,30 +1,30 @@"}
	for _, kind := range []string{"-old", "+new"} {
		for n := range 30 {
			replaced = append(replaced, fmt.Sprintf("%s %d", kind, n))
		}
	}
	command := named("run_command", []approval.Argument{{Name: "command", Value: "make build && git push --force; rm -r build"}},
		approval.Section{Title: "Runs", Lines: []string{"make build", "git push --force", "rm -r build"}, Notes: []string{
			"/usr/bin/make; runs code of the project", "/usr/bin/git; reaches the network; forces a push", "/usr/bin/rm; removes recursively"}},
		approval.Section{Title: "Would be deleted", Lines: []string{"14 files, 14.0 kB and 2 directories, 3 of them not tracked by git", "build/ (and all in it)", "build/a.o", "and 13 more"}},
		approval.Section{Title: "Gets to read", Lines: []string{"git: ~/.ssh, ~/.git-credentials"}},
		approval.Section{Title: "Work directory", Lines: []string{"/home/ann/project"}},
		approval.Section{Title: "Not enforced by the system", Lines: []string{"that services of this machine are not reached by unix sockets"}})
	command.Effects |= approval.Exec
	input := named("send_input", []approval.Argument{{Name: "session_id", Value: "s1"}, {Name: "input_text", Value: "\x03"}},
		approval.Section{Title: "Session", Lines: []string{"python3 -i"}})
	fetch := named("fetch_url", []approval.Argument{{Name: "url", Value: "https://аpple.com/"}})
	fetch.Subjects = []approval.Subject{{Effects: approval.Network, Host: "xn--pple-43d.com"}}
	session := named("start_session", []approval.Argument{{Name: "command", Value: "python3 -i"}, {Name: "cwd", Value: "tools"}},
		approval.Section{Title: "Runs", Lines: []string{"python3 -i"}, Notes: []string{"/usr/bin/python3; text for it is checked no further"}},
		approval.Section{Title: "Work directory", Lines: []string{"/home/ann/project/tools"}})
	move := named("move_path", []approval.Argument{{Name: "from", Value: "docs/old.md"}, {Name: "to", Value: "сonfig/new.md"}},
		approval.Section{Title: "Changes", Lines: []string{"docs/old.md -> сonfig/new.md", "1 file, 1.2 kB"}})
	move.Subjects = []approval.Subject{{Effects: approval.Write, Path: "/w/shared/old.md", Via: "docs/old.md"}, {Effects: approval.Write, Path: "/w/сonfig/new.md"}}
	var gone []string
	for n := range 120 {
		gone = append(gone, fmt.Sprintf("build/object-%d.o", n))
	}
	sweep := named("run_command", []approval.Argument{{Name: "command", Value: "rm build/*.o"}}, approval.Section{Title: "Runs", Lines: []string{"rm build/object-0.o …"}},
		approval.Section{Title: "Would be deleted", Lines: append([]string{"120 files, 1.4 MB, not tracked by git"}, gone...)})
	kept := named("run_command", []approval.Argument{{Name: "command", Value: "make tidy"}},
		approval.Section{Title: "Changed", Lines: []string{"changed a.txt (+1 -1)", "made new/b.txt (4 B)", "deleted gone.txt (1 file, 6 B, not tracked by git)"}},
		approval.Section{Title: "a.txt", Diff: true, Lines: []string{"@@ -1,2 +1,2 @@", " one", "-two", "+three"}},
		approval.Section{Title: "Printed", Lines: []string{"tidied"}})
	kept.Confirm = true
	secret := named("read_file", []approval.Argument{{Name: "path", Value: ".env"}})
	secret.Effects = approval.Read | approval.Secret
	return map[string]*approval.Action{
		"sweep": sweep, "session": session, "move": move, "kept": kept, "secret": secret,
		"create": named("create_file", []approval.Argument{{Name: "path", Value: "example.txt"}, {Name: "content", Value: "Hello World"}}),
		"edit": named("edit_file", []approval.Argument{{Name: "path", Value: "main.go"}, {Name: "mode", Value: "append"}, {Name: "content", Value: "one\ntwo\nthree\nfour\nfive\n"}},
			approval.Section{Title: "Changes", Diff: true, Lines: []string{
				"@@ -8,4 +8,4 @@", " func main() {", "-\ttimeout := 30 * time.Second", "-\tfmt.Println(\"Hello\", timeout)",
				"+\ttimeout := 300 * time.Second", "+\tfmt.Println(\"Hello, 世界 👩\u200d🚀\", timeout)", " }", "\\ No newline at end of file"}}),
		"long-edit": named("edit_file", []approval.Argument{{Name: "path", Value: "a"}}, approval.Section{Title: "Changes", Diff: true, Lines: many}),
		"replace":   named("edit_file", []approval.Argument{{Name: "path", Value: "a"}}, approval.Section{Title: "Changes", Diff: true, Lines: replaced}),
		"delete": named("delete_path", []approval.Argument{{Name: "path", Value: "build"}, {Name: "recursive", Value: "true"}},
			approval.Section{Title: "Would be deleted", Lines: []string{"2 files, 2.0 kB in 2 directories, not tracked by git", "build/a.o", "build/sub/b.o"}}),
		"command": command, "input": input, "fetch": fetch,
		"escapes": named("create_file", []approval.Argument{{Name: "path", Value: "\x1b[2J\x1b]0;title\x07\u009b31m\x1b]52;c;Y2xpcA==\x07"}, {Name: "content", Value: "\x1b[1A\r\b\x00\x7f\n\x1b[8mhidden"}}),
		"hidden":  named("create_file", []approval.Argument{{Name: "path", Value: "a\u202egpj.exe\u2066\u200b\u2060\ufeff\u00ad\U000e0041\U000e0042"}, {Name: "content", Value: "Z" + strings.Repeat("\u0301", 20) + "\u3164\u2800\xff"}}),
		"fakes":   named("create_file", []approval.Argument{{Name: "path", Value: "x\ny"}, {Name: "content", Value: menu + "Your choice [1/2/3]: 1\n"}}),
		"floods":  named("create_file", []approval.Argument{{Name: "path", Value: long}, {Name: "content", Value: strings.Repeat("\t", 200) + strings.Repeat("\nline", 500)}}),
	}
}

// The screens of each kind of question are as they were when somebody looked at them. -update writes them anew.
func TestScreens(t *testing.T) {
	var got txtar.Archive
	show := func(name string, q *question) {
		text := q.text(brief(q.height))
		for row := range strings.Lines(text) {
			row = strings.TrimSuffix(row, "\n")
			if w := plain.Width(row); w > q.width+1 { // the picture of the title may take one more
				t.Errorf("%s: a row of %d columns: %q", name, w, row)
			}
		}
		got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	all := asked()
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		d := approval.Decision{Reason: map[string]string{"command": "forces a push"}[name]}
		for _, width := range []int{40, 80, 200} {
			show(fmt.Sprintf("%s-%d", name, width), &question{action: all[name], decision: d, width: width, height: 40})
		}
		for _, width := range []int{40, 80, 200} {
			show(fmt.Sprintf("%s-plain-%d", name, width), &question{action: all[name], decision: d, width: width, height: 40, spoken: true})
		}
	}
	for _, width := range []int{40, 80, 200} {
		q := &question{width: width}
		got.Files = append(got.Files, txtar.File{Name: fmt.Sprintf("answers-%d", width), Data: []byte(q.folded(answers))},
			txtar.File{Name: fmt.Sprintf("contract-answers-%d", width), Data: []byte(q.folded(contractAnswers))})
	}
	if *update {
		if err := os.WriteFile(screensFile, txtar.Format(&got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := txtar.ParseFile(screensFile)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range got.Files {
		if i >= len(want.Files) || want.Files[i].Name != f.Name || string(want.Files[i].Data) != string(f.Data) {
			t.Fatalf("%s is now:\n%s", f.Name, f.Data)
		}
	}
	if len(want.Files) != len(got.Files) {
		t.Errorf("%d screens; want %d", len(got.Files), len(want.Files))
	}
}
