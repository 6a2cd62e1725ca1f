package config

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLocate(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(home)
	if err := os.Symlink("a.toml", filepath.Join(home, "b.toml")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("a.toml", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, flag              string
		env                     map[string]string
		file, shown, state, err string
	}{
		{name: "usual", file: home + "/.config/tricode/config.toml", shown: "~/.config/tricode/config.toml", state: home + "/.local/state/tricode"},
		{name: "variables", env: map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"}, file: "/c/tricode/config.toml", shown: "/c/tricode/config.toml", state: "/s/tricode"},
		{name: "relative variables do not count", env: map[string]string{"XDG_CONFIG_HOME": "c"}, file: home + "/.config/tricode/config.toml", shown: "~/.config/tricode/config.toml", state: home + "/.local/state/tricode"},
		{name: "flag", flag: "a.toml", file: home + "/a.toml", shown: "a.toml", state: home + "/.local/state/tricode"},
		{name: "TRICODE_CONFIG", env: map[string]string{"TRICODE_CONFIG": "a.toml"}, file: home + "/a.toml", shown: "a.toml", state: home + "/.local/state/tricode"},
		{name: "both, the same", flag: "./b.toml", env: map[string]string{"TRICODE_CONFIG": "a.toml"}, file: home + "/b.toml", shown: "./b.toml", state: home + "/.local/state/tricode"},
		{name: "both, the same and missing", flag: "./x", env: map[string]string{"TRICODE_CONFIG": "x"}, file: home + "/x", shown: "./x", state: home + "/.local/state/tricode"},
		{name: "both, different", flag: "x", env: map[string]string{"TRICODE_CONFIG": "a.toml"}, err: "--config x and TRICODE_CONFIG=a.toml name different files"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Locate(tt.flag, func(name string) string { return tt.env[name] })
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("Locate = %v; want %s", err, tt.err)
				}
				return
			}
			named := tt.flag != "" || tt.env["TRICODE_CONFIG"] != ""
			if err != nil || p.File != tt.file || p.String() != tt.shown || p.State != tt.state || p.Named != named {
				t.Errorf("Locate = %+v, %v", p, err)
			}
		})
	}
}

func TestLocateWithRelativeHome(t *testing.T) {
	t.Setenv("HOME", "home")
	t.Setenv("USERPROFILE", "home")
	if p, err := Locate("", func(string) string { return "/x" }); err == nil {
		t.Errorf("Locate = %+v, which depends on the current directory", p)
	}
}

func TestLocateWithoutHome(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if _, err := Locate("", func(string) string { return "" }); err == nil {
		t.Error("Locate found a place without a home directory")
	}
	env := func(name string) string { return map[string]string{"XDG_STATE_HOME": "/s"}[name] }
	if p, err := Locate("/x.toml", env); err != nil || p.File != "/x.toml" || p.State != "/s/tricode" {
		t.Errorf("Locate = %+v, %v", p, err)
	}
}
