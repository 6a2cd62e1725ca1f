package shell

import (
	"os"
	"path/filepath"
	"testing"

	"tricode/approval"
)

// Every option that is not in the table makes a reading program an ordinary one; these are the ones with a reason.
func TestNotReading(t *testing.T) {
	for _, text := range []string{
		"sort -o x a", "sort a -ox", "sort --output=x a", "sort --out x a", "sort --compress-program=x a", "sort -T /x a", "sort --files0-from=x", "uniq a b", "xxd a b", "xxd -r a", "tree -o x", "tree -R", "date -s now", "date 0101", "date -f x", "hostname x", "hostname -F x",
		"grep -f x a", "grep --file=x a", "wc --files0-from=x", "du -X x", "du --files0-from=x", "md5sum -c x", "file -f x", "file -m x", "file -z x", "file -C", "rg --pre=x a", "rg -z a", "rg --search-zip a", "rg --hostname-bin x a", "rg -f x a", "rg -L a", "rg --ignore-file x a",
		"find -delete", "find -exec rm x ;", "find -fls x", "find -L x", "find -unknown", "fd -x rm", "fd -X rm", "fd --exec=rm", "fd -Hx rm", "fd --exec-batch rm", "jq -f x a", "jq --from-file x", "jq -L x . a", "jq --rawfile a b . c", "jq 'import \"x\" as $x; .'", "jq -n env", "jq -n '$ENV.HOME'",
		"sed -i p a", "sed -f x a", "sed -n 'w x' a", "sed 's/a/b/e' a", "sed 'b x;w y' a", "sed ':a;r y' a", "sed -e p -e e a", "sed --in-place p a", "awk -f x a", "awk -i inplace 1 a", "gawk -l x 1", "awk '# \"\n{print > \"x\"}' a", "awk '/\"/{print > \"x\"}' a", "awk '{print | \"x\"}' a", "awk '{\"x\" | getline}' a", "awk '@include \"x\"' a",
		"ps axe", "ps e", "ps -o env", "go env -w A=b", "go version -m x", "go list ./...", "go vet", "printf -v x y", "test -v x", "[ -R x ]", "[ $x = y ]", "[ \"$x\" \"$y\" ]", "command -p ls -v; command rm", "man -P x ls", "man -H ls", "man ./x", "man -l x", "man -C x ls", "npm --help", "bc -x", "dc", "go help -w", "tar xf a", "tar tf h:a", "tar tf a --to-command=x", "tar -tf a -I x", "tar tIf x a", "tar t", "tar tf a -C /x", "unzip a", "unzip -o a", "unzip -lo a", "gzip a", "gzip -d a", "gunzip a", "gzip -dr a", "xz -d a", "xz --files=x -c", "zcat -S x a", "gofmt -w a", "gofmt -l -w a", "gofmt -cpuprofile x a", "printenv", "printenv -0", "env", "/usr/bin/env", "env -u X", "env A=1", "printenv", "declare -x X=1", "declare \"-x\" X=1", "X=1; declare -x X", "X=1; export X", "declare \"-p\" X", "time -o x rm y", "node --version x", "cargo --version", "npm --version", "npx --help",
		"git log -p --ext-diff", "git diff --textconv", "git log --output=x", "git -p log", "git --git-dir=x log", "git -c a=b log", "git --exec-path=x log", "git grep -O x", "git grep --open-files-in-pager x", "git grep --no-index x", "git diff --no-index a b", "git show --show-signature", "git log --format=%G?", "git log --pretty=%GK", "git for-each-ref --format='%(signature)'", "git for-each-ref --format='%(*raw)'",
		"git blame --contents=x a", "git branch x", "git branch -m x", "git branch -u x", "git tag x", "git tag -f x", "git remote add x y", "git remote show origin", "git remote update", "git stash", "git stash -p", "git stash pop", "git reflog expire", "git config a b", "git config edit", "git config list", "git config", "git config --list", "git config --get http.extraheader", "git config url.x.insteadOf", "git config --get sendemail.smtpPass", "git config --unset a", "git worktree add x", "git notes add", "git symbolic-ref HEAD x", "git ls-remote", "git fetch", "git status --paginate", "git cat-file --textconv HEAD:a", "git cat-file --filters HEAD:a", "git hash-object -w a", "git fsck", "git archive HEAD", "git bisect log", "git help log", "git unknown", "git", "git diff -Ox",
	} {
		if got := effectsOf(Analyze(text, nowhere{})); got.Only(approval.Read) {
			t.Errorf("%q: effects %v, want more than read", text, got)
		}
	}
}

