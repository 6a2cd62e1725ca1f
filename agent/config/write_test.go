package config

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"tricode/providers"
)

func TestCompose(t *testing.T) {
	got := Compose(providers.Config{Name: "openai", BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", Model: "m"})
	want := `# Made by "tricode init"; yours to change.
provider = "openai"

[providers.openai]
base_url = "https://api.openai.com/v1"
api_key_env = "OPENAI_API_KEY"
model = "m"
`
	if got != want {
		t.Errorf("Compose =\n%s\nwant\n%s", got, want)
	}
}

func TestComposeIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String()
		p := providers.Config{Name: s.Draw(t, "name"), BaseURL: s.Draw(t, "url"), Key: s.Draw(t, "key"), Model: s.Draw(t, "model")}
		d, err := parse("f", []byte(Compose(p)))
		if err != nil {
			t.Fatalf("parse(Compose(%+v)) = %v", p, err)
		}
		var cfg Config
		if err := d.settle(&cfg); err != nil {
			t.Fatal(err)
		}
		if cfg.Provider != p.Name || !reflect.DeepEqual(cfg.Providers[p.Name], p) {
			t.Errorf("Compose(%+v) is read as %+v", p, cfg)
		}
	})
}

func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tricode")
	p := Paths{File: filepath.Join(dir, "config.toml")}
	for i, want := range []string{"", p.File + ".bak", p.File + ".bak.2"} {
		text := string(rune('a' + i))
		if saved, err := Save(p, text); err != nil || saved != want {
			t.Errorf("Save = %q, %v; want %q", saved, err, want)
		}
		wantFile(t, p.File, text)
	}
	wantFile(t, p.File+".bak", "a")
	wantFile(t, p.File+".bak.2", "b")
	if names, err := os.ReadDir(dir); err != nil || len(names) != 3 {
		t.Errorf("ReadDir = %v, %v; want three files", names, err)
	}
	if info, err := os.Stat(dir); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o700) {
		t.Errorf("Stat(%s) = %v, %v; want 0700", dir, info.Mode(), err)
	}
}

func TestSaveThroughLink(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "dotfiles.toml")
	p := Paths{File: filepath.Join(dir, "config.toml")}
	if err := os.WriteFile(real, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dotfiles.toml", p.File); err != nil {
		t.Fatal(err)
	}
	saved, err := Save(p, "new")
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, real, "new")
	wantFile(t, saved, "old")
	if info, err := os.Lstat(p.File); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("Lstat = %v, %v; want the link to stay", info.Mode(), err)
	}
}

func wantFile(t *testing.T, name, text string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || string(data) != text {
		t.Errorf("ReadFile(%s) = %q, %v; want %q", name, data, err, text)
	}
	if info, err := os.Stat(name); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("Stat(%s) = %v, %v; want 0600", name, info.Mode(), err)
	}
}
