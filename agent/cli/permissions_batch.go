package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"tricode/approval"
	"tricode/approval/plain"
)

// question is a line of a batch. The id is given back as it came.
type question struct {
	ID   json.RawMessage `json:"id"`
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// answer is the line that answers it.
type answer struct {
	ID       json.RawMessage  `json:"id"`
	Decision approval.Verdict `json:"decision"`
	Reason   string           `json:"reason"`
	Effects  []string         `json:"effects"`
}

// maxQuestion bounds a line of a batch, in bytes.
const maxQuestion = 4 << 20

// batch decides about the calls of a file, a line each, and prints a line for each.
func batch(ctx context.Context, j *judge, name string, out io.Writer) error {
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return &usageError{"--batch: " + err.Error()}
		}
		defer f.Close()
		in = f
	}
	lines := make(chan batchLine)
	go readLines(ctx, in, lines)
	for n := 1; ; n++ {
		var l batchLine
		select {
		case l = <-lines:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		switch {
		case l.err == io.EOF:
			return nil
		case l.err != nil:
			return &usageError{"--batch: " + l.err.Error()}
		case !l.long && len(bytes.TrimSpace(l.text)) == 0:
			continue
		}
		if err := printJSON(out, j.answer(ctx, n, l)); err != nil {
			return err
		}
	}
}

// batchLine is a line of a batch, without text if it is too long, or the reason why there is none.
type batchLine struct {
	text []byte
	long bool
	err  error
}

// readLines sends each line and the error that ends them. It is for a goroutine, as the read of a pipe cannot be
// interrupted.
func readLines(ctx context.Context, in io.Reader, to chan<- batchLine) {
	for r := bufio.NewReader(in); ; {
		l := readLine(r)
		select {
		case to <- l:
		case <-ctx.Done():
			return
		}
		if l.err != nil {
			return
		}
	}
}

// answer answers one line, which is the nth.
func (j *judge) answer(ctx context.Context, n int, l batchLine) answer {
	var q question
	var v verdict
	if err := q.parse(l); err != nil {
		v = refused(fmt.Sprintf("line %d: %v", n, err))
	} else {
		v = j.unplanned(j.decide(ctx, q.Tool, q.Args))
	}
	if q.ID == nil {
		q.ID = json.RawMessage("null")
	}
	return answer{q.ID, v.decision.Verdict, v.decision.Reason, v.effects()}
}

func (q *question) parse(l batchLine) error {
	if l.long {
		return fmt.Errorf("more than %d bytes", maxQuestion)
	}
	d := json.NewDecoder(bytes.NewReader(l.text))
	d.DisallowUnknownFields()
	if err := d.Decode(q); err != nil {
		return fmt.Errorf("not {\"id\", \"tool\", \"args\"}: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return nil
}

func readLine(r *bufio.Reader) (l batchLine) {
	for {
		part, err := r.ReadSlice('\n')
		if l.long = l.long || len(l.text)+len(part) > maxQuestion; l.long {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && (l.long || len(l.text) > 0): // the last line has no end
			return l
		default:
			l.err = err
			return l
		}
	}
}

// printJSON prints a value as one line.
func printJSON(out io.Writer, v any) error {
	line, err := encode(v)
	if err == nil {
		_, err = out.Write(append(plain.JSON(line), '\n'))
	}
	return err
}

// encode is json.Marshal with characters as they are, which people read better.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
