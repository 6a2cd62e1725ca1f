package providers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rogpeppe/go-internal/txtar"
)

// shape is what a server sends, as its documentation or its source has it: testdata/shapes/*.txtar. Each file names what
// is peculiar and where it is described, then the body, the status and headers where that is not 200, and what must come
// of it, as outcome has it.
type shape struct {
	name, body, want string
	status           int
	header           http.Header
}

func shapes(t *testing.T) []shape {
	t.Helper()
	files, err := filepath.Glob("testdata/shapes/*.txtar")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d shapes, %v", len(files), err)
	}
	var all []shape
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		archive := txtar.Parse(data)
		if !strings.Contains(string(archive.Comment), "\n# https://") {
			t.Errorf("%s names no source", name)
		}
		s := shape{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), status: 200, header: http.Header{}}
		for _, f := range archive.Files {
			switch f.Name {
			case "body":
				s.body = string(f.Data)
			case "want":
				s.want = string(f.Data)
			case "status":
				status, headers, _ := strings.Cut(string(f.Data), "\n")
				s.status, _ = strconv.Atoi(status)
				for line := range strings.Lines(headers) {
					key, value, _ := strings.Cut(line, ": ")
					s.header.Set(key, strings.TrimSpace(value))
				}
			}
		}
		all = append(all, s)
	}
	return all
}

// ask plays the shape, its body cut after n bytes by an error and wrapped.
func (s *shape) ask(n int, end error, wrap func(io.Reader) io.Reader) (Message, error) {
	c := played(nil)
	c.http.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		body := wrap(io.MultiReader(strings.NewReader(s.body[:n]), iotest.ErrReader(end)))
		return &http.Response{StatusCode: s.status, Header: s.header, Body: io.NopCloser(body)}, nil
	})
	return ask(c, context.Background())
}

// outcome is what came of an answer, in lines.
func outcome(m Message, err error) string {
	var b strings.Builder
	if m.Text != "" {
		fmt.Fprintf(&b, "text %q\n", m.Text)
	}
	for _, c := range m.Calls {
		fmt.Fprintf(&b, "call %s %s %s%s\n", c.ID, c.Name, c.Arguments, kept(c.Extra))
	}
	if m.Extra != nil {
		fmt.Fprintf(&b, "keeps%s\n", kept(m.Extra))
	}
	if m.Usage != (Usage{}) {
		fmt.Fprintf(&b, "usage %d %d\n", m.Usage.Input, m.Usage.Output)
	}
	if m.Finish != "" {
		fmt.Fprintf(&b, "finish %s\n", m.Finish)
	}
	var e *Error
	if errors.As(err, &e) {
		fmt.Fprintf(&b, "error %v\n", e)
		if e.Code != "" {
			fmt.Fprintf(&b, "code %s\n", e.Code)
		}
		fmt.Fprintf(&b, "asked at most %d\n", e.tries())
	} else if err != nil {
		fmt.Fprintf(&b, "a strange error %v\n", err)
	}
	return b.String()
}

func kept(fields map[string]json.RawMessage) string {
	if fields == nil {
		return ""
	}
	all, _ := json.Marshal(fields)
	return " " + string(all)
}

// TestShapes: whole, byte by byte, and with the end in the same read as the last bytes.
func TestShapes(t *testing.T) {
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) {
			for _, wrap := range []func(io.Reader) io.Reader{
				func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.DataErrReader,
			} {
				if got := outcome(s.ask(len(s.body), io.EOF, wrap)); got != s.want {
					t.Errorf("got\n%swant\n%s", got, s.want)
				}
			}
		})
	}
}

// TestShapesCut ends each stream after each byte, in order and not. What comes of it is an error in one line, or all that
// was to come; never less, and never a call that is not whole.
func TestShapesCut(t *testing.T) {
	reset := errors.New("connection reset by peer")
	step := 1
	if testing.Short() {
		step = 7
	}
	for _, s := range shapes(t) {
		if s.status != 200 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			whole, _ := s.ask(len(s.body), io.EOF, bytesReader)
			for n := 0; n < len(s.body); n += step {
				for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, reset} {
					m, err := s.ask(n, end, bytesReader)
					var e *Error
					switch {
					case err == nil && (m.Text != whole.Text || show(m.Calls) != show(whole.Calls)):
						t.Fatalf("cut after %d bytes by %v: %q, %s without an error\n%s", n, end, m.Text, show(m.Calls), s.body[:n])
					case !strings.HasPrefix(whole.Text, m.Text):
						t.Fatalf("cut after %d bytes by %v: %q is no part of %q", n, end, m.Text, whole.Text)
					case err != nil && (!errors.As(err, &e) || len(m.Calls) > 0 || strings.Contains(err.Error(), "\n")):
						t.Fatalf("cut after %d bytes by %v: %d calls, %T %v", n, end, len(m.Calls), err, err)
					}
				}
			}
		})
	}
}

func bytesReader(r io.Reader) io.Reader {
	all, err := io.ReadAll(r)
	if err == nil {
		return bytes.NewReader(all)
	}
	return io.MultiReader(bytes.NewReader(all), iotest.ErrReader(err))
}
