package sandbox

import (
	"fmt"
	"os"
	"strings"
	"testing"
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
