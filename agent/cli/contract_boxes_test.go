//go:build linux

package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/workdir/sandbox"
)

// tries is a program of which nobody knows beforehand what it writes or reads: each argument is tried.
const tries = `import os, socket, sys
for what in sys.argv[1:]:
    name, _, path = what.partition(":")
    try:
        if name == "write":
            open(os.path.expanduser(path), "a").close()
        elif name == "read":
            open(os.path.expanduser(path)).read(1) or sys.exit(what + ": empty")
        elif name == "unix":
            socket.socket(socket.AF_UNIX)
        elif name == "tcp":
            socket.create_connection(("127.0.0.1", 1), 5)
        elif name == "out":
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 9))
        elif name == "session":
            os.getsid(0) or sys.exit("it began outside of the box")
            open("/dev/tty")
        print(what, "done")
    except OSError as e:
        print(what, e.strerror)
`

// boxed is a statement about boxes, and what a command line says in the one that it runs in.
type boxed struct {
	says, flags, config, env, line string
	want                           string // lines; @TMP@ is the temporary directory
}

var boxes = []boxed{
	{says: "writing: the work directory, additional directories, the temporary directory, caches",
		config: "[permissions]\nadditional_directories = ['@ROOT@/lib']", line: "python3 try.py write:n write:@ROOT@/lib/n write:$TMPDIR/n write:~/.npm/n write:@ROOT@/beside/n write:~/n write:/tmp/n write:/etc/n",
		want: "write:n done|write:@ROOT@/lib/n done|write:@TMP@/n done|write:~/.npm/n done|write:@ROOT@/beside/n Read-only file system|write:~/n Read-only file system|write:/tmp/n Read-only file system|write:/etc/n Read-only file system"},
	{says: "writing: caches = false", config: "sandbox.caches = false", line: "python3 try.py write:~/.npm/m", want: "write:~/.npm/m Read-only file system"},
	{says: "writing: [sandbox] writable", config: "sandbox.writable = ['@ROOT@/beside']", line: "python3 try.py write:@ROOT@/beside/m write:~/m", want: "write:@ROOT@/beside/m done|write:~/m Read-only file system"},
	{says: "writing: .git, .husky, node_modules", line: "python3 try.py write:.git/m write:.husky/m write:node_modules/m write:src/.git/m",
		want: "write:.git/m Read-only file system|write:.husky/m Read-only file system|write:node_modules/m Read-only file system|write:src/.git/m Read-only file system"},
	{says: "writing: only when the line names git", line: "git --version >$TMPDIR/v; python3 try.py write:.git/m write:.husky/m", want: "write:.git/m done|write:.husky/m done"},
	{says: "writing: or a package manager", line: "command -v npm >$TMPDIR/v && npm --version >$TMPDIR/v; python3 try.py write:node_modules/m", want: "write:node_modules/m done"},
	{says: "network: true", line: "python3 try.py tcp:", want: "tcp: Connection refused"},
	{says: "network: false", config: "sandbox.network = false", line: "python3 try.py out:", want: "out: Network is unreachable"},
	{says: "unix sockets outside: refused", line: "python3 try.py unix:", want: "unix: Operation not permitted"},
	{says: "unix sockets outside: unless sockets lists them", config: "sandbox.sockets = ['@ROOT@/beside/x']", line: "python3 try.py unix:", want: "unix: done"},
	{says: "secrets: not readable", line: "python3 try.py read:~/.ssh/id read:~/.aws/credentials read:~/.config/tricode/config.toml", config: "#",
		want: "read:~/.ssh/id No such file or directory|read:~/.aws/credentials No such file or directory|read:~/.config/tricode/config.toml No such file or directory"},
	{says: "secrets: what a program is known to need", line: "ssh -V 2>$TMPDIR/v; python3 try.py read:~/.ssh/id read:~/.aws/credentials", want: "read:~/.ssh/id done|read:~/.aws/credentials No such file or directory"},
	{says: "secrets: readable", config: "sandbox.readable = ['~/.aws/credentials']", line: "python3 try.py read:~/.ssh/id read:~/.aws/credentials", want: "read:~/.ssh/id No such file or directory|read:~/.aws/credentials done"},
	{says: "secrets: secrets = true", config: "sandbox.secrets = true", line: "python3 try.py read:~/.ssh/id read:~/.aws/credentials", want: "read:~/.ssh/id done|read:~/.aws/credentials done"},
	{says: ".env*: readable in the work box", line: "python3 try.py read:.env", want: "read:.env done"},
	{says: "checked again at execution", flags: "--deny 'Bash(rm *)'", line: "$(echo rm) old.txt; python3 try.py read:old.txt", want: "rm: denied: deny rule Bash(rm *) (--deny)|read:old.txt done"},
	{says: "checked again at execution: files that redirects really open", line: "d=$(echo .git); echo x >$d/config; echo done", want: "bash: .git/config: denied: @ROOT@/work/.git/config is protected from writing|done"},
	{says: "off: nothing is enforced", flags: "--sandbox=off", line: "python3 try.py write:@ROOT@/beside/o write:.git/o read:~/.ssh/id", want: "write:@ROOT@/beside/o done|write:.git/o done|read:~/.ssh/id done"},
	{says: "standard input and the terminal", line: "readlink /proc/self/fd/0; python3 try.py session:", want: "/dev/null|session: No such device or address"},
	{says: "environment: removed", env: removed, line: "env | grep =gone", want: "exit status 1"},
	{says: "environment: git's author, committer and terminal", env: "GIT_AUTHOR_NAME=a GIT_COMMITTER_EMAIL=c GIT_TERMINAL_PROMPT=0", line: "env | grep ^GIT_ | sort", want: "GIT_AUTHOR_NAME=a|GIT_COMMITTER_EMAIL=c|GIT_TERMINAL_PROMPT=0"},
	{says: "environment: unless env names them", env: removed, config: "sandbox.env = ['X_TOKEN', 'GOFLAGS', 'LD_X']", line: "env | grep =gone | sort", want: "GOFLAGS=gone|LD_X=gone|X_TOKEN=gone"},
}

