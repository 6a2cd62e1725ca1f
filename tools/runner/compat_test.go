//go:build unix

package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tricode/approval/shell"
)

// world is what stands in the directory of every comparison.
var world = map[string]string{
	"words.txt":   "apple\nbanana\ncherry\nbanana\n",
	"pairs.txt":   "one 1\ntwo 2\nthree 3\n",
	"dir/main.go": "package main\n\nfunc main() {}\n",
	"lib.sh":      "LIBVAR=lib\nlibfn() { echo \"from lib $#\"; }\n",
	"script.sh":   "#!/usr/bin/env bash\nset -euo pipefail\necho \"script $# ${1:-none}\"\nexit 3\n",
	"where.sh":    "#!/bin/bash\ncd \"$(dirname \"${BASH_SOURCE[0]}\")\" && basename \"$0\"\n",
	".hidden":     "",
}

func makeWorld(t testing.TB, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"dir", ".tmp", ".home"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	syscall.ForkLock.RLock() // a program that starts meanwhile would keep the scripts open for writing, so that nobody could start them
	defer syscall.ForkLock.RUnlock()
	for name, text := range world {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"script.sh", "where.sh"} {
		os.Chmod(filepath.Join(dir, name), 0o755)
	}
	os.Symlink("dir", filepath.Join(dir, "link"))
}

// outcome is what can be seen of a run.
type outcome struct {
	stdout, stderr string
	status         int
	files          string
}

// files lists what a directory holds.
func files(dir string) string {
	var b strings.Builder
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err != nil || rel == ".git" {
			return fs.SkipDir
		}
		info, _ := e.Info()
		fmt.Fprintf(&b, "%s %v", rel, info.Mode())
		if info.Mode().IsRegular() && !strings.HasSuffix(rel, ".tar") {
			data, _ := os.ReadFile(path)
			fmt.Fprintf(&b, " %q", data)
		}
		b.WriteByte('\n')
		return nil
	})
	return b.String()
}

func environmentOf(dir string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, ".home"), "TMPDIR=" + filepath.Join(dir, ".tmp"), "LC_ALL=C.UTF-8", "TZ=UTC"}
}

func byBash(t testing.TB, bash, text, dir string) outcome {
	t.Helper()
	makeWorld(t, dir)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "--norc", "--noprofile", "-c", text)
	cmd.Args[0] = "bash"
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environmentOf(dir), time.Minute
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{out.String(), errs.String(), exitCode(cmd.ProcessState), files(dir)}
}

func interpreted(t testing.TB, text, dir string) (outcome, error) {
	t.Helper()
	makeWorld(t, dir)
	out, errs, status, err := output(t, Script{Text: text, Dir: dir, Env: environmentOf(dir)})
	return outcome{out, errs, status, files(dir)}, err
}

// sample is one command line of testdata/compat.txt.
type sample struct {
	line            int
	text            string
	refused, stderr bool
	differs         string // which of Differences it shows
}

func samples(t testing.TB) (all []sample) {
	t.Helper()
	data, err := os.ReadFile("testdata/compat.txt")
	if err != nil {
		t.Fatal(err)
	}
	var next sample
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "! refused"):
			next.refused = true
		case strings.HasPrefix(line, "! stderr"):
			next.stderr = true
		case strings.HasPrefix(line, "! differs "):
			next.differs = line[len("! differs "):]
		case strings.HasPrefix(line, "$ "):
			next.line, next.text = i+1, line[2:]
			all, next = append(all, next), sample{}
		case strings.HasPrefix(line, "> "):
			all[len(all)-1].text += "\n" + line[2:]
		case line != "" && line[0] != '#':
			t.Fatalf("compat.txt:%d: %q", i+1, line)
		}
	}
	return all
}

// TestCompat runs every sample by bash and by the interpreter, every third one with -short.
func TestCompat(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to compare with")
	}
	all := samples(t)
	if len(all) < 150 {
		t.Errorf("only %d samples", len(all))
	}
	for i, s := range all {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(fmt.Sprintf("line%d", s.line), func(t *testing.T) {
			if s.differs != "" {
				if !slices.Contains(Differences, s.differs) {
					t.Errorf("nobody is told that %s", s.differs)
				}
				return
			}
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "w")
			got, err := interpreted(t, s.text, dir)
			var refused *shell.Unrunnable
			if errors.As(err, &refused) != s.refused {
				t.Fatalf("%s\nrefused: %v; want %v", s.text, err, s.refused)
			}
			if s.refused {
				return
			}
			if err != nil {
				t.Errorf("%s\nerror: %v", s.text, err)
			}
			compare(t, s, got, byBash(t, bash, s.text, dir))
		})
	}
}

func compare(t testing.TB, s sample, got, want outcome) {
	t.Helper()
	if got.stdout != want.stdout || got.status != want.status || s.stderr && got.stderr != want.stderr || (got.stderr == "") != (want.stderr == "") {
		t.Errorf("%s\n got %q, %q, status %d\nwant %q, %q, status %d", s.text, got.stdout, got.stderr, got.status, want.stdout, want.stderr, want.status)
	}
	if got.files != want.files {
		t.Errorf("%s\nleft\n%swant\n%s", s.text, got.files, want.files)
	}
}
