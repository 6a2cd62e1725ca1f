package approval_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/approval/shell"
)

// started is a program as it starts in a directory, with its final arguments.
func started(dir string, args ...string) *approval.Action {
	program, _ := world{}.Program(args[0])
	return approval.NewAction("", nil, shell.Arguments(world{}, dir, program, args).Subjects...)
}

// opened is a file as a redirect opens it in the work directory.
func opened(e approval.Effects, name string) *approval.Action {
	return approval.NewAction("", nil, shell.Redirect(world{}, "/work", name, e).Subjects...)
}

// What was approved is checked again at execution: programs that really start, with expanded arguments, and files that redirects really
// open are held against deny rules, ask rules, protected paths and the catastrophic list; a match that the person has not seen is
// denied and reported.
func TestWhatWasApprovedIsCheckedAgainAtExecution(t *testing.T) {
	rm := func(args ...string) *approval.Action { return started("/work", append([]string{"rm"}, args...)...) }
	git := func(args ...string) *approval.Action { return started("/work", append([]string{"git"}, args...)...) }
	for _, test := range []struct {
		rules, line string
		now         *approval.Action
		denied      string // a part of the reason; empty where it is allowed
	}{
		// deny rules, however the program came about
		{"deny run_command(rm *)", "X=$(cat x); $X -rf y", rm("-rf", "y"), "deny rule run_command(rm *) (policy.toml:1)"},
		{"deny run_command(rm *)", "$(echo rm) -rf y", rm("-rf", "y"), "deny rule"},
		{"deny run_command(rm *)", "f() { $1 -rf y; }; f $X", rm("-rf", "y"), "deny rule"},
		{"deny run_command(rm *)", "alias r=$X; r -rf y", rm("-rf", "y"), "deny rule"},
		{"deny run_command(rm *)", ". ./x", started("/work/src", "/usr/bin/env", "A=1", "rm", "y"), "deny rule"},
		{"deny run_command(rm *)", ". ./x", started("/work", "sudo", "xargs", "rm"), "deny rule"},
		{"deny run_command(rm *)", ". ./x", started("/work", "sh", "-c", "rm y"), "deny rule"},
		{"deny run_command(rm *)", ". ./x", started("/work", "find", ".", "-exec", "rm", "{}", ";"), "deny rule"},
		{"deny run_command(rm *)", ". ./x", started("/work", "touch", "y"), ""},
		{"deny read_file(secrets/**)", "cat $F", started("/work", "cat", "link/key"), "deny rule read_file(secrets/**)"},
		{"deny read_file(secrets/**)", "sort < $F", opened(approval.Read, "secrets/key"), "deny rule"},
		{"deny read_file(secrets/**)", "grep -r x $D", started("/work", "grep", "-r", "x", "."), "reads what may lie below /work"},
		{"deny edit_file(src/**)", "echo x > $F", opened(approval.Write, "src/main.go"), "deny rule"},
		{"deny edit_file(src/**)", "echo x > $F", opened(approval.Write, "main.go"), ""},
		// ask rules, unless the question showed what they speak of
		{"ask run_command(git push*)", "g=$(cat x); git $g", git("push"), "ask rule run_command(git push*) (policy.toml:1), and what was approved did not show it"},
		{"ask run_command(git push*)", "git $g", git("fetch"), ""},
		{"ask run_command(git push*)", "git push", git("push"), ""},
		{"ask run_command(git push*)", "git push; $X", git("push"), ""},
		{"ask run_command(git push*)", "git push; $X", git("push", "-f"), "ask rule"},
		{"ask run_command(git push*)", "git push; cd src; $X", started("/work/src", "git", "push"), "ask rule"},
		{"ask run_command(git push*)", "cd $D; git push", started("/work/src", "git", "push"), ""},
		{"ask run_command(git push*)", "for b in $(cat x); do git push origin $b; done", git("push", "origin", "main"), ""},
		{"ask run_command(git push*);ask run_command(git push -f*)", "git push origin $b", git("push", "origin", "-f"), ""},
		{"ask run_command(git push -f*);ask run_command(git push*)", "git push origin $b", git("push", "origin", "-f"), "ask rule run_command(git push -f*)"},
		{"ask run_command(git push*)", "git $g origin", git("push", "origin"), "ask rule"},
		{"allow run_command(git push origin *);ask run_command(git push*)", "git $g", git("push", "origin", "x"), ""},
		{"ask edit_file(src/**)", "echo x > src/main.go", opened(approval.Write, "src/main.go"), ""},
		{"ask edit_file(src/**)", "echo x > $F", opened(approval.Write, "src/main.go"), "ask rule edit_file(src/**)"},
		{"ask edit_file(src/**)", "cat < src/main.go > $F", opened(approval.Write, "src/main.go"), "ask rule"},
		{"ask run_command", "$X", started("/work", "touch", "y"), ""},
		// limits and protected paths, whatever was shown
		{"", "echo x > $F", opened(approval.Write, ".git/config"), "/work/.git/config is protected"},
		{"", "echo x > $F", opened(approval.Write, "/etc/hosts"), "outside the work directory"},
		{"", "cp $A $B", started("/work", "cp", "a", "/srv/b"), "/srv/b is outside the work directory"},
		{"", "cp $A $B", started("/work", "cp", "a", "node_modules/b"), "protected"},
		{"", "cp $A $B", started("/work/src", "cp", "a", "b"), ""},
		{"", "tee $F", started("/work", "tee", "/tmp/own/x"), ""},
		{"", "cat < $F", opened(approval.Read, "/tmp/own/x"), ""},
		// secrets and what lies outside
		{"", "cat $F", started("/work", "cat", ".env"), "/work/.env may hold a secret, and what was approved did not show it"},
		{"", "cat .env", started("/work", "cat", ".env"), ""},
		{"", "cat .env; cat < $F", opened(approval.Read, ".env"), ""},
		{"", "cat $F", started("/work", "cat", "/home/u/.ssh/id_rsa"), "may hold a secret"},
		{"", "cat $F", started("/work", "cat", "/srv/x"), "/srv/x is outside the work directory, and"},
		{"", "cat /srv/x; $X", started("/work", "cat", "/srv/x"), ""},
		{"", "ls /srv; cat $F", started("/work", "cat", "/srv/x"), "outside"},
		{"", "grep -r x /srv; cat $F", started("/work", "cat", "/srv/x"), ""},
		{"allow run_command(/srv/**)", "cat $F", started("/work", "cat", "/srv/x"), "outside"}, // no rule for paths
		// catastrophes
		{"", `rm -rf "$UNSET"/`, rm("-rf", "/"), "/ is outside the work directory"},
		{"", "rm -rf $D", rm("-rf", "."), "/work would be lost, and what was approved did not show it"},
		{"", "rm -rf $D", rm("-rf", "build"), ""},
		{"", "rm -rf .", rm("-rf", "."), ""},
		{"", "mkfs.ext4 $D", started("/work", "mkfs.ext4", "disk.img"), ""},
		{"", "mkfs.ext4 $D", started("/work", "mkfs.ext4", "/dev/sda1"), "/dev/sda1 is outside the work directory"},
		{"", "$X", started("/work", "fdisk", "disk.img"), "destroys what a device holds, and"},
		{"", "fdisk disk.img", started("/work", "fdisk", "disk.img"), ""},
		{"", "dd of=$F", started("/work", "dd", "of=/work/../dev/sda"), "outside"},
		// what reads its input, where it would otherwise read the directory
		{"deny read_file(secrets/**)", "ls | rg x", started("/work", "rg", "x"), ""},
		{"deny read_file(secrets/**)", "ls | rg x; $X", started("/work/src", "rg", "x"), ""},
		{"deny read_file(secrets/**)", "ls | rg y; $X", started("/work", "rg", "x"), "reads what may lie below /work"},
		{"deny read_file(secrets/**)", "cat a; $X", started("/work", "cat", "a", "secrets/key"), "deny rule"},
		// what cannot be told
		{"", "$X", approval.NewAction("", nil, approval.Subject{Args: []string{"x"}}), "cannot be known"},
		{"", "$X", &approval.Action{}, "cannot be known"},
		{"", "$X", started("/work", "python3", "-c", "x"), ""},
		{"deny run_command(rm *)", "docker $X", started("/work", "docker", "rm", "c"), ""},
	} {
		p := approval.Policy{WorkDir: "/work", Home: "/home/u", Rules: fromFile(t, test.rules)}
		r := approval.Recheck{Approved: planned(test.line), Scratch: []string{"/tmp/own"}}
		switch d := r.Decide(&p, test.now); {
		case d.Verdict == approval.Ask, (d.Verdict == approval.Deny) != (test.denied != ""), !strings.Contains(d.Reason, test.denied), len(d.Trace) == 0:
			t.Errorf("%s: %q does %q: %s by %s (%s), want denied %q", test.rules, test.line, test.now.Subjects, d.Verdict, d.Layer, d.Reason, test.denied)
		}
	}
}

