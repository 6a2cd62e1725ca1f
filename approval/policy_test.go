package approval

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// file describes a subject in the work directory /work.
func file(e Effects, rel string) Subject {
	return Subject{Effects: e, Path: "/work/" + rel, Rel: rel}
}

func outside(e Effects, path string) Subject { return Subject{Effects: e, Path: path} }

func command(e Effects, words string) Subject {
	return Subject{Effects: e, Args: strings.Fields(words)}
}

func action(tool string, subjects ...Subject) *Action {
	return NewAction(tool, func(context.Context, io.Writer) (Result, error) { return Result{Text: "done"}, nil }, subjects...).named(tool)
}

func (a *Action) named(tool string) *Action {
	a.Tool = tool
	return a
}

func policy(mode Mode) Policy {
	return Policy{Mode: mode, WorkDir: "/work", Home: "/home/u", Own: []string{"/opt/own/config", "/work/sub/state"}}
}

func TestDecide(t *testing.T) {
	create := action("create_file", file(Write, "a.txt"))
	tests := []struct {
		name   string
		action *Action
		want   string // the verdicts in ask, accept_edits, plan, read_only, bypass, skip: a(llow), q(uestion), d(eny)
	}{
		{"reading inside", action("read_file", file(Read, "a.txt")), "aaaaaa"},
		{"a command that only reads", action("run_command", command(Read, "ls")), "aaaaaa"},
		{"a new file", create, "qaddaa"},
		{"a deletion", action("delete_file", file(Delete, "a.txt")), "qqddaa"},
		{"a move is no edit", action("move_path", file(Delete, "a"), file(Write, "b")), "qqddaa"},
		{"a command", action("run_command", command(Exec, "touch x")), "qqddaa"},
		{"an edit by a command is no edit", action("run_command", command(Exec, "tee a"), file(Write, "a")), "qqddaa"},
		{"nothing known", action("mystery", Subject{}), "qqddaa"},
		{"no subjects", &Action{Tool: "mystery"}, "qqddaa"},
		{"what cannot be analysed", action("run_command", command(ExecOpaque, "$X")), "qqddaa"},
		{"network", action("fetch_url", Subject{Effects: Network, Host: "example.com"}), "qqddaa"},
		{"a loopback address", action("fetch_url", Subject{Effects: Network, Host: "localhost"}), "dddddd"},
		{"reading outside with a tool", action("read_file", outside(Read, "/etc/passwd")), "dddddd"},
		{"reading outside with a command", action("run_command", command(Read, "cat"), outside(Read, "/etc/passwd")), "qqddaa"},
		{"writing outside with a command", action("run_command", command(Exec, "cp"), outside(Write, "/srv/x")), "dddddd"},
		{"a sibling with the same beginning", action("read_file", outside(Read, "/work-evil/x")), "dddddd"},
		{"reading a secret", action("read_file", file(Read, ".env")), "qqddaa"},
		{"reading a template of one", action("read_file", file(Read, ".env.example")), "aaaaaa"},
		{"a second hard link", action("edit_file", file(Write|HardLink, "a")), "qqddaa"},
		{"writing .git", action("create_file", file(Write, ".git/hooks/x")), "dddddd"},
		{"writing .GIT", action("create_file", file(Write, "sub/.GIT/x")), "dddddd"},
		{"a path through a protected link", action("edit_file", Subject{Effects: Write, Path: "/work/x", Rel: "x", Via: "/work/node_modules/x"}), "dddddd"},
		{"reading .git", action("read_file", file(Read, ".git/HEAD")), "aaaaaa"},
		{"names like protected ones", action("create_file", file(Write, ".gitignore"), file(Write, "x.git/a")), "qaddaa"},
		{"tricode's own state", action("create_file", file(Write, "sub/state/x")), "dddddd"},
		{"a directory around it", action("delete_path", file(Delete, "sub")), "dddddd"},
		{"the work directory", action("delete_path", Subject{Effects: Delete, Path: "/w", Rel: "."}), "qqddqa"},
		{"more untracked files than allowed", action("delete_path", Subject{Effects: Delete, Path: "/work/b", Rel: "b", Untracked: 51}), "qqddqa"},
		{"as many as allowed", action("delete_path", Subject{Effects: Delete, Path: "/work/b", Rel: "b", Untracked: 50}), "qqddaa"},
		{"too many untracked files in parts", action("delete_path", Subject{Effects: Delete, Path: "/work/b", Rel: "b", Untracked: 26},
			Subject{Effects: Delete, Path: "/work/c", Rel: "c", Untracked: 25}), "qqddqa"},
		{"a command that writes by a redirect", action("run_command", command(Read, "echo"), file(Write, "a")), "qqddaa"},
		{"the strictest part counts", action("run_command", command(Read, "ls"), command(Exec, "touch x"), file(Write, ".git/x")), "dddddd"},
		{"a question beats an answer", action("run_command", command(Read, "ls"), command(Exec, "touch x")), "qqddaa"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got strings.Builder
			for _, mode := range []Mode{ModeAsk, ModeAcceptEdits, ModePlan, ModeReadOnly, ModeBypass} {
				p := policy(mode)
				got.WriteByte("qad"[p.Decide(tt.action, nil).Verdict])
			}
			skip := policy(ModeAsk)
			skip.SkipAll = true
			got.WriteByte("qad"[skip.Decide(tt.action, nil).Verdict])
			if got.String() != tt.want {
				t.Errorf("decided %s, want %s", got.String(), tt.want)
			}
		})
	}
}

