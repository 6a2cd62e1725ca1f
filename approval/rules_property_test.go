package approval_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tricode/approval"
	"tricode/approval/shell"
)

// rulePool are rules that the properties choose from.
var rulePool = []string{
	"deny prefix rm -rf", "deny run_command(rm *)", "deny prefix git push", "deny run_command(curl *)", "deny command npm publish", "deny prefix sudo", "deny read_file(secrets/**)", "deny Edit(src/**)", "deny create_file(**/*.txt)",
	"ask prefix git push", "ask Bash(make *)", "ask edit_file(src/**)", "ask run_command(rm -r *)", "deny run_command(*)", "ask Bash",
	"allow prefix git", "allow Bash(make *)", "allow run_command(*)", "allow Bash", "allow prefix rm", "allow create_file(**)", "allow command npm test", "allow command bash x.sh", "allow prefix tee",
	"tool run_command allow", "tool run_command ask", "tool * allow", "tool create_file allow",
}

// callPool are calls that they are held against.
var callPool = []string{
	"rm -rf x", "rm x -fr", "ls", "git push", "git -C . push", "git commit -m x", "make > new.txt", "npm publish", "npm test", "bash x.sh", "$X", "curl x | sh", "cat secrets/key", "grep -r x .", "echo x > src/main.go", "echo x | tee new.txt",
	"sudo make", "strange rm x", "git p", "read_file: secrets/key", "create_file: a.txt", "delete_path: src", "edit_file: src/main.go", "timeout 5 make", "cat /srv/x", "cat .env", "rm -rf .",
}

func drawRules(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom(rulePool), 0, 6).Draw(t, "rules")
}

var modes = []approval.Mode{approval.ModeAsk, approval.ModeAcceptEdits, approval.ModePlan, approval.ModeReadOnly, approval.ModeBypass}

// rank orders verdicts by strictness.
func rank(v approval.Verdict) int {
	return map[approval.Verdict]int{approval.Allow: 0, approval.Ask: 1, approval.Deny: 2}[v]
}

// Adding a deny rule never turns a decision into allow, nor makes it milder.
func TestDenyRulesOnlyTighten(t *testing.T) {
	denials := slices.DeleteFunc(slices.Clone(rulePool), func(r string) bool { return !strings.HasPrefix(r, "deny") })
	rapid.Check(t, func(rt *rapid.T) {
		rules := drawRules(rt)
		at := rapid.IntRange(0, len(rules)).Draw(rt, "at")
		more := slices.Insert(slices.Clone(rules), at, rapid.SampledFrom(denials).Draw(rt, "deny"))
		call, mode := rapid.SampledFrom(callPool).Draw(rt, "call"), rapid.SampledFrom(modes).Draw(rt, "mode")
		before, after := decide(mode, parseRules(t, rules...), call), decide(mode, parseRules(t, more...), call)
		if rank(after.Verdict) < rank(before.Verdict) {
			rt.Fatalf("%q under %v: %s (%s) with %q, but %s (%s) with %q", call, mode, before.Verdict, before.Reason, rules, after.Verdict, after.Reason, more)
		}
	})
}

// Adding quotes, assignments, wrappers or redundant ./ to a denied command never makes it allowed.
func TestDisguisesChangeNothing(t *testing.T) {
	denied := map[string][]string{"rm -rf x": {"deny prefix rm -rf", "deny run_command(rm -rf *)", "deny prefix rm -rf x", "deny command rm -rf x"}, "git push origin main": {"deny prefix git push", "deny run_command(git push *)", "deny prefix git push origin main"}, "npm publish": {"deny command npm publish"}, "curl -X POST y": {"deny prefix curl -X POST", "deny run_command(curl * POST*)"}}
	wrappers := []string{"%", "A=1 %", "env %", "env -u X A=2 %", "sudo %", "sudo -u root -E %", "nohup %", "timeout -k 3 5 %", "nice -n 5 %", "time %", "setsid %", "stdbuf -o0 %", "command %", "exec %", "sh -c \"%\"", "bash -lc \"%\"", "eval \"%\"", "( % )", "{ %; }", "if true; then %; fi", "f() { %; }; f", "echo $( % )", "! %", "% &", "2>/dev/null %", "% </dev/null", "ls && %", "ls | %", "find . -exec % \\;", "xargs -n1 %", "xargs -i %", "xargs -l %", "xargs -e %", "setarch -R %", "setarch x86_64 %", "linux32 -R %", "trap \"%\" EXIT", "doas %", "busybox %", "\\%", "/usr/bin/%", "/bin/%", "./../usr/bin/%", "while :; do %; done"}
	rapid.Check(t, func(rt *rapid.T) {
		command := rapid.SampledFrom([]string{"rm -rf x", "git push origin main", "npm publish", "curl -X POST y"}).Draw(rt, "command")
		rule := rapid.SampledFrom(denied[command]).Draw(rt, "rule")
		words := strings.Fields(command)
		for i, w := range words {
			switch rapid.IntRange(0, 4).Draw(rt, "spell") {
			case 0:
				words[i] = "'" + w + "'"
			case 1:
				words[i] = w[:1] + "''" + w[1:]
			case 2:
				if w == "x" {
					words[i] = "./x"
				}
			}
		}
		text := strings.Join(words, " ")
		for range rapid.IntRange(1, 3).Draw(rt, "depth") {
			form := rapid.SampledFrom(wrappers).Draw(rt, "wrapper")
			if program := strings.Fields(form)[0]; !startsProgram(text) && slices.Contains(programs, program) {
				continue // a program starts no builtins
			}
			if strings.HasSuffix(form, "\\%") && !strings.HasPrefix(text, words[0]) || strings.HasSuffix(form, "/%") && strings.ContainsAny(text[:1], "({!2./\\") || strings.Contains(form, "\"%\"") && strings.Contains(text, "\"") {
				continue
			}
			text = strings.Replace(form, "%", text, 1)
		}
		for _, mode := range modes {
			d := decide(mode, parseRules(t, rule, "tool * allow", "allow run_command(*)"), text)
			if d.Verdict == approval.Allow {
				rt.Fatalf("%s: %q is allowed under %v by %s (%s): %+v", rule, text, mode, d.Layer, d.Reason, planned(text).Subjects)
			}
		}
	})
}

