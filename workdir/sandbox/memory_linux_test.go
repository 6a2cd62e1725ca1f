package sandbox

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What is only reserved may be in use before it would be let go: memory that lost what was in it made helpers crash.
func TestOnlyFilesAreForgotten(t *testing.T) {
	areas := untouched()
	if len(areas) == 0 {
		t.Fatal("nothing would be let go")
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range areas {
		_, line, _ := strings.Cut("\n"+string(maps), fmt.Sprintf("\n%08x-%08x ", a.from, a.to))
		if line, _, _ = strings.Cut(line, "\n"); !strings.Contains(line, " /") {
			t.Errorf("%x-%x is no part of a file: %q", a.from, a.to, line)
		}
	}
}

// What is written after a helper was started takes no page fault for each page.
func TestMemoryIsTakenBack(t *testing.T) {
	const pages = 2000
	memory := make([]byte, pages*os.Getpagesize())
	faults := func(then func()) int64 {
		for i := 0; i < len(memory); i += os.Getpagesize() {
			memory[i]++
		}
		h, err := box(t, t.TempDir()).newHelper(offline, &Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer h.end()
		then()
		var before, after unix.Rusage
		unix.Getrusage(unix.RUSAGE_SELF, &before)
		for i := 0; i < len(memory); i += os.Getpagesize() {
			memory[i]++
		}
		unix.Getrusage(unix.RUSAGE_SELF, &after)
		return after.Minflt - before.Minflt
	}
	if n := faults(func() {}); n < pages/2 {
		t.Skipf("not run: %d faults for %d pages without it", n, pages)
	}
	if n := faults(reclaim); n > pages/4 {
		t.Errorf("%d faults for %d pages", n, pages)
	}
	for i := 0; i < len(memory); i += os.Getpagesize() {
		if memory[i] != 4 {
			t.Fatalf("page %d holds %d", i/os.Getpagesize(), memory[i])
		}
	}
}
