package tools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp/syntax"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tricode/workdir"
	"tricode/workdir/sandbox"
)

func TestSearchContext(t *testing.T) {
	wide := strings.Repeat("é", 300)
	p := newPlace(t, map[string]string{
		"main.go":       "package main\n\nfunc main() {}\n",
		"sub/x.ts":      "one\r\ntwo\r\n",
		"sub/deep/y.js": "\ufeffone\n",
		"sub/new\nline": "one\n",
		"wide":          wide + "needle" + wide + "\n",
		"latin":         "caf\xe9\n",
		"binary":        "one\x00\n",
		".hidden":       "one\n",
		".env":          "one\n",
		"certs/a.pem":   "one\n",
		"certs/b.txt":   "none\n",
		".gitignore":    "out/\n*.log\n",
		"out/a":         "one\n",
		"a.log":         "one\n",
		"link":          "-> main.go",
		"links":         "-> sub",
	})
	const secrets = "[2 files that may hold secrets left out]"
	for _, test := range []struct{ args, want string }{
		{`{"pattern":"main"}`, "main.go:1:package main\nmain.go:3:func main() {}\n" + secrets},
		{`{"pattern":"^one$"}`, "sub/deep/y.js:1:one\n" + `"sub/new\nline":1:one` + "\nsub/x.ts:1:one\n" + secrets},
		{`{"pattern":"ONE"}`, "[no match in 8 files; hidden and git-ignored files are not searched; 2 files that may hold secrets left out]"},
		{`{"pattern":"(?i)ONE","path":"sub/deep"}`, "sub/deep/y.js:1:one\n"},
		{`{"pattern":"one","glob":"*.{ts,tsx}"}`, "sub/x.ts:1:one\n"},
		{`{"pattern":"one","glob":"!*.{ts,tsx}","path":"sub"}`, "sub/deep/y.js:1:one\n" + `"sub/new\nline":1:one` + "\n"},
		{`{"pattern":"one","glob":"sub/**/*.js"}`, "sub/deep/y.js:1:one\n"},
		{`{"pattern":"one","glob":"**/deep/*"}`, "sub/deep/y.js:1:one\n"},
		{`{"pattern":"one","path":".hidden"}`, ".hidden:1:one\n"},
		{`{"pattern":"one","path":"out"}`, "out/a:1:one\n"},
		{`{"pattern":"one","path":"out/a"}`, "out/a:1:one\n"},
		{`{"pattern":"one","path":"binary"}`, "[no match in 1 file]"},
		{`{"pattern":"main","path":"link"}`, "main.go:1:package main\nmain.go:3:func main() {}\n"},
		{`{"pattern":"needle","path":"wide"}`, "wide:1:..." + strings.Repeat("é", 50) + "needle" + strings.Repeat("é", 97) + "...\n"},
		{`{"pattern":"caf.","path":"latin"}`, "latin:1:caf\ufffd\n"},
		{`{"pattern":"-x|--pre=rm"}`, "[no match in 8 files; hidden and git-ignored files are not searched; 2 files that may hold secrets left out]"},
	} {
		got, err := p.call("search_context", test.args)
		if err != nil || got != test.want {
			t.Errorf("search_context(%s) = %q, %v\nwant %q", test.args, got, err, test.want)
		}
	}
	if p.yes.asked > 0 {
		t.Errorf("a person was asked %d times", p.yes.asked)
	}
	got, err := p.call("search_context", `{"pattern":"one","path":".env"}`)
	if err != nil || got != ".env:1:one\n" || p.yes.asked != 1 {
		t.Errorf("search_context of a secret that was allowed = %q, %v, asked %d times", got, err, p.yes.asked)
	}
}