func TestDecideNamesTheLayer(t *testing.T) {
	limited := policy(ModeBypass)
	limited.Tools = []string{"read_file"}
	d := limited.Decide(action("create_file", file(Write, "../x")), nil)
	if d.Layer != LayerTools || d.Verdict != Deny || !strings.Contains(d.Reason, "not on the list of tools") {
		t.Errorf("Decide = %+v, want a denial by the tool list", d)
	}
	p := policy(ModeAsk)
	d = p.Decide(action("create_file", file(Write, "a")), nil)
	var consulted []Layer
	for _, step := range d.Trace {
		consulted = append(consulted, step.Layer)
	}
	want := []Layer{LayerTools, LayerWorkDir, LayerProtected, LayerDeny, LayerMode, LayerBypass, LayerRules, LayerSession, LayerBuiltin, LayerDefault}
	if !slices.Equal(consulted, want) {
		t.Errorf("consulted %v, want %v", consulted, want)
	}
	if d.Reason != "" {
		t.Errorf("the default asks with the reason %q, want none", d.Reason)
	}
}

func TestUnlimitedLiftsTheWorkDirectoryLimitAlone(t *testing.T) {
	p := policy(ModeBypass)
	p.Unlimited = true
	for path, want := range map[string]Verdict{
		"/srv/x": Allow, "/etc/hosts": Deny, "/lib64/x": Deny, "/srv/.git/config": Deny, "/dev/null": Allow, "/dev/sda": Deny,
		"/opt/own/config/x.toml": Deny, "/opt/own": Deny, "/home/u": Ask, "/home": Ask,
	} {
		if got := p.Decide(action("create_file", outside(Write|Delete, path)), nil).Verdict; got != want {
			t.Errorf("writing %s: %s, want %s", path, got, want)
		}
	}
}

