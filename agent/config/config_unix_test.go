//go:build unix

package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
)

func TestWarnings(t *testing.T) {
	const key = "[providers.x]\napi_key = 'k'"
	const header = "[providers.x]\nheaders = { X-Api-Key = 'k' }"
	read := []string{"config.toml holds a key and can be read by other users; chmod 600 config.toml"}
	for _, tt := range []struct {
		text string
		mode fs.FileMode
		want []string
	}{
		{key, 0o600, nil},
		{key, 0o640, read},
		{key, 0o604, read},
		{header, 0o644, read},
		{"[providers.x]\napi_key_env = 'K'", 0o644, nil},
		{"", 0o620, []string{"config.toml can be changed by other users; chmod 600 config.toml"}},
	} {
		p := written(t, tt.text)
		if err := os.Chmod(p.File, tt.mode); err != nil {
			t.Fatal(err)
		}
		if cfg, err := Load(p); err != nil || !reflect.DeepEqual(cfg.Warnings, tt.want) {
			t.Errorf("Load(%q, %v) warns %q, %v; want %q", tt.text, tt.mode, cfg.Warnings, err, tt.want)
		}
	}
}

func TestPipesAreNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".tricode"), 0o755); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, ".tricode", "config.toml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Paths{File: pipe, shown: "pipe"}); err == nil || err.Error() != "pipe: it is not a regular file" {
		t.Errorf("Load(a pipe) = %v", err)
	}
	if _, err := new(Config).ReadProject(dir); err == nil || err.Error() != ".tricode/config.toml: it is not a regular file" {
		t.Errorf("ReadProject(a pipe) = %v", err)
	}
	if _, err := Save(Paths{File: pipe}, "x"); err == nil {
		t.Error("Save replaced a pipe")
	}
}