func TestSearchContextErrors(t *testing.T) {
	p := newPlace(t, map[string]string{"a": ""})
	for _, test := range []struct{ args, want string }{
		{`{"pattern":""}`, "pattern: has 0 bytes; want 1 to 4096"},
		{`{"pattern":"("}`, "pattern: missing closing ): ("},
		{`{"pattern":"a(?=b)"}`, "pattern: invalid or unsupported Perl syntax: (?=; RE2 has no look-around and no back-references"},
		{`{"pattern":"(a)\\1"}`, `pattern: invalid escape sequence: \1; RE2 has no look-around and no back-references`},
		{`{"pattern":"a\\nb"}`, "pattern: lines are searched one by one, so it cannot contain a newline"},
		{`{"pattern":"(abc|def){1000}"}`, "pattern: too large; use smaller repeat counts"},
		{`{"pattern":"x{1001}"}`, "pattern: invalid repeat count: {1001}"},
		{`{"pattern":"x","glob":"[a"}`, `glob: "[a": a bracket or an escape has no end`},
		{`{"pattern":"x","glob":"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"}`, `glob: "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}" stands for more than 64 patterns`},
		{`{"pattern":"x","path":"none"}`, "none does not exist"},
		{`{"pattern":"x","path":"../y"}`, "denied: " + filepath.Dir(p.dir) + "/y is outside the work directory " + p.dir},
	} {
		if _, err := p.call("search_context", test.args); err == nil || err.Error() != test.want {
			t.Errorf("search_context(%s): %v\nwant %s", test.args, err, test.want)
		}
	}
}

func TestSearchContextBounds(t *testing.T) {
	files := map[string]string{"z.pem": "", "small": strings.Repeat("x\n", 150)}
	for i := range 100 {
		files[fmt.Sprintf("f%02d", i)] = "x\nx\n"
	}
	p := newPlace(t, files)
	p.put("large", strings.Repeat("y", mostSearched)+"\nx\n")
	got, err := p.call("search_context", `{"pattern":"x"}`)
	want := "\n[only the first 200 matches are shown; narrow the pattern, the path or the glob; 1 file that may hold secrets left out;" +
		" 1 file of more than 10.5 MB left out; name one as path to search it]"
	if err != nil || strings.Count(got, "\n") != mostMatches || !strings.HasSuffix(got, want) {
		t.Errorf("search_context with 350 matches = %d lines, %v, ends in %q", strings.Count(got, "\n"), err, got[max(0, len(got)-250):])
	}
	got, err = p.call("search_context", `{"pattern":"x","path":"large"}`)
	if err != nil || got != "large:2:x\n" {
		t.Errorf("search_context of a large file = %q, %v", got, err)
	}
}

// samples are lines and patterns where regular expressions of Go and Rust, or encodings, could differ.
var (
	sampleLines = []string{"", "a", "ab", "foo", "FOO", "foo bar", "K", "k", "\u212a", "é", "É", "e\u0301", "ß", "ſ", "日本", "x\xffy", "\xe9", "\ufffd", "1", "٣",
		"_", "a-b", " ", "\t", "\u00a0", "\u2028", "\r", "a\rb", "\v", "{", "[", "\\", "🙂", "\U0001e900", "\ufeff", "aaaa", "\u0345", "a\x00b"}
	samplePatterns = []string{".", "..", "a", "foo", "(?i)foo", "(?i)k", "(?i)s", "(?i)é", `\w`, `\W`, `\d`, `\D`, `\s`, `\S`, `\b`, `\B`, "^", "$", "^a", "b$", "a*", "a+b",
		"a?", "a{2,3}", "a{2,}", "(a|b)", "(?:foo|bar)", "[a-z]", "[^a-z]", "[[:alpha:]]", "[^[:space:]]", `\pL`, `\PL`, `\p{Greek}`, `\x{fffd}`, `\xff`, "é",
		"[é日]", "[^é]", "x.y", "(?s).", "(?U)a+", "(?m)^a$", `\Qa-b\E`, `\t`, `\v`, `\.`, `\{`, `\[`, `\\`, "🙂", "[🙂-🤝]", `\A`, `\z`, "(?P<n>a)", "-", "#", "~", "&&", "[a&&b]", "[a--b]", "[a~~b]", "[[a]"}
)

