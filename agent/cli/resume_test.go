package cli

import (
	"strings"
	"testing"
)

func TestResumeMayHaveAName(t *testing.T) {
	const name = "20260102-030405.678-abcdef"
	for args, want := range map[string]string{
		"":                         "",
		"--resume":                 "--resume=-",
		"--resume go on":           "--resume=- go on",
		"--resume " + name + " go": "--resume " + name + " go",
		"--resume=" + name + " go": "--resume=" + name + " go",
		"--resume -q":              "--resume=- -q",
		"--resume 20260102-03":     "--resume=- 20260102-03",
		"-- --resume":              "-- --resume",
	} {
		if got := strings.Join(resumeArgs(strings.Fields(args)), " "); got != want {
			t.Errorf("resumeArgs(%q) = %q; want %q", args, got, want)
		}
	}
}
