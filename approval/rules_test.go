package approval_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/approval/shell"
)

// world is a shell.Resolver with a work directory /work, a home /home/u and few files.
type world struct{}

func (world) WorkDir() string                 { return "/work" }
func (world) Home() string                    { return "/home/u" }
func (w world) Entry(name string) shell.Place { return w.Resolve(name) }
func (world) List(string) []fs.DirEntry       { return nil }
func (world) Untracked(string) int            { return 0 }
func (world) Guarded(bool) ([]string, bool)   { return nil, true }
func (world) Kept([]string) bool              { return true }

func (world) Program(name string) (string, bool) {
	if strings.Contains(name, "/") {
		return name, !strings.HasPrefix(name, "/usr/") && !strings.HasPrefix(name, "/bin/")
	}
	if name == "lftp" { // not installed
		return "", false
	}
	return "/usr/bin/" + name, strings.HasPrefix(name, "ours")
}

func (world) Resolve(name string) shell.Place {
	p := shell.Place{Path: path.Clean(name), Kind: shell.Missing}
	if rest, ok := strings.CutPrefix(p.Path, "/work/link"); ok {
		p.Path, p.Via = "/work/secrets"+rest, p.Path
	}
	if rel, ok := strings.CutPrefix(p.Path, "/work/"); ok {
		p.Rel = rel
	}
	switch p.Path {
	case "/work":
		p.Rel, p.Kind = ".", shell.Dir
	case "/work/src", "/work/secrets", "/", "/home/u", "/srv":
		p.Kind = shell.Dir
	case "/work/old.txt", "/work/src/main.go", "/work/secrets/key":
		p.Kind = shell.File
	}
	return p
}

// parseRules reads rules like "deny run_command(rm *)", "deny prefix git push", "allow command npm test" and
// "tool run_command allow".
func parseRules(t testing.TB, lines ...string) *approval.Rules {
	t.Helper()
	var rules, usual []approval.Rule
	for _, line := range lines {
		f := strings.Fields(line)
		if f[0] == "tool" {
			usual = append(usual, approval.Rule{Tool: f[1], Action: verdict(t, f[2])})
			continue
		}
		r := approval.Rule{Tool: "run_command", Action: verdict(t, f[0])}
		switch f[1] {
		case "prefix":
			r.Prefix = f[2:]
		case "command":
			r.Command = strings.Join(f[2:], " ")
		default:
			_, spec, _ := strings.Cut(line, " ")
			var err error
			if r, err = approval.ParseRule(spec, r.Action); err != nil {
				t.Fatal(err)
			}
		}
		rules = append(rules, r)
	}
	compiled, _, err := approval.Compile(rules, usual, "/work", "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func verdict(t testing.TB, word string) approval.Verdict {
	v, err := approval.ParseVerdict(word)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// decide decides about a command line, or "TOOL: PATH" of a file tool.
func decide(mode approval.Mode, rules *approval.Rules, call string) approval.Decision {
	p := approval.Policy{Mode: mode, WorkDir: "/work", Home: "/home/u", Rules: rules}
	return p.Decide(planned(call), nil)
}

func planned(call string) *approval.Action {
	effects := map[string]approval.Effects{
		"read_file": approval.Read, "list_directory": approval.Read, "search_context": approval.Read,
		"create_file": approval.Write, "edit_file": approval.Write, "mkdir": approval.Write, "delete_file": approval.Delete, "delete_path": approval.Delete,
	}
	tool, name, _ := strings.Cut(call, ": ")
	if e := effects[tool]; e != 0 {
		place := world{}.Resolve("/work/" + name)
		if strings.HasPrefix(name, "/") {
			place = world{}.Resolve(name)
		}
		a := approval.NewAction(call, nil, approval.Subject{Effects: e, Path: place.Path, Rel: place.Rel, Via: place.Via})
		a.Tool = tool
		return a
	}
	switch tool {
	case "fetch_url":
		a := approval.NewAction(call, nil, approval.Subject{Effects: approval.Network, Host: name})
		a.Tool = tool
		return a
	case "start_session", "send_input":
		call = name
	case "plan", "close_session", "gh__issue":
		a := approval.NewAction(call, nil, approval.Subject{Effects: approval.Exec, Session: "1"})
		a.Tool = tool
		return a
	default:
		if strings.Contains(tool, "__") {
			a := approval.NewAction(call, nil, approval.Subject{Effects: approval.Exec, Session: "1"})
			a.Tool = tool
			return a
		}
		tool = "run_command"
	}
	a := approval.NewAction(call, nil, shell.Analyze(call, world{}).Subjects...)
	a.Tool, a.Text = tool, call
	return a
}

// check decides about each call and compares; "!" before one turns the verdict into "anything but it".
func check(t *testing.T, mode approval.Mode, rules *approval.Rules, want approval.Verdict, calls ...string) {
	t.Helper()
	for _, call := range calls {
		bare, not := strings.CutPrefix(call, "!")
		d := decide(mode, rules, bare)
		if (d.Verdict == want) == not {
			t.Errorf("%q: %s by %s (%s); want %s, except where there is a !", call, d.Verdict, d.Layer, d.Reason, want)
		}
	}
}

// list splits at the bars that have no blanks around them.
func list(text string) []string {
	parts := strings.Split(strings.ReplaceAll(text, " | ", "\x00"), "|")
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "\x00", " | ")
	}
	return parts
}

