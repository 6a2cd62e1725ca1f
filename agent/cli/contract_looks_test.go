//go:build unix

package cli

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tricode/agent"
	"tricode/agent/transcript"
	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// looked is one sentence about what the policy can be asked, and what is printed.
type looked struct {
	says  string
	setup statement // its files; what it wants is not looked at
	line  string    // what is typed after tricode
	want  string    // lines of what is printed, in this order; … is anything. An "error" has the text of the mistake.
}

// looks tries what can be asked.
func (w *contractWorld) looks(t *testing.T, all []looked) {
	w.write(t, filepath.Join(w.root, "other.toml"), `permissions.rules = [{tool = "Bash", action = "allow", pattern = "git push"}]`)
	for _, l := range all {
		t.Run(l.says, func(t *testing.T) {
			w.prepare(t, l.setup)
			out, status, err := w.types(t, l.line)
			rest := out
			for line := range strings.Lines(w.places.Replace(l.want)) {
				line = strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t")
				text, mistake := strings.CutPrefix(line, "error")
				switch {
				case line == "":
				case mistake:
					if status != statusUsage && (err == nil || statusOf(err) != statusUsage) || err != nil && !strings.Contains(err.Error(), strings.TrimSpace(text)) {
						t.Errorf("status %d, %v; want a mistake with %q", status, err, text)
					}
					return
				default:
					at := regexp.MustCompile("(?m)^" + strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + "$").FindStringIndex(rest)
					if at == nil {
						t.Fatalf("no line %q behind what came before, in\n%s", line, out)
					}
					rest = rest[at[1]:]
				}
			}
			if err != nil || status != statusDone {
				t.Errorf("status %d, %v", status, err)
			}
		})
	}
}

func (w *contractWorld) work(name string) string { return filepath.Join(w.root, "work", name) }

