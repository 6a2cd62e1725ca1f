package tools

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

// writes are calls of the tools that change files: what they answer, how often they ask, what is there afterwards.
var writes = []struct {
	name  string
	files map[string]string
	tool  string
	args  string
	want  string // the answer, or what the error contains
	asked int    // 0: nothing may have changed
	after string // the names of everything, if that is what matters
}{
	{"create", nil, "create_file", `{"path":"test.txt","content":"hello\n"}`, "created test.txt (+1)", 1, "test.txt"},
	{"create below new directories", nil, "create_file", `{"path":"a/b/c.txt","content":""}`, "created a/b/c.txt (empty)", 1, "a/ a/b/ a/b/c.txt"},
	{"create what exists", map[string]string{"a": "1"}, "create_file", `{"path":"./a","content":"2"}`, "a: a file of that name exists already", 0, "a"},
	{"create a directory's name", map[string]string{"a/": ""}, "create_file", `{"path":"a","content":"2"}`, "a: a directory of that name", 0, ""},
	{"create through a dead link", map[string]string{"a": "-> b"}, "create_file", `{"path":"a","content":"2"}`, "a: a link of that name", 0, "a"},
	{"create below a file", map[string]string{"a": "1"}, "create_file", `{"path":"a/b","content":"2"}`, "a/b: not a directory", 0, "a"},
	{"create below a .git that is a file", map[string]string{".git": "gitdir: x"}, "create_file", `{"path":".git/hooks/x","content":"2"}`, "is protected from writing", 0, ".git"},
	{"create what is protected and exists", map[string]string{".git/config": ""}, "create_file", `{"path":".git/config","content":"2"}`, "is protected from writing", 0, ""},
	{"create outside", nil, "create_file", `{"path":"../a","content":""}`, "is outside the work directory", 0, ""},
	{"create through a link that leads outside", map[string]string{"a": "-> /tmp"}, "create_file", `{"path":"a/b","content":""}`, "is outside the work directory", 0, "a"},
	{"create without content", nil, "create_file", `{"path":"a"}`, "content: missing", 0, ""},

	{"make a directory", nil, "mkdir", `{"path":"a/b"}`, "made directory a/b", 1, "a/ a/b/"},
	{"make one without parents", nil, "mkdir", `{"path":"a/b","parents":false}`, "a: no such file", 0, ""},
	{"make what exists", map[string]string{"a/": ""}, "mkdir", `{"path":"a"}`, "a: a directory of that name exists already", 0, "a/"},
	{"make what may exist", map[string]string{"a/": ""}, "mkdir", `{"path":"a","exist_ok":true}`, "a exists already: no change", 0, "a/"},
	{"make what exists as a file", map[string]string{"a": ""}, "mkdir", `{"path":"a","exist_ok":true}`, "a: a file of that name exists already", 0, "a"},
	{"make below a file", map[string]string{"a": ""}, "mkdir", `{"path":"a/b"}`, "a/b: not a directory", 0, "a"},
	{"make a protected one", nil, "mkdir", `{"path":"x/node_modules"}`, "is protected", 0, ""},

	{"delete a file", map[string]string{"a": "12345", "b": ""}, "delete_file", `{"path":"a"}`, "deleted a (5 B)", 1, "b"},
	{"delete a link", map[string]string{"a": "-> b", "b": "1"}, "delete_file", `{"path":"a"}`, "deleted a (link)", 1, "b"},
	{"delete a link to the outside", map[string]string{"a": "-> /etc/passwd"}, "delete_file", `{"path":"a"}`, "deleted a (link)", 1, ""},
	{"delete nothing", nil, "delete_file", `{"path":"a"}`, "a: no such file", 0, ""},
	{"delete a directory as a file", map[string]string{"a/": ""}, "delete_file", `{"path":"a"}`, "a: is a directory; delete_path removes it", 0, "a/"},
	{"delete a file as a path", map[string]string{"a": "1"}, "delete_path", `{"path":"a"}`, "deleted a (1 B)", 1, ""},
	{"delete an empty directory", map[string]string{"a/": ""}, "delete_path", `{"path":"a"}`, "deleted a (empty directory)", 1, ""},
	{"delete a full directory", map[string]string{"a/b": ""}, "delete_path", `{"path":"a"}`, "the directory is not empty", 0, "a/ a/b"},
	{"delete a tree", map[string]string{"a/b/c": "12", "a/d": "3", "e": ""}, "delete_path", `{"path":"a","recursive":true}`, "deleted a (2 files, 3 B)", 1, "e"},
	{"delete a tree with a link", map[string]string{"a/b": "-> ../c", "c/d": ""}, "delete_path", `{"path":"a","recursive":true}`, "deleted a (1 file, 0 B)", 1, "c/ c/d"},
	{"delete a tree that holds something protected", map[string]string{"a/b/.git/config": ""}, "delete_path", `{"path":"a","recursive":true}`, "a/b/.git is protected", 0, ""},
	{"delete something protected", map[string]string{"node_modules/x": ""}, "delete_path", `{"path":"node_modules","recursive":true}`, "node_modules is protected", 0, ""},
	{"delete all", map[string]string{"a/b": "", "c": ""}, "delete_path", `{"path":".","recursive":true}`, "deleted . (2 files, 0 B)", 1, ""},
	{"delete the work directory", nil, "delete_path", `{"path":"."}`, "the work directory itself cannot be removed", 0, ""},

	{"move", map[string]string{"a": "1"}, "move_path", `{"source":"a","destination":"b"}`, "moved a to b", 1, "b"},
	{"move into a directory", map[string]string{"a": "1", "b/": ""}, "move_path", `{"source":"a","destination":"b"}`, "moved a to b/a", 1, "b/ b/a"},
	{"move into a linked directory", map[string]string{"a": "1", "b/": "", "c": "-> b"}, "move_path", `{"source":"a","destination":"c/"}`, "moved a to b/a", 1, "b/ b/a c"},
	{"move a directory", map[string]string{"a/b": "1"}, "move_path", `{"source":"a","destination":"c"}`, "moved a to c", 1, "c/ c/b"},
	{"move a link", map[string]string{"a": "-> b", "b": "1"}, "move_path", `{"source":"a","destination":"c"}`, "moved a to c", 1, "b c"},
	{"move onto a file", map[string]string{"a": "1", "b": "2"}, "move_path", `{"source":"a","destination":"b"}`, "b: a file of that name exists already", 0, "a b"},
	{"move onto itself", map[string]string{"a": "1"}, "move_path", `{"source":"a","destination":"./a"}`, "a: is there already", 0, "a"},
	{"move into itself", map[string]string{"a/": ""}, "move_path", `{"source":"a","destination":"a/b"}`, "a: a directory cannot be moved into itself", 0, "a/"},
	{"move nothing", nil, "move_path", `{"source":"a","destination":"b"}`, "a: no such file", 0, ""},
	{"move to nowhere", map[string]string{"a": "1"}, "move_path", `{"source":"a","destination":"b/c"}`, "b: no such file", 0, "a"},
	{"move below a file", map[string]string{"a": "1", "b": ""}, "move_path", `{"source":"a","destination":"b/c"}`, "b/c: not a directory", 0, "a b"},
	{"move something protected", map[string]string{"a/.git/x": ""}, "move_path", `{"source":"a","destination":"b"}`, "a/.git is protected", 0, ""},
	{"move to something protected", map[string]string{"a": "", ".git/hooks/": ""}, "move_path", `{"source":"a","destination":".git/hooks"}`, "is protected", 0, ""},
	{"move outside", map[string]string{"a": ""}, "move_path", `{"source":"a","destination":"../b"}`, "is outside", 0, "a"},
	{"move the work directory", nil, "move_path", `{"source":".","destination":"a"}`, "the work directory itself cannot be moved", 0, ""},
}