func TestReading(t *testing.T) {
	for _, text := range []string{
		"sort -t, -k2,2n -ru a", "sort --key=2 a", "grep -rniE --color=always -A3 -- -x src", "grep -c '' a", "rg -nU --multiline -g '*.go' -e a -e b src", "rg --files -t go", "find . -maxdepth 2 -type f -name '*.go' -not -path './x/*' -print0", "find src -newer a -size +1k -printf '%p\\n'", "fd -e go main", "fd -H -t f . src",
		"sed -n '/a/,/b/p;$p' a", "sed -e 's/a/b/g' -e '1d;$!N;P;D' a", "sed -E 's#a/b#c#;s,x,y,2' a", "sed ':a;N;$!ba;s/\\n/ /g' a", "sed '1!G;h;$!d' a", "sed -n '2{p;q}' a", "sed 's/w/e/' a", "awk 'NR>1 && $3 >= 2 {s+=$1} END {print s}' a", "awk -F, -v x=1 '{print $x}' a", "awk '/foo/ {n++} END {printf \"%d\\n\", n}' a", "awk '!seen[$0]++' a",
		"jq -r '.items[] | select(.a == \"b\") | .env' a", "jq '.environment' a", "diff -u a b", "diff -rq src docs", "cmp a b", "xxd -l 16 a", "od -An -tx1 a", "stat -c %s a", "ls -lah --sort=size src", "ps aux", "ps -ef --forest", "ps -eo pid,etime,args --sort=-pcpu", "ps -C node -o pid", "xxd -ps a", "tree -aL 2 -I x", "jq --indent 2 . a", "find . -name x -exec uniq {} ;", "find . -name x | xargs cat", "date -u -d yesterday +%F", "id -un", "uname -a", "which go git", "type -a ls", "command -v ls", "tail -f -n 3 a", "head -c 3 a", "head -5 a",
		"man ls", "man 3 printf", "man -k word", "node --help", "curl --help", "go help build", "bc -l", "git status -uall", "git status -uno -sb", "tar tf a", "tar -tzvf a.tgz x/y", "unzip -l a", "gzip -dc a", "gzip -l a", "gunzip -c a", "xz --list a", "zcat a", "gofmt -l .", "gofmt -d -e a", "printenv HOME", "locale", "getconf PAGESIZE", "readelf -a a",
		"git -P log -3", "git config user.name", "git config --get remote.origin.url", "declare -r X=1", "export TZ=UTC", "git config --global user.name", "git log --oneline --graph --all --decorate -n 5", "git log -S x -p --since=yesterday -- src", "git log --pretty=format:'%h %s' -3", "git diff -w --word-diff HEAD~2 HEAD -- a", "git show HEAD:a", "git blame -L 1,5 a", "git status -sb", "git branch -avv", "git branch --show-current", "git tag -l 'v*'", "git stash list", "git stash show -p", "git remote -v", "git remote get-url origin",
		"git rev-parse --abbrev-ref HEAD", "git ls-files -o --exclude-standard", "git grep -n foo -- src", "git config --get user.name", "git describe --tags --always --dirty", "git shortlog -sn HEAD", "git worktree list", "git rev-list --count HEAD", "git diff-tree --no-commit-id --name-only -r HEAD", "git for-each-ref --sort=-committerdate --format='%(refname)'", "git cherry -v main", "git merge-base main HEAD",
		"basename \"$x\" .go", "dirname $x", "seq 1 $n", "test -n \"$x\"", "[ \"$a\" = b ] || [ ! -d x ]", "[[ $x == a* && -f b ]]", "echo ${x:-y} ${x%.go} ${#x} ${x:0:3}", "go version", "go env GOPATH GOROOT", "python3 --version", "git --version", "rg --version", "ls --help",
	} {
		if got := effectsOf(Analyze(text, nowhere{})); !got.Only(approval.Read) {
			t.Errorf("%q: effects %v, want read; %+v", text, got, Analyze(text, nowhere{}).Subjects)
		}
	}
}