// With and without ripgrep, where it is installed, the answer is the same, whatever the tree, the ignore rules and
// the pattern.
func TestSearchContextLikeRipgrep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := makeTree(t)
		defer os.RemoveAll(top)
		for _, dir := range dirsBelow(top) {
			for range rapid.IntRange(0, 3).Draw(t, "files") {
				name := rapid.SampledFrom(append([]string{".env", "a.pem", ".rgignore", ".ignore", "-e", "x y"}, treeNames...)).Draw(t, "name")
				text := strings.Join(rapid.SliceOf(rapid.SampledFrom(sampleLines)).Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "\r\n", ""}).Draw(t, "end"))
				_ = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666) // a directory may be there
			}
		}
		dir, err := workdir.Open(top)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		pattern := strings.Join(rapid.SliceOfN(rapid.SampledFrom(samplePatterns), 1, 3).Draw(t, "pattern"), "")
		glob := rapid.SampledFrom([]string{"", "", "", "*.go", "!a*", "**/a"}).Draw(t, "glob")
		re, err := parseExpression(pattern)
		if err != nil {
			t.Skip("not a pattern")
		}
		box := &sandbox.Box{Dir: top}
		t.Cleanup(func() { box.Close() })
		faster := ripgrep(World{Dir: dir, Box: box}, re.tree)
		checked := func(ctx context.Context, files []string) (map[string]bool, error) {
			named, err := faster(ctx, files)
			if err != nil {
				t.Errorf("rg fails for %q: %v", pattern, err)
			}
			return named, err
		}
		if faster == nil {
			checked = nil
		}
		with, without := searchOnce(t, dir, re, glob, checked), searchOnce(t, dir, re, glob, nil)
		if with != without {
			t.Errorf("%q, glob %q: with ripgrep %q\nwithout %q", pattern, glob, with, without)
		}
	})
}

func searchOnce(t *rapid.T, dir *workdir.Dir, re *expression, glob string, faster func(context.Context, []string) (map[string]bool, error)) string {
	at, err := readable(dir, nil, ".")
	if err != nil {
		t.Fatal(err)
	}
	choice, err := parseGlobs(glob)
	if err != nil {
		t.Fatal(err)
	}
	s := search{walker: walker{dir: dir, source: at}, globs: choice, lines: newLineFinder(re), faster: faster}
	text, err := s.run(context.Background(), "/nowhere")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// If ripgrep fails, everything is searched here.
func TestSearchContextWithoutHelp(t *testing.T) {
	p := newPlace(t, map[string]string{"a": "one\n", "b": "two\n"})
	at, err := readable(p.w.Dir, nil, ".")
	if err != nil {
		t.Fatal(err)
	}
	re, err := parseExpression("o")
	if err != nil {
		t.Fatal(err)
	}
	s := search{walker: walker{dir: p.w.Dir, source: at}, lines: newLineFinder(re),
		faster: func(context.Context, []string) (map[string]bool, error) { return nil, os.ErrPermission }}
	if got, err := s.run(t.Context(), ""); err != nil || got != "a:1:one\nb:1:two\n" {
		t.Errorf("search with a broken ripgrep = %q, %v", got, err)
	}
}

func TestWiden(t *testing.T) {
	for _, test := range []struct{ pattern, want string }{
		{"ab", `\x{61}\x{62}`},
		{"(?i)k", `(?:[\x{4b}-\x{4b}\x{6b}-\x{6b}\x{212a}-\x{212a}])`},
		{`^\bx$`, `(?:\x{78})`},
		{"(a|bc)*", `(?:(?:(?:\x{61}|\x{62}\x{63})))*`},
		{"[^a]", `(?:[\x{0}-\x{60}\x{62}-\x{d7ff}\x{e000}-\x{10ffff}]|(?-u:[\x80-\xff]))`},
	} {
		re, err := syntax.Parse(test.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if ok := widen(&b, re); !ok || b.String() != test.want {
			t.Errorf("widen(%s) = %s, %v; want %s", test.pattern, b.String(), ok, test.want)
		}
	}
}
