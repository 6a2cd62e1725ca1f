//go:build unix

// Boxed is tricode with a measurement of its boxes in place of a command line: what `true` takes in a box, with a helper that waits
// and without one, in turn with a bare shell. It prints the medians of the shell, the cold box and the warm one, and the most that a
// helper held that waited: nanoseconds and bytes.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tricode/agent/cli"
	"tricode/workdir/sandbox"
)

const rounds = 40

func main() {
	if sandbox.IsHelper() {
		os.Exit(cli.Main(context.Background(), nil))
	}
	dir, err := os.MkdirTemp("", "tricode-bench-")
	check(err)
	defer os.RemoveAll(dir)
	box := &sandbox.Box{Dir: dir}
	defer box.Close()
	limits := &sandbox.Limits{Write: []string{dir}, Network: true}
	boxed := func() error {
		_, err := box.Run(context.Background(), sandbox.Cmd{Text: "true", Limits: limits})
		return err
	}
	var bare, cold, warm []time.Duration
	held := 0
	for range rounds {
		bare = append(bare, timed(exec.Command("sh", "-c", "true").Run))
		rest()
		cold = append(cold, timed(boxed))
		box.Warm(limits)
		held = max(held, settled())
		warm = append(warm, timed(boxed))
		rest()
	}
	fmt.Println(int64(median(bare)), int64(median(cold)), int64(median(warm)), held)
}

// rest lets what was started get ready, or be gone.
func rest() { time.Sleep(40 * time.Millisecond) }

func timed(run func() error) time.Duration {
	start := time.Now()
	check(run())
	return time.Since(start)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// settled is how much a helper holds that has got ready: it takes no more, and no less.
func settled() (held int) {
	for same := 0; same < 3; rest() {
		if now := children(); now == held {
			same++
		} else {
			held, same = now, 0
		}
	}
	return held
}

// children is how much the largest child of this process holds, in bytes (VmRSS, proc_pid_status(5)).
func children() (most int) {
	files, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if !strings.Contains(string(text), fmt.Sprintf("\nPPid:\t%d\n", os.Getpid())) {
			continue
		}
		for line := range strings.Lines(string(text)) {
			var n int
			if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &n); err == nil {
				most = max(most, n*1024)
			}
		}
	}
	return most
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
