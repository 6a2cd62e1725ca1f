package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

// project makes a small project and returns a resolver for it: a work directory, a home directory and something
// outside of both.
func project(t testing.TB) disk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"work/a.txt", "work/b.txt", "work/src/main.go", "work/src/util.go", "work/docs/guide.md", "work/.git/config", "work/bin/ls",
		"work/keys/.env", "work/keys/id_rsa", "work/odd/-delete", "outside/secret.txt", "home/.bashrc", "home/.ssh/id_rsa",
	} {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out": "../outside", "settings": "keys/.env", "hooks": ".git/hooks"} {
		if err := os.Symlink(to, filepath.Join(root, "work", link)); err != nil {
			t.Fatal(err)
		}
	}
	return disk{work: root + "/work", home: root + "/home"}
}

// decide is what the policy without rules says to a command line.
func decide(d disk, mode approval.Mode, text string) (approval.Decision, Analysis) {
	a := Analyze(text, d)
	p := approval.Policy{Mode: mode, WorkDir: d.work, Home: d.home}
	action := approval.NewAction(text, nil, a.Subjects...)
	return p.Decide(action, nil), a
}

// commands are the argument lists of an analysis, each joined with blanks.
func commands(a Analysis) []string {
	var all []string
	for _, c := range a.Commands {
		all = append(all, strings.Join(a.Subjects[c.Subject].Args, " "))
	}
	return all
}

func TestCommands(t *testing.T) {
	d := project(t)
	for _, test := range []struct {
		text string
		want []string
	}{
		{"ls -la", []string{"ls -la"}},
		{"'r''m' \\-rf \"x y\"", []string{"rm -rf x y"}},
		{"sudo -u root rm -rf x", []string{"sudo -u root rm -rf x", "rm -rf x"}},
		{"xargs -i rm {}", []string{"xargs -i rm {}", "rm {} …"}},
		{"timeout -s KILL 5 env -u A B=1 nice -n 10 rm x", []string{"timeout -s KILL 5 env -u A B=1 nice -n 10 rm x", "env -u A B=1 nice -n 10 rm x", "nice -n 10 rm x", "rm x"}},
		{"bash -lc 'ls && rm x'", []string{"bash -lc ls && rm x", "ls", "rm x"}},
		{"sh -c 'rm \"$1\"' _ x", []string{"sh -c rm \"$1\" _ x", "rm x"}},
		{"eval rm '-rf x'", []string{"eval rm -rf x", "rm -rf x"}},
		{"f() { rm \"$1\"; }; f x", []string{"rm \"$1\"", "f x", "rm x"}},
		{"trap 'rm x' EXIT", []string{"trap rm x EXIT", "rm x"}},
		{"alias r='rm -rf'", []string{"alias r=rm -rf", "rm -rf"}},
		{"C='rm -rf x'; $C", []string{"rm -rf x"}},
		{"for f in a b; do rm $f; done", []string{"rm a", "rm b"}},
		{"{rm,-rf,x}", []string{"rm -rf x"}},
		{"echo *.txt", []string{"echo a.txt b.txt"}},
		{"echo \"*.txt\" '?'", []string{"echo *.txt ?"}},
		{"find . -exec rm {} \\;", []string{"find . -exec rm {} ;", "rm {}"}},
		{"echo x | xargs -n1 rm -f", []string{"echo x", "xargs -n1 rm -f", "rm -f …"}},
		{"cat <<E\n$(rm x)\nE", []string{"rm x", "cat"}},
		{"echo \"${A:-$(rm x)}\" <(rm y)", []string{"rm x", "rm y", "echo \"${A:-$(rm x)}\" <(rm y)"}},
		{"A=$(rm x) ls", []string{"rm x", "ls"}},
		{"watch 'rm x'", []string{"watch rm x", "rm x"}},
		{"su -c 'rm x'", []string{"su -c rm x", "rm x"}},
		{"su - root -c 'rm x'", []string{"su - root -c rm x", "rm x"}},
		{"flock l -c 'rm x'", []string{"flock l -c rm x", "rm x"}},
		{"flock -n l rm x", []string{"flock -n l rm x", "rm x"}},
		{"command -p exec rm x", []string{"command -p exec rm x", "exec rm x", "rm x"}},
		{"env -S 'rm -rf' x", []string{"env -S rm -rf x", "rm -rf x", "x"}},
		{"case a in a) rm x;; *) rm y;; esac", []string{"rm x", "rm y"}},
		{"while rm x; do break; done", []string{"rm x", "break"}},
		{"chrt -i rm x", []string{"chrt -i rm x", "rm x"}}, {"chrt -b 0 rm x", []string{"chrt -b 0 rm x", "rm x"}},
		{"faketime -f '@2020-01-01' rm x", []string{"faketime -f @2020-01-01 rm x", "rm x"}}, {"hyperfine -p 'rm x' ls", []string{"hyperfine -p rm x ls", "rm x", "ls"}}, {"hyperfine --cleanup 'rm x' ls", []string{"hyperfine --cleanup rm x ls", "rm x", "ls"}},
		{"busybox rm x", []string{"busybox rm x", "rm x"}},
	} {
		if got := commands(Analyze(test.text, d)); !slices.Equal(got, test.want) {
			t.Errorf("commands of %q\n got %q\nwant %q", test.text, got, test.want)
		}
	}
}

