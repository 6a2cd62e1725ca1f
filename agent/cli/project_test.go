package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tricode/agent/config"
	"tricode/approval"
)

// Whatever stands in the configuration of a project that nobody trusts, no decision is less strict than without it.
func TestUntrustedProjectNeverLoosens(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(dir, "home"))
	}
	work := filepath.Join(dir, "work")
	if err := os.MkdirAll(filepath.Join(work, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	j, err := (&commandLine{WorkDir: work}).judge()
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	var actions []*approval.Action
	for _, command := range []string{
		"ls", "cat src/a", "git push -f", "git status && make", "rm -rf src", "sudo rm x", "touch src/a", "sh -c 'rm x'", "$x", "echo >src/a", "curl https://example.org", "cat .env",
	} {
		args, err := encode(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		actions = append(actions, j.decide(t.Context(), "run_command", args).action)
	}
	for tool, args := range map[string]string{
		"create_file": `{"path":"src/a","content":""}`, "read_file": `{"path":"src/a"}`, "mkdir": `{"path":"src/b"}`, "search_context": `{"pattern":"x"}`,
		"fetch_url": `{"url":"https://example.org"}`,
	} {
		actions = append(actions, j.decide(t.Context(), tool, json.RawMessage(args)).action)
	}
	rank := map[approval.Verdict]int{approval.Allow: 0, approval.Ask: 1, approval.Deny: 2}
	rapid.Check(t, func(t *rapid.T) {
		own := somePermissions(t, "own")
		otherwise := rapid.SampledFrom([]approval.Verdict{approval.Ask, approval.Deny}).Draw(t, "default")
		mode := rapid.SampledFrom([]approval.Mode{approval.ModeAsk, approval.ModeAcceptEdits, approval.ModeReadOnly, approval.ModeBypass}).Draw(t, "mode")
		decide := func(c config.Config) []approval.Decision {
			p := j.policy
			p.Mode, p.Default, p.Protected = mode, c.Permissions.Default, c.Permissions.Protected
			var err error
			if p.Rules, _, err = approval.Compile(c.Permissions.Rules, c.Permissions.Usual(), work, p.Home); err != nil {
				t.Fatal(err)
			}
			var all []approval.Decision
			for _, a := range actions {
				all = append(all, p.Decide(a, nil))
			}
			return all
		}
		own.Default = otherwise
		before := decide(config.Config{Permissions: own})
		joined := config.Config{Permissions: own}
		joined.Permissions.Rules, joined.Permissions.Tools = slices.Clone(own.Rules), maps.Clone(own.Tools)
		joined.AddProject(&config.Project{Dir: work, Settings: config.Config{Permissions: somePermissions(t, "theirs")}})
		for i, after := range decide(joined) {
			if rank[after.Verdict] < rank[before[i].Verdict] {
				t.Errorf("%s %s is %s (%s), and with the project's configuration %s (%s)", actions[i].Tool, actions[i].Summary,
					before[i].Verdict, before[i].Reason, after.Verdict, after.Reason)
			}
		}
	})
}

// somePermissions are rules as somebody could write them.
func somePermissions(t *rapid.T, whose string) config.Permissions {
	verdict := rapid.SampledFrom([]approval.Verdict{approval.Allow, approval.Ask, approval.Deny})
	var p config.Permissions
	for i := range rapid.IntRange(0, 4).Draw(t, whose+" rules") {
		spec := rapid.SampledFrom([]string{
			"*", "Bash", "run_command(git *)", "run_command(git push:*)", "run_command(rm *)", "run_command(rm -rf:*)", "run_command(make)", "run_command(touch src/a)",
			"run_command(sh *)", "read_file(src/**)", "create_file(src/*)", "read_file(.env)", "Write", "mkdir", "fetch_url(example.org)", "search_context",
		}).Draw(t, fmt.Sprint(whose, " rule ", i))
		r, err := approval.ParseRule(spec, verdict.Draw(t, fmt.Sprint(whose, " action ", i)))
		if err != nil {
			t.Fatal(err)
		}
		p.Rules = append(p.Rules, r)
	}
	for _, tool := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"run_command", "create_file", "read_file", "*", "mkdir"}), 0, 2, rapid.ID).Draw(t, whose+" tools") {
		if p.Tools == nil {
			p.Tools = map[string]approval.Verdict{}
		}
		p.Tools[tool] = verdict.Draw(t, whose+" "+tool)
	}
	if rapid.Bool().Draw(t, whose+" protects") {
		p.Protected = []string{"src/**"}
	}
	return p
}
