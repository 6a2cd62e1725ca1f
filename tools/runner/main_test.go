package runner

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestFailureIsTold holds that a failure that nothing can catch is one line and a status.
func TestFailureIsTold(t *testing.T) {
	if name := os.Getenv("TRICODE_TEST_FAILURE"); name != "" {
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		tell(f)
		go panic("the interpreter failed")
		time.Sleep(time.Minute)
	}
	name := filepath.Join(t.TempDir(), "stderr")
	cmd := exec.Command(os.Args[0], "-test.run=^TestFailureIsTold$")
	cmd.Env = append(os.Environ(), "TRICODE_TEST_FAILURE="+name, "GOTRACEBACK=none")
	err := cmd.Run()
	text, _ := os.ReadFile(name)
	if err == nil || string(text) != "panic: the interpreter failed\n" {
		t.Errorf("%v, %q", err, text)
	}
}
