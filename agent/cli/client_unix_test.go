//go:build unix

package cli

import (
	"os"
	"testing"
)

// A program that prints a key leaves nothing behind.
func TestKeyCommand(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if key, err := runKeyCommand(t.Context(), []string{"printf", "sk-1"}); key != "sk-1" || err != nil {
		t.Errorf("runKeyCommand = %q, %v; want the key", key, err)
	}
	if _, err := runKeyCommand(t.Context(), []string{"false"}); err == nil || err.Error() != "false ended with status 1" {
		t.Errorf("runKeyCommand = %v; want the status", err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
