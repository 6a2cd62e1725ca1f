//go:build unix

// Package examples shows what a person sees: every example is a test, every end-to-end test is an example.
//
// An example is a testscript file (*.txtar) with some more commands:
//
//	serve FILE              a server that speaks the protocol and says what the script FILE lists; the
//	                        configuration of the example names it as the provider "local"
//	account KEY [MODEL...]  a server for tricode init that wants the key, or none for "-", and lists the models
//	npm PROGRAM ARG...      a server from an npm package; [npm:PACKAGE] is whether that is installed
//	run STATUS CMD ARG...   runs a program without a terminal and wants it to end with that status;
//	                        where two statuses are right, STATUS is "1|129";
//	                        "run -stdin FILE STATUS ..." gives it a file to read
//	sh STATUS LINE          runs a line as a person types it to a shell, without a terminal
//	tty STATUS STEPS CMD …  runs a program on a terminal of its own; the lines of the file STEPS say what is
//	                        waited for and what is typed; $SERVER in it is the address of the server
package examples

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	_ "tricode/agent/cli" // a result that go test remembers is that of this program
	"tricode/providers/scripted"
)

// bin is the directory of the tricode that is tried: the real one, with its own main.
var bin string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "tricode-examples-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", dir, "tricode")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return 1
	}
	bin = dir
	return m.Run()
}

func TestExamples(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 ".",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": serve, "account": account, "run": run, "sh": sh, "tty": tty, "npm": npm,
		},
		Condition: condition,
	})
}

// condition is what an example needs that not every system has: [npm:PACKAGE], [previews].
func condition(name string) (bool, error) {
	if name == "previews" {
		return runtime.GOOS == "linux" && exec.Command("unshare", "--user", "--map-root-user", "--mount", "true").Run() == nil, nil
	}
	return npmInstalled(name)
}

// setup gives each example a home beside its directory, and nothing of the environment it is run in.
func setup(env *testscript.Env) error {
	home := env.WorkDir + "-home"
	env.Setenv("HOME", home)
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(home, ".local", "state"))
	env.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	env.Setenv("TERM", "xterm-256color")
	env.Defer(func() { os.RemoveAll(home) })
	return os.MkdirAll(home, 0o700)
}

// serve starts a server that says what a script lists, and makes it the provider of the configuration.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve FILE")
	}
	script, err := scripted.Parse(args[0], []byte(ts.ReadFile(args[0])))
	ts.Check(err)
	server := httptest.NewServer(script)
	ts.Defer(server.Close)
	configure(ts, server.URL)
}

// configure makes a server the provider "local" of a new configuration.
func configure(ts *testscript.TestScript, url string) {
	ts.Setenv("SERVER", url)
	config := filepath.Join(ts.Getenv("XDG_CONFIG_HOME"), "tricode", "config.toml")
	ts.Check(os.MkdirAll(filepath.Dir(config), 0o700))
	ts.Check(os.WriteFile(config, fmt.Appendf(nil, "[providers.local]\nbase_url = %q\nmodel = \"scripted\"\n", url), 0o600))
}

// run runs a program without a terminal.
func run(ts *testscript.TestScript, neg bool, args []string) {
	stdin := os.DevNull
	if len(args) > 1 && args[0] == "-stdin" {
		stdin, args = ts.MkAbs(args[1]), args[2:]
	}
	if neg || len(args) < 2 {
		ts.Fatalf("usage: run [-stdin FILE] STATUS CMD ARG...")
	}
	in, err := os.Open(stdin)
	ts.Check(err)
	defer in.Close()
	cmd := command(ts, args[1:])
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, ts.Stdout(), ts.Stderr()
	cmd.SysProcAttr = ownSession()
	checkStatus(ts, args[0], cmd.Run())
}

// sh gives a line to a shell, word for word; testscript leaves double quotes alone.
func sh(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sh STATUS LINE")
	}
	run(ts, false, []string{args[0], "sh", "-c", strings.Join(args[1:], " ")})
}

// command prepares a program with the environment and the directory of the example.
func command(ts *testscript.TestScript, args []string) *exec.Cmd {
	path := args[0]
	if path == "tricode" {
		path = filepath.Join(bin, "tricode")
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{
		"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "PATH", "TERM", "SERVER", "NO_COLOR", "TRICODE_CONFIG", "LOCAL_KEY",
		"TRICODE_LOCAL_API_KEY", "TRICODE_LOCAL_BASE_URL", "TRICODE_LOCAL_MODEL", "WORK", "TRICODE_PERMISSION_TRACE",
		"PAGER", "EDITOR", "VISUAL",
	} {
		if value := ts.Getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	return cmd
}

func checkStatus(ts *testscript.TestScript, want string, err error) {
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if !slices.Contains(strings.Split(want, "|"), strconv.Itoa(got)) {
		ts.Fatalf("exit status %d, want %s", got, want)
	}
}

// tricode is the program with an empty home.
func tricode(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(bin, "tricode"), args...)
	cmd.Env = []string{"HOME=/nonexistent", "PATH=" + os.Getenv("PATH")}
	return cmd
}