func TestProtectedGlobs(t *testing.T) {
	p := policy(ModeBypass)
	p.Protected = []string{"infra/prod/**", "*.lock", "/srv/data/**"}
	for rel, want := range map[string]Verdict{
		"infra/prod/a": Deny, "INFRA/Prod/a/b": Deny, "infra/dev/a": Allow, "go.lock": Deny, "sub/go.lock": Allow, "infra": Deny,
	} {
		if got := p.Decide(action("delete_path", file(Delete, rel)), nil).Verdict; got != want {
			t.Errorf("deleting %s: %s, want %s", rel, got, want)
		}
	}
	if got := p.Decide(action("mkdir", file(Write, "infra")), nil).Verdict; got != Allow {
		t.Errorf("writing beside what is protected: %s, want allow", got)
	}
	for _, glob := range []string{"", "a[b", strings.Repeat("{a,a}", 20), strings.Repeat("{{a},a}", 20), strings.Repeat("{a{b,c}{d,e},f}", 4), strings.Repeat(`{\},a}`, 20), "{a[{]b}", strings.Repeat("a", 2000)} {
		if err := CheckGlob(glob); err == nil {
			t.Errorf("CheckGlob took %.40q", glob)
		}
	}
	if err := CheckGlob("src/**/*.{go,mod,sum,{ts,js}{,x}}"); err != nil {
		t.Error(err)
	}
}

func TestDefaultCanDeny(t *testing.T) {
	p := policy(ModeAsk)
	p.Default = Deny
	if d := p.Decide(action("create_file", file(Write, "a")), nil); d.Verdict != Deny || d.Layer != LayerDefault {
		t.Errorf("writing: %s by %s, want a denial by the default", d.Verdict, d.Layer)
	}
	if d := p.Decide(action("read_file", file(Read, "a")), nil); d.Verdict != Allow {
		t.Errorf("reading: %s, want allow", d.Verdict)
	}
}

func TestParseMode(t *testing.T) {
	for name, want := range map[string]Mode{
		"ask": ModeAsk, "balanced": ModeAsk, "accept-edits": ModeAcceptEdits, "edit": ModeAcceptEdits, "plan": ModePlan,
		"read_only": ModeReadOnly, "read-only": ModeReadOnly, "deny": ModeReadOnly, "safe": ModeReadOnly, "trust": ModeBypass,
	} {
		if got, err := ParseMode(name); got != want || err != nil {
			t.Errorf("ParseMode(%q) = %v, %v; want %v", name, got, err, want)
		}
	}
	if _, err := ParseMode("yolo"); err == nil || !strings.Contains(err.Error(), `"yolo" is not one of ask,`) {
		t.Errorf("ParseMode(yolo) = %v, want an error that lists the modes", err)
	}
}

// Names that some file system takes for a protected one are protected on all.
func TestProtectedNames(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, ".GIT": true, ".git.": true, ".git . ": true, ".gi\u200ct": true, "\ufeff.g\u202eit": true, "git~1": true, "GIT~2": true, ".git::$INDEX_ALLOCATION": true, ".git:x": true,
		"node_modules.": true, "NODE_M~1": true, "TRICOD~1": true, "HUSKY~12": true, ".hus\u212ay": true, "node_modul\u200des": true,
		".gitignore": false, "git": false, "x.git": false, "git~": false, "git~x": false, ".": false, "..": false, "": false, "x:.git": false, "a~1": false,
	} {
		if got := ProtectedName(name); got != want {
			t.Errorf("ProtectedName(%q) = %v, want %v", name, got, want)
		}
	}
	for path, want := range map[string]Verdict{".git\\hooks\\x": Deny, "a/.gi\u200dt/config": Deny, "git~1/config": Deny, ".git. /config": Deny, ".gitx/config": Ask} {
		p := policy(ModeAsk)
		if got := p.Decide(action("create_file", file(Write, path)), nil); got.Verdict != want {
			t.Errorf("writing %q: %v, want %v", path, got.Verdict, want)
		}
	}
}

// Writing files that are not named, where some are protected, is asked about under bypass too.
func TestTreesMayHitProtected(t *testing.T) {
	p := policy(ModeBypass)
	p.Protected = []string{"infra/prod/**", "/work/top"}
	for rel, want := range map[string]Verdict{".": Ask, "infra": Ask, "infra/prod/x": Deny, "src": Allow, "infra/dev": Allow} {
		s := file(Write, rel)
		s.Tree = true
		if got := p.Decide(action("run_command", command(Exec, "tar xf a"), s), nil); got.Verdict != want {
			t.Errorf("unpacking into %s: %v (%s), want %v", rel, got.Verdict, got.Reason, want)
		}
	}
}

