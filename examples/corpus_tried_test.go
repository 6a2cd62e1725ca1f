//go:build linux

package examples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tricode/providers/scripted"
)

// nobody is the user whose rights are enough for commands that may do harm: what the box would let through, the system does not.
const nobody = 65534

// denied finds the programs that the rules of a policy speak of.
var denied = regexp.MustCompile(`(?:command_prefix = \["|pattern = "|command = ")([\w.+-]+)`)

// tried is a throw-away home and work directory, with what is beside them.
type tried struct{ root, work, beside, started string }

// standIn is a program that says who started it, as what and with which arguments.
const standIn = "#!/bin/sh\nread -r by </proc/$PPID/comm\nprintf '%%s\\0' \"$by\" %s \"$@\" '\n' >>%s\n"

const canary = "the canary of the home directory"

// newTried makes a layout with a canary in each place that holds secrets, all of it owned by nobody.
func newTried(t *testing.T, l lot) *tried {
	top, err := os.MkdirTemp("", "tricode-corpus-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	p := &tried{root: filepath.Join(top, "tree"), beside: filepath.Join(top, "beside")}
	p.work = filepath.Join(p.root, "work")
	p.started = filepath.Join(p.work, ".started")
	if out, err := exec.Command("sh", filepath.Join(corpus, "fixtures.sh"), l.fixture, p.root).CombinedOutput(); err != nil {
		t.Fatalf("layout %s: %v\n%s", l.fixture, err, out)
	}
	for _, name := range []string{".ssh/id_rsa", ".aws/credentials", ".netrc", ".git-credentials", ".npmrc", ".config/gh/hosts.yml"} {
		write(t, filepath.Join(p.root, "home", name), "//registry.example/:_authToken="+canary+"\n", 0o600) // npm shows what it does not know
	}
	policy, err := os.ReadFile(filepath.Join(corpus, "policies", l.policy+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(denied.FindAllStringSubmatch(string(policy), -1), []string{"", "curl"}, []string{"", "wget"}, []string{"", "ssh"}) {
		write(t, filepath.Join(p.beside, "stubs", name[1]), fmt.Sprintf(standIn, name[1], p.started), 0o755)
	}
	for _, dir := range []string{"tmp", "state"} {
		if err := os.MkdirAll(filepath.Join(p.beside, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(p.beside, "config.toml"), string(policy), 0o600)
	if out, err := exec.Command("chown", "-hR", fmt.Sprint(nobody), top).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

func write(t *testing.T, name, text string, perm os.FileMode) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, []byte(text), perm)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run has a model call the commands one after the other and returns what it was told of each.
func (p *tried) run(t *testing.T, flag string, cases []corpusCase) (told []string) {
	script := "[[turn]]\n"
	places := strings.NewReplacer("@WORK@", p.work, "@ROOT@", p.root, "@HOME@", filepath.Join(p.root, "home"))
	for _, c := range cases {
		var args map[string]any
		if err := json.Unmarshal([]byte(places.Replace(string(c.Args))), &args); err != nil {
			t.Fatal(err)
		}
		args["timeout"] = 2
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		script += fmt.Sprintf("[[turn.call]]\ntool = \"run_command\"\nraw = \"%s\"\n", strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\x7f", `\u007F`).Replace(string(raw)))
	}
	model, err := scripted.Parse("cases", []byte(script+"[[turn]]\ntext = \"Done.\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(model)
	defer server.Close()
	return p.ended(t, exec.Command("sh", "-c", `ulimit -f 65536 -c 0; exec "$@"`, "sh", filepath.Join(bin, "tricode"), flag,
		"--config", filepath.Join(p.beside, "config.toml"), "--sandbox=require", "--no-terminal=continue", "--output=stream-json", "try"), server.URL)
}

// ended runs tricode to its end.
func (p *tried) ended(t *testing.T, cmd *exec.Cmd, url string) (told []string) {
	config, err := os.OpenFile(filepath.Join(p.beside, "config.toml"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(config, "\n[providers.local]\nbase_url = %q\nmodel = \"scripted\"\n[sandbox]\nnetwork = false\ncaches = false\n", url)
	config.Close()
	var out, complaints bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.work, &out, &complaints
	cmd.Env = []string{"HOME=" + filepath.Join(p.root, "home"), "TMPDIR=" + filepath.Join(p.beside, "tmp"),
		"XDG_STATE_HOME=" + filepath.Join(p.beside, "state"), "PATH=" + filepath.Join(p.beside, "stubs") + ":/usr/local/bin:/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	err = cmd.Run()
	for line := range bytes.Lines(out.Bytes()) {
		var e struct{ Type, Result string }
		if json.Unmarshal(line, &e) == nil && e.Type == "done" {
			told = append(told, e.Result)
		}
	}
	if err != nil {
		t.Errorf("%v after %d calls: %s", err, len(told), complaints.String())
	}
	return told
}

// snapshot is all that may not change: what lies around the work directory, and what is protected in it.
func (p *tried) snapshot(t *testing.T, l lot) string {
	keep := []string{".husky", ".tricode"}
	if !l.manages {
		keep = append(keep, ".git")
	}
	var lines []string
	for line := range strings.SplitSeq(snapshot(t, p.root), "\n") {
		rel, inside := strings.CutPrefix(line, p.work+"/")
		name, _, _ := strings.Cut(rel, " ")
		top, _, _ := strings.Cut(name, "/")
		if !strings.HasPrefix(line, p.work+" ") && (!inside || slices.Contains(keep, top)) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// starts are the command lines of the stand-ins that the interpreter started.
func (p *tried) starts() (lines []string) {
	data, _ := os.ReadFile(p.started) // none was, or the directory is gone
	for start := range strings.SplitSeq(string(data), "\n\x00") {
		by, words, _ := strings.Cut(strings.TrimSuffix(start, "\x00"), "\x00")
		if by != "exe" { // a program started it, not the interpreter; no rule reaches into that
			continue
		}
		var quoted []string
		for w := range strings.SplitSeq(words, "\x00") {
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		lines = append(lines, strings.Join(quoted, " "))
	}
	return lines
}
