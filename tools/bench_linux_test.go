package tools

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tricode/workdir/sandbox"
)

// BenchmarkBox holds a command in a box, with a helper that waits and without one, against a bare shell, in turn. It reports
// medians, and how much memory a helper that waits held at most (VmRSS, proc_pid_status(5)).
func BenchmarkBox(b *testing.B) {
	dir := b.TempDir()
	box := &sandbox.Box{Dir: dir}
	defer box.Close()
	limits := &sandbox.Limits{Write: []string{dir}, Network: true}
	boxed := func() error {
		_, err := box.Run(b.Context(), sandbox.Cmd{Text: "true", Limits: limits})
		return err
	}
	var bare, cold, warm []time.Duration
	var held int
	for b.Loop() {
		bare = append(bare, timed(b, exec.Command("sh", "-c", "true").Run))
		rest()
		cold = append(cold, timed(b, boxed))
		box.Warm(limits)
		rest()
		held = max(held, childMemory())
		warm = append(warm, timed(b, boxed))
		rest()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(bare).Seconds()*1e3, "bare-ms")
	b.ReportMetric(median(cold).Seconds()*1e3, "cold-ms")
	b.ReportMetric(median(warm).Seconds()*1e3, "warm-ms")
	b.ReportMetric(float64(held)/1e3, "helper-MB")
	b.ReportMetric(float64(median(warm))/float64(median(bare)), "warm/bare")
}

// rest lets a helper get ready, or be gone.
func rest() { time.Sleep(40 * time.Millisecond) }

func timed(b *testing.B, run func() error) time.Duration {
	start := time.Now()
	if err := run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// childMemory is how much the largest child of this process holds, in kB.
func childMemory() (most int) {
	files, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if !strings.Contains(string(text), fmt.Sprintf("\nPPid:\t%d\n", os.Getpid())) {
			continue
		}
		for line := range strings.Lines(string(text)) {
			var n int
			if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &n); err == nil {
				most = max(most, n)
			}
		}
	}
	return most
}
