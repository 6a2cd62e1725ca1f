package render

import (
	"io"

	"tricode/agent"
	"tricode/approval/plain"
)

// JSON writes a run for programs: with Stream every event as a line when it happens, otherwise only the last one.
// What a running program prints is left out; the result of its call has it, bounded. Whoever looks at it on a terminal
// sees escapes of JSON where a text could act on that.
type JSON struct {
	Out    io.Writer
	Err    Stream // gets the line that says why a run did not end well, and those that say why it waits
	Stream bool
}

// Emit writes one event.
func (j JSON) Emit(e agent.Event) error {
	ended, last := e.(agent.Ended)
	_, output := e.(agent.Output)
	if waits, ok := e.(agent.Retry); ok && !j.Stream {
		return Complain(j.Err, waits.Text, "")
	}
	if output || !last && !j.Stream {
		return nil
	}
	line, err := agent.Encode(e)
	if err == nil {
		_, err = j.Out.Write(plain.JSON(line))
	}
	if err != nil || !last {
		return err
	}
	return Complain(j.Err, ended.Reason, ended.Hint)
}