// removed are variables that programs do not get, one for each name and pattern of the contract.
const removed = "X_TOKEN=gone X_KEY=gone X_SECRET=gone X_PASSWORD=gone LD_X=gone DYLD_X=gone BASH_ENV=gone BASH_FUNC_x%%=gone ENV=gone PROMPT_COMMAND=gone " +
	"GIT_DIR=gone GIT_SSH=gone MANPAGER=gone PAGER=gone LESSOPEN=gone RIPGREP_CONFIG_PATH=gone NODE_OPTIONS=gone PYTHONSTARTUP=gone PYTHONPATH=gone " +
	"PERL5OPT=gone PERL5LIB=gone RUBYOPT=gone GOFLAGS=gone JAVA_TOOL_OPTIONS=gone OPENAI_API_KEY=gone"

// What the operating system enforces, statement by statement: each line runs under bypass in a world of its own.
func TestPolicySection7(t *testing.T) {
	for _, b := range boxes {
		t.Run(b.says, func(t *testing.T) {
			w := newContractWorld(t)
			for _, name := range []string{"work/.git/config", "work/.husky/x", "work/node_modules/x", "work/src/.git/x", "home/.ssh/id", "home/.aws/credentials", "home/.npm/x"} {
				w.write(t, filepath.Join(w.root, name), "x")
			}
			w.write(t, filepath.Join(w.root, "work/try.py"), tries)
			got, temp := w.runs(t, statement{flags: b.flags + " --trust", env: b.env, config: b.config}, b.line)
			want := strings.NewReplacer("@TMP@", temp, "|", "\n").Replace(w.places.Replace(b.want))
			if got = strings.TrimSuffix(got, "\n"); got != want {
				t.Errorf("%s\n%s\nwant\n%s", b.line, got, want)
			}
			if _, err := os.Stat(temp); err == nil {
				t.Errorf("%s is still there", temp)
			}
		})
	}
}

// runs runs a command line to its end, and returns what it printed and its temporary directory.
func (w *contractWorld) runs(t *testing.T, s statement, line string) (text, temp string) {
	t.Helper()
	s.done = true
	talk, j, err := w.judge(t, s)
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	if held, err := j.box.Holds(t.Context(), &sandbox.Limits{}); err != nil || !held.Has(sandbox.Mounts|sandbox.Processes|sandbox.Networks|sandbox.Seccomp) {
		t.Skip("not run: the box is held by ", held, err)
	}
	action := j.plan(t, "run_command "+w.places.Replace(line))
	result, err := talk.gate.Do(t.Context(), action, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return result.Text, j.box.Temp()
}
