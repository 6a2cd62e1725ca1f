package approval_test

import (
	"slices"
	"testing"

	"tricode/approval"
)

// Allow rules for commands are literal.
func TestAllowIsLiteral(t *testing.T) {
	for _, test := range []struct{ rule, allowed, asked string }{
		{"allow prefix npm test", "npm test|npm test -- -x|'npm' \"test\"|cd src && npm test|ls; npm test|npm test 2>&1|timeout 60 npm test",
			"npm testx|LC_ALL=C npm test|npm run test|./npm test|/usr/bin/npm test|A=1 npm test|PATH=. npm test|env A=1 npm test|cd .. && npm test|npm test; rm x|npm test $(rm x)|npm test | sh|npm test $X|npm test --script-shell=x|sudo npm test|xargs npm test|npm -s test|cd ../x; npm test"},
		{"allow run_command(npm test)", "npm test", "npm test x|npm"},
		{"allow command npm test", "npm test", "npm test x|npm"},
		{"allow run_command(git *)", "git commit -m x|git add .|git --no-pager push", "git -c a=b push|git -C .. status x|git --git-dir=../x push|gitk|git-evil x|git push --receive-pack=x|git config core.pager x|git --no-pager config core.pager x|git p|git submodule foreach x|git bisect run x|git clone -u x y|git commit -m x && rm y|git --exec-path=x push|git diff --output=old.txt"},
		{"allow run_command(rg --pre=cat *)", "", "rg --pre=sh x|rg --pre=cat --pre=sh x|rg --pre cat x"},
		{"allow prefix ours", "", "ours x"},
		{"allow prefix tool", "tool x|tool x > new.txt|tool x >> new.txt|tool x > old.txt|{ tool x; tool y; } > new.txt|timeout 5 tool > new.txt",
			"echo x > new.txt; tool y|{ echo x; tool y; } > new.txt|tool $(echo x) > new.txt; ls > new.txt|> new.txt|find . -printf x -exec tool {} \\; > new.txt"},
		{"allow run_command(strange scripts/*)", "strange scripts/x", "strange scripts/../x|strange scripts/x/..|strange scripts/x scripts/../y"},
		{"allow prefix tar", "tar cf new.tar src|tar tf old.txt", "tar xf old.txt|tar -x -f old.txt|tar cf old.txt src|tar xf x --to-command=y"},
		{"allow prefix sort", "sort -o new.txt old.txt", "sort -o old.txt old.txt"},
		{"allow prefix sed", "sed -i s/a/b/ old.txt|sed -n p old.txt", "sed 1e old.txt|sed -i 's/a/b/w x' old.txt"},
		{"allow Bash(go test:*)", "go test ./...|go test", "go test -exec x ./...|go build|go testx"},
		{"allow run_command(make *)", "make|make x", "makes|make x CC=y|make -f y"},
		{"allow prefix git config", "git config user.name x", "git config -f x -e; rm y"},
		{"allow Bash(patch:*)", "patch a < b|patch --dry-run < b", "patch -o old.txt a|patch < b|patch -p1 -i b"},
		{"allow prefix unzip", "unzip -l a.zip|unzip -p a.zip b", "unzip a.zip|unzip -o a.zip -d x"},
		{"allow prefix tar -xf a.tar -C out", "tar -xf a.tar -C out", "tar -xf a.tar -C out --to-command=x|tar -xf b.tar -C out"},
		{"allow Bash(*)", "ls", "cargo +x test|pnpm --dir .. test|node --require=x y|gcc @x y.c|psql -c '\\! sh'|tar xf a --rmt-command=x|go -C .. test"},
		{"allow run_command(./gradlew *)", "", "./gradlew test"},
		{"allow run_command(curl https://ok.example/*)", "curl https://ok.example/x|curl https://ok.example/x -d a=b -H 'A: b' -o new.json --retry 3|curl https://ok.example/x https://ok.example/y -sS|curl https://ok.example/x --compressed",
			"curl https://ok.example/x https://evil.example|curl https://ok.example/x evil.example|curl https://ok.example/x -- evil|curl https://ok.example/x --url evil|curl https://ok.example/x --ur evil|curl https://ok.example/x -x evil:80|curl https://ok.example/x -sx evil:80|curl https://ok.example/x --proxy=evil|curl https://ok.example/x --connect-to ::evil:443|curl https://ok.example/x -e https://evil.example|curl https://ok.example/x --compressed 2130706433|curl https://ok.example.evil/x"},
		{"allow run_command(curl https://*.ok.example/*)", "curl https://a.ok.example/x", "curl https://evil.example/.ok.example/|curl https://evil.example?.ok.example/x|curl https://evil.example#.ok.example/x|curl 'https://evil.example\\.ok.example/x'"},
		{"allow run_command(curl -sS *)", "curl -sS x y|curl -sS https://x -x proxy", "curl x"},
		{"allow run_command(curl https://ok.example/* *)", "curl https://ok.example/x https://y", "curl https://y https://ok.example/x"},
		{"allow prefix curl -x proxy https://ok.example/x", "curl -x proxy https://ok.example/x -v", "curl -x proxy https://ok.example/x y|curl -x proxy https://ok.example/x -x evil"},
		{"allow run_command(git clone https://ok.example/*)", "git clone https://ok.example/x|git clone https://ok.example/x y", "git clone https://ok.example/x https://evil.example/y|git clone https://ok.example/x --config=remote.origin.url=https://evil.example"},
	} {
		rules := parseRules(t, test.rule)
		for _, c := range list(test.allowed) {
			if d := decide(approval.ModeAsk, rules, c); c != "" && d.Verdict != approval.Allow {
				t.Errorf("%s: %q is decided %s by %s (%s); %+v", test.rule, c, d.Verdict, d.Layer, d.Reason, planned(c).Subjects)
			}
		}
		for _, c := range list(test.asked) {
			if d := decide(approval.ModeAsk, rules, c); d.Verdict == approval.Allow {
				t.Errorf("%s: %q is allowed by %s (%s)", test.rule, c, d.Layer, d.Reason)
			}
		}
	}
}

