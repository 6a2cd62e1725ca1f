package tools

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tricode/workdir"
)

// git is asked about trees of these names with these patterns.
var (
	treeNames = []string{"a", "b", "ab", "abc", "a b", "x.go", "x.c", "[a]", "!a", "#b", "é", "foo", "bar", "a\\b", "A1", "-"}
	ruleParts = []string{"a", "b", "ab", "*", "**", "?", "x", ".go", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]", "[[:digit:]]", "[]a]", "[a-",
		"\\a", "\\*", "\\[", "\\ ", " ", "é", "foo", "!", "#", "/", "/", "/", "**/", "/**", "***", "-", "[:", "[[:x:]]", "[\\]a]", "[a\\-z]", "\\"}
)

// What the walk leaves out is what git check-ignore names.
func TestIgnoreLikeGit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := makeTree(t)
		defer os.RemoveAll(top)
		want := gitFiles(t, top)
		got := walkFiles(t, top)
		if !slices.Equal(got, want) {
			t.Errorf("the walk finds %q\ngit finds    %q\nrules:\n%s", got, want, rulesBelow(top))
		}
	})
}

func makeTree(t *rapid.T) string {
	top, err := os.MkdirTemp("", "ignore")
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	git(t, top, "init", "-q")
	must(os.MkdirAll(filepath.Join(top, ".git/info"), 0o777))
	name := rapid.SampledFrom(treeNames)
	for range rapid.IntRange(1, 12).Draw(t, "files") {
		path := filepath.Join(append([]string{top}, rapid.SliceOfN(name, 1, 4).Draw(t, "path")...)...)
		if os.MkdirAll(filepath.Dir(path), 0o777) == nil {
			_ = os.WriteFile(path, nil, 0o666) // a directory may be there
		}
	}
	dirs := dirsBelow(top)
	for range rapid.IntRange(1, 3).Draw(t, "rule files") {
		file := filepath.Join(rapid.SampledFrom(dirs).Draw(t, "in"), ".gitignore")
		if rapid.IntRange(0, 5).Draw(t, "exclude") == 0 {
			file = filepath.Join(top, ".git/info/exclude")
		}
		lines := rapid.SliceOfN(rapid.Custom(drawRule), 1, 5).Draw(t, "rules")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		must(os.WriteFile(file, []byte(strings.Join(lines, end)+rapid.SampledFrom([]string{"", end}).Draw(t, "last")), 0o666))
	}
	return top
}

// quirk is what git itself does not treat as its documentation says: stars after a literal beginning, slashes
// that follow one another or stand behind a backslash.
var quirk = regexp.MustCompile(`[^/*!]\*\*|.!\*\*|//|\\/`)

func drawRule(t *rapid.T) string {
	return rapid.Custom(drawLine).Filter(func(line string) bool { return !quirk.MatchString(line) }).Draw(t, "rule")
}

func drawLine(t *rapid.T) string {
	line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(ruleParts), 1, 5).Draw(t, "parts"), "")
	return rapid.SampledFrom([]string{"", "", "", "!", "/"}).Draw(t, "before") + line + rapid.SampledFrom([]string{"", "", "/"}).Draw(t, "after")
}

func dirsBelow(top string) []string {
	var dirs []string
	_ = filepath.WalkDir(top, func(p string, e fs.DirEntry, err error) error {
		if e.Name() == ".git" {
			return fs.SkipDir
		}
		if e.IsDir() {
			dirs = append(dirs, p)
		}
		return nil
	})
	return dirs
}

func rulesBelow(top string) string {
	var b strings.Builder
	for _, dir := range append(dirsBelow(top), top) {
		name := filepath.Join(dir, ".gitignore")
		if b.Len() > 0 && dir == top {
			name = filepath.Join(top, ".git/info/exclude")
		}
		if data, err := os.ReadFile(name); err == nil {
			b.WriteString(name + ": " + strings.ReplaceAll(string(data), "\n", " | ") + "\n")
		}
	}
	return b.String()
}

func git(t *rapid.T, dir string, args ...string) string {
	c := exec.Command("git", append([]string{"-c", "core.excludesFile=/dev/null", "-c", "init.templateDir="}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return string(out)
}

func gitFiles(t *rapid.T, top string) []string {
	files := strings.FieldsFunc(git(t, top, "ls-files", "-z", "-co", "--exclude-standard"), func(r rune) bool { return r == 0 })
	slices.Sort(files)
	return files
}

func walkFiles(t *rapid.T, top string) []string {
	dir, err := workdir.Open(top)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	at, err := readable(dir, nil, ".")
	if err != nil {
		t.Fatal(err)
	}
	files := []string{}
	walk := walker{dir: dir, source: at, hidden: true}
	err = walk.walk(context.Background(), func(rel string, e fs.DirEntry) error {
		if !e.IsDir() {
			files = append(files, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}
