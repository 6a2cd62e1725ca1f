package ask

import (
	"strings"
	"testing"

	"tricode/approval"
)

// Names that could be taken for others are pointed out where a set of permissions speaks of them; words of a plan are not
// names.
func TestContractLooksClosely(t *testing.T) {
	q := &question{width: 80, action: &approval.Action{Preview: approval.Preview{Sections: []approval.Section{
		{Title: "Task", Lines: []string{"x"}},
		{Title: "Steps", Lines: []string{"1. Write to аpple", "   + create аpple.txt (+1)", "   · read файл.txt", "   + fetch https://раураl.com"}},
		{Title: "Permissions", Lines: []string{"create_file(аpple.txt)", "fetch_url(domain:раураl.com)"}},
	}}}}
	_, got, _ := strings.Cut(q.contract(brief(0)), "fetch_url(domain:раураl.com)\n")
	want := "Look closely:\n  аpple looks like apple but has Cyrillic а\n" +
		"  раураl looks like paypal but has Cyrillic р, Cyrillic а, Cyrillic у\n======"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	q.action.Preview.Sections = q.action.Preview.Sections[:1]
	if got := q.contract(brief(0)); strings.Contains(got, "Look closely") {
		t.Errorf("nothing is to be seen:\n%s", got)
	}
}