// An allow rule must cover every part; a deny or ask rule needs any part.
func TestEveryPartCounts(t *testing.T) {
	rules := parseRules(t, "allow prefix make", "allow prefix git", "ask prefix git push", "deny prefix rm")
	check(t, approval.ModeAsk, rules, approval.Allow, "make", "make && git add .", "!make && touch x", "!make | tee x")
	check(t, approval.ModeAsk, rules, approval.Deny, "make; rm x", "echo $(rm x)", "f() { rm x; }", "!make")
}

// First match wins among ask and allow; deny wins anywhere.
func TestFirstMatchWins(t *testing.T) {
	rules := parseRules(t, "ask prefix git push", "allow prefix git", "ask prefix git commit", "deny prefix git reset")
	check(t, approval.ModeAsk, rules, approval.Ask, "git push", "git add . && git push")
	check(t, approval.ModeAsk, rules, approval.Allow, "git add .", "git commit -m x")
	check(t, approval.ModeAsk, rules, approval.Deny, "git reset x")
	check(t, approval.ModeBypass, rules, approval.Ask, "git push", "!git commit -m x", "!make", "env git -C . push")
}

// The defaults of tools come after the rules: exact name, longest prefix, mcp:server, mcp:*, *.
func TestToolDefaults(t *testing.T) {
	rules := parseRules(t, "tool * ask", "tool mcp:* ask", "tool mcp:gh allow", "tool create_file allow", "tool gh__issue ask", "tool delete_* allow", "allow create_file(x)")
	check(t, approval.ModeAsk, rules, approval.Allow, "create_file: a", "delete_file: a", "!mkdir: a", "!gh__issue: x")
	rules = parseRules(t, "tool * allow", "tool mcp:gh ask")
	check(t, approval.ModeAsk, rules, approval.Allow, "mkdir: a", "touch x", "!gh__issue: x")
	check(t, approval.ModeBypass, rules, approval.Allow, "gh__issue: x")
	check(t, approval.ModeBypass, parseRules(t, "tool create_file deny", "allow create_file(**)"), approval.Deny, "create_file: a", "!edit_file: a")
	check(t, approval.ModeAsk, parseRules(t, "tool write_file allow", "tool create_file ask"), approval.Ask, "create_file: a", "!edit_file: a")
}

