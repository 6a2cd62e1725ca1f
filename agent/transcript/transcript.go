// Package transcript keeps what happened in a run as JSON Lines: one event a line, in the order in which they came,
// whole lines only.
package transcript

import (
	"fmt"
	"os"

	"tricode/agent"
)

// Writer writes the transcript of one run. What a program prints and what the model is just saying are left out:
// both come again, whole, when they are done.
type Writer struct{ file *os.File }

// Create makes the transcript at path, which must not exist. Only the person can read it.
func Create(path string) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("transcript: %w", err)
	}
	return &Writer{f}, nil
}

// Emit writes one event. A line goes to the system in one write, so that it survives the end of this process
// however that comes.
func (w *Writer) Emit(e agent.Event) error {
	switch e.(type) {
	case agent.Text, agent.Output, agent.Proposed:
		return nil
	}
	line, err := agent.Encode(e)
	if err == nil {
		_, err = w.file.Write(line)
	}
	if err != nil {
		return fmt.Errorf("transcript: %w", err)
	}
	return nil
}

// Close closes the transcript. It is not waited for the disk: each line is the system's since Emit.
func (w *Writer) Close() error { return w.file.Close() }