func TestWrites(t *testing.T) {
	for _, tt := range writes {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, tt.files)
			before := p.files()
			got, err := p.call(tt.tool, tt.args)
			if err != nil && tt.asked == 0 {
				got = err.Error()
			} else if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got, tt.want) || tt.asked > 0 && got != tt.want {
				t.Errorf("answer is %q, want %q", got, tt.want)
			}
			if p.yes.asked != tt.asked {
				t.Errorf("asked %d times, want %d", p.yes.asked, tt.asked)
			}
			if tt.asked == 0 && !maps.Equal(before, p.files()) {
				t.Errorf("unasked, the files became %s", p.names())
			}
			if tt.after != "" && p.names() != tt.after {
				t.Errorf("there are %s, want %s", p.names(), tt.after)
			}
		})
	}
}

// What happens between question and answer makes the call stale, and nothing is done.
func TestStale(t *testing.T) {
	for _, tt := range []struct {
		name       string
		tool, args string
		meanwhile  func(p *place)
	}{
		{"created", "create_file", `{"path":"new","content":"1"}`, func(p *place) { p.put("new", "x") }},
		{"made", "mkdir", `{"path":"new"}`, func(p *place) { p.put("new/", "") }},
		{"changed", "edit_file", `{"path":"a","mode":"append","content":"2"}`, func(p *place) { p.put("a", "y") }},
		{"appeared", "edit_file", `{"path":"new","mode":"append","content":"2"}`, func(p *place) { p.put("new", "y") }},
		{"gone", "edit_file", `{"path":"a","mode":"append","content":"2"}`, func(p *place) { p.drop("a") }},
		{"became a directory", "edit_file", `{"path":"a","mode":"append","content":"2"}`, func(p *place) { p.drop("a"); p.put("a/", "") }},
		{"became a link", "edit_file", `{"path":"a","mode":"append","content":"2"}`, func(p *place) { p.drop("a"); p.put("a", "-> d/b") }},
		{"file grew", "delete_file", `{"path":"a"}`, func(p *place) { p.put("a", "longer") }},
		{"file gone", "delete_file", `{"path":"a"}`, func(p *place) { p.drop("a") }},
		{"file became a directory", "delete_path", `{"path":"a"}`, func(p *place) { p.drop("a"); p.put("a/x", "") }},
		{"tree grew", "delete_path", `{"path":"d","recursive":true}`, func(p *place) { p.put("d/new", "") }},
		{"tree changed", "delete_path", `{"path":"d","recursive":true}`, func(p *place) { p.put("d/b", "longer") }},
		{"tree got something protected", "delete_path", `{"path":"d","recursive":true}`, func(p *place) { p.put("d/.git/x", "") }},
		{"empty directory filled", "delete_path", `{"path":"e"}`, func(p *place) { p.put("e/x", "") }},
		{"source gone", "move_path", `{"source":"a","destination":"new"}`, func(p *place) { p.drop("a") }},
		{"source became another thing", "move_path", `{"source":"a","destination":"new"}`, func(p *place) { p.drop("a"); p.put("a/", "") }},
		{"destination taken", "move_path", `{"source":"a","destination":"new"}`, func(p *place) { p.put("new", "x") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"a": "x", "d/b": "1", "e/": ""})
			var before map[string]string
			p.yes.meanwhile = func() { tt.meanwhile(p); before = p.files() }
			if got, err := p.call(tt.tool, tt.args); !errors.Is(err, approval.ErrStale) {
				t.Errorf("got %q, %v; want ErrStale", got, err)
			}
			if !maps.Equal(before, p.files()) {
				t.Errorf("files became %s", p.names())
			}
		})
	}
}

func (p *place) drop(name string) {
	if err := os.RemoveAll(filepath.Join(p.dir, name)); err != nil {
		p.t.Fatal(err)
	}
}

// The question shows the arguments of create_file and nothing twice.
func TestCreateFileShowsArguments(t *testing.T) {
	a, err := newPlace(t, nil).plan("create_file", `{"path":"example.txt","content":"Hello World"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []approval.Argument{{Name: "path", Value: "example.txt"}, {Name: "content", Value: "Hello World"}}
	if !slices.Equal(a.Preview.Arguments, want) || a.Preview.Sections != nil {
		t.Errorf("preview is %+v", a.Preview)
	}
	if a.Summary != "create example.txt (+1)" {
		t.Errorf("summary is %q", a.Summary)
	}
}
