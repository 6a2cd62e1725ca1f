package redact

import (
	"bytes"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Made up, in the shape of real ones.
const (
	github  = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	aws     = "AKIAI44QH8DHBF3KLM2N"
	openai  = "sk-proj-Zx81mQ0aPl3Kd92jfhG7sWq4Tn5Yv6Ub8Ic1Oe"
	router  = "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"
	slack   = "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcBrzbqgy"
	google  = "AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe"
	gitlab  = "glpat-x7Kq2mP9sL4vT8wZ3nRb"
	npm     = "npm_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	grid    = "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"
	token   = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	awsKey  = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY1aB2cD3eF4"
	private = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz\nc2gtZWQyNTUxOQAAACA+/x8=\n-----END OPENSSH PRIVATE KEY-----"
	mine    = "correct-horse/battery=staple"
)

var secrets = []string{github, aws, openai, router, slack, google, gitlab, npm, grid, token, private, mine}

func TestHide(t *testing.T) {
	for _, secret := range secrets {
		for _, around := range [][2]string{
			{"", ""}, {"key=", "\n"}, {`{"key":"`, `"}`}, {"https://user:", "@host/"}, {"a\n", "\nb"}, {"Authorization: Bearer ", " (x)"}, {"'", "'"},
			{"text … ", " …"}, {strings.Repeat("x y ", 99), strings.Repeat(" z", 99)}, {"a.b(", ")"},
		} {
			r := New(mine)
			if got, want := r.Hide(around[0]+secret+around[1], false), around[0]+"[secret-1]"+around[1]; got != want || r.Count() != 1 {
				t.Errorf("Hide(%q) = %q, want %q", around[0]+secret+around[1], got, want)
			}
		}
	}
	for _, tt := range []struct{ name, text, want string }{
		{"the same twice", github + " and " + github, "[secret-1] and [secret-1]"},
		{"two", github + " " + aws + "\n" + github, "[secret-1] [secret-2]\n[secret-1]"},
		{"behind an escape", `"a\n` + github + `\nb"`, `"a\n[secret-1]\nb"`},
		{"coloured", "\x1b[31m" + github + "\x1b[0m \x1b[1;31m" + github, "\x1b[31m[secret-1]\x1b[0m \x1b[1;31m[secret-1]"},
		{"named", "[default]\naws_access_key_id = " + aws + "\naws_secret_access_key = " + awsKey + "\n# " + awsKey,
			"[default]\naws_access_key_id = [secret-1]\naws_secret_access_key = [secret-2]\n# [secret-2]"},
		{"a key in JSON", `{"private_key": "` + strings.ReplaceAll(private, "\n", `\n`) + `\n"}`, `{"private_key": "[secret-1]\n"}`},
		{"the beginning of a key", "x\n" + private[:120] + "\n[... left out ...]\ny", "x\n[secret-1][... left out ...]\ny"},
		{"the end of a key", "x\n" + private[60:] + "\ny", "x\n[secret-1]\ny"},
		{"a certificate", strings.ReplaceAll(private, "OPENSSH PRIVATE KEY", "CERTIFICATE"), strings.ReplaceAll(private, "OPENSSH PRIVATE KEY", "CERTIFICATE")},
		{"a number that is taken", "[secret-1] " + github, "[secret-1] [secret-2]"},
	} {
		if got := New().Hide(tt.text, false); got != tt.want {
			t.Errorf("%s: Hide(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// What is no secret stays as it is, however much it looks like one.
func TestNoFalseAlarms(t *testing.T) {
	for _, text := range []string{
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
		"123e4567-e89b-12d3-a456-426614174000", "github.com/alecthomas/kong v1.17.0 h1:X3DQgbCmt4xrZYqJ7GkTPW2X6zG3oSTp5Kh9jl5dJXc=",
		`"integrity": "sha512-9W1hRzXkBAv3b4sE3jOEZ0jJMBdQb6lvKbWsPzwQ8m7aBc0dEfGhIjKlMnOpQrStUvWxYz012345678"`,
		"sk-circle-fade-dot sk-folding-cube-container-wrapper sk-chasing-dots-2-animation-delay", "task-1234567890abcdef1234567890abcdef12",
		"AKIAIOSFODNN7EXAMPLE", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-your-api-key-goes-here-please", "npm_config_registry npm_lifecycle_event_script_name",
		"eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJIUzI1NiJ9.eyJ", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
		"hf_transformers_model_name_that_is_very_long", "AIzaSyShort", "SG.short.x", "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
		"-----BEGIN PRIVATE", "PRIVATE KEY-----", "aws_secret_access_key = $AWS_SECRET_ACCESS_KEY", "xoxb-", "glpat-", "", "=",
		"The commit 3f786850e387550fdab836ed7e6dc881de23001b is signed; see refs/heads/AKIA-migration-2026-plan",
	} {
		if got := New().Hide(text, false); got != text {
			t.Errorf("Hide(%q) = %q", text, got)
		}
	}
}

// What comes in pieces is hidden as it is when it comes whole.
func TestLive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(
			rapid.SampledFrom(secrets), rapid.SampledFrom([]string{"\n", " ", "=", "a", "sk-", "eyJ", ".", "-----BEGIN ", "-----", "\\n", "\x1b[31m", "\naws_secret_access_key=" + awsKey + "\n", private[:90]}),
			rapid.StringMatching(`[ -~\n]{0,40}`),
		)).Draw(t, "parts")
		text := strings.Join(parts, "")
		whole := New(mine).Hide(text, false)
		var out bytes.Buffer
		w := New(mine).Live(&out)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 50)).Draw(t, "n")
			io.WriteString(w, rest[:n])
			rest = rest[n:]
		}
		w.Close()
		if out.String() != whole {
			t.Fatalf("in pieces %q\nwhole %q\nof %q", out.String(), whole, text)
		}
	})
}

