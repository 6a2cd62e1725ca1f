package shell

import (
	"strings"
	"testing"

	"tricode/approval"
)

// touched lists the paths of an analysis that have all of the given effects, as the work directory sees them.
func touched(d disk, a Analysis, e approval.Effects) string {
	var all []string
	for _, s := range a.Subjects {
		if s.Path == "" || s.Effects&e != e {
			continue
		}
		name := s.Rel
		if name == "" {
			name = s.Path
			if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(d.work, "/work")); ok {
				name = ".." + rest
			}
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

func TestWrites(t *testing.T) {
	d := project(t)
	for _, test := range []struct{ text, want string }{
		{"echo x > n", "n"}, {"echo x >> n", "n"}, {"echo x &> n", "n"}, {"echo x >| n", "n"}, {"ls 2>n", "n"}, {"ls >n 2>&1", "n"}, {"ls > /dev/null", ""}, {"echo x > $HOME/n", "../home/n"}, {"cat <> n", "n"}, {"ls >&n", "n"},
		{"{ ls; } > n", "n"}, {"for f in a b; do echo x > $f; done", "a b"}, {"cd src && echo x > n", "src/n"}, {"(cd src; touch n); touch n", "src/n n"}, {"cd src && cd .. && touch n", "n"}, {"mkdir new && cd new && touch n", "new new/n n"},
		{"cp a.txt n", "n"}, {"cp a.txt src", "src/a.txt"}, {"cp -t src a.txt b.txt", "src/a.txt src/b.txt"}, {"cp --target-dir=src a.txt", "src/a.txt"}, {"mv a.txt src/", "src/a.txt"}, {"install -m 755 a.txt /usr/bin/x", "/usr/bin/x"}, {"ln -s a.txt n", "n"},
		{"tee -a n m", "n m"}, {"touch n", "n"}, {"touch -r a.txt n", "n"}, {"mkdir -p n/m", "n/m"}, {"dd if=a.txt of=n", "n"}, {"truncate -s 0 a.txt", "a.txt"}, {"chmod -R 755 src", "src"}, {"chown u:g a.txt", "a.txt"},
		{"sed -i s/a/b/ a.txt b.txt", "a.txt b.txt"}, {"sed --in-place=.bak -e s/a/b/ a.txt", "a.txt"}, {"sed s/a/b/ a.txt", ""}, {"sort -o n a.txt", "n"}, {"sort a.txt -on", "n"}, {"sort --outp=n a.txt", "n"}, {"uniq a.txt n", "n"},
		{"tar xf a.tar -C src", "src"}, {"tar -xf a.tar -C /etc", "/etc"}, {"tar cf n src", "n"}, {"tar czf ../n .", "../n"}, {"unzip -d src e.zip", "src"}, {"curl -o n x", "n"}, {"curl --output n x", "n"}, {"curl -sSLo n x", "n"}, {"wget -O n x", "n"}, {"wget -P src x", "src"},
		{"git diff --output=n", "n"}, {"git log --output ../n", "../n"}, {"git archive -o n HEAD", "n"}, {"go test -o n ./x", "n"}, {"go build -o=n .", "n"}, {"gcc a.c -o n", "n"}, {"find . -fprint n", "n"}, {"find . -fprintf n %p", "n"}, {"find src -exec cp {} n \\;", "n"},
		{"tar xfC a.tar /etc", "/etc"}, {"tar xvf a.tar", "."}, {"tar --extract -f a.tar", "."}, {"unzip e.zip", "."}, {"unzip -l e.zip", ""}, {"cpio -idD src < a", "src"}, {"cpio -pd ../n", "../n"}, {"7z x -o../n a.7z", "../n"}, {"patch -p1 < x", "."}, {"git apply x", "."}, {"git am x", "."}, {"git restore src", "src"}, {"git checkout -- a.txt src", "a.txt src"}, {"git checkout main", ""}, {"git checkout a.txt", "a.txt"},
		{"git clone ../a ../n", "../n"}, {"git clone x", ""}, {"git worktree add ../n", "../n"}, {"git bundle create ../n HEAD", "../n"}, {"git merge-file ../n a b", "../n"}, {"git checkout-index --prefix=../n/ -a", "../n ."}, {"git fast-export --export-marks=../n", "../n"}, {"git mailsplit -o../n a", "../n"}, {"git commit -F ../n", ""}, {"git diff a..b", ""},
		{"strange -o ../n", "../n"}, {"strange -o/etc/x", "/etc/x"}, {"strange --output=/etc/x", "/etc/x"}, {"strange --out /etc/x", "/etc/x"}, {"strange of=/etc/x", "/etc/x"}, {"openssl rand -out ../n 1", "../n"}, {"strange -o .git", ".git"}, {"strange -o json", ""}, {"ssh -o A=/x h", ""}, {"kubectl get -o jsonpath={/x}", ""}, {"pandoc a.txt -o .git/x", ".git/x"},
		{"sudo tee /etc/hosts", "/etc/hosts"}, {"less -o n a.txt", "n"}, {"touch hooks/x", ".git/hooks/x"}, {"touch out/n", "../outside/n"}, {"cp a.txt .Git/x", ".Git/x"}, {"rsync -a a.txt ~/.bashrc", "../home/.bashrc"}, {"patch -d src -i x", "src"}, {"time -o n ls", ""}, {"command time -o n ls", "n"},
		{"cp --target src a.txt", "src/a.txt"}, {"install -d n m", "n m"}, {"curl -O --output-dir src x", "src"}, {"curl --dump-h n x", "n"}, {"curl -w '%output{n}' x", "n"}, {"wget --rejected-log=n x", "n"}, {"tar -g n -cf m src", "n m"}, {"rsync --write-batch=n a b", "n b"}, {"zip -O n a.zip", "n a.zip"}, {"pg_dump -f n x", "n"}, {"mysql --tee=n", "n"},
		{"valgrind --log-file=n ls", "n"}, {"strace -o n ls", "n"}, {"black src", "src"}, {"gofmt -w src", "src"}, {"gofmt -l src", ""}, {"eslint --fix src", "src"}, {"eslint src", ""}, {"grm a.txt", ""}, {"gtee n", "n"},
		{"find src -exec touch {} +", "src"}, {"find . -exec tee {} \\;", ". .git"}, {"find . -name x -exec sed -i s/a/b/ {} \\;", "."}, {"find . -exec cp a.txt {} \\;", ". .git"}, {"find . -exec cat {} \\;", ""}, {"find src -exec dd if=a.txt of={} \\;", "src"}, {"find src -exec env sort -o {} {} \\;", "src"}, {"find .git -exec chmod +x {} +", ".git"},
		{"git reset --hard", "."}, {"git clean -fd", "."}, {"git reset", ""}, {"git clean -n", ""},
		{"d=.git; echo x > \"$d/config\"", ".git/config"}, {"exec > n", "n"}, {"bash -c 'cd src; touch \"$1\"' _ n", "src/n"},
	} {
		if got := touched(d, Analyze(test.text, d), approval.Write); got != test.want {
			t.Errorf("%q writes %q, want %q", test.text, got, test.want)
		}
	}
}

func TestDeletes(t *testing.T) {
	d := project(t)
	for _, test := range []struct{ text, want string }{
		{"rm a.txt", "a.txt"}, {"rm -rf -- src docs", "src docs"}, {"rm *.txt", "a.txt b.txt"}, {"rmdir docs", "docs"}, {"unlink a.txt", "a.txt"}, {"mv a.txt n", "a.txt"}, {"rm settings", "settings"}, {"rm -r out/", "../outside"}, {"find src -delete", "src"}, {"cd src && rm main.go", "src/main.go"}, {"rm -rf ~/x", "../home/x"}, {"shred -u a.txt", "a.txt"}, {"tar --remove-files -cf n a.txt", "a.txt"}, {"zip -m n.zip a.txt", "n.zip a.txt"},
	} {
		if got := touched(d, Analyze(test.text, d), approval.Delete); got != test.want {
			t.Errorf("%q deletes %q, want %q", test.text, got, test.want)
		}
	}
}

func TestReads(t *testing.T) {
	d := project(t)
	for _, test := range []struct{ text, want string }{
		{"git commit -F ../outside/secret.txt", "../outside/secret.txt"}, {"git diff --no-index a.txt ../outside/secret.txt", "../outside/secret.txt"}, {"docker run -v ../outside:/x y", "../outside"}, {"docker run --volume=../outside:/x y", "../outside"}, {"docker run --mount type=bind,src=../outside,dst=/x y", "../outside"}, {"docker run -v $PWD:/x y", ""}, {"docker run -p 80:80 y", ""},
		{"tar cf n ../outside", "../outside"}, {"tar xf ../outside/a.tar", "../outside/a.tar"}, {"zip -r n ../outside", "../outside"}, {"curl file:///etc/passwd", "/etc/passwd"}, {"curl FILE:/etc/passwd", "/etc/passwd"}, {"curl -F f=@../outside/secret.txt u", "../outside/secret.txt"}, {"curl -T../outside/secret.txt u", "../outside/secret.txt"}, {"curl --cacert ../outside/x u", "../outside/x"}, {"curl https://x/../y", ""},
		{"go test ../other/...", "../other"}, {"go test ./...", ""}, {"go test -run /x", ""}, {"python3 ../outside/x.py", "../outside/x.py"}, {"cargo install --root=../n y", "../n"}, {"grep -f ../outside/secret.txt a.txt", "a.txt ../outside/secret.txt"}, {"jq -n --rawfile a ../outside/secret.txt", "../outside/secret.txt"}, {"git diff -O../outside/secret.txt", "../outside/secret.txt"},
		{"cat a.txt b.txt", "a.txt b.txt"}, {"grep -n x a.txt", "a.txt"}, {"grep -e x a.txt", "a.txt"}, {"cat < a.txt", "a.txt"}, {"cp a.txt n", "a.txt"}, {"cat settings", "keys/.env"}, {"ls src", "src"}, {"ls keys/.env", "keys"}, {"cat out/secret.txt", "../outside/secret.txt"},
		{"sort -o n a.txt", "a.txt"}, {"cat ../outside/x", "../outside/x"}, {"cat src/../a.txt", "a.txt"}, {"cat out/../outside/x", "../outside/x"}, {"grep -r x keys", "keys keys/.env keys/id_rsa"}, {"rg x keys", "keys keys/id_rsa"}, {"rg -g '*.go' x keys", "keys"}, {"git show HEAD:keys/.env", "keys/.env"},
	} {
		if got := touched(d, Analyze(test.text, d), approval.Read); got != test.want {
			t.Errorf("%q reads %q, want %q", test.text, got, test.want)
		}
	}
}

// What may write to a protected place that its words name is never allowed for its program alone, and what leaves such a place out is
// not suspected of it.
func TestProtectedNamesAreSuspected(t *testing.T) {
	d := project(t)
	for _, text := range []string{
		"objcopy a.txt .git/x", "7z a .git/x a.txt", "sqlite3 .git/x 'create table a(b)'", `sqlite3 x "vacuum into '.git/x'"`, "javac -d .git a.java", "cmake -B.git/x", "pip install --target=.Git x", "docker cp c:/x .husky/", "socat - OPEN:.git/x", "gs -sOutputFile=.tricode/x a", "make -C .git", "find . | xargs sed -i s/a/b/",
	} {
		if got := effectsOf(Analyze(text, d)); !got.Has(approval.ExecOpaque) {
			t.Errorf("%q: effects %v, want opaque", text, got)
		}
	}
	for _, text := range []string{"ctags --exclude=.git -R .", "cloc --exclude-dir .git .", "node node_modules/x/bin.js", "node .husky/install.mjs", "objcopy a.git b", "docker run -v $PWD:/x y", "git clone https://x/.git/", "gcc a.c -o a", "eslint --ignore-pattern .git src", "prettier --ignore-path .gitignore src"} {
		if got := effectsOf(Analyze(text, d)); got.Has(approval.ExecOpaque) {
			t.Errorf("%q: effects %v, want nothing opaque", text, got)
		}
	}
}
