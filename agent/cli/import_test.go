package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tricode/agent/config"
	"tricode/approval"
)

// TestImportedSamples holds that what is printed is a configuration with the same rules.
func TestImportedSamples(t *testing.T) {
	samples, err := filepath.Glob(filepath.Join("..", "..", "examples", "testdata", "samples", "*"))
	if err != nil || len(samples) == 0 {
		t.Fatalf("there are no samples: %v", err)
	}
	odd := approval.Imported{Rules: []approval.Rule{{Tool: "run_command", Action: approval.Deny, Command: "a \"\\\t\x00\u0085é\u2028", Reason: "x\ny"}}, Warnings: []string{"a\nb = 1\r\u2028c"}}
	load(t, &odd)
	for _, name := range samples {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := approval.Import("", approval.Foreign{Name: name, Data: data, TOML: config.Tables})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want, _, _ := strings.Cut(filepath.Base(name), "."); p.Format != want {
			t.Errorf("%s was read as %s", name, p.Format)
		}
		load(t, p)
	}
}

// load reads what was printed and compares the rules.
func load(t *testing.T, p *approval.Imported) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(p.TOML()), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Paths{File: file, Named: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, p.TOML())
	}
	got := cfg.Permissions.Rules
	for i := range got {
		got[i].Source = ""
	}
	if !reflect.DeepEqual(got, p.Rules) || cfg.Permissions.Mode != p.Mode || cfg.Permissions.Default != p.Default {
		t.Errorf("%+v is printed as\n%s", p, p.TOML())
	}
}
