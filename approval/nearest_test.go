package approval

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"model", "output", "base_url", "read_file"}
	for word, want := range map[string]string{
		"modle": "model", "OUTPT": "output", "base-url": "base_url", "raed_file": "read_file", "readfile": "read_file",
		"": "", "coffee": "", "x": "", strings.Repeat("model", 20): "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
