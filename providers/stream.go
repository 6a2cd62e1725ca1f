package providers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The bounds of an answer, in bytes.
const (
	maxLine  = 32 << 20 // one line, one event, or an answer that is not streamed
	maxRaw   = 1 << 30  // everything a server sends for one answer
	maxNoise = 64 << 10 // what is read of something that is no answer
	readSize = 32 << 10
)

// How a body can end too early.
var (
	errCut     = errors.New("the answer was cut off")
	errNothing = errors.New("closed the connection without an answer")
)

// record stands in front of each event of a batch, as in RFC 7464: it can be in no JSON text.
const record = 0x1e

// framer reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) as they are out
// there, and gives them to go-openai in the one form that its stream reader passes on whole: all events that
// have arrived by now as one line "data: RS event RS event ...", and "data: [DONE]" at the end. What is no
// stream becomes an event of its own: a whole completion as it is, everything else as an error.
type framer struct {
	body  io.ReadCloser
	alive func() // called whenever something arrived
	drain func() // called before what follows the end is read

	buf   []byte // read and not framed yet
	seen  int    // buf up to here has no end of line
	total int
	out   []byte // framed
	given int    // how much of out was given out
	err   error  // for after out

	kind  string // of the event that is being read
	data  []byte // its lines, joined
	lines int
	begun bool // the first line is there
	whole bool // the body is no stream
	done  bool // the stream said that it is complete
}

func (f *framer) Read(p []byte) (int, error) {
	for f.given == len(f.out) {
		if f.err != nil {
			return 0, f.err
		}
		f.fill()
	}
	n := copy(p, f.out[f.given:])
	f.given += n
	return n, nil
}

// Close lets go of the body. After a complete answer it reads to the end first, because only then can the
// connection be used again.
func (f *framer) Close() error {
	if f.done {
		f.drain()
		io.CopyN(io.Discard, f.body, maxNoise)
	}
	return f.body.Close()
}

// fill reads once and frames what is complete.
func (f *framer) fill() {
	const prefix = "data: "
	f.out, f.given = append(f.out[:0], prefix...), 0
	if cap(f.buf)-len(f.buf) < readSize/2 {
		grown := make([]byte, len(f.buf), max(readSize, 2*len(f.buf)))
		copy(grown, f.buf)
		f.buf = grown
	}
	n, err := f.body.Read(f.buf[len(f.buf):cap(f.buf)])
	f.buf = f.buf[:len(f.buf)+n]
	f.total += n
	if n > 0 {
		f.alive()
		f.split()
	}
	switch {
	case f.err != nil || f.done:
	case err != nil:
		f.finish(err)
	case f.total > maxRaw:
		f.err = fmt.Errorf("the answer has more than %d MiB", maxRaw>>20)
	}
	if len(f.out) == len(prefix) {
		f.out = f.out[:0]
	} else {
		f.out = append(f.out, '\n')
	}
	if f.done {
		f.out, f.err = append(f.out, "data: [DONE]\n"...), io.EOF
	}
}

// split takes the complete lines out of buf.
func (f *framer) split() {
	if !f.begun && !f.begin() || f.whole {
		f.bound()
		return
	}
	rest := f.buf
	for !f.done {
		i := bytes.IndexByte(rest[f.seen:], '\n')
		if i < 0 {
			f.seen = len(rest)
			break
		}
		f.line(bytes.TrimSuffix(rest[:f.seen+i], []byte("\r")))
		rest, f.seen = rest[f.seen+i+1:], 0
	}
	f.buf = f.buf[:copy(f.buf, rest)]
	f.bound()
}

// begin looks at the first line and decides what the body is. It reports whether it could.
func (f *framer) begin() bool {
	start := bytes.TrimLeft(bytes.TrimPrefix(f.buf, []byte("\ufeff")), " \t\r\n")
	if len(start) == 0 {
		return false
	}
	name, _, complete := bytes.Cut(start, []byte(":"))
	name, _, line := bytes.Cut(name, []byte("\n"))
	if !complete && !line && len(name) <= len("event") {
		return false
	}
	switch string(bytes.TrimSuffix(name, []byte("\r"))) {
	case "", "data", "event", "id", "retry", "error":
	default:
		f.whole = true
	}
	f.begun = true
	f.buf = f.buf[:copy(f.buf, start)]
	return true
}

// bound gives up on what is too long.
func (f *framer) bound() {
	switch {
	case f.whole && f.buf[0] != '{' && f.buf[0] != '[' && len(f.buf) > maxNoise:
		f.notStream()
	case len(f.buf) > maxLine || len(f.data) > maxLine:
		f.err = fmt.Errorf("the answer has a line of more than %d MiB", maxLine>>20)
	}
}

func (f *framer) line(line []byte) {
	if len(line) == 0 {
		f.event()
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if f.lines == 1 && (string(f.data) == "[DONE]" || json.Valid(f.data)) {
			f.event() // some servers leave out the empty line between events
		}
		if f.lines > 0 {
			f.data = append(f.data, ' ') // it was a line break, which can only be between the tokens of JSON
		}
		f.data = append(f.data, value...)
		f.lines++
	case "event":
		f.kind = string(value)
	case "error": // of llama.cpp
		f.fail(value)
	case `{"error"`: // of Ollama, where it is too late for a status
		f.fail(line)
	}
}

// event ends the event that is being read.
func (f *framer) event() {
	switch data := bytes.TrimSpace(f.data); {
	case f.done || len(data) == 0:
	case string(data) == "[DONE]":
		f.done = true
	case f.kind == "error":
		f.fail(data)
	default:
		f.out = append(append(f.out, record), data...)
	}
	f.kind, f.data, f.lines = "", f.data[:0], 0
}

// fail makes an event that says error, whatever form the data has.
func (f *framer) fail(data []byte) {
	if !json.Valid(data) {
		data, _ = json.Marshal(string(data[:min(len(data), maxNoise)])) // strings can always be encoded
	}
	f.out = append(append(append(f.out, record), `{"error":`...), data...)
	f.out = append(f.out, '}')
}

// finish takes what is left when the body ended with err.
func (f *framer) finish(err error) {
	f.err = err
	switch {
	case err != io.EOF:
		return
	case f.total == 0:
		f.err = errNothing
		return
	case f.whole || !f.begun:
		f.notStream()
		return
	}
	f.line(bytes.TrimSuffix(f.buf, []byte("\r")))
	if json.Valid(f.data) || string(f.data) == "[DONE]" || f.kind == "error" {
		f.event()
	}
	if !f.done {
		f.err = errCut
	}
}

// notStream ends with what came instead of a stream as one event.
func (f *framer) notStream() {
	f.err = errCut
	text := bytes.TrimSpace(f.buf)
	switch {
	case len(text) > 0 && (text[0] == '{' || text[0] == '['):
		if json.Valid(text) {
			f.out = append(append(f.out, record), bytes.ReplaceAll(text, []byte("\n"), []byte(" "))...)
			f.done = true
		}
	case len(text) > 0:
		f.fail(text)
	}
}
