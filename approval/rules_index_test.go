package approval

import (
	"fmt"
	"testing"
)

// A decision does not grow with the number of rules that cannot match: those for other programs, paths, hosts and tools
// are not among the rules that are looked at.
func TestRulesThatCannotMatchAreNotLookedAt(t *testing.T) {
	var rules []Rule
	for i := range 1000 {
		action := Verdict(i % 3)
		rules = append(rules,
			Rule{Tool: "run_command", Prefix: []string{fmt.Sprint("program", i), "run"}, Action: action},
			Rule{Tool: "run_command", Pattern: fmt.Sprintf("program%d *", i), Action: action},
			Rule{Tool: "edit_file", Path: fmt.Sprintf("dir%d/**", i), Action: action},
			Rule{Tool: "fetch_url", Host: fmt.Sprintf("host%d.example.com", i), Action: action},
		)
	}
	rules = append(rules, Rule{Tool: "run_command", Prefix: []string{"rm"}, Action: Deny}, Rule{Tool: "edit_file", Path: "src/**", Action: Ask})
	r, _, err := Compile(rules, nil, "/work", "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	var program, path, every int
	for _, x := range []*index{&r.denials, &r.others} {
		program += len(x.programs["rm"]) + len(x.commands)
		path += len(x.paths["src"]) + len(x.anyPath)
		every += len(x.anyTool) + len(x.tools["run_command"])
	}
	if program != 1 || path != 1 || every != 0 {
		t.Errorf("%d rules are looked at for rm, %d for src/x, %d for every command; want 1, 1 and 0", program, path, every)
	}
}