// types asks what is typed after tricode, in the work directory unless another is said.
func (w *contractWorld) types(t *testing.T, line string) (out string, status int, err error) {
	t.Helper()
	var c commandLine
	args := words(w.places.Replace(line))
	if !strings.Contains(line, "--work-dir") {
		args = append([]string{"-C", w.work("")}, args...)
	}
	command, _, err := parse(&c, args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	status, err = c.permissions(t.Context(), strings.TrimPrefix(command, "permissions "), &b)
	return b.String(), status, err
}

// session leaves the transcript of a run that ran commands after a person's yes, but for those that were denied.
func (w *contractWorld) session(t *testing.T, name string, commands []string, said map[string]approval.Verdict) {
	t.Helper()
	dir := filepath.Join(w.root, "home/.local/state/tricode/sessions", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	log, err := transcript.Create(filepath.Join(dir, "transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	emit := func(e agent.Event) {
		t.Helper()
		if err := log.Emit(e); err != nil {
			t.Fatal(err)
		}
	}
	emit(agent.Started{Session: name, Time: "2026-01-01T00:00:00Z", WorkDir: w.work("")})
	for i, command := range commands {
		id, args := fmt.Sprint(i), fmt.Sprintf(`{"command":%q}`, command)
		emit(agent.Said{Message: providers.Message{Role: providers.Assistant, Calls: []providers.Call{{ID: id, Name: "run_command", Arguments: args}}}})
		d := approval.Decision{Verdict: approval.Allow, Layer: approval.LayerPerson, Trace: []approval.Step{{Layer: approval.LayerDefault, Verdict: "ask"}, {Layer: approval.LayerPerson, Verdict: "allow"}}}
		if said[command] == approval.Deny {
			d = approval.Decision{Verdict: approval.Deny, Layer: approval.LayerDeny, Reason: "deny rule x", Trace: []approval.Step{{Layer: approval.LayerDeny, Verdict: "deny"}}}
		}
		emit(agent.Decided{Call: id, Tool: "run_command", Summary: "run " + command, Time: "2026-01-01T00:00:01Z", Decision: d})
	}
}

func (w *contractWorld) batchOfStandardInput(t *testing.T) {
	w.prepare(t, statement{})
	f, err := os.Open(w.work("calls"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stdin := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = stdin }()
	if out, _, err := w.types(t, "permissions explain --batch -"); err != nil || strings.Count(out, "\n") != 2 || !strings.HasPrefix(out, `{"id":7,"decision":"allow"`) {
		t.Errorf("%v, %s", err, out)
	}
}

func (w *contractWorld) nothingChanges(t *testing.T) {
	w.write(t, w.work("hook"), "#!/bin/sh\ntouch \"$0.consulted\"\n")
	w.prepare(t, statement{config: "hooks = [{event = 'before_tool', command = ['./hook']}, {event = 'permission', command = ['./hook']}, {event = 'after_tool', command = ['./hook']}]\n" +
		"permissions.tests = [{tool = 'run_command', args = 'touch made', expect = 'ask'}]"})
	before := w.everything(t)
	for _, line := range []string{
		"permissions", "permissions check", "permissions replay", "permissions denials", "permissions explain --batch @ROOT@/work/calls", "permissions explain --dangerously-skip-permissions run_command 'touch made; rm -rf src'",
		"permissions explain --trust delete_path src", "permissions explain --trust start_session 'touch made'", `permissions explain --trust create_file '{"path": "made", "content": ""}'`,
	} {
		if out, _, err := w.types(t, line); err != nil || out == "" {
			t.Errorf("%s: %v, %s", line, err, out)
		}
		if after := w.everything(t); after != before {
			t.Fatalf("%s makes\n%s\nof\n%s", line, after, before)
		}
	}
}

// everything lists what is in the world, with sums.
func (w *contractWorld) everything(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		var data []byte
		if err == nil && d.Type().IsRegular() {
			data, err = os.ReadFile(path)
		}
		fmt.Fprintf(&b, "%s %v %x\n", path, d.Type(), sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// atTheQuestion says at a running question what can be said there.
func (w *contractWorld) atTheQuestion(t *testing.T) {
	for _, tt := range []struct{ says, line, reply, want string }{
		{"at the question: /permissions", "/permissions", "mode: ask (the default)\n", "ask touch x"},
		{"at the question: /permissions profile MODE", "/permissions profile read_only", "The mode is read_only for the rest of this run.", "deny touch x"},
		{"at the question: /permissions profile bypass is refused", "/permissions profile bypass", "bypass can be chosen on the command line only: --bypass-permission", "ask touch x"},
		{"at the question: /permissions rule TOOL ACTION", "/permissions rule run_command(touch *) allow", "allow run_command(touch *), for the rest of this run.", "allow touch x"},
		{"at the question: /permissions rule PATTERN ACTION", "/permissions rule touch * allow", "allow run_command(touch *), for the rest of this run.", "allow touch x"},
		{"at the question: /permissions denials", "/permissions denials", "2026-01-01T00:00:01Z mkdir: make a: no\n", "ask touch x"},
		{"at the question: /plan", "/plan", "no plan", "ask touch x"},
	} {
		t.Run(tt.says, func(t *testing.T) {
			talk, j, err := w.judge(t, statement{})
			if err != nil {
				t.Fatal(err)
			}
			tally := agent.Tally{Denials: []agent.Denial{{Tool: "mkdir", Summary: "make a", Reason: "no", Time: "2026-01-01T00:00:01Z"}}}
			said := &dialogue{c: &commandLine{}, world: j.world, gate: &talk.gate, plan: &tools.Plan{}, tally: &tally}
			if reply, _ := said.command(tt.line); !strings.HasPrefix(reply, tt.reply) {
				t.Errorf("%s says %q; want %q", tt.line, reply, tt.reply)
			}
			want, call, _ := strings.Cut(tt.want, " ")
			talk.call(t, j, want, call)
		})
	}
}