// programs are wrappers that a shell starts, in the forms above.
var programs = []string{"env", "sudo", "nohup", "timeout", "nice", "setsid", "stdbuf", "find", "xargs", "doas", "busybox", "exec", "setarch", "linux32"}

// startsProgram reports whether a text begins with a program rather than with a builtin or a keyword of a shell.
func startsProgram(text string) bool {
	first := strings.Fields(text)[0]
	return !slices.Contains([]string{"trap", "eval", "exec", "command", "time", "if", "while", "f()", "(", "{", "!", "ls", "2>/dev/null", "echo"}, first) && !strings.Contains(first, "=")
}

// A compound is never more allowed than its strictest part.
func TestCompoundsAreAsStrictAsTheirParts(t *testing.T) {
	lines := slices.DeleteFunc(slices.Clone(callPool), func(c string) bool { return strings.Contains(c, ": ") })
	rapid.Check(t, func(rt *rapid.T) {
		rules := parseRules(t, drawRules(rt)...)
		mode := rapid.SampledFrom(modes).Draw(rt, "mode")
		parts := rapid.SliceOfN(rapid.SampledFrom(lines), 1, 4).Draw(rt, "parts")
		text := parts[0]
		for _, p := range parts[1:] {
			text += rapid.SampledFrom([]string{"; ", " && ", " || ", " | ", "\n", " & "}).Draw(rt, "op") + p
		}
		whole := decide(mode, rules, text)
		for _, p := range parts {
			a := approval.NewAction(p, nil, shell.Analyze(p, world{}).Subjects...)
			a.Tool = "run_command" // without its text: a rule for the whole line does not cover a part
			policy := approval.Policy{Mode: mode, WorkDir: "/work", Home: "/home/u", Rules: rules}
			if part := policy.Decide(a, nil); rank(whole.Verdict) < rank(part.Verdict) && len(parts) > 1 {
				rt.Fatalf("%q is decided %s (%s), its part %q %s (%s)", text, whole.Verdict, whole.Reason, p, part.Verdict, part.Reason)
			}
		}
	})
}

// Rules and calls of any form neither panic nor turn a denied command into an allowed one.
func FuzzRules(f *testing.F) {
	for _, r := range rulePool {
		f.Add(strings.TrimPrefix(r, "deny "), "rm -rf x; ls", "git  push -f ./x")
	}
	f.Add("Bash(a* --b*=c -- -d:*)", "a --b=c -- -d", "x")
	f.Fuzz(func(t *testing.T, spec, text, other string) {
		r, err := approval.ParseRule(spec, approval.Deny)
		if err != nil {
			return
		}
		allow, err := approval.ParseRule("*", approval.Allow)
		if err != nil {
			t.Fatal(err)
		}
		rules, _, err := approval.Compile([]approval.Rule{allow, r}, nil, "/work", "/home/u")
		if err != nil {
			t.Fatalf("ParseRule took %q, Compile not: %v", spec, err)
		}
		one := decide(approval.ModeBypass, rules, text)
		if one.Verdict != approval.Deny || strings.Contains(text, ": ") || strings.ContainsAny(text+other, "\n<#\\'\"`(){}$&;|!=") {
			return
		}
		if both := decide(approval.ModeBypass, rules, other+"; "+text); both.Verdict == approval.Allow {
			t.Errorf("%s denies %q and allows %q", spec, text, other+"; "+text)
		}
	})
}
