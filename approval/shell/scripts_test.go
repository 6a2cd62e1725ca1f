package shell

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A script is harmless only if every program that reads it would split it in the same harmless way.
func TestSedReads(t *testing.T) {
	for script, want := range map[string]bool{
		`s/a/b/g;y/abc/xyz/`: true, `/[a-z]/,/[^]]$/p`: true, `s/[\/]//g`: true, `s#[^/]*$##`: true, `s/x/[/`: true, `s/[[:space:]]*$//`: true, `s/[\[\]]//g`: true, `s/a\[b/c/p`: true,
		"/x/{=;p\n}": true, "$!N;1~2d": true, "1i\\ text": true, "a w x": true, "s/w/e/;#w x": true, `s,\(a\),\1,2p`: true, "": true,
		// a delimiter between brackets ends the expression for some
		`s/[/]/x/`: false, `s/[[:alpha:]/]/p;#/w x`: false, `s/[^]/]/p;#/w x`: false, `s/[]/]/p;#/w x`: false, `/[[=a=]/]/p;#/w x`: false, `\,[],],p;#,w x`: false, `s/[a[.].]/]/p;#/w x`: false, `y/[/]/;#/w x`: false,
		`s/[\]/]/p;#/w x`: false, `s/[\]/x/`: false,
		// a backslash at the end swallows what comes next
		`a x\`: false, `i\`: false, `#\`: false, "a\\\nw x": false,
		"w x": false, "1!w x": false, "/a/Ie": false, "s/a/b/w x": false, "s/a/b/e": false, ":a;w x": false, "b;r x": false, "s\\a\\b\\w x": false, "1{e id\n}": false, "F": false, "1,2c\\\nx": false,
	} {
		if got := sedReads(script); got != want {
			t.Errorf("sedReads(%q) = %v, want %v", script, got, want)
		}
	}
}

func TestAwkReads(t *testing.T) {
	for program, want := range map[string]bool{
		`{ if ($3 > 100) print $1 }`: true, `/start/{f=1} f; /end/{f=0}`: true, `!/^#/`: true, `/^#/{next} {print}`: true, `{gsub(/"/, ""); print}`: true, `{print ">" $1 "|"}`: true, `{ x = $1 > 5 ? 1 : 2; print x }`: true,
		`{printf("%.1f\n", ($1 + $2) / 1024 / x)}`: true, `$1/2 > 3`: true, `{n++} END {print n / NR}`: true, `BEGIN { while (i++ < 3) print i }`: true, "# all\n{print (a > b)}\n": true, `{print length($0) / 2}`: true, `/filesystem|closed/`: true,
		`{print substr($0, RSTART + 1), "a\"b"}`: true, "$1 == 1 {\n\tprint $1,\n\t\t$2\n}": true, `{x /= 2; y = x / 2; z = "/"}`: true, `{ a[$1] = a[$1] "/" $2 } END { for (k in a) print k, a[k] }`: true,
		`{print > "x"}`: false, `{print "a" >> "x"}`: false, `{print(1) > "x"}`: false, `{print $1 | "sh"}`: false, `{"id" | getline}`: false, `BEGIN{system("id")}`: false, `{print ENVIRON["A"]}`: false, `BEGIN{ARGV[1] = "x"}`: false, `BEGIN{@f("id")}`: false, `{print |& "x"}`: false,
		"{print \"a\",\n\"b\" > \"x\"}": false, "{print \"a\" \\\n > \"x\"}": false, `{for (print "a" > "x";;) exit}`: false, `{if (a) print b > "x"}`: false, `function f() {print > "x"} {f()}`: false,
		// quotes, braces and slashes of a regular expression are none of the program's
		`/\/"/{print "a" > "x"}/"/`: false, `/[/"]/ {print > "x"} /"/`: false, `/}/;{print > "x"};/{/`: false, `{print /\"/ > "x"}`: false, `{a=1/b["/"];print > "x"}`: false, `/a/ /"/;{print "b" > "x"} /"/`: false,
		// awks differ about what a slash is
		`{if (a) /"/;print "b" > "x" /"/}`: false, `{if (a) /b/}`: false, `{print length /2}`: false,
		"# a\\\n{}": false, `{print "a`: false, "{print \"a\n\"}": false, `{print`: false, `{)}`: false, "{print `id`}": false, `{print é}`: false,
	} {
		if got := awkReads(program); got != want {
			t.Errorf("awkReads(%q) = %v, want %v", program, got, want)
		}
	}
}

// sedParts are what the fuzzer makes scripts of.
var sedParts = strings.Split("s|/|/|/|a|b|[|]|^|\\|w x|;|#|{|}|\n|!|,|1|$|y|p|d|g|e|r x|I|M|:a|ta|a\\|i |c\\\n|[:alpha:]|[.|.]|n|N| |&|\\n|*|q|l|=|W x|R x|-|\\(|\\)|0~3|+1|\\c|\\]|\\[", "|")

// What is taken for harmless runs where GNU sed itself refuses whatever runs, reads or writes.
func FuzzSed(f *testing.F) {
	if exec.Command("sed", "--sandbox", "-n", "").Run() != nil {
		f.Skip("there is no sed here that has a sandbox")
	}
	f.Add([]byte{0, 1, 6, 33, 1, 7, 1, 21, 11, 12, 1, 10}) // s/[[:alpha:]/]/p;#/w x
	f.Fuzz(func(t *testing.T, choices []byte) {
		var script strings.Builder
		for _, c := range choices[:min(len(choices), 30)] {
			script.WriteString(sedParts[int(c)%len(sedParts)])
		}
		if !sedReads(script.String()) {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second) // it may loop
		defer cancel()
		cmd := exec.CommandContext(ctx, "sed", "--sandbox", script.String())
		cmd.Stdin = strings.NewReader("a\nb/c\n")
		if out, _ := cmd.CombinedOutput(); strings.Contains(string(out), "sandbox") {
			t.Errorf("%q: %s", script.String(), out)
		}
	})
}
