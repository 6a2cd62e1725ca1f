package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tricode/approval"
)

// s allows what is like a harmless call, and of any other just that one.
func TestShape(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(dir, "home"))
	}
	work := filepath.Join(dir, "work")
	for _, name := range []string{"a.txt", "sub/my dir/b", "Makefile", "build.sh"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(work, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, name), []byte("x"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	j, err := (&commandLine{WorkDir: work}).judge()
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	command := func(text string) string {
		args, _ := json.Marshal(map[string]string{"command": text})
		return string(args)
	}
	for _, tt := range []struct{ tool, args, want string }{
		{"run_command", command("git commit -m 'a b'"), "run_command(git commit *)"},
		{"run_command", command("touch a.txt"), "run_command(touch *)"},
		{"run_command", command("make -s build && touch x"), "run_command(make -s build *), run_command(touch *)"},
		{"run_command", command("git commit -m x; rm -r sub"), "run_command(git commit *), run_command(rm -r sub)"},
		{"run_command", command("rm -r sub"), "run_command(rm -r sub)"},
		{"run_command", command("make && rm -rf sub nothing && git status >log"), "run_command(make *), run_command(rm -rf sub nothing), run_command, on the path log"},
		{"run_command", command("rm -r 'sub/my dir'"), "run_command, exactly: rm -r 'sub/my dir'"},
		{"run_command", command("git push -f"), "run_command(git push -f)"},
		{"run_command", command("curl https://example.com"), "run_command(curl https://example.com)"},
		{"run_command", command("./build.sh all"), "run_command, exactly: ./build.sh all"},
		{"create_file", `{"path":"sub/c.go","content":""}`, "create_file(sub/*.go)"},
		{"create_file", `{"path":"README","content":""}`, "create_file(*)"},
		{"create_file", `{"path":".envrc.example","content":""}`, "create_file(*)"},
		{"edit_file", `{"path":"a.txt","mode":"append","content":"x"}`, "edit_file(a.txt)"},
		{"delete_file", `{"path":"a.txt"}`, "delete_file(a.txt)"},
		{"mkdir", `{"path":"sub/new"}`, "mkdir(sub/*)"},
		{"fetch_url", `{"url":"https://example.org/x"}`, "fetch_url(domain:example.org)"},
		{"delete_path", `{"path":".","recursive":true}`, ""},
		{"start_session", `{}`, ""},
	} {
		v := j.decide(t.Context(), tt.tool, json.RawMessage(tt.args))
		if v.decision.Verdict != approval.Ask {
			t.Errorf("%s %s is %s: %s", tt.tool, tt.args, v.decision.Verdict, v.decision.Reason)
			continue
		}
		lines, _, err := (&dialogue{world: j.world}).shape(v.action)
		if got := strings.Join(lines, ", "); got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s %s: %s, %v; want %s", tt.tool, tt.args, got, err, tt.want)
		}
	}
}