// A program that is not where the system keeps its own may be anything, whatever its name.
func TestHijacked(t *testing.T) {
	d := project(t)
	d.ours = []string{"jq"}
	for _, text := range []string{"jq .", "./ls", "bin/ls", "$PWD/bin/ls", "/tmp/ls", "env ./ls", "sh -c ./ls", "xargs ./cat", "find . -exec bin/ls {} +", "bin/../bin/ls", "./git status", "./bash -c ls", "bin/env ls", "bin/find ."} {
		if got := effectsOf(Analyze(text, d)); got.Only(approval.Read) {
			t.Errorf("%q: effects %v, want more than read", text, got)
		}
	}
	for _, text := range []string{"/bin/ls", "/usr/bin/git status"} {
		if got := effectsOf(Analyze(text, d)); !got.Only(approval.Read) {
			t.Errorf("%q: effects %v, want read", text, got)
		}
	}
}

// What rules need beside the words.
func TestCommandNotes(t *testing.T) {
	d := project(t)
	for _, test := range []struct {
		text string
		want string
		has  func(Command) bool
	}{
		{"git -C src --no-pager push -f", "plain words", func(c Command) bool { return len(c.Plain) == 3 && c.Plain[1] == "push" }},
		{"git --git-dir=x push", "elsewhere", func(c Command) bool { return c.Elsewhere }},
		{"cd .. && make", "elsewhere", func(c Command) bool { return c.Elsewhere }},
		{"A=1 make", "assigned", func(c Command) bool { return c.Assigned }},
		{"env A=1 make", "assigned", func(c Command) bool { return c.Assigned && c.Inside == 1 }},
		{"./make", "foreign", func(c Command) bool { return c.Foreign }},
		{"/usr/bin/make", "foreign", func(c Command) bool { return c.Foreign }},
		{"rg --pre x y", "runs", func(c Command) bool { return c.Runs }},
		{"git -c a=b push", "runs", func(c Command) bool { return c.Runs }},
		{"make", "program", func(c Command) bool {
			return c.Program == "/usr/bin/make" && !c.Foreign && !c.Elsewhere && !c.Assigned && !c.Runs
		}},
		{"cd src && make", "at home", func(c Command) bool { return !c.Elsewhere }},
	} {
		a := Analyze(test.text, d)
		if last := a.Commands[len(a.Commands)-1]; !test.has(last) {
			t.Errorf("%q: %+v, want %s", test.text, last, test.want)
		}
	}
}