// Deny and ask rules for commands see through spelling.
func TestDenySeesThroughSpelling(t *testing.T) {
	for _, test := range []struct{ rule, denied, others string }{
		{"deny prefix rm -rf", "rm -rf x|rm -fr x|rm -r -f x|rm x -rf|rm -r x -f|rm --recursive --force x|rm --rec --fo x|rm -R --force x|rm -rfv x|rm -Ifr x|/bin/rm -rf x|'rm' -rf x|\\rm -rf x|A=1 rm -rf x|rm -rf -- x|RM -rf x",
			"rm x|rm -r x|rm -f x|rm -i x|rm -- -rf|echo rm -rf|cat rm-rf|git rm -rf x|grep -rf rm x"},
		{"deny run_command(rm -rf *)", "rm -rf x|rm -rf|rm x y -fr|rm --force --recursive x", "rm -r x|rm x"},
		{"deny run_command(rm -rf /*)", "rm -rf /|rm -rf /usr|rm -fr x /usr|rm /usr -r -f", "rm -rf x|rm x"},
		{"deny run_command(rm -rf ~/*)", "rm -rf ~/x|rm -rf $HOME/x|rm -rf /home/u/x|rm -rf \"$HOME\"/./x|H=$HOME; rm -rf $H/x", "rm -rf x"},
		{"deny prefix rm -rf build", "rm -rf build|rm -rf ./build|rm -rf build/|rm -rf x build|rm -rf $PWD/build|rm -rf /work/build|rm build -rf", "rm -rf x|rm build"},
		{"deny Bash(rm:*)", "rm x|rm|/usr/bin/rm x|sudo rm x|busybox rm x", "rmdir x|git rm x|docker rm x"},
		{"deny prefix git push", "git push|git -C . push|git --no-pager push|git -c a=b push|/usr/bin/git push|git-push|/usr/lib/git-core/git-push|git --git-dir=.git push|git --git-dir .git push|git --work-tree . push x|git send-pack x|git subtree push -P x o m|git subtree --prefix=x push o m|git lfs push o|git -C . lfs push o m|git svn dcommit|git -c alias.x=push x o|git -c alias.x='!git push' x|git -c Alias.X='push -f' x|git config alias.x 'push -f'|git config --global alias.x '!f() { git push; }; f'|true && git push|git -p push|git --namespace n push",
			"git log push|git commit -m push|git stash push|git status|echo git push|git commit -m 'git push'"},
		{"deny run_command(git push --force*)", "git push --force|git push -f|git push origin main -f|git push origin +main|git push -- origin +main|git push --forc|git push --mirror|git push -uf|git push --force-with-lease|git -C . push -f", "git push|git push origin main|git push -u origin f"},
		{"deny run_command(git push * --force)", "git push origin --force|git push -f origin main|git push origin main -qf", "git push origin main"},
		{"deny prefix git push --force", "git push -f|git push o +m|git push o m --force", "git push|git push o m|git push --force-with-lease"},
		{"deny prefix git branch -D", "git branch -D x|git branch -d -f x|git branch -df x|git branch --delete --force x|git branch x -D", "git branch -d x|git branch x|git branch -f x"},
		{"deny prefix git branch -d", "git branch -d x|git branch --delete x|git branch -D x", "git branch x"},
		{"deny prefix git commit --no-verify", "git commit -n -m x|git commit -m x --no-verify|git commit -anm x|git commit --no-ver -m x", "git commit -m x|git commit -m -n|git commit -mn"},
		{"deny prefix git reset --hard", "git reset --hard|git reset HEAD~1 --hard|git reset --har", "git reset|git reset --soft x"},
		{"deny prefix git clean -f", "git clean -f|git clean -xdf|git clean --force|git clean -d -f", "git clean -n"},
		{"deny command npm publish", "npm publish|npm  publish|(npm publish)|time npm publish|$(npm publish)|npm publish # now|'npm' publish|npm publish --|sudo npm publish|npm publis", "npm publish --dry-run|npm publishx|npm test|npm run publish"},
		{"deny prefix npm publish", "npm publish|npm --silent publish|npm publish --dry-run|npm --registry x publish|npm --registry=x publish", "npm run publish|npm test publish|npm --registry publish test"},
		{"deny prefix npm install", "npm install|npm i x|npm add x|npm in x|npm isntall", "npm test|npm ci"},
		{"deny prefix npm run deploy", "npm run deploy|npm run-script deploy|npm run -s deploy|npm run --silent deploy", "npm run test|npm run deployx"},
		{"deny prefix docker rm", "docker rm x|docker container rm x|docker --context c rm x|docker -c c rm x|docker -D rm x", "docker run rm x|docker ps|docker rmi x"},
		{"deny prefix docker run --privileged", "docker run --privileged x|docker run -it --privileged x|docker run x --privileged|docker container run --privileged x", "docker run x"},
		{"deny prefix kubectl delete", "kubectl delete pod x|kubectl -n prod delete pod x|kubectl --namespace=prod delete x|kubectl --context c delete x|kubectl --kubeconfig f delete x", "kubectl get delete|kubectl get pods"},
		{"deny prefix terraform apply -auto-approve", "terraform apply -auto-approve|terraform -chdir=x apply -auto-approve|terraform apply --auto-approve x|terraform apply -auto-approve=true", "terraform apply|terraform plan"},
		{"deny run_command(curl *)", "curl x|'curl' x|curl|ls; curl x|ls | curl -d @- x|xargs curl x < list|timeout 5 curl x|/usr/bin/curl x|bash -lc 'ls && curl x'", "curlx y|cat docs/curl.md|git log --grep=curl"},
		{"deny prefix curl -X POST", "curl -X POST x|curl -XPOST x|curl --request POST x|curl --request=POST x|curl x -X POST|curl -sX POST x|curl --req POST x", "curl x|curl -X GET x"},
		{"deny run_command(*--no-verify*)", "git commit --no-verify|git push --no-verify", "git commit"},
		{"deny run_command(npm*)", "npm test|npmx y|/usr/bin/npm i", "yarn x"},
		{"deny prefix chmod -R 777", "chmod -R 777 x|chmod 777 -R x|chmod --recursive 777 x|chmod -vR 777 .", "chmod 777 x|chmod -R 755 x"},
		{"deny prefix kill -9", "kill -9 1|kill -KILL 1|kill -SIGKILL 1", "kill 1|kill -15 1"},
		{"deny prefix sudo", "sudo ls|sudo -u x ls|/usr/bin/sudo ls|env sudo ls", "ls|su x"},
		{"deny prefix python3 -c", "python3 -c x|python3 -Bc x|python3 -c'x'", "python3 x.py|python3 x.py -d"},
		{"deny prefix cp -r", "cp -r a b|cp -R a b|cp -a a b|cp --recursive a b|cp a b -r", "cp a b"},
		{"deny prefix tool --tag next", "tool --tag next|tool --tag=next|tool x --tag next", "tool --tag x|tool next"},
		{"deny prefix tool --tag=next", "tool --tag next|tool --tag=next", "tool --tag x|tool --tag=x"},
		{"deny prefix find -delete", "find . -delete|find -delete|find . -name x -delete", "find . -name delete"},
	} {
		rules := parseRules(t, test.rule, "tool run_command allow")
		for _, mode := range []approval.Mode{approval.ModeAsk, approval.ModeBypass, approval.ModeReadOnly} {
			for _, c := range list(test.denied) {
				if d := decide(mode, rules, c); d.Verdict != approval.Deny {
					t.Errorf("%s: %q is decided %s by %s (%s)", test.rule, c, d.Verdict, d.Layer, d.Reason)
				}
			}
		}
		for _, c := range list(test.others) {
			if d := decide(approval.ModeAsk, rules, c); d.Verdict == approval.Deny {
				t.Errorf("%s: %q is denied by %s (%s)", test.rule, c, d.Layer, d.Reason)
			}
		}
	}
}