func TestReadsWithoutAsking(t *testing.T) {
	d := project(t)
	for _, text := range []string{
		"for f in $(find src -name '*.go'); do wc -l $f; done", "for f in $(git ls-files '*.go'); do echo $f; done", "find src -type f | while read -r f; do head -3 \"$f\"; done", "while IFS= read -r f; do grep -n x \"$f\"; done < <(find src -name '*.go')", "find src -type f -print0 | while IFS= read -r -d '' f; do wc -l \"$f\"; done", "wc -l $(find src -name '*.go')", "for f in $(find src -type f); do echo == $f; head -3 $f; done",
		"ls", "pwd && ls -la src", "cat a.txt | grep -n x | wc -l", "cd src && cat main.go", "git status 2>/dev/null", "git log --oneline -5",
		"git -C src diff --stat HEAD~1 -- main.go", "for f in *.txt; do head -3 \"$f\"; done", "echo \"$(cat a.txt)\" $((1+2))", "sed -n '1,20p' src/main.go",
		"awk -F: '$1 > 3 {print $2}' a.txt", "find src -name '*.go' | xargs wc -l", "[ -f a.txt ] && cat a.txt || echo none", "diff <(sort a.txt) <(sort b.txt)",
		"bash -c 'cat a.txt'", "LC_ALL=C sort a.txt", "while read -r l; do echo \"$l\"; done < a.txt", "x=a.txt; cat $x", "cat <<'E'\n$(rm x)\nE",
		"rg -n 'foo|bar' src | head -20", "rg -l x src | sort | xargs sed -n 1p", "grep -rl --include='*.go' x . | xargs -n1 head -2", "ls {src,docs}", "i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done", "cat a.txt 2>&1 >/dev/null", "grep -rn x src",
		"find . -name '*.go' -exec grep -l main {} +", "python3 --version", "jq .name a.txt", "test -e keys/.env", "ls keys", "echo \"PATH is $PATH\"", "printf '%s\\n' *.txt", "git branch --list 'x*'",
		"command -v go", "date +%s", "true", "# nothing", "grep -rn --include=*.rs x src", "cat a.txt \\\n  b.txt", "if ! git diff --quiet; then echo changed; fi",
	} {
		if got, a := decide(d, approval.ModeAsk, text); got.Verdict != approval.Allow {
			t.Errorf("%q: %v (%s), want allow; %+v", text, got.Verdict, got.Reason, a.Subjects)
		}
	}
}