// Git reads the configuration of the repository that it works in, and only that of the work directory is known.
func TestOtherRepository(t *testing.T) {
	work := t.TempDir()
	for _, dir := range []string{"src/deep", "sub/.git", "sub/deep", ".git"} {
		if err := os.MkdirAll(filepath.Join(work, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("sub/deep", filepath.Join(work, "link")); err != nil {
		t.Fatal(err)
	}
	for text, reading := range map[string]bool{
		"git log": true, "git --no-pager -C src log -1": true, "cd src/deep && git status": true, "git -C src -C deep log": true, "git -C sub -C .. log": true, "(cd sub); git log": true,
		"git -C sub log": false, "cd sub; git log": false, "git -C src -C ../sub/deep log": false, "git -C " + work + "/sub log": false, "git -C link log": false, "cd link && git diff": false,
		"git -C .. log": false, "cd / && git log": false, "git -C link/.. log": false, "true || cd sub; git log": false, "cd $x; git log": false,
	} {
		got := effectsOf(Analyze(text, disk{work: work})).Only(approval.Read)
		if got != reading {
			t.Errorf("%q only reads: %v, want %v", text, got, reading)
		}
	}
}

// Bash evaluates what becomes a subscript or the value of an integer, so that text in it runs (bash(1), "ARITHMETIC
// EVALUATION"); and what takes the environment away takes what keeps git's configuration from running programs.
func TestHiddenWays(t *testing.T) {
	for _, text := range []string{
		"x['a[$(touch b)]']=1", "x[ 'a[$(touch b)]' ]=1", "read y < a; x[$y]=1", "x[\"$y\"]+=1 ls",
		"RANDOM='a[$(touch b)]'", "OPTIND='a[$(touch b)]'", "read SECONDS < a", "for RANDOM in 'a[$(touch b)]'; do :; done", "RANDOM='a[$(touch b)]' ls", "echo ${OPTIND:=x}", "read -r x OPTIND < a; ls",
		"echo ${x:-${y[$z]}}", "[[ ${q:=${x['a[$(touch b)]']}} == -eq ]]", "y='a[$(touch b)]'; x=(${x:-$[$y]})", "help ${x:-$(('a[$(touch b)]'))}", "echo ${x/${y[$z]}/b}", "echo {a..${y[$z]}}", "echo @(${y[$z]})", "[[ x == @($(touch b)|y) ]]", "[[ x == @(`touch b`) ]]", "case x in !($(touch b))) ls ;; esac", "echo ${x##@($(touch b))}", "echo ${x//+($(touch b))/y}", "[[ x == a@(b|@($(touch b))) ]]", "echo \"${x:-\"${y@P}\"}\"", "echo ${x%${!y}}",
		"cat <<E\n${q:='$(touch b)'}\nE\n", "echo \"${q:-'$(touch b)'}\"", "echo \"${q:-'`touch b`'}\"", "read x < a; cat <<< ${q:=<(((x)))}", "echo ${q:->(touch b)}", "echo \"${q:-${z:-'$(touch b)'}}\"", "ls > $((1+1))", "ls > $#", "ls >> $RANDOM", "ls > ${#x}", "ls 3<> $#", "xxd a --", "cp a ''", "uniq a ''", "f() { uniq a \"$@\"; }; f", "xxd -- a b",
		"export a[$(touch b)]", "readonly x[`touch b`]", "declare -a a[$(touch b)]", "env ${x:=touch} b", "env A=b ${x=touch} b", "awk 1 \"${x:=y}\"",
		"jobs -x touch b", "jobs -x ls", "jobs $x", "wait -p 'a[$(touch b)]' 1", "wait -np x", "wait -n -p x",
		"env -i git status", "env -u GIT_CONFIG_COUNT git status", "env --ignore-environment git log", "env --unset=GIT_CONFIG_COUNT git log", "nice env -i git diff", "env --ignore git log", "env --unse=X git log", "env -vi git log", "read y < a; echo ${x[$y]}", "read y < a; echo ${x[\"$y\"]}", "y='a[$(touch b)]'; echo ${#x[$y]}", "echo ${x['a[$(touch b)]']}", "read y < a; echo ${x[0]:$y}", "read y < a; echo ${x[@]:$y}", "env - git log", "env -S '-i git log'",
		"exec -c git status", "exec -a git-add git status", "(exec -c ls)",
		"set", "export", "export -p", "declare", "declare -p", "typeset -p", "readonly -p", "declare -px", "declare -p HOME",
	} {
		if got := effectsOf(Analyze(text, nowhere{})); got.Only(approval.Read) {
			t.Errorf("%q: effects %v, want more than read", text, got)
		}
	}
	for _, text := range []string{"x[3]=1; ls", "echo {a,{1,2}} {b,{c,{d,e}f}}", "echo ${x:-${y%.go}} ${x/$y/z} ${x:-$((1+1))}", "ls 2>&$((1))", "wait", "wait -n", "jobs -l", "jobs %1", "env ls", "exec ls", "set -e; ls", "declare x=1; ls", "env LC_ALL=C ls"} {
		if got := effectsOf(Analyze(text, nowhere{})); !got.Only(approval.Read) {
			t.Errorf("%q: effects %v, want read", text, got)
		}
	}
}
