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
		"--resume go":              "--resume go",
		"--resume go_on":           "--resume=- go_on",
		"--resume -- go":           "--resume=- -- go",
		"--resume " + name + " go": "--resume " + name + " go",
		"--resume=" + name + " go": "--resume=" + name + " go",
		"--resume -q":              "--resume=- -q",
		"--resume 20260102-03":     "--resume 20260102-03",
		"-- --resume":              "-- --resume",
	} {
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		if got := strings.Join(resumeArgs(words), " "); got != strings.ReplaceAll(want, "_", " ") {
			t.Errorf("resumeArgs(%q) = %q; want %q", args, got, want)
		}
	}
}
