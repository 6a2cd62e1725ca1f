//go:build unix

package examples

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const corpus = "testdata/corpus"

// corpusCase is a call and the decisions that may be given for it; testdata/corpus/README.md describes the fields.
type corpusCase struct {
	ID, Class, Technique, Tool, Policy, Mode, Fixture string
	Args                                              json.RawMessage
	Forbid, Expect                                    []string
}

// batch is what is decided in one run of tricode.
type batch struct{ policy, mode, fixture string }

// leastAllowed is how many of a hundred harmless calls must be allowed without a question.
const leastAllowed = 90

// What got past others is not allowed here, and what is harmless mostly is. Nothing on disk changes meanwhile.
func TestCorpus(t *testing.T) {
	groups := map[batch][]corpusCase{}
	for _, c := range corpusCases(t) {
		b := batch{c.Policy, c.Mode, c.Fixture}
		groups[b] = append(groups[b], c)
	}
	standIns := standInPrograms(t)
	harmless, allowed := 0, 0
	for b, cases := range groups {
		answers := decideBatch(t, b, cases, standIns)
		for i, c := range cases {
			got := answers[fmt.Sprint(i)]
			switch ok := got.Decision != "" && c.accepts(got.Decision); {
			case c.Class == "friction":
				harmless++
				if ok {
					allowed++
				}
			case !ok:
				t.Errorf("%s: %s %s is %q (%s)", c.ID, c.Tool, c.Args, got.Decision, got.Reason)
			}
		}
	}
	t.Logf("%d of %d harmless calls are allowed", allowed, harmless)
	if harmless == 0 || allowed*100 < harmless*leastAllowed {
		t.Errorf("%d of %d harmless calls are allowed, want %d %%", allowed, harmless, leastAllowed)
	}
}

func (c corpusCase) accepts(decision string) bool {
	if c.Expect != nil {
		return slices.Contains(c.Expect, decision)
	}
	return !slices.Contains(c.Forbid, decision)
}

func corpusCases(t *testing.T) []corpusCase {
	f, err := os.Open(filepath.Join(corpus, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []corpusCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var c corpusCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	return cases
}

// standInPrograms is a directory with a stand-in for each program that cases name and that may be missing.
func standInPrograms(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range strings.Fields("cargo column file free git go hexdump jq make node npm ps python3 rg strings tar tree uptime") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// decision is a line that tricode answers with.
type decision struct {
	ID, Decision, Reason string
	Effects              json.RawMessage
}

// decideBatch asks tricode for the decisions about the cases, in a layout of their own.
func decideBatch(t *testing.T, b batch, cases []corpusCase, standIns string) map[string]decision {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("sh", filepath.Join(corpus, "fixtures.sh"), b.fixture, root).CombinedOutput(); err != nil {
		t.Fatalf("layout %s: %v\n%s", b.fixture, err, out)
	}
	work, home, temp := filepath.Join(root, "work"), filepath.Join(root, "home"), filepath.Join(root, "tmp")
	if err := os.MkdirAll(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	policy, err := filepath.Abs(filepath.Join(corpus, "policies", b.policy+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, root)
	cmd := exec.Command(filepath.Join(bin, "tricode"), "permissions", "explain", "--batch", "-", "--work-dir", work,
		"--config", policy, "--permission-mode", b.mode, "--json")
	cmd.Dir = work
	cmd.Env = []string{"HOME=" + home, "TMPDIR=" + temp, "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"PATH=" + os.Getenv("PATH") + string(os.PathListSeparator) + standIns}
	cmd.Stdin = batchLines(t, cases, strings.NewReplacer("@WORK@", work, "@ROOT@", root, "@HOME@", home))
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v: %v", b, err)
	}
	if after := snapshot(t, root); after != before {
		t.Errorf("%v changed something on disk:\n%s\nwas\n%s", b, after, before)
	}
	return answersOf(t, out)
}

// batchLines are the calls as tricode reads them; their ids are their numbers.
func batchLines(t *testing.T, cases []corpusCase, places *strings.Replacer) *bytes.Buffer {
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	for i, c := range cases {
		call := map[string]any{"id": fmt.Sprint(i), "tool": c.Tool, "args": json.RawMessage(places.Replace(string(c.Args)))}
		if err := e.Encode(call); err != nil {
			t.Fatal(err)
		}
	}
	return &lines
}

func answersOf(t *testing.T, out []byte) map[string]decision {
	answers := map[string]decision{}
	for line := range bytes.Lines(out) {
		var d decision
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answers[d.ID] = d
	}
	return answers
}

// snapshot is what lies under a directory, a line each.
func snapshot(t *testing.T, root string) string {
	var lines []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			content, err = os.Readlink(path)
		case info.Mode().IsRegular():
			var data []byte
			data, err = os.ReadFile(path)
			content = fmt.Sprintf("%x", sha256.Sum256(data))
		}
		lines = append(lines, fmt.Sprint(path, " ", info.Mode(), " ", content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