func TestAsks(t *testing.T) {
	d := project(t)
	for _, text := range []string{
		"for f in $(find . -name '*.txt'); do rm $f; done", "for f in $(find keys -type f); do cat $f; done", "git ls-files | while read -r f; do cat \"$f\"; done", "for f in $(find out/ -type f); do cat $f; done", "cat \"$(find src -name x)\"", "for f in $(ls odd); do cat $f; done", "for f in $(find src -type f); do cat x$f; done", "for f in $(find src -type f); do cd ..; cat $f; done", "while read -r f; do cat $f; done < a.txt", "while read -r f; do sed -n p $g; done < <(find src)", "for f in $(find src -printf '%p'); do cat $f; done", "for f in $(find src -type f); do uniq a.txt $f; done",
		"find() { echo ../outside/secret.txt; }; find . | xargs cat", "git() { echo ../outside/secret.txt; }; for f in $(git ls-files); do cat $f; done",
		"cd keys; cat .[]e]nv", "cd keys; cat .[e-]nv", "cd keys; cat .[x[:alpha:]]nv", "cd keys; cat .[[.e.]]nv", "cd keys; cat .[[=e=]]nv", "ls -d .*", "grep -r x .*", "find keys -name '[!x]env' -exec cat {} +", "find keys -name '[[:punct:]]env' | xargs cat",
		"xa=../outside/secret.txt; x=b; cat $x{a,b}", "x=/a; cat ~$x", "cat ~{root,x}/y",
		"hostname -f", "hostname -A", "hostname --ip-address",
		"cat */*", "cat out/*", "cat *t/secret.txt", "head -1 o*/secret*", "ls */", "for f in */*; do cat $f; done", "find . -newer ../outside/secret.txt", "find . -samefile /etc/passwd",
		"git log --format=%+GG", "git log --pretty='% G?'", "git log --format=%-GS", "git blame -S ../outside/secret.txt a.txt", "[[ -f /etc/passwd ]]", "[[ a.txt -nt ../outside/secret.txt ]]", "[ a.txt -ef /etc/passwd ]", "[[ ! -d /etc/ssl ]]", "go env -w A=b",
		"cat /etc/passwd", "cat ~/.bashrc", "cat out/secret.txt", "cd .. && ls", "cd out && cat secret.txt", "cat keys/.env", "cat settings", "cat keys/*", "grep -r x .", "rg --hidden x",
		"rg -. --iglob '*.ENV' x", "rg -. --glob-case-insensitive -g '*.ENV' x", "grep -d recurse x .", "grep -drecurse x .", "diff keys src", "diff -q src keys/",
		"cat $F", "sort $OPTS a.txt", "echo ${x@P}", "echo $((x))", "ls & rm x", "PATH=. ls", "PATH=.; ls", "export LD_PRELOAD=./x; ls", "FOO=1 ls", "./ls", "bin/ls", "/tmp/ls", "nosuchprogram",
		"sort -o x a.txt", "sort --compress-program=./x a.txt", "find . -delete", "find . -fprint x", "sed -i s/a/b/ a.txt", "sed 's/a/b/e' a.txt", "sed 'w x' a.txt", "sed -n '/a/{p;w x\n}' a.txt",
		"awk '{print > \"x\"}' a.txt", "awk '{system(\"x\")}'", "awk 'BEGIN{while((\"x\"|getline)>0);}'", "git diff --output=x", "git -c core.pager=x log", "git log --format=%GG", "git branch x", "git tag v1", "git stash",
		"rg --pre ./x foo", "xargs -a a.txt cat", "echo /etc/passwd | xargs cat", "cd odd && cat *", "uniq a.txt b.txt", "tree -o x", "date -s 1", "hostname x", "printf -v x y", "test -v 'a[$(x)]'", "[[ -v a ]]",
		"[[ $a -eq 1 ]]", "let 1", "coproc ls", "ls() { rm x; }; ls", "echo x > n.txt", "echo x >> a.txt", "cat <> n.txt", "exec 3> n.txt", "true #\\\nrm x", "ls\u200b", "cat a.txt\r", "ls \x00", "echo \u202e",
		"ls <", "ls (", strings.Repeat("$(", 60) + strings.Repeat(")", 60), strings.Repeat("ls;", maxParts+1), strings.Repeat(" ", MaxText+1), "curl http://x", "go test ./...", "make", "python3 x.py",
		"python3 -c 1", "bash x.sh", "cat a.txt | sh", ". ./x", "IFS=,; x=rm,y; $x", "while :; do x=$y; $x; y=ls; done", "cd nosuch; cat x/../../../etc/passwd", "while :; do cat ../x; cd src/..; cd ..; done",
		"git show HEAD:.env", "git show :0:.env", "git diff --no-index a /etc/passwd", "git diff /etc/passwd a.txt", "ps auxe", "node -e 1", "env", "f() { cat \"$1\"; }; f /etc/passwd", "x=/etc; y=$x/passwd; cat $y", "cat ~root/x", "pushd /etc", "cd -", "cat /dev/tcp/a/1",
	} {
		if got, a := decide(d, approval.ModeAsk, text); got.Verdict == approval.Allow {
			t.Errorf("%.100q: allowed (%s); %+v", text, got.Reason, a.Subjects)
		}
	}
}