func TestIsSecret(t *testing.T) {
	for path, want := range map[string]bool{
		"/w/.env": true, "/w/.ENV.local": true, "/w/.env.production": true, "/w/.env.example": false, "/w/env": false,
		"/w/id_ed25519": true, "/w/id_ed25519.pub": false, "/w/server.pem": true, "/home/u/.ssh/config": true,
		"/home/u/.sshx/config": false, "/home/u/.config/gh/hosts.yml": true, "/proc/self/environ": true, "/w/environ": false,
		"/home/u/.config/tricode/config.toml": true, "/home/u/.bash_history": true, "/w/keys.go": false,
		"/w/.e\u200cnv": true, "/w/.env::$DATA": true, "/w/.env.": true, "/w/x.pem ": true, "/w/a:b.pem": true, "/home/u/.AWS/x": true, "/home/u/library/keychains/x": true, "/home/u": false,
	} {
		if got := IsSecret(path, "/home/u"); got != want {
			t.Errorf("IsSecret(%s) = %v, want %v", path, got, want)
		}
	}
}

// Tricode's own configuration and state are secret wherever they lie, to whatever reads them or a directory around them.
func TestOwnFilesAreSecret(t *testing.T) {
	p := policy(ModeAsk)
	p.Private = []string{"/work/sub/state", "/work/mine.toml"}
	tree := file(Read, "sub")
	tree.Tree = true
	for name, tt := range map[string]struct {
		subject Subject
		want    Verdict
	}{
		"the file": {file(Read, "mine.toml"), Ask}, "below it": {file(Read, "sub/state/sessions/x"), Ask}, "a tree around it": {tree, Ask},
		"through a link": {Subject{Effects: Read, Path: "/work/x", Rel: "x", Via: "/work/sub/state/x"}, Ask}, "beside it": {file(Read, "sub/state2"), Allow}, "the directory around it": {file(Read, "sub"), Allow},
	} {
		if got := p.Decide(action("read_file", tt.subject), nil); got.Verdict != tt.want {
			t.Errorf("reading %s: %s (%s), want %s", name, got.Verdict, got.Reason, tt.want)
		}
	}
	if !p.Hides(file(Read, "sub/state/x")) || p.Hides(file(Read, "sub/x")) {
		t.Error("a search does not leave out what is tricode's own, and that alone")
	}
}

// Where several parts are asked about, the reason is one that a part gives.
func TestTheReasonIsShownWhicheverPartHasIt(t *testing.T) {
	p := policy(ModeAsk)
	risky := command(Exec|Dangerous, "rm -r x")
	risky.Why = "removes recursively"
	for _, a := range []*Action{action("run_command", command(Exec, "touch x"), risky), action("run_command", risky, command(Exec, "touch x"))} {
		if got := p.Decide(a, nil); got.Verdict != Ask || got.Reason != risky.Why {
			t.Errorf("%s because of %q, want the reason %q", got.Verdict, got.Reason, risky.Why)
		}
	}
}

func TestTheReasonOfACatastropheIsTheOneThatHolds(t *testing.T) {
	p := policy(ModeBypass)
	p.Own = nil
	for n, want := range map[int]string{
		0: "/work would be lost", 2: "/work would be lost", 51: "it would delete more files that git does not track than one action may",
	} {
		whole := Subject{Effects: Delete, Path: "/work", Rel: ".", Untracked: n}
		if got := p.Decide(action("delete_path", whole), nil); got.Verdict != Ask || got.Reason != want {
			t.Errorf("removing the work directory with %d untracked files: %s because of %q, want %q", n, got.Verdict, got.Reason, want)
		}
	}
}

