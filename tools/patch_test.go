package tools

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPatch(t *testing.T) {
	const text = "one\ntwo\nthree\ntwo\nfive\n"
	for _, tt := range []struct {
		name  string
		text  string
		edits []edit
		want  string // the text, or after "error: " what the error contains
	}{
		{"replace", text, []edit{{Op: "replace", Anchor: "three", Content: "3"}}, "one\ntwo\n3\ntwo\nfive\n"},
		{"replace over lines", text, []edit{{Op: "replace", Anchor: "three\ntwo\n", Content: ""}}, "one\ntwo\nfive\n"},
		{"replace by nothing", text, []edit{{Op: "replace", Anchor: "hre"}}, "one\ntwo\nte\ntwo\nfive\n"},
		{"replace does not expand", "a\n", []edit{{Op: "replace", Anchor: "(a)", Regex: true, Content: "$1$1"}}, "$1$1\n"},
		{"insert before", text, []edit{{Op: "insert_before", Anchor: "hree", Content: "x"}}, "one\ntwo\nx\nthree\ntwo\nfive\n"},
		{"insert after", text, []edit{{Op: "insert_after", Anchor: "thre", Content: "x\ny\n"}}, "one\ntwo\nthree\nx\ny\ntwo\nfive\n"},
		{"insert after a match with its line end", text, []edit{{Op: "insert_after", Anchor: "three\n", Content: "x"}}, "one\ntwo\nthree\nx\ntwo\nfive\n"},
		{"insert at the start", text, []edit{{Op: "insert_before", StartLine: 1, Content: "x"}}, "x\n" + text},
		{"insert at the end", text, []edit{{Op: "insert_after", StartLine: 5, Content: "x"}}, text + "x\n"},
		{"insert after a last line without end", "a\nb", []edit{{Op: "insert_after", Anchor: "b", Content: "x\n"}}, "a\nb\nx"},
		{"insert twice after a last line without end", "a", []edit{{Op: "insert_after", Anchor: "a", Content: "x"}, {Op: "insert_after", StartLine: 1, Content: "y"}}, "a\nx\ny"},
		{"insert keeps the order", "a\n", []edit{{Op: "insert_after", Anchor: "a", Content: "x"}, {Op: "insert_after", Anchor: "a", Content: "y"}}, "a\nx\ny\n"},
		{"delete", text, []edit{{Op: "delete", Anchor: "hre"}}, "one\ntwo\nte\ntwo\nfive\n"},
		{"delete a whole line", text, []edit{{Op: "delete", Anchor: "three"}}, "one\ntwo\ntwo\nfive\n"},
		{"delete a line but not the empty one after it", "a\nb\n\nc\n", []edit{{Op: "delete", Anchor: "b\n"}}, "a\n\nc\n"},
		{"delete lines", text, []edit{{Op: "delete", StartLine: 2, EndLine: 4}}, "one\nfive\n"},
		{"delete all lines", text, []edit{{Op: "delete", StartLine: 1, EndLine: 5}}, ""},

		{"first", text, []edit{{Op: "replace", Anchor: "two", Occurrence: "first", Content: "2"}}, "one\n2\nthree\ntwo\nfive\n"},
		{"last", text, []edit{{Op: "replace", Anchor: "two", Occurrence: "last", Content: "2"}}, "one\ntwo\nthree\n2\nfive\n"},
		{"nth", text, []edit{{Op: "replace", Anchor: "two", Occurrence: "nth", Nth: 2, Content: "2"}}, "one\ntwo\nthree\n2\nfive\n"},
		{"nth alone", text, []edit{{Op: "replace", Anchor: "two", Nth: 1, Content: "2"}}, "one\n2\nthree\ntwo\nfive\n"},
		{"all", text, []edit{{Op: "replace", Anchor: "two", Occurrence: "all", Content: "2"}}, "one\n2\nthree\n2\nfive\n"},
		{"delete all", text, []edit{{Op: "delete", Anchor: "two", Occurrence: "all"}}, "one\nthree\nfive\n"},
		{"insert once for a line", "aa\na\n", []edit{{Op: "insert_after", Anchor: "a", Occurrence: "all", Content: "x"}}, "aa\nx\na\nx\n"},
		{"all do not overlap", "aaaaa", []edit{{Op: "replace", Anchor: "aa", Occurrence: "all", Content: "b"}}, "bba"},

		{"regexp", text, []edit{{Op: "replace", Anchor: `^t\w+e$`, Regex: true, Content: "3"}}, "one\ntwo\n3\ntwo\nfive\n"},
		{"regexp with alternatives", text, []edit{{Op: "delete", Anchor: `one\n|five\n`, Regex: true, Occurrence: "all"}}, "two\nthree\ntwo\n"},
		{"regexp that matches nothing, to insert", text, []edit{{Op: "insert_after", Anchor: `\z`, Regex: true, Content: "six"}}, text + "six\n"},
		{"regexp at each line", "a\nb\n", []edit{{Op: "insert_before", Anchor: `^\w`, Regex: true, Occurrence: "all", Content: "-"}}, "-\na\n-\nb\n"},
		{"regexp looks at what is before", "aab ab\n", []edit{{Op: "replace", Anchor: `\ba|^b`, Regex: true, Occurrence: "all", Content: "x"}}, "xab xb\n"},
		{"regexp that matches nothing, to replace", text, []edit{{Op: "replace", Anchor: `x*`, Regex: true, Occurrence: "all"}}, "error: hunks[0]: anchor: the regexp matches the empty text"},

		{"lines", text, []edit{{Op: "replace", StartLine: 2, EndLine: 3, Content: "x"}}, "one\nx\ntwo\nfive\n"},
		{"one line", text, []edit{{Op: "replace", StartLine: 5, Content: "5\n"}}, "one\ntwo\nthree\ntwo\n5\n"},
		{"a last line without end", "a\nb", []edit{{Op: "replace", StartLine: 2, Content: "c"}}, "a\nc"},
		{"anchor in lines", text, []edit{{Op: "replace", Anchor: "two", StartLine: 3, Content: "2"}}, "one\ntwo\nthree\n2\nfive\n"},
		{"anchor up to a line", text, []edit{{Op: "replace", Anchor: "two", StartLine: 1, EndLine: 2, Content: "2"}}, "one\n2\nthree\ntwo\nfive\n"},
		{"anchor elsewhere", text, []edit{{Op: "replace", Anchor: "three", StartLine: 4, Content: "3"}}, "error: hunks[0]: anchor: not found there; its first line is at line 3"},
		{"line numbers are those before", text, []edit{{Op: "delete", StartLine: 1}, {Op: "delete", StartLine: 5}, {Op: "insert_before", StartLine: 3, Content: "x"}}, "two\nx\nthree\ntwo\n"},
		{"too far", text, []edit{{Op: "delete", StartLine: 6}}, "error: hunks[0]: line 6: the file has 5 lines"},
		{"too long", text, []edit{{Op: "delete", StartLine: 5, EndLine: 6}}, "error: hunks[0]: line 6: the file has 5 lines"},
		{"nothing there", "", []edit{{Op: "delete", StartLine: 1}}, "error: hunks[0]: line 1: the file has 0 lines"},

		{"not found", text, []edit{{Op: "delete", Anchor: "four"}}, "error: hunks[0]: anchor: not found; read the file again"},
		{"not quite found", text, []edit{{Op: "delete", Anchor: "  three\ntwo\nsix"}}, "error: hunks[0]: anchor: not found; its first line is at line 3, so compare white space"},
		{"not unique", text, []edit{{Op: "delete", Anchor: "one"}, {Op: "delete", Anchor: "two"}}, "error: hunks[1]: anchor: matches 2 times (lines 2, 4); make it longer"},
		{"must be unique", text, []edit{{Op: "delete", Anchor: "two", Occurrence: "first", MustUnique: true}}, "error: hunks[0]: anchor: matches 2 times"},
		{"no such match", text, []edit{{Op: "delete", Anchor: "two", Nth: 3}}, "error: hunks[0]: nth: there are only 2 matches (lines 2, 4)"},
		{"overlap", text, []edit{{Op: "delete", StartLine: 1, EndLine: 2}, {Op: "replace", Anchor: "two\nthree", Content: "x"}}, "error: hunks[0] and hunks[1] overlap"},
		{"insert into what goes", text, []edit{{Op: "insert_after", StartLine: 2, Content: "x"}, {Op: "delete", StartLine: 1, EndLine: 3}}, "error: hunks[1] and hunks[0] overlap"},
		{"insert beside what goes", text, []edit{{Op: "delete", StartLine: 2}, {Op: "insert_after", StartLine: 1, Content: "x"}, {Op: "insert_before", StartLine: 3, Content: "y"}}, "one\nx\ny\nthree\ntwo\nfive\n"},
		{"too many matches", strings.Repeat("a", maxMatches+1), []edit{{Op: "delete", Anchor: "a", Occurrence: "all"}}, "error: hunks[0]: anchor: matches more than"},
		{"too large", strings.Repeat("a", 1000), []edit{{Op: "replace", Anchor: "a", Occurrence: "all", Content: strings.Repeat("b", 1<<20)}}, "error: the result would be too large"},
		{"too much for a regexp", strings.Repeat("a", 1<<16), []edit{{Op: "delete", Anchor: "[a-z]{1,1000}b", Regex: true}}, "error: hunks[0]: anchor: 65.5 kB are too much to search"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, e := range tt.edits {
				if err := e.check(); err != nil {
					t.Fatal(err)
				}
			}
			got, err := patch(t.Context(), tt.text, tt.edits)
			if err != nil {
				got = "error: " + err.Error()
			}
			if got != tt.want && !(err != nil && strings.HasPrefix(got, tt.want)) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// A search that has to begin anew at each match is given up, not waited for.
func TestSlowRegexp(t *testing.T) {
	text := strings.Repeat("a", 1<<18)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := patch(ctx, text, []edit{{Op: "delete", Anchor: "a.*b|a", Regex: true, Occurrence: "all"}})
	if err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("%v, want it given up", err)
	}
}

// FindAll says which matches there are.
func TestPatternAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expr := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", ".", "^", "$", `\b`, `\B`, "*", "|", "(a", ")", `\A`, `\z`, "\n", "é", "?"}), 1, 6).Draw(t, "expr"), "")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "\n", " ", "é", "\xff"}), 0, 12).Draw(t, "text"), "")
		p, err := compile(expr)
		if err != nil {
			return
		}
		var want []match
		for _, m := range regexp.MustCompile("(?m:"+expr+")").FindAllStringIndex(text, -1) {
			want = append(want, match{m[0], m[1]})
		}
		got, err := p.all(t.Context(), text, 100)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q in %q: %v, %v; want %v", expr, text, got, err, want)
		}
	})
}