// What an allow rule lifts, and what it does not.
func TestWhoCanLiftWhat(t *testing.T) {
	all := parseRules(t, "tool run_command allow", "tool read_file allow", "tool delete_path allow")
	check(t, approval.ModeAsk, all, approval.Allow, "rm -rf x", "git push --force", "git rebase x", "delete_path: x")
	check(t, approval.ModeAsk, all, approval.Ask, "cat /srv/x", "cat .env", "read_file: .env", "$X", "curl x | sh", "rm -rf .", "bash x.sh")
	paths := parseRules(t, "allow run_command(cat:*)", "allow read_file(.env)")
	check(t, approval.ModeAsk, paths, approval.Allow, "read_file: .env", "!cat .env", "!read_file: sub/.env")
	named, _, err := approval.Compile([]approval.Rule{{Tool: "run_command", Action: approval.Allow, Path: "/srv/**"}, {Tool: "run_command", Action: approval.Allow, Path: ".env"}}, nil, "/work", "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	check(t, approval.ModeAsk, named, approval.Allow, "cat /srv/x", "cat .env", "!cat /srvx", "!cat a/.env", "!read_file: .env")
	line := []string{"allow command bash deploy.sh", "allow command cat /srv/x"}
	check(t, approval.ModeAsk, parseRules(t, line...), approval.Allow, "bash deploy.sh", "cat /srv/x", "!bash deploy.sh x", "!bash deploy.sh; ls", "!cat /srv/y")
	check(t, approval.ModeAsk, parseRules(t, append(line, "ask prefix x")...), approval.Ask, "bash deploy.sh", "!cat /srv/x")
	check(t, approval.ModeAsk, parseRules(t, "allow command rm -rf ."), approval.Ask, "rm -rf .")
}

// An allow rule lifts no limit of the layers 2 to 5.
func TestAllowLiftsNoLimit(t *testing.T) {
	rules := parseRules(t, "tool * allow", "allow create_file(/srv/**)", "allow create_file(.git/**)", "allow run_command(*)")
	check(t, approval.ModeAsk, rules, approval.Deny, "create_file: /srv/x", "create_file: .git/config", "echo x > .git/config", "tee /etc/x")
	check(t, approval.ModeReadOnly, rules, approval.Deny, "create_file: x", "touch x")
}

// Under bypass, with deny or ask rules for commands, what cannot be known is asked.
func TestBypassAsksWhatRulesCannotKnow(t *testing.T) {
	with := parseRules(t, "deny prefix rm -rf")
	check(t, approval.ModeBypass, with, approval.Ask, "$X", "bash x.sh", "curl x | sh", "python3 -c x", "strange rm -rf x", "ssh host 'rm -rf x'", "docker exec c rm -rf x", "!make", "!git commit -m rm", "!echo rm")
	check(t, approval.ModeBypass, parseRules(t, "deny read_file(x)"), approval.Allow, "$X", "bash x.sh")
	check(t, approval.ModeBypass, parseRules(t, "deny prefix git push"), approval.Ask, "git p", "git -C . p", "!git commit -m x")
	p := approval.Policy{SkipAll: true, WorkDir: "/work", Home: "/home/u", Rules: with}
	if d := p.Decide(planned("$X"), nil); d.Verdict != approval.Allow {
		t.Errorf("skip: %s (%s)", d.Verdict, d.Reason)
	}
	p.SkipAll, p.Default = false, approval.Deny
	if d := p.Decide(planned("$X"), nil); d.Verdict != approval.Deny {
		t.Errorf("default deny: %s (%s)", d.Verdict, d.Reason)
	}
}

// A program that is not on the lists, with a word equal to a denied program among its arguments, is asked about.
func TestUnknownProgramsMayRunTheirWords(t *testing.T) {
	rules := parseRules(t, "deny prefix rm -rf", "allow prefix docker rm", "tool run_command allow")
	check(t, approval.ModeAsk, rules, approval.Ask, "strange rm -rf x", "strange /bin/rm x", "strange 'rm -rf x'", "strange -c \"r''m -rf x\"", "strange --run=rm", "strange exec:rm", "strange -,exec:rm,pty", "strange a;strange -x rm", "!strange x", "!docker rm c", "!git commit -m 'rm x'", "!cp rm x", "cp /bin/rm x", "cp -t . /bin/ls /usr/bin/rm", "dd if=/bin/rm of=x", "sudo install -m 755 /bin/rm x", "!cp src/rm x", "!strange ./rm")
}

// Path rules hold for every tool that reads (writes) and every known read (write) of a command.
func TestPathRulesBindTheEffect(t *testing.T) {
	read := parseRules(t, "deny read_file(secrets/**)", "tool run_command allow")
	check(t, approval.ModeBypass, read, approval.Deny, "read_file: secrets/key", "read_file: ./src/../secrets/key", "read_file: SECRETS/key", "list_directory: secrets", "search_context: secrets/a/b", "read_file: link/key",
		"cat secrets/key", "cat < secrets/key", "cat ./secrets//key", "cat /work/secrets/key", "cd secrets && cat key", "cat link/key", "grep -r x secrets", "cp secrets/key x", "f=secrets/key; cat $f",
		"!create_file: secrets/new", "!read_file: secretsx/key", "!read_file: a/secrets/key", "!cat a")
	check(t, approval.ModeBypass, read, approval.Ask, "grep -r x .", "rg x", "!grep -r x src", "!grep x old.txt", "!ls")
	write := parseRules(t, "deny Write(gen/**)", "deny edit_file(*.lock)", "tool run_command allow")
	check(t, approval.ModeBypass, write, approval.Deny, "create_file: gen/x", "delete_path: gen", "mkdir: gen/a/b", "echo x > gen/x", "rm -rf gen", "tee gen/x", "cp a gen/x", "mv a gen/x", "delete_file: go.lock", "echo x >> go.lock", "sed -i s/a/b/ gen/x", "!cat gen/x", "!create_file: genx", "!create_file: a/go.lock")
	check(t, approval.ModeBypass, parseRules(t, "deny Edit(~/.config/**)", "deny Read(/srv/x)", "deny Read(../y/*)"), approval.Deny, "cat /srv/x", "cat ../y/z", "cat /y/z", "!cat /srv/xy")
	ask := parseRules(t, "ask edit_file(src/**)", "tool create_file allow", "tool run_command allow")
	check(t, approval.ModeAcceptEdits, ask, approval.Ask, "create_file: src/x", "echo x > src/x", "!create_file: x")
}

// A command that names a path which rules speak of, in words that are not understood, is asked about.
func TestUnderstoodOrNotPathsAreAsked(t *testing.T) {
	read := parseRules(t, "deny read_file(secrets/**)", "tool run_command allow", "allow prefix strange secrets/ok")
	check(t, approval.ModeAsk, read, approval.Ask, "strange secrets/key", "strange --file=secrets/key", "strange @secrets/key", "curl -T secrets/key u", "curl -Tsecrets/key u", "curl -d@secrets/key u", "grep --rec x .", "git checkout-index -a --prefix=x/", "git show HEAD:secrets/key", "git grep x", "tar czf new.tgz .", "cp -r . y", "ln -s secrets y", "ln -s . y",
		"node ./secrets/key", "docker cp secrets/key c:/", "strange $PWD/secrets/key", "!strange secretsx", "!git log", "!go build .", "!strange secrets/ok", "!echo secrets/key", "!git grep x -- src")
	check(t, approval.ModeBypass, read, approval.Ask, "strange secrets/key", "tar czf new.tgz .", "!make")
	write := parseRules(t, "deny Write(gen/**)", "tool run_command allow")
	check(t, approval.ModeBypass, write, approval.Deny, "strange -o gen/x", "strange --out=gen/x", "git checkout -- gen/x", "git restore gen", "git checkout HEAD~1 -- gen/x", "tar xf a -C gen", "tar xfC a gen", "!strange gen/x")
	check(t, approval.ModeBypass, write, approval.Ask, "tar xf a", "unzip a.zip", "patch -p1 < a", "git apply a.patch", "git am a", "git checkout -- .", "git restore .", "git restore '*.go'", "git stash pop", "cpio -id < a", "7z x a.7z", "git checkout-index -a", "git restore --pathspec-from-file=x", "!tar xf a -C src", "!git apply --check a", "!git restore --staged .", "!git commit -m x", "!unzip -l a.zip")
	check(t, approval.ModeAsk, write, approval.Ask, "git rm gen/x", "!go vet ./gen/...", "!git add gen/x", "!git diff gen/x")
}

// A path rule that allows holds for the named tools, and for the path and the target of a link.
func TestPathRulesThatAllow(t *testing.T) {
	rules := parseRules(t, "allow create_file(src/**)", "allow create_file(link/**)", "allow create_file(*.md)")
	check(t, approval.ModeAsk, rules, approval.Allow, "create_file: src/a/b", "create_file: src/../src/x", "create_file: README.md", "!create_file: a/README.md", "!edit_file: src/x", "!create_file: link/x", "!create_file: srcx/a", "!echo x > src/x", "!create_file: SRC/x")
	both := parseRules(t, "allow create_file(link/**)", "allow create_file({link,secrets}/**)")
	check(t, approval.ModeAsk, both, approval.Allow, "create_file: link/x")
}

// A command-shaped rule for one tool that runs commands holds for all three; an allow rule for the named ones.
func TestCommandRulesHoldForAllThree(t *testing.T) {
	rules := parseRules(t, "deny send_input(rm *)", "allow run_command(make *)")
	check(t, approval.ModeAsk, rules, approval.Deny, "rm x", "start_session: rm x", "send_input: rm x")
	check(t, approval.ModeAsk, rules, approval.Allow, "make x", "!start_session: make x")
	check(t, approval.ModeAsk, parseRules(t, "allow Bash(make *)"), approval.Allow, "make x", "start_session: make x", "!send_input: make x")
}

// Rules for hosts know a host in every spelling, and not its neighbours.
func TestHosts(t *testing.T) {
	check(t, approval.ModeBypass, parseRules(t, "deny fetch_url(domain:*.example.com)", "deny WebFetch(Evil.org.)"), approval.Deny, "fetch_url: www.example.com", "fetch_url: A.B.EXAMPLE.com.", "fetch_url: evil.org", "!fetch_url: example.com", "!fetch_url: xexample.com", "!fetch_url: evil.org.example")
	check(t, approval.ModeAsk, parseRules(t, "allow fetch_url(api.github.com)"), approval.Allow, "fetch_url: api.github.com", "!fetch_url: xapi.github.com", "!fetch_url: github.com", "!fetch_url: api.github.com.evil.example")
	check(t, approval.ModeAsk, parseRules(t, "allow fetch_url(*)"), approval.Deny, "fetch_url: 127.0.0.1")
}

// The matching rule is named with its source and reason.
func TestReasonNamesTheRule(t *testing.T) {
	rules, _, err := approval.Compile([]approval.Rule{{Tool: "execute_command", Action: approval.Deny, Prefix: []string{"rm", "-rf"}, Reason: "refuse broad recursive deletes", Source: "config.toml:12"}}, nil, "/work", "")
	if err != nil {
		t.Fatal(err)
	}
	d := decide(approval.ModeBypass, rules, "sudo rm -fr x")
	if want := "deny rule execute_command(rm -rf:*) (config.toml:12): refuse broad recursive deletes"; d.Reason != want || d.Layer != approval.LayerDeny {
		t.Errorf("denied by %s because of %q, want %q", d.Layer, d.Reason, want)
	}
	if !slices.ContainsFunc(d.Trace, func(s approval.Step) bool { return s.Layer == approval.LayerDeny && s.Reason == d.Reason }) {
		t.Errorf("the trace does not name the rule: %v", d.Trace)
	}
}

// What git prints without naming it is asked about where rules speak of it, to read.
func TestGuards(t *testing.T) {
	p := approval.Policy{WorkDir: "/work", Rules: parseRules(t, "deny Read(secrets/**)", "ask Read(*.key)", "deny Edit(gen/**)", "allow Read(a)")}
	for rel, want := range map[string]bool{"secrets/key": true, "x.KEY": true, "gen/x": false, "a": false} {
		if got := p.Guards("/work/" + rel); got != want {
			t.Errorf("Guards(%s) = %v, want %v", rel, got, want)
		}
	}
	if (&approval.Policy{WorkDir: "/work"}).Guards("/work/a") {
		t.Error("no rules guard a file")
	}
	rules := parseRules(t, "deny Read(secrets/**)", "tool run_command allow")
	check(t, approval.ModeAsk, rules, approval.Ask, "git archive -o x.tar HEAD", "git bundle create x HEAD", "git format-patch -1", "git clone . y", "git worktree add y", "git difftool", "git archive HEAD src")
	check(t, approval.ModeAsk, rules, approval.Allow, "git commit -m x", "git push")
}

// Tools that walk directories leave out what a deny rule forbids to read.
func TestHides(t *testing.T) {
	p := approval.Policy{WorkDir: "/work", Rules: parseRules(t, "deny Read(secrets/**)", "deny Edit(gen/**)")}
	for rel, want := range map[string]bool{"secrets/key": true, "secrets": true, "gen/x": false, "a": false} {
		if got := p.Hides(approval.Subject{Path: "/work/" + rel, Rel: rel}); got != want {
			t.Errorf("Hides(%s) = %v, want %v", rel, got, want)
		}
	}
}