// A name that somebody else wrote is noticed in what comes in pieces too.
func TestLiveNames(t *testing.T) {
	r := New()
	w := r.Live(io.Discard)
	for _, c := range "the file has [secret-1] in it " + github {
		io.WriteString(w, string(c))
	}
	w.Close()
	if got := r.Hide(github, false); got != "[secret-2]" {
		t.Errorf("a name that was taken is given again: %s", got)
	}
}

// What cannot become a secret is given out at once.
func TestLiveDoesNotWait(t *testing.T) {
	for _, text := range []string{"Password: ", "continue? [y/N] ", "compiling\n", "12345678", "> "} {
		var out bytes.Buffer
		io.WriteString(New(mine).Live(&out), text)
		if out.String() != text {
			t.Errorf("%q: only %q is there", text, out.String())
		}
	}
}

// A secret without end is not held back without end.
func TestLiveIsBounded(t *testing.T) {
	for _, begin := range []string{"sk-", "eyJ", "-----BEGIN PRIVATE KEY-----\n", "x"} {
		w := New(mine).Live(io.Discard).(*live)
		io.WriteString(w, begin)
		for range 100 {
			io.WriteString(w, strings.Repeat("Ab3", 10_000))
		}
		if cap(w.buf) > 8*maxOpen {
			t.Errorf("%q: %d bytes are held", begin, cap(w.buf))
		}
	}
}

func TestRestore(t *testing.T) {
	r := New()
	r.Hide(github+" "+private, false)
	for _, tt := range []struct{ in, want string }{
		{`{"content":"x"}`, `{"content":"x"}`},
		{`{"content":"key=[secret-1]\n[secret-1]"}`, `{"content":"key=` + github + `\n` + github + `"}`},
		{`{"content":"[secret-2]"}`, `{"content":"` + strings.ReplaceAll(private, "\n", `\n`) + `"}`},
		{`{"content":"[secret-7] [secret-] [secret-01] [secret-"}`, `{"content":"[secret-7] [secret-] [secret-01] [secret-"}`},
	} {
		if got, err := r.Restore(tt.in); got != tt.want || err != nil {
			t.Errorf("Restore(%s) = %s, %v; want %s", tt.in, got, err, tt.want)
		}
	}
	r.Hide("an output of this run has [secret-1] in it", true)
	if _, err := r.Restore(`{"content":"[secret-1]"}`); err != nil {
		t.Errorf("Restore of a name of our own: %v", err)
	}
	r.Hide("the file has [secret-1] in it", false)
	if got, err := r.Restore(`{"content":"[secret-1]"}`); err == nil || !strings.Contains(err.Error(), "edit around it") {
		t.Errorf("Restore of a name that means two things = %s, %v", got, err)
	}
	next := New()
	next.Recall("before there was [secret-1]")
	if got := next.Hide(github, false); got != "[secret-2]" {
		t.Errorf("a name of an earlier run is used again: %s", got)
	}
	if _, err := next.Restore("[secret-1]"); err == nil {
		t.Error("a secret of an earlier run was put back")
	}
}