func TestPatchMistakes(t *testing.T) {
	for _, tt := range []struct {
		edit edit
		want string
	}{
		{edit{Op: "insert_after", Anchor: "a"}, "content: missing"},
		{edit{Op: "delete", Anchor: "a", Content: "b"}, "content: not used by delete"},
		{edit{Op: "replace", Content: "b"}, "anchor: missing"},
		{edit{Op: "replace", EndLine: 3}, "anchor: missing"},
		{edit{Op: "replace", StartLine: 3, EndLine: 2}, "end_line: 3 to 2 is not a range"},
		{edit{Op: "replace", StartLine: -1}, "end_line: -1 to 0 is not a range"},
		{edit{Op: "replace", Anchor: "a", Nth: -1}, "nth: goes with"},
		{edit{Op: "replace", Anchor: "a", Nth: 1, Occurrence: "all"}, "nth: goes with"},
		{edit{Op: "replace", Anchor: "a", Occurrence: "nth"}, "nth: missing"},
		{edit{Op: "replace", Anchor: "a(", Regex: true}, "anchor: error parsing regexp"},
		{edit{Op: "replace", Anchor: strings.Repeat("a", maxExpr+1), Regex: true}, "anchor: a regexp has at most"},
	} {
		err := tt.edit.check()
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("check(%+v) = %v, want %s", tt.edit, err, tt.want)
		}
	}
}

