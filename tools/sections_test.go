package tools

import (
	"encoding/json"
	"strings"
	"testing"
)

// The question about a command shows what goes, where it goes and what it reads that it had better not.
func TestSections(t *testing.T) {
	for command, want := range map[string]string{
		"rm a sub/b":         "Would be deleted\n2 files, 5 B, not tracked by git\na\nsub/b\n",
		"rm *.o":             "Would be deleted\n2 files, 2 B, not tracked by git\nx.o\ny.o\n",
		"rm nosuch":          "Would be deleted\nnosuch (not there)\n",
		"rmdir empty":        "Would be deleted\n1 directory without files\nempty/ (empty)\n",
		"rm -r sub a":        "Would be deleted\n3 files, 6 B and 2 directories, not tracked by git\nsub/ (and all in it)\nsub/b\nsub/deep/c\na\n",
		"mv a c":             "Changes\na (moves away)\nc\n",
		"echo x > log":       "Changes\nlog\n",
		"echo x > a":         "Changes\na (empties an existing file)\n",
		"date > l; date > l": "Changes\nl\n",
		"touch new; cat":     "Changes\nnew\n",
		"touch c < .env":     "Changes\nc\nReads\n.env (may hold a secret)\n",
		"cat /etc/hosts":     "Reads\n/etc/hosts\n",
		"ssh h; ssh i; gh x": "Gets to read\nssh: ~/.ssh\ngh: ~/.config/gh\n",
	} {
		p := newPlace(t, map[string]string{"a": "1234", "sub/b": "1", "sub/deep/c": "1", "x.o": "1", "y.o": "1", "empty/x": "", ".env": ""})
		p.drop("empty/x")
		a, err := RunCommand(p.w).Plan(t.Context(), json.RawMessage(object("command", command)))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, s := range a.Preview.Sections {
			if s.Title != "Runs" && s.Title != "Work directory" {
				got.WriteString(s.Title + "\n" + strings.Join(s.Lines, "\n") + "\n")
			}
		}
		if got.String() != want {
			t.Errorf("%s:\n%swant\n%s", command, &got, want)
		}
	}
}
