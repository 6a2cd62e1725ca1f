package transcript

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tricode/providers"
)

// unanswered is what a model is told of a call that the earlier run did not come to.
const unanswered = "not performed: the run ended before"

// Conversation is the history as a model can be sent it again: each call of it has one answer, behind the message that
// makes it, also where the run was ended in the middle. What the model is told first is left out, and so is what the
// messages took: that was paid for.
func (r *Run) Conversation() []providers.Message {
	var talk []providers.Message
	for i, m := range r.History {
		m.Usage = providers.Usage{}
		switch m.Role {
		case providers.System, providers.ToolRole: // an answer follows its call
			continue
		}
		talk = append(talk, m)
		answers := r.answers(i)
		for _, c := range m.Calls {
			answer := providers.Message{Role: providers.ToolRole, CallID: c.ID, Text: unanswered}
			if n := slices.IndexFunc(answers, func(a providers.Message) bool { return a.CallID == c.ID }); n >= 0 {
				answer = answers[n]
				answers = slices.Delete(answers, n, n+1) // some servers give an id twice
			}
			talk = append(talk, answer)
		}
	}
	return talk
}

// answers are the answers to the calls of a message.
func (r *Run) answers(at int) []providers.Message {
	rest := r.History[at+1:]
	if end := slices.IndexFunc(rest, func(m providers.Message) bool { return m.Role != providers.ToolRole }); end >= 0 {
		rest = rest[:end]
	}
	return slices.Clone(rest)
}

// Session is an earlier run, as its transcript begins.
type Session struct {
	Name    string
	Time    string // RFC 3339
	WorkDir string
	Task    string
	written time.Time
}

// List are the sessions in the directory of all that worked in a directory, the one that was written to last first, at
// most so many. What cannot be read is left out.
func List(sessions, workDir string, most int) []Session {
	entries, _ := os.ReadDir(sessions)
	var all []Session
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(sessions, e.Name(), file)); err == nil && info.Size() > 0 {
			all = append(all, Session{Name: e.Name(), written: info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b Session) int { return b.written.Compare(a.written) })
	var list []Session
	for _, s := range all {
		if len(list) == most {
			break
		}
		if s.begin(filepath.Join(sessions, s.Name, file)) && s.WorkDir == workDir {
			list = append(list, s)
		}
	}
	return list
}

// begin reads how a transcript begins, and reports whether it does.
func (s *Session) begin(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	line, err := nextLine(bufio.NewReader(f))
	if err != nil {
		return false
	}
	var e struct {
		Type, Time, Task string
		WorkDir          string `json:"work_dir"`
	}
	if json.Unmarshal(line, &e) != nil || e.Type != "started" {
		return false
	}
	s.Time, s.WorkDir, s.Task = e.Time, e.WorkDir, e.Task
	return true
}