// Whatever the edits are, the engine answers, keeps what no edit covers, and shows exactly what it did.
func FuzzPatch(f *testing.F) {
	ops := []string{"replace", "insert_before", "insert_after", "delete"}
	occurrences := []string{"", "first", "last", "nth", "all"}
	f.Add("a\nb\n", uint(0), "a", false, uint(0), 0, 0, 0, "x", "b")
	f.Add("a\r\nb", uint(2), "^.", true, uint(4), 0, 1, 2, "x\r\n", "a")
	f.Add("", uint(1), `\z`, true, uint(2), 0, 0, 0, "\n", "")
	f.Add("a\n\n\nb", uint(3), "", false, uint(0), 0, 2, 3, "", "b")
	f.Fuzz(func(t *testing.T, text string, op uint, anchor string, regex bool, occurrence uint, nth, start, end int, content, second string) {
		e := edit{Op: ops[op%4], Anchor: anchor, Regex: regex, Occurrence: occurrences[occurrence%5], Nth: nth, StartLine: start, EndLine: end, Content: content}
		edits := []edit{e, {Op: "delete", Anchor: second, Occurrence: "last"}}
		for i, e := range edits {
			if err := e.check(); err != nil {
				if i == 0 {
					return
				}
				edits = edits[:1]
			}
		}
		got, err := patch(t.Context(), text, edits)
		if err != nil {
			if err.Error() == "" || !utf8.ValidString(err.Error()) && utf8.ValidString(anchor) {
				t.Errorf("error is %q", err)
			}
			return
		}
		if utf8.ValidString(text+content) && !regex && utf8.ValidString(anchor+second) && !utf8.ValidString(got) {
			t.Errorf("%q became %q", text, got)
		}
		d := diffOf([]byte(text), []byte(got))
		if back := shown(t, text, d.lines); back != got {
			t.Errorf("the diff of %q leads to %q, not %q:\n%s", text, back, got, strings.Join(d.lines, "\n"))
		}
	})
}