// fromFile are rules separated by semicolons, each on a line of its own of policy.toml.
func fromFile(t *testing.T, text string) *approval.Rules {
	t.Helper()
	var rules []approval.Rule
	for i, line := range strings.Split(text, ";") {
		if line == "" {
			continue
		}
		action, spec, _ := strings.Cut(line, " ")
		r, err := approval.ParseRule(spec, verdict(t, action))
		if err != nil {
			t.Fatal(err)
		}
		r.Source = fmt.Sprintf("policy.toml:%d", i+1)
		rules = append(rules, r)
	}
	compiled, _, err := approval.Compile(rules, nil, "/work", "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// What bypass and the skip flag allow at execution, and a mode that became stricter meanwhile.
func TestModesAtExecution(t *testing.T) {
	rules := fromFile(t, "deny run_command(rm *);ask run_command(git push*)")
	for _, test := range []struct {
		args string
		want string // the verdicts in ask, read_only, bypass, skip: a(llow), d(eny)
	}{
		{"touch x", "adaa"}, {"ls", "aaaa"}, {"rm x", "dddd"}, {"git push", "ddda"}, {"cat .env", "ddaa"}, {"cat /srv/x", "ddaa"}, {"tee .git/config", "dddd"},
		{"fdisk x", "ddda"}, {"strange rm x", "adda"}, {"python3 -c x", "adda"},
	} {
		got := ""
		for _, p := range []approval.Policy{{}, {Mode: approval.ModeReadOnly}, {Mode: approval.ModeBypass}, {Mode: approval.ModeBypass, SkipAll: true}} {
			p.WorkDir, p.Home, p.Rules = "/work", "/home/u", rules
			r := approval.Recheck{Approved: planned("$X")}
			got += r.Decide(&p, started("/work", strings.Fields(test.args)...)).Verdict.String()[:1]
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.args, got, test.want)
		}
	}
}

// Deletions that were not shown count together.
func TestDeletionsCountTogether(t *testing.T) {
	gone := func(path string, n int) *approval.Action {
		return approval.NewAction("", nil, approval.Subject{Effects: approval.Delete, Path: "/work/" + path, Rel: path, Untracked: n})
	}
	shown := approval.NewAction("", nil, gone("big", 500).Subjects...)
	r := approval.Recheck{Approved: shown}
	p := approval.Policy{WorkDir: "/work", MaxUntracked: 10}
	for i, step := range []struct {
		now  *approval.Action
		want approval.Verdict
	}{
		{gone("big", 500), approval.Allow}, {gone("big/a", 300), approval.Allow}, {gone("a", 6), approval.Allow}, {gone("b", 5), approval.Deny},
		{gone("c", 4), approval.Allow}, {gone("d", 1), approval.Deny}, {gone("e", 0), approval.Allow},
	} {
		if d := r.Decide(&p, step.now); d.Verdict != step.want {
			t.Errorf("step %d: %s (%s), want %s", i, d.Verdict, d.Reason, step.want)
		}
	}
}

// Under bypass, with deny or ask rules for commands, an incomplete command is allowed only where the check at execution is
// active, otherwise asked.
func TestBypassAllowsWhatIsRechecked(t *testing.T) {
	p := approval.Policy{Mode: approval.ModeBypass, WorkDir: "/work", Home: "/home/u", Rules: fromFile(t, "deny run_command(rm *)")}
	for line, want := range map[string]approval.Verdict{
		"$X": approval.Allow, "$(echo rm) -rf x": approval.Allow, "bash x.sh": approval.Allow, "curl x | sh": approval.Allow, "strange $X": approval.Allow,
		"strange rm x": approval.Ask, "strange rm $X": approval.Ask, "python3 -c 'os.system(\"rm -rf x\")'": approval.Ask, "perl -e 'system \"rm x\"'": approval.Ask, "python3 -c 'import shutil'": approval.Ask,
		"xargs bash -c < a": approval.Ask, "nohup sh x.sh": approval.Ask, "find . -exec sh {} \\;": approval.Ask, "eval \"$X\"": approval.Allow, ". ./x.sh": approval.Allow, "sed '1e rm x' a": approval.Ask, "socat - EXEC:x": approval.Ask, "lftp -c x": approval.Ask, "socat -,exec:rm,pty STDIO": approval.Ask, "parallel :::: x": approval.Ask, "git commit -m \"$X and rm\"": approval.Allow, "rm x": approval.Deny, "rm -rf $X; rm": approval.Deny,
	} {
		a := planned(line)
		if d := p.Decide(a, nil); d.Verdict == approval.Allow {
			t.Errorf("%q: allowed without the check", line)
		}
		if a.Rechecked = true; p.Decide(a, nil).Verdict != want {
			t.Errorf("%q: %s, want %s", line, p.Decide(a, nil).Verdict, want)
		}
	}
	p.Mode = approval.ModeAsk
	if a := planned("$X"); true {
		a.Rechecked = true
		if d := p.Decide(a, nil); d.Verdict != approval.Ask {
			t.Errorf("mode ask: %s", d.Verdict)
		}
	}
}

// An answer for the whole session does not cover a command that is known to use a credential of the home directory; it is no secret by
// that alone.
func TestCredentialsAreAskedForEachTime(t *testing.T) {
	asker := &alwaysOnce{}
	g := approval.Gate{Policy: approval.Policy{WorkDir: "/work", Home: "/home/u"}, Asker: asker}
	for line, asked := range map[string]int{"touch x": 0, "git push": 1, "npm install": 1, "git commit -m x": 0, "touch x; ssh h": 1} {
		asker.asked = 0
		g.Do(t.Context(), planned("touch y"), nil) // 2
		asker.asked, asker.reason = 0, ""
		g.Do(t.Context(), planned(line), nil)
		if asker.asked != asked || asked > 0 && asker.reason != "it uses credentials of the home directory" {
			t.Errorf("%s: asked %d times (%s), want %d", line, asker.asked, asker.reason, asked)
		}
	}
	check(t, approval.ModeAsk, parseRules(t, "allow prefix git push"), approval.Allow, "git push")
	check(t, approval.ModeBypass, nil, approval.Allow, "git push", "ssh h")
}

// alwaysOnce is a person who answers 2 to what touches y and 1 to everything else.
type alwaysOnce struct {
	asked  int
	reason string
}

func (a *alwaysOnce) Ask(_ context.Context, action *approval.Action, d approval.Decision) (approval.Answer, error) {
	a.asked, a.reason = a.asked+1, d.Reason
	if action.Text == "touch y" {
		return approval.Answer{Choice: approval.Always}, nil
	}
	return approval.Answer{Choice: approval.Once}, nil
}

func TestHomeSecrets(t *testing.T) {
	got := approval.HomeSecrets("/home/u/", []string{".zsh_history", "notes", ".npmrc", ".env"})
	for name, want := range map[string]int{".ssh": 1, ".npmrc": 1, ".netrc": 1, ".zsh_history": 1, ".env": 1, "notes": 0, "*.pem": 0, ".config/gh": 1} {
		n := 0
		for _, p := range got {
			if p == "/home/u/"+name {
				n++
			}
			if !approval.IsSecret(p, "/home/u") {
				t.Errorf("%s is no secret", p)
			}
		}
		if n != want {
			t.Errorf("%s is listed %d times, want %d", name, n, want)
		}
	}
	if got := approval.HomeSecrets("", nil); got != nil {
		t.Errorf("without a home directory: %q", got)
	}
}

// A program that starts is decided about in microseconds.
func BenchmarkRecheck(b *testing.B) {
	line := strings.Repeat("git push origin $b; ls src; ", 20)
	rules := parseRules(b, "deny run_command(rm *)", "ask run_command(git push*)", "deny read_file(secrets/**)")
	p := approval.Policy{WorkDir: "/work", Home: "/home/u", Rules: rules}
	r := approval.Recheck{Approved: planned(line)}
	for name, now := range map[string]*approval.Action{"nothing": started("/work", "touch", "x"), "asked": started("/work", "git", "push", "origin", "x")} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if d := r.Decide(&p, now); d.Verdict != approval.Allow {
					b.Fatal(d)
				}
			}
		})
	}
}
