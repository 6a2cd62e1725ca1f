package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tricode/approval"
)

// What is written is what is read, whatever a model put into it.
func TestPlansComeBack(t *testing.T) {
	name := filepath.Join(t.TempDir(), "plan.toml")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(1, 40, -1)
		p := Plan{Task: text.Draw(t, "task"), Steps: rapid.SliceOf(text).Draw(t, "steps"), Comment: rapid.SliceOf(text).Draw(t, "comment")}
		for _, command := range rapid.SliceOf(text).Draw(t, "commands") {
			if strings.TrimSpace(command) != "" {
				p.Rules = append(p.Rules, approval.Rule{Tool: "run_command", Action: approval.Allow, Command: command, Reason: "step 1"})
			}
		}
		if err := p.Write(name); err != nil {
			t.Fatal(err)
		}
		got, err := ReadPlan(name)
		if i := strings.IndexFunc(p.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%q is in %s", p.String()[i:], p)
		}
		p.Comment = nil // is for people
		for i := range got.Rules {
			got.Rules[i].Source = ""
		}
		if len(p.Steps) == 0 {
			p.Steps = nil
		}
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Fatalf("ReadPlan = %+v, %v; want %+v", got, err, p)
		}
	})
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".tricode-*")); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

func TestWrongPlans(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"task = 1":               "1:8: task must be a string",
		"mode = \"bypass\"":      "1:1: unknown key",
		"[permissions]\nmode=''": "2:1: unknown key",
		"[[permissions.rules]]\ntool=\"*\"\naction=\"alow\"":                             "3:8: action \"alow\"",
		"[[permissions.rules]]\ntool=\"create_file\"\naction=\"allow\"\npath=\"\"":       "4:6: path is empty",
		"[[permissions.rules]]\ntool=\"run_command\"\naction=\"allow\"\ncommand=\"\\x1b": "4:",
		"task = \"\xff\"": "is not text in UTF-8",
	} {
		name := filepath.Join(dir, "plan.toml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPlan(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadPlan(%q) = %v; want %s", text, err, want)
		}
		if err := CheckPlanOut(name); err == nil {
			t.Errorf("CheckPlanOut lets %q be replaced", text)
		}
	}
	if err := CheckPlanOut(filepath.Join(dir, "none", "plan.toml")); err == nil {
		t.Error("CheckPlanOut finds no fault with a directory that is not there")
	}
	if err := CheckPlanOut(filepath.Join(dir, "new.toml")); err != nil {
		t.Error(err)
	}
}
