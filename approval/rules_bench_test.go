package approval_test

import (
	"fmt"
	"testing"

	"tricode/approval"
	"tricode/approval/shell"
)

// manyRules are n rules for different programs, paths and hosts.
func manyRules(b *testing.B, n int) *approval.Rules {
	b.Helper()
	var rules []approval.Rule
	for i := range n {
		r := approval.Rule{Tool: "run_command", Action: approval.Verdict(i % 3)}
		switch i % 4 {
		case 0:
			r.Prefix = []string{fmt.Sprintf("program%d", i), "run"}
		case 1:
			r.Pattern = fmt.Sprintf("program%d * --force", i)
		case 2:
			r.Tool, r.Path = "edit_file", fmt.Sprintf("dir%d/**", i)
		default:
			r.Tool, r.Host = "fetch_url", fmt.Sprintf("host%d.example.com", i)
		}
		rules = append(rules, r)
	}
	rules = append(rules, approval.Rule{Tool: "run_command", Action: approval.Allow, Prefix: []string{"go", "test"}}, approval.Rule{Tool: "run_command", Action: approval.Deny, Prefix: []string{"rm", "-rf"}})
	c, _, err := approval.Compile(rules, nil, "/work", "/home/u")
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// The targets: less than 10 µs with 20 rules, less than 50 µs with 2,000, the parse of the command included.
func BenchmarkRules(b *testing.B) {
	for _, n := range []int{0, 20, 2000} {
		for name, text := range map[string]string{"short": "git status --short", "chain": "cd src && go test ./... 2>&1 | tail -40 > new.txt", "denied": "sudo rm -rf build"} {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				p := approval.Policy{WorkDir: "/work", Home: "/home/u", Rules: manyRules(b, n)}
				b.ReportAllocs()
				for b.Loop() {
					a := approval.NewAction(text, nil, shell.Analyze(text, world{}).Subjects...)
					a.Tool, a.Text = "run_command", text
					p.Decide(a, nil)
				}
			})
		}
	}
}
