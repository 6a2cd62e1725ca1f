package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tricode/agent"
	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// choices is a person who answers by tool, and 1 to the rest.
type choices struct {
	byTool map[string]approval.Choice
	asked  []string
}

func (c *choices) Ask(_ context.Context, a *approval.Action, _ approval.Decision) (approval.Answer, error) {
	c.asked = append(c.asked, a.Tool)
	choice, ok := c.byTool[a.Tool]
	if !ok {
		choice = approval.Once
	}
	return approval.Answer{Choice: choice}, nil
}

func TestDemonstration(t *testing.T) {
	refuseAll := map[string]approval.Choice{
		"edit_file": approval.Refuse, "create_file": approval.Refuse, "run_command": approval.Refuse, "delete_path": approval.Refuse,
	}
	for _, tt := range []struct {
		name   string
		mode   approval.Mode
		byTool map[string]approval.Choice
		asked  []string // commands apart: they need a shell
		there  []string // afterwards, of what was there and what was to be made
		fixed  bool
		ended  bool // by the person
	}{
		{
			name: "as the script says", byTool: map[string]approval.Choice{"create_file": approval.Always, "delete_path": approval.End},
			asked: []string{"edit_file", "create_file", "delete_path"}, there: []string{"CHANGES.md", "README.md", "old"}, fixed: true, ended: true,
		},
		{name: "1 to all", asked: []string{"edit_file", "create_file", "create_file", "delete_path"}, there: []string{"CHANGES.md", "README.md"}, fixed: true},
		{name: "n to all", byTool: refuseAll, asked: []string{"edit_file", "create_file", "create_file", "delete_path"}, there: []string{"old"}},
		{name: "3 at once", byTool: map[string]approval.Choice{"edit_file": approval.End}, asked: []string{"edit_file"}, there: []string{"old"}, ended: true},
		{name: "bypass", mode: approval.ModeBypass, there: []string{"CHANGES.md", "README.md"}, fixed: true},
		{name: "read only", mode: approval.ModeReadOnly, there: []string{"old"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := newDemonstration()
			if err != nil {
				t.Fatal(err)
			}
			defer d.remove()
			person := &choices{byTool: tt.byTool}
			err = d.play(t, approval.Policy{Mode: tt.mode}, person)
			var denied *approval.Denied
			if ended := errors.As(err, &denied); ended != tt.ended || err != nil && !ended {
				t.Errorf("the run ended with %v", err)
			}
			asked := slices.DeleteFunc(person.asked, func(tool string) bool { return tool == "run_command" })
			if !slices.Equal(asked, tt.asked) {
				t.Errorf("asked about %v; want %v", asked, tt.asked)
			}
			var there []string
			for _, name := range []string{"CHANGES.md", "README.md", "old"} {
				if _, err := os.Stat(filepath.Join(d.dir, name)); err == nil {
					there = append(there, name)
				}
			}
			if !slices.Equal(there, tt.there) {
				t.Errorf("afterwards there are %v; want %v", there, tt.there)
			}
			script, err := os.ReadFile(filepath.Join(d.dir, "greet.sh"))
			if err != nil || strings.Contains(string(script), "Hello") != tt.fixed {
				t.Errorf("greet.sh is %q, %v; fixed should be %v", script, err, tt.fixed)
			}
			if err := d.remove(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(d.dir); err == nil {
				t.Errorf("%s is still there", d.dir)
			}
		})
	}
}

// play runs the demonstration with real tools behind a real gate.
func (d *demonstration) play(t *testing.T, policy approval.Policy, person approval.Asker) error {
	t.Helper()
	dir, err := workdir.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	outputs, err := workdir.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer outputs.Close()
	policy.WorkDir = dir.Name()
	plan := &tools.Plan{}
	box := &sandbox.Box{Dir: dir.Name()}
	t.Cleanup(func() { box.Close() })
	world := tools.World{Dir: dir, Outputs: outputs, Box: box, Plan: plan}
	a := agent.Agent{
		Model: d.model, Gate: &approval.Gate{Policy: policy, Asker: person}, Plan: plan,
		Tools: tools.All(world), Emit: func(agent.Event) error { return nil },
	}
	_, err = a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: demoTask}})
	return err
}
