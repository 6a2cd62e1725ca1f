//go:build unix

package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every command of the README that starts tricode is run by an example, word for word.
func TestReadmeCommandsAreExamples(t *testing.T) {
	scripts, err := filepath.Glob("*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var run strings.Builder
	for _, name := range scripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		run.Write(text)
	}
	commands := readmeBlocks(t, regexp.MustCompile(`(?m)^    ((?:git diff \| )?tricode .*)$`))
	if len(commands) < 8 {
		t.Fatalf("only %d commands were found in the README", len(commands))
	}
	for _, c := range commands {
		if !strings.Contains(run.String(), c) {
			t.Errorf("no example runs: %s", c)
		}
	}
}

// The commands that start the README build and run from a clone; go test itself is what runs this.
func TestReadmeBuilds(t *testing.T) {
	commands := readmeBlocks(t, regexp.MustCompile(`(?m)^    (go .*)$`))
	for _, want := range []string{"go run . demo", "go test ./...", "go install .", "go run ./examples/bench"} {
		if !slices.Contains(commands, want) {
			t.Errorf("the README does not have %q", want)
		}
	}
	if testing.Short() {
		return // what they run is not looked at for races
	}
	for _, args := range [][]string{{"run", ".", "demo", "--bypass-permission"}, {"install", "."}, {"vet", "./examples/bench"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "GOBIN="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
		cmd.SysProcAttr = ownSession()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// Every sample of a configuration in the README is one that loads.
func TestReadmeConfigurationsLoad(t *testing.T) {
	samples := readmeBlocks(t, regexp.MustCompile("(?s)```toml\n(.*?)```"))
	if len(samples) < 2 {
		t.Fatalf("only %d samples were found in the README", len(samples))
	}
	for _, sample := range samples {
		if out := loadSample(t, sample); !strings.Contains(out, "nosuch") && !strings.Contains(out, "no provider is configured") {
			t.Errorf("tricode says %q of\n%s", out, sample)
		}
	}
}

func readmeBlocks(t *testing.T, pattern *regexp.Regexp) []string {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range pattern.FindAllStringSubmatch(string(readme), -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// The tests in a configuration of the README hold.
func TestReadmePoliciesPassTheirTests(t *testing.T) {
	tested := 0
	for _, sample := range readmeBlocks(t, regexp.MustCompile("(?s)```toml\n(.*?)```")) {
		if !strings.Contains(sample, "[[permissions.tests]]") {
			continue
		}
		tested++
		file := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(file, []byte(sample), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := tricode("--config", file, "permissions", "check")
		cmd.Dir = filepath.Dir(file)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
	if tested == 0 {
		t.Error("no sample of the README has tests")
	}
}

// loadSample gives tricode a configuration and a provider that it does not have: a file that loads is complained
// about for that alone.
func loadSample(t *testing.T, sample string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(file, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := tricode("--config", file, "--provider", "nosuch", "x")
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput() // it ends with status 2 in any case
	return string(out)
}