func FuzzHide(f *testing.F) {
	for _, secret := range secrets {
		f.Add(secret, 7)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		whole := New(mine).Hide(text, false)
		if n < 1 || n > len(text) {
			n = max(1, len(text)/2)
		}
		var out bytes.Buffer
		w := New(mine).Live(&out)
		for rest := text; rest != ""; rest = rest[min(n, len(rest)):] {
			io.WriteString(w, rest[:min(n, len(rest))])
		}
		w.Close()
		if out.String() != whole && len(text) < maxOpen && !strings.Contains(text, string(pemEnd)) {
			t.Errorf("in pieces of %d: %q; whole: %q", n, out.String(), whole)
		}
	})
}

func BenchmarkLive(b *testing.B) {
	for _, kind := range []struct{ name, text string }{
		{"numbers", strings.Repeat("1234567\n", 4096)},
		{"prose", strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 728)},
		{"base64", strings.Repeat(strings.Repeat("Qk02", 19)+"\n", 425)},
		{"dashes", strings.Repeat("-------- ------ ---- -\n", 1424)},
	} {
		b.Run(kind.name, func(b *testing.B) {
			w := New(openai).Live(io.Discard)
			p := []byte(kind.text)
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			for b.Loop() {
				w.Write(p)
			}
		})
	}
}

// However many secrets there are, real or made up, hiding them takes little time and memory. Those of which no more can be
// remembered have one name together, which nothing is put in the place of.
func TestFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("what it measures says nothing in a short run, which looks for races")
	}
	letters := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	random := func(n, length int) string {
		var b strings.Builder
		for i := range length {
			n = n*1103515245 + 12345 + i
			b.WriteByte((letters + "0123456789")[n>>16&0x7fff%62])
		}
		return b.String() + "1a"
	}
	for _, tt := range []struct {
		name string
		size int // in MiB
		line func(n int) string
	}{
		{"tokens", 4, func(n int) string { return "ghp_" + random(n, 34) }},
		{"named", 4, func(n int) string { return "aws_secret_access_key=" + random(n, 38) }},
		{"keys", 10, func(n int) string {
			return "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat(random(n, 62)+"\n", 100) + "-----END PRIVATE KEY-----"
		}},
		{"names", 4, func(n int) string { return "[secret-" + strconv.Itoa(n) + "] ghp_" + random(n, 34) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, size := New(mine), 0
			seen := &lastLine{}
			w := r.Live(seen)
			start := time.Now()
			for n := 0; size < tt.size<<20; n++ {
				line := tt.line(n) + "\n"
				size += len(line)
				io.WriteString(w, line)
			}
			w.Close()
			runtime.GC()
			runtime.ReadMemStats(&after)
			if took := time.Since(start); took > 2*time.Minute {
				t.Errorf("took %v", took)
			}
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 96<<20 {
				t.Errorf("%d MiB are in use", grown>>20)
			}
			if !strings.HasSuffix(seen.text, "[secret]\n") {
				t.Errorf("the last line is %q", seen.text)
			}
			if got, err := r.Restore(`{"text":"[secret]"}`); err != nil || got != `{"text":"[secret]"}` {
				t.Errorf("Restore = %s, %v", got, err)
			}
			if got := r.Hide(mine, false); strings.Contains(got, mine) {
				t.Errorf("a key of this run is %s", got)
			}
			runtime.KeepAlive(r)
		})
	}
}

// lastLine keeps the end of what is written.
type lastLine struct{ text string }

func (l *lastLine) Write(p []byte) (int, error) {
	l.text += string(p)
	l.text = l.text[max(0, len(l.text)-200):]
	return len(p), nil
}

// The time that a text takes grows with its length and no faster, whatever stands in it.
func TestTime(t *testing.T) {
	for _, piece := range []string{
		"SG.abcdefgh12345678.", "SG.", ".SG", "eyJabcdefgh12345678.", "eyJabcdefgh12345678.eyJ.", "ya29.", "hvs.a1b2c3d4e5f6g7h8i9j0", "-----BEGIN PRIVATE KEY-----\n",
		"-----END PRIVATE KEY-----\n", "-----BEGIN ", "-----", "-", "Ab3/", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJz\n", "aws_secret_access_key=", "aws_secret_access_key= ",
		"sk-", "ghp_", "[secret-", "[secret-1]", "\\n", "\x1b[1;31m", "c", "correct-horse/battery", "\n", "a b",
	} {
		r := New(mine)
		start := time.Now()
		text := strings.Repeat(piece, 256<<10/len(piece))
		r.Hide(text, false)
		w := r.Live(io.Discard)
		for rest := text; rest != ""; {
			n := min(len(rest), 8000)
			io.WriteString(w, rest[:n])
			rest = rest[n:]
		}
		w.Close()
		if took := time.Since(start); took > 2*time.Minute {
			t.Errorf("%q: %v", piece, took)
		}
	}
}