// A command may remove node_modules, which a tool may not; neither may write there.
func TestRemovingModulesByCommandIsDangerous(t *testing.T) {
	p := policy(ModeBypass)
	for name, tt := range map[string]struct {
		action *Action
		want   Verdict
	}{
		"a command removes it":            {action("run_command", command(Exec|Delete|Dangerous, "rm -rf node_modules"), file(Delete, "node_modules")), Allow},
		"a command removes a part of it":  {action("run_command", command(Exec|Delete, "rm node_modules/x/y"), file(Delete, "node_modules/x/y")), Allow},
		"a command removes .git in it":    {action("run_command", command(Exec|Delete, "rm"), file(Delete, "node_modules/x/.git")), Deny},
		"a command writes there":          {action("run_command", command(Exec, "touch"), file(Write, "node_modules/x")), Deny},
		"a tool removes it":               {action("delete_path", file(Delete, "node_modules")), Deny},
		"a glob of the person forbids it": {action("run_command", command(Exec|Delete, "rm"), file(Delete, "web/node_modules")), Deny},
	} {
		p.Protected = []string{"web/**"}
		got := p.Decide(tt.action, nil)
		if got.Verdict != tt.want || got.Verdict == Allow && !got.Effects.Has(Dangerous) {
			t.Errorf("%s: %s by %s, %s; want %s", name, got.Verdict, got.Layer, got.Effects, tt.want)
		}
	}
}

func TestPrivateHost(t *testing.T) {
	for host, want := range map[string]bool{
		"example.com": false, "localhost": true, "LOCALHOST.": true, "a.localhost": true, "127.0.0.1": true, "10.0.0.1": true,
		"0x7f.1": true, "2130706433": true, "0177.0.0.1": true, "169.254.169.254": true, "::1": true, "[::ffff:10.0.0.1]": true,
		"8.8.8.8": false, "2606:4700::1111": false, "64:ff9b::7f00:1": true, "100.64.0.1": true, "0.0.0.0": true, "1.example.com": false,
	} {
		if got := privateHost(host); got != want {
			t.Errorf("privateHost(%s) = %v, want %v", host, got, want)
		}
	}
}

// A compound is never more allowed than its strictest part, and what is denied stays denied whatever stands beside it.
func TestStrictestPartCounts(t *testing.T) {
	subject := rapid.Custom(func(t *rapid.T) Subject {
		s := Subject{Effects: Effects(rapid.Uint32Range(0, uint32(Catastrophic)<<1-1).Draw(t, "effects"))}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			s.Path = rapid.SampledFrom([]string{"/work/a", "/work/.git/x", "/etc/passwd", "/work/.env", "/work"}).Draw(t, "path")
			s.Rel = strings.TrimPrefix(strings.TrimPrefix(s.Path, "/work/"), "/")
		case 1:
			s.Args = []string{rapid.SampledFrom([]string{"ls", "rm"}).Draw(t, "program")}
		case 2:
			s.Host = "example.com"
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		p := policy(Mode(rapid.IntRange(0, int(ModeBypass)).Draw(t, "mode")))
		p.SkipAll = rapid.Bool().Draw(t, "skip")
		subjects := rapid.SliceOfN(subject, 1, 4).Draw(t, "subjects")
		whole := p.Decide(action("run_command", subjects...), nil)
		for _, s := range subjects {
			part := p.through(layers[:], &call{Action: action("run_command", subjects...)}, s, nil)
			if stricter(whole.Verdict, part.Verdict) != whole.Verdict {
				t.Fatalf("the whole is decided %s, its part %+v %s", whole.Verdict, s, part.Verdict)
			}
		}
	})
}

func BenchmarkDecide(b *testing.B) {
	p := policy(ModeAsk)
	a := action("run_command", command(Read, "git status"), command(Exec, "make"), file(Write, "out.txt"))
	b.ReportAllocs()
	for b.Loop() {
		p.Decide(a, nil)
	}
}

var errBoom = errors.New("boom")
