package providers

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// stream is a body that is nowhere: an event so many times, then an end.
type stream struct {
	event string
	times int
	end   string
	rest  string
}

func (s *stream) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		switch {
		case s.rest != "":
		case s.times > 0:
			s.rest = s.event
			s.times--
		case s.end != "":
			s.rest, s.end = s.end, ""
		default:
			return n, io.EOF
		}
		took := copy(p[n:], s.rest)
		s.rest = s.rest[took:]
		n += took
	}
	return n, nil
}

// reads notes the most memory that is held while something is read, garbage left out: how much of that there is is the
// machine's affair.
type reads struct {
	io.Reader
	most *uint64
	n    int
}

func (r *reads) Read(p []byte) (int, error) {
	if r.n++; r.n%256 == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		*r.most = max(*r.most, m.HeapAlloc)
	}
	return r.Reader.Read(p)
}

// TestMemory: however much a server sends, in whatever form, it does not become much here.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("what it measures says nothing in a short run, which looks for races")
	}
	const done = `data: {"choices":[{"delta":{"content":"."},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	delta := func(fields string) string { return `data: {"choices":[{"delta":{` + fields + `}}]}` + "\n\n" }
	long := strings.Repeat("0123456789", 10_000)
	for _, test := range []struct {
		name, event string
		times       int
		said        int    // bytes of text
		err         string // how it ends; empty: well
	}{
		{"text in small pieces", delta(`"content":"` + long[:100] + `"`), 400_000, 40_000_001, ""},
		{"text in large pieces", delta(`"content":"` + long + `"`), 400, 40_000_001, ""},
		{"text in bytes", delta(`"content":"x"`), 400_000, 400_001, ""},
		{"too much text", delta(`"content":"` + long + `"`), 2000, 134_300_000, "the answer has more than 128 MiB"},
		{"comments", ": " + long + "\n\n", 500, 1, ""},
		{"blanks", " \n", 8_000_000, 1, ""},
		{"empty events", delta(``), 200_000, 1, ""},
		{"reasoning", delta(`"reasoning_content":"` + long + `"`), 200, 0, "the calls and the reasoning of the answer have more than 16 MiB"},
		{"details", delta(`"reasoning_details":[{"index":0},{"index":1}]`), 50_000, 0, "the calls and the reasoning of the answer have more than 16 MiB"},
		{"arguments", delta(`"tool_calls":[{"index":0,"function":{"name":"f","arguments":"` + long + `"}}]`), 200, 0, "the calls and the reasoning of the answer have more than 16 MiB"},
		{"calls", delta(`"tool_calls":[{"index":1,"function":{"name":"f"}},{"index":2,"function":{"name":"f"}}]`), 40_000, 1, ""},
		{"names", delta(`"tool_calls":[{"index":1,"id":"` + long + `","function":{"name":"` + long + `"}}]`), 100, 1, ""},
		{"choices in one event", "data: {\"choices\":[" + strings.Repeat("{},", 4_000_000) + "{}]}\n\n", 1, 0, errCrowded.Error()},
		{"calls in one event", delta(`"tool_calls":[` + strings.Repeat("{},", 4_000_000) + "{}]"), 1, 0, errCrowded.Error()},
		{"depth", delta(`"extra_content":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000)), 1, 0, errCrowded.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			most, said := uint64(0), 0
			c := played(func() io.Reader {
				return &reads{Reader: &stream{event: test.event, times: test.times, end: done}, most: &most}
			})
			m, err := c.Complete(t.Context(), Request{}, func(s string) error { said += len(s); return nil })
			if got := fmt.Sprint(err); said != test.said || (err != nil) != (test.err != "") || !strings.Contains(got, test.err) {
				t.Errorf("%d bytes of text, %v; want %d, %q", said, err, test.said, test.err)
			}
			bound := uint64(6*MaxText + 6*len(test.event))
			if test.err != "" && len(test.event) < 1<<20 {
				bound += 3 * maxKept
			}
			if grown := most - min(most, before.HeapAlloc); grown > bound {
				t.Errorf("%d KiB in use, want at most %d", grown>>10, bound>>10)
			}
			if len(m.Text) > MaxText || !utf8.ValidString(m.Text) {
				t.Errorf("kept %d bytes", len(m.Text))
			}
		})
	}
}
