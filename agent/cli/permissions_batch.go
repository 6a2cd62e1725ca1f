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
	lines := bufio.NewReader(in)
	for n := 1; ctx.Err() == nil; n++ {
		line, long, err := readLine(lines)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &usageError{"--batch: " + err.Error()}
		}
		if !long && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		a := j.answer(ctx, n, line, long)
		if err := printJSON(out, a); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// answer answers one line.
func (j *judge) answer(ctx context.Context, n int, line []byte, long bool) answer {
	var q question
	var v verdict
	if err := parseQuestion(line, long, &q); err != nil {
		v = refused(fmt.Sprintf("line %d: %v", n, err))
	} else {
		v = j.decide(ctx, q.Tool, q.Args)
	}
	if q.ID == nil {
		q.ID = json.RawMessage("null")
	}
	return answer{q.ID, v.decision.Verdict, v.decision.Reason, v.effects()}
}

func parseQuestion(line []byte, long bool, q *question) error {
	if long {
		return fmt.Errorf("more than %d bytes", maxQuestion)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(q); err != nil {
		return fmt.Errorf("not {\"id\", \"tool\", \"args\"}: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return nil
}

// readLine reads a line without its end; of one that is too long it says so and gives nothing.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxQuestion {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && (long || len(line) > 0):
			return line, long, nil
		default:
			return line, long, err
		}
	}
}

// printJSON prints a value as one line.
func printJSON(out io.Writer, v any) error {
	line, err := encode(v)
	if err == nil {
		_, err = out.Write(append(line, '\n'))
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
