package transcript

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tricode/agent"
	"tricode/providers"
)

// Call is a call of a run: what the model asked for, and what was decided about it.
type Call struct {
	providers.Call
	Summary  string // one line for people
	Time     string // when it was decided, RFC 3339; empty if it was not
	Decision Decision
}

// Decision is a decision as a transcript keeps it, see approval.Decision. Its words are those of the version that
// wrote them.
type Decision struct {
	Verdict string `json:"verdict"`
	Layer   string `json:"layer"`
	Reason  string `json:"reason"`
	Trace   []struct {
		Layer   string `json:"layer"`
		Verdict string `json:"verdict"`
	} `json:"trace"`
}

// denied is the verdict of what does not happen.
const denied = "deny"

// Run is what a transcript tells of a run.
type Run struct {
	Session string
	Time    string // when it began, RFC 3339
	WorkDir string
	Mode    string
	Task    string   // the first
	Resumes []string // the sessions that it went on with, the latest first
	Calls   []Call   // in the order in which the model asked for them

	// Denials are all that was denied, parts of calls too, in their order.
	Denials []agent.Denial

	// Plan is the plan as it was at the end; without steps if there was none.
	Plan agent.PlanChanged

	// History is the conversation as it was at the end, for the run that goes on from it.
	History []providers.Message
}

// maxLine bounds a line that is read, in bytes; longer ones are left out. The longest message that a client gives, see
// providers.MaxText, has less, also where JSON needs six bytes for one.
const maxLine = 128 << 20

// Read reads a transcript. The run may still be going on: what is not a whole line yet is left out.
func Read(path string) (Run, error) {
	var run Run
	f, err := os.Open(path)
	if err != nil {
		return run, fmt.Errorf("transcript: %w", err)
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for {
		line, err := nextLine(lines)
		if err == io.EOF {
			return run, nil
		}
		if err == nil {
			err = run.add(line)
		}
		if err != nil {
			return run, fmt.Errorf("transcript: %s: %w", path, err)
		}
	}
}

// nextLine reads a whole line; one that is too long is empty.
func nextLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// event is what is read of the events that tell of the conversation.
type event struct {
	Type     string
	Session  string
	Time     string
	WorkDir  string `json:"work_dir"`
	Mode     string
	Task     string
	Resumes  []string
	Message  providers.Message
	Dropped  int
	Call     string
	Tool     string
	Summary  string
	Part     bool
	Decision Decision
}

// add takes one event in.
func (r *Run) add(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	var e event
	var kind struct{ Type string }
	if err := json.Unmarshal(line, &kind); err != nil {
		return err
	}
	switch kind.Type {
	case "plan":
		r.Plan = agent.PlanChanged{}
		return json.Unmarshal(line, &r.Plan)
	case "started", "said", "compacted", "decided": // the fields of others may have the same names and other types
	default:
		return nil
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	switch e.Type {
	case "started":
		if r.Session == "" {
			r.Task, r.Resumes = e.Task, e.Resumes
		}
		r.Session, r.Time, r.WorkDir, r.Mode = e.Session, e.Time, e.WorkDir, e.Mode
	case "said":
		r.History = append(r.History, e.Message)
		for _, c := range e.Message.Calls {
			r.Calls = append(r.Calls, Call{Call: c})
		}
	case "compacted":
		r.compact(e.Dropped, e.Message)
	case "decided":
		r.decide(&e)
	}
	return nil
}

// decide notes what was decided, and about a whole call, with it: the latest of that id, as ids may come again in later
// messages.
func (r *Run) decide(e *event) {
	if e.Decision.Verdict == denied {
		r.Denials = append(r.Denials, agent.Denial{Tool: e.Tool, Reason: e.Decision.Reason, Summary: e.Summary, Time: e.Time})
	}
	if e.Part {
		return
	}
	for i := len(r.Calls) - 1; i >= 0; i-- {
		if c := &r.Calls[i]; c.ID == e.Call {
			c.Summary, c.Time, c.Decision = e.Summary, e.Time, e.Decision
			return
		}
	}
}

// compact puts a message in the place of the first n, those that the model was told before everything left out.
func (r *Run) compact(n int, m providers.Message) {
	lead := 0
	if len(r.History) > 0 && r.History[0].Role == providers.System {
		lead = 1
	}
	n = min(max(n, 0), len(r.History)-lead) // a line may be missing
	r.History = slices.Replace(r.History, lead, lead+n, m)
}

// Find is the transcript of a session in the directory of all, or the one that was written to last if the name is
// empty. The beginning of a name is enough where no other begins so.
func Find(sessions, name string) (string, error) {
	if strings.ContainsAny(name, `/\`) {
		return "", fmt.Errorf("%q is not the name of a session", name)
	}
	entries, err := os.ReadDir(sessions)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	var found []string
	latest, written := "", time.Time{}
	for _, e := range entries {
		path := filepath.Join(sessions, e.Name(), file)
		info, err := os.Stat(path)
		switch {
		case err != nil || !strings.HasPrefix(e.Name(), name):
			continue
		case e.Name() == name:
			return path, nil
		case !info.ModTime().Before(written):
			latest, written = path, info.ModTime()
		}
		found = append(found, path)
	}
	switch {
	case name == "" && latest == "":
		return "", errors.New("there is no session yet")
	case len(found) == 0:
		return "", fmt.Errorf("there is no session %q", name)
	case name != "" && len(found) > 1:
		return "", fmt.Errorf("%d sessions begin with %q", len(found), name)
	}
	return latest, nil
}

// file is the name of a transcript in the directory of its session.
const file = "transcript.jsonl"
