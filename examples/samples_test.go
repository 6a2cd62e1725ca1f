//go:build unix

package examples

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rules that people bring from other agents load as they are and decide as their comments say.
func TestSamples(t *testing.T) {
	const away = "--bypass-work-directory-limit"
	for _, tt := range []struct{ sample, flags, tool, args, want string }{
		{"agent-code", "", "run_command", "git status", "allow"},
		{"agent-code", "", "run_command", "git commit -m x", "allow"},
		{"agent-code", "", "start_session", "git add -p", "allow"},
		{"agent-code", "", "run_command", "git -c core.pager=./x log", "ask"},
		{"agent-code", "", "run_command", "git status && make", "ask"},
		{"agent-code", "", "run_command", "make", "ask"},
		{"agent-code", "", "run_command", "rm -rf build", "deny"},
		{"agent-code", "--trust", "run_command", `git gc; command \rm -r -f build`, "deny"},
		{"agent-code", "", "create_file", `{"path": "/tmp/x", "content": ""}`, "deny"},
		{"agent-code", away, "create_file", `{"path": "/tmp/x", "content": ""}`, "allow"},
		{"agent-code", "additional_directories", "create_file", `{"path": "/tmp/x", "content": ""}`, "allow"},
		{"agent-code", "", "create_file", `{"path": "x", "content": ""}`, "ask"},

		{"packetcode", "", "read_file", "notes.txt", "allow"},
		{"packetcode", "", "list_directory", "{}", "allow"},
		{"packetcode", "", "search_context", "x", "allow"},
		{"packetcode", "", "create_file", `{"path": "x", "content": ""}`, "allow"},
		{"packetcode", "", "edit_file", `{"path": "notes.txt", "mode": "overwrite", "content": "x"}`, "allow"},
		{"packetcode", "", "delete_file", "notes.txt", "ask"},
		{"packetcode", "", "run_command", "make", "ask"},
		{"packetcode", "", "start_session", "make", "ask"},
		{"packetcode", "--trust", "run_command", "make", "allow"},
		{"packetcode", "", "run_command", "rm -rf build", "deny"},
		{"packetcode", "--trust", "run_command", "sudo /bin/rm --recursive -f build", "deny"},
		{"packetcode", "--bypass-permission", "start_session", "sh -c 'rm build -fr'", "deny"},
		{"packetcode", "--dangerously-skip-permissions", "run_command", "rm -fr build", "deny"},
	} {
		config, err := filepath.Abs(filepath.Join("testdata", "samples", tt.sample+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		args := []string{"--config", config}
		switch {
		case tt.flags == "additional_directories": // as the comment of the sample says
			args = []string{"--config", within(t, config, `["/tmp"]`)}
		case tt.flags != "":
			args = append(args, tt.flags)
		}
		cmd := tricode(append(args, "permissions", "explain", "--json", tt.tool, tt.args)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		var got decision
		if err == nil {
			err = json.Unmarshal(out, &got)
		}
		if err != nil || got.Decision != tt.want {
			t.Errorf("%s %s: %s %s is %s (%s), %v; want %s", tt.sample, tt.flags, tt.tool, tt.args, got.Decision, got.Reason, err, tt.want)
		}
	}
}

// within is a sample with additional directories.
func within(t *testing.T, sample, dirs string) string {
	text, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("[permissions]\n"), []byte("[permissions]\nadditional_directories = "+dirs+"\n"), 1)
	file := filepath.Join(t.TempDir(), filepath.Base(sample))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// What a sample says and does not get is pointed out.
func TestSamplesAreChecked(t *testing.T) {
	for sample, lines := range map[string][]string{
		"agent-code": {"Bash(git *) allows less than it says", "FileWrite(/tmp/*) allows no writing there unless it is an additional directory", "rules: 3, warnings: 2"},
		"packetcode": {"rules: 6, warnings: 0"},
	} {
		cmd := tricode("--config", filepath.Join("testdata", "samples", sample+".toml"), "permissions", "check")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("check of %s: %v", sample, err)
		}
		for _, want := range lines {
			if !strings.Contains(string(out), want) {
				t.Errorf("check of %s says %q; want %q in it", sample, out, want)
			}
		}
	}
}
