package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tricode/approval"
)

// Text that is made to cost much ends soon, and is never allowed for it.
func TestBounded(t *testing.T) {
	d := project(t)
	texts := map[string]string{
		"doubling":  "a=aaaaaaaaaaaaaaaa;" + strings.Repeat("a=$a$a;", 900) + " rm $a",
		"braces":    "rm " + strings.Repeat("{a,b,c}", 1000),
		"globs":     rounds("rm " + strings.Repeat("*/*/../* ", 1000)),
		"redirects": rounds("ls " + strings.Repeat(">a ", 3000)),
		"deletes":   "find " + strings.Repeat("x ", 2000) + strings.Repeat("-delete ", 1000),
		"finds":     rounds("find " + strings.Repeat("x ", 2000)),
		"functions": strings.Repeat("f() { f; f; f; g; }; g() { f; g; };", 50) + "f",
		"wrappers":  strings.Repeat("sudo ", 3000) + "x",
		"shells":    strings.Repeat("sh -c ", 2500) + "x",
		"eval":      "x='eval \"$x$x\"'; eval \"$x\"",
		"script":    "rm x; awk '" + strings.Repeat("/", 16000) + "'",
		"variables": assignments(480) + strings.Repeat("b || ", 480) + "c",
	}
	for i, body := 0, "rm x"; i < 6; i++ {
		body = "for i in " + strings.Repeat("a ", 32) + "; do " + body + "; done"
		texts[fmt.Sprint("rounds", i)] = body
	}
	for i, body := 0, "rm x; cd .."; i < 15; i++ {
		body = "while :; do " + body + "; done"
		texts[fmt.Sprint("loops", i)] = body
	}
	for _, open := range []string{"((", "$((", "$(", "(", "{ ", "if ", "! ", "${a:-", "`", "[[ ( ", "case x in x) ", "while ", "f() ", "\"$(", "<(", "$[", "${a[", "for i in a; do ", "<<E\n", "a=("} {
		texts["deep "+open] = strings.Repeat(open, MaxText/len(open))
		texts["less deep "+open] = strings.Repeat(open, 300)
	}
	for name, text := range texts {
		start := time.Now()
		got, _ := decide(d, approval.ModeAsk, text)
		if took := time.Since(start); took > 2*time.Minute {
			t.Errorf("%s took %v", name, took)
		}
		if got.Verdict == approval.Allow {
			t.Errorf("%s: allowed", name)
		}
	}
}

func rounds(body string) string {
	const twenty = "1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0"
	return "for i in " + twenty + "; do for j in " + twenty + "; do " + body + "; done; done"
}

func assignments(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "v%d=x;", i)
	}
	return b.String()
}
