//go:build unix

// Bench holds tricode against a minimal client, in alternating runs against the same server on loopback, and prints
// medians and ratios. Times on a shared machine say little; the ratios are what counts.
//
//	go run ./examples/bench [-runs N]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

func main() {
	runs := flag.Int("runs", 21, "runs of each short measurement; long ones get a third")
	flag.Parse()
	dir, err := os.MkdirTemp("", "tricode-bench-")
	check(err)
	defer os.RemoveAll(dir)
	b := bench{dir: dir, runs: *runs, server: newServer()}
	defer b.server.Close()
	b.build("tricode", "tricode")
	b.build("minimal", "tricode/examples/bench/minimal")
	b.build("boxed", "tricode/examples/bench/boxed")
	b.configure()
	b.all()
}

// bench is the two programs and the server between them.
type bench struct {
	dir    string
	runs   int
	server *server
}

func (b *bench) build(name, pkg string) {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(b.dir, name), pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	check(cmd.Run())
}

func (b *bench) configure() {
	check(os.MkdirAll(filepath.Join(b.dir, "work"), 0o700))
	config := fmt.Sprintf("[providers.local]\nbase_url = %q\nmodel = \"m\"\n", b.server.URL)
	check(os.WriteFile(filepath.Join(b.dir, "config.toml"), []byte(config), 0o600))
}

// result is one run: how long it took but for the server's thinking, of which how much the program worked, and how much memory it had at most, in
// bytes.
type result struct {
	took, cpu time.Duration
	peak      int64
}

func (b *bench) run(name string, args ...string) result {
	cmd := exec.Command(filepath.Join(b.dir, name), args...)
	cmd.Dir = filepath.Join(b.dir, "work")
	cmd.Env = append(os.Environ(), "TRICODE_CONFIG="+filepath.Join(b.dir, "config.toml"), "XDG_STATE_HOME="+filepath.Join(b.dir, "state"))
	b.server.thought = 0
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start) - b.server.thought
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s %q: %v\n", name, args, err)
		os.Exit(1)
	}
	state := cmd.ProcessState
	return result{took, state.UserTime() + state.SystemTime(), state.SysUsage().(*syscall.Rusage).Maxrss * 1024}
}

// both runs the two programs in turn and returns their results, sorted by time.
func (b *bench) both(runs int, tricode, minimal []string) (ours, theirs []result) {
	for range runs {
		b.server.requests = nil
		ours = append(ours, b.run("tricode", tricode...))
		b.server.requests = nil
		theirs = append(theirs, b.run("minimal", minimal...))
	}
	slices.SortFunc(ours, byTime)
	slices.SortFunc(theirs, byTime)
	return ours, theirs
}

func (b *bench) all() {
	fmt.Printf("%-36s %10s %10s %7s %7s %9s %9s\n", "", "tricode", "minimal", "ratio", "target", "peak", "minimal")
	b.compare("--version", b.runs, 2, []string{"--version"}, []string{"--version"})
	task := []string{"--bypass-permission", "task"}
	plain := []string{b.server.URL, "task"}
	b.server.script(0, "", word)
	b.compare("one-word answer", b.runs, 2.5, task, plain)
	b.server.thinks = thinks
	one, oneMin := b.compare("one-word answer after 20 ms", b.runs, 2.5, task, plain)
	b.server.thinks = 0
	b.boxes()
	const turns = 20
	b.server.script(turns, "true", word)
	b.server.thinks = thinks
	many, manyMin := b.both(b.runs/3+1, task, plain)
	b.server.thinks = 0
	b.row("a turn with one command", perTurn(one, many, turns), perTurn(oneMin, manyMin, turns), 2.5)
	b.server.script(1, "yes | head -c 200000000", word)
	b.compare("200 MB printed by a command", b.runs/3, 2.5, task, plain)
	b.server.script(0, "", flood(20_000_000, 100))
	b.compare("20 MB answer in 100-byte pieces", b.runs/3, 1.5, task, plain)
	reader := []string{"-read", b.server.URL}
	b.server.script(0, "", flood(100_000_000, 100))
	b.work("100 MB answer, CPU against reading", b.runs/5, 2, task, reader)
	b.server.script(0, "", flood(100_000_000, 1000))
	b.work("100 MB in 100,000 pieces, the same", b.runs/5, 2, task, reader)
	b.server.script(0, "", flood(100_000_000, 1_000_000))
	b.work("100 MB in a hundred pieces, the same", b.runs/5, 2, task, reader)
	b.server.script(0, "", flood(500_000, 5))
	b.work("100,000 pieces of 5 bytes, the same", b.runs/3, 2, task, reader)
	b.server.script(100, "true", word)
	b.run("tricode", task...)
	first := b.server.first
	fmt.Printf("a hundred turns: the last 30 take %.2f times the first 30\n", growth(b.server.requests, 30))
	b.server.requests = nil
	fmt.Printf("first request: %d bytes (target under 5600)\n", first)
}

// boxes holds a command in a box against a bare shell.
func (b *bench) boxes() {
	out, err := exec.Command(filepath.Join(b.dir, "boxed")).Output()
	check(err)
	var bare, cold, warm time.Duration
	var held int64
	_, err = fmt.Sscan(string(out), &bare, &cold, &warm, &held)
	check(err)
	shell := result{took: bare}
	b.row("true in a box, a helper waits", result{took: warm, peak: held}, shell, 1.5)
	fmt.Printf("%-36s %10s %10s %7.2f %7s\n", "true in a box, none waits", round(cold), round(bare), float64(cold)/float64(bare), "6ms")
}

// thinks is how long the server takes over a call: what waits for commands starts in that time, which does not count.
const thinks = 20 * time.Millisecond

func byTime(x, y result) int { return int(x.took - y.took) }

// compare prints a row for whole runs and returns the median of each program.
func (b *bench) compare(name string, runs int, target float64, tricode, minimal []string) (ours, theirs []result) {
	ours, theirs = b.both(runs, tricode, minimal)
	b.row(name, median(ours), median(theirs), target)
	return ours, theirs
}

// work compares how much the programs worked, whatever they waited for.
func (b *bench) work(name string, runs int, target float64, tricode, minimal []string) {
	ours, theirs := b.both(max(runs, 1), tricode, minimal)
	for _, results := range [][]result{ours, theirs} {
		for i := range results {
			results[i].took = results[i].cpu
		}
		slices.SortFunc(results, byTime)
	}
	b.row(name, median(ours), median(theirs), target)
}

func (b *bench) row(name string, ours, theirs result, target float64) {
	fmt.Printf("%-36s %10s %10s %7.2f %7.1f %6.1f MB %6.1f MB\n", name, round(ours.took), round(theirs.took),
		float64(ours.took)/float64(theirs.took), target, float64(ours.peak)/1e6, float64(theirs.peak)/1e6)
}

func median(sorted []result) result {
	m := sorted[len(sorted)/2]
	for _, r := range sorted {
		m.peak = max(m.peak, r.peak)
	}
	return m
}

// perTurn is what one of n further turns costs.
func perTurn(without, with []result, n int) result {
	w := median(with)
	return result{took: (w.took - median(without).took) / time.Duration(n), peak: w.peak}
}

// growth is how the time of the last n turns compares with that of the first n.
func growth(requests []time.Time, n int) float64 {
	last := len(requests) - 1
	return float64(requests[last].Sub(requests[last-n])) / float64(requests[n].Sub(requests[0]))
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
