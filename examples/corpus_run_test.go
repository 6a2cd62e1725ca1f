//go:build linux

package examples

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// lot is what is run in one run of tricode: commands of one policy and layout, all of them with or without programs that write
// directories of their own, and with or without programs that start others by themselves.
type lot struct {
	policy, fixture   string
	manages, indirect bool
}

// inLot is how many commands are run in one run, and ofLots the part of all that is run by itself: everything takes minutes, see
// TRICODE_CORPUS.
const (
	inLot  = 24
	ofLots = 6
)

// managers are the names of programs that write directories of their own.
var managers = regexp.MustCompile(`\b(git|gh|npm|npx|yarn|pnpm|bun|pip3?|cargo|go|composer|bundle)\b`)

// What got past others is run for real, with permissions bypassed and skipped, as a user without rights and in the box: nothing
// changes outside of the work directory, no program that is denied starts, and no secret is printed. TRICODE_CORPUS=all runs
// everything; otherwise a part is run, another one every day of the month.
func TestCorpusRuns(t *testing.T) {
	switch {
	case os.Geteuid() != 0:
		t.Skip("not run: only root can run these commands as somebody without rights")
	case exec.Command("setpriv", "--reuid=65534", "--clear-groups", "unshare", "--user", "--mount", "true").Run() != nil:
		t.Skip("not run: there are no user namespaces here, or no setpriv and unshare")
	}
	if err := os.Chmod(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	lots := map[lot][]corpusCase{}
	for _, c := range corpusCases(t) {
		if c.Tool == "run_command" && c.Class != "calls" {
			l := lot{c.Policy, c.Fixture, managers.Match(c.Args), c.indirect()}
			lots[l] = append(lots[l], c)
		}
	}
	n, day, started := 0, time.Now().Day(), new(atomic.Int64)
	t.Cleanup(func() {
		if started.Load() == 0 {
			t.Error("no program was seen to start, so nothing is known about those that are denied")
		}
	})
	for _, l := range slices.SortedFunc(maps.Keys(lots), func(a, b lot) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) }) {
		for cases := range slices.Chunk(lots[l], inLot) {
			for _, flag := range [...]string{"--bypass-permission", "--dangerously-skip-permissions"} {
				if n++; os.Getenv("TRICODE_CORPUS") != "all" && n%ofLots != day%ofLots {
					continue
				}
				t.Run(fmt.Sprintf("%s %s %s", l.policy, l.fixture, flag), func(t *testing.T) {
					t.Parallel()
					started.Add(int64(runLot(t, l, flag, cases)))
				})
			}
		}
	}
}

// indirect reports whether the call may have another program start what is denied: what programs start, and not the shell, is
// held by the box and by no rule for commands. With bypass such a call is asked about, with skip nothing is.
func (c corpusCase) indirect() bool {
	return c.Class == "deny-opaque" && (c.Technique == "interpreter" || strings.HasPrefix(c.Technique, "wrapper-"))
}

// runLot runs commands and returns how many programs were seen to start.
func runLot(t *testing.T, l lot, flag string, cases []corpusCase) int {
	p := newTried(t, l)
	before := p.snapshot(t, l)
	done := p.run(t, flag, cases)
	if after := p.snapshot(t, l); after != before {
		t.Errorf("something changed outside of the work directory or in what is protected:\n%s\nwas\n%s", after, before)
	}
	if len(done) != len(cases) {
		t.Errorf("%d of %d calls were answered", len(done), len(cases))
		return 0
	}
	for i, c := range cases {
		if strings.Contains(done[i], canary) && !reads(t, l, c) {
			t.Errorf("%s: %s printed a secret: %q", c.ID, c.Args, done[i])
		}
	}
	if l.indirect && flag == "--dangerously-skip-permissions" {
		return 0
	}
	var starts []corpusCase
	for _, words := range p.starts() {
		args, _ := json.Marshal(map[string]string{"command": words})
		starts = append(starts, corpusCase{Tool: "run_command", Args: args})
	}
	answers := decideBatch(t, batch{l.policy, "bypass", l.fixture}, starts, p.beside+"/stubs")
	for i, c := range starts {
		if got := answers[fmt.Sprint(i)]; got.Decision == "deny" && strings.Contains(got.Reason, "deny rule") {
			t.Errorf("%s was started, which is denied: %s", c.Args, got.Reason)
		}
	}
	return len(starts)
}

// reads reports whether a command is known to read something secret, which is then for the person to decide.
func reads(t *testing.T, l lot, c corpusCase) bool {
	got := decideBatch(t, batch{l.policy, "ask", l.fixture}, []corpusCase{c}, "/usr/bin")["0"]
	return strings.Contains(string(got.Effects), "secret") || strings.Contains(string(got.Effects), "outside")
}
