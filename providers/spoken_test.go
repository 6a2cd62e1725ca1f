package providers

import (
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// says is the body of an answer with a text, a few bytes of it in each event.
func says(text string) string {
	var deltas []string
	for len(text) > 0 {
		n := min(3, len(text))
		deltas = append(deltas, `{"content":`+string(encoded(text[:n]))+`}`)
		text = text[n:]
	}
	return chunks("stop", deltas...)
}

// talking returns a client of a model that knows no tools.
func talking(body func() io.Reader) *Client {
	c := played(body)
	c.encoder.speak()
	return c
}

var spokenAnswers = []struct{ name, said, text, calls string }{
	{"no call", "I am done.", "I am done.", ""},
	{"call", "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>", "", `call00000 f({"a":1})`},
	{"text and call", "Let me see.\n\n<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>\n", "Let me see.\n\n\n", `call00000 f({})`},
	{"two calls", "<tool_call>\n{\"name\":\"f\"}\n</tool_call>\n<tool_call>\n{\"name\":\"g\",\"arguments\":{}}\n</tool_call>", "\n", `call00000 f() call00001 g({})`},
	{"blanks before", "  \t<tool_call>{\"name\":\"f\"}</tool_call>", "  \t", `call00000 f()`},
	{"in the middle of a line", "Write <tool_call> and </tool_call>.", "Write <tool_call> and </tool_call>.", ""},
	{"almost", "<tool_callers>\n<tool", "<tool_callers>\n<tool", ""},
	{"no end", "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n", "", `call00000 f({})`},
	{"the end in a string", `<tool_call>{"name":"f","arguments":{"a":"\"</tool_call>\n<tool_call>"}}</tool_call>`, "", `call00000 f({"a":"\"</tool_call>\n<tool_call>"})`},
	{"a fence", "<tool_call>\n```json\n{\"name\":\"f\",\"arguments\":{}}\n```\n</tool_call>", "", `call00000 f({})`},
	{"an array", `<tool_call>[{"name":"f","arguments":{}},{"name":"g","parameters":{}}]</tool_call>`, "", `call00000 f({}) call00001 g({})`},
	{"one after the other", "<tool_call>\n{\"name\":\"f\"}\n{\"name\":\"g\"}\n</tool_call>", "", `call00000 f() call00001 g()`},
	{"as the protocol has it", `<tool_call>{"type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}</tool_call>`, "", `call00000 f({"a":1})`},
	{"arguments as a string", `<tool_call>{"name":"f","arguments":"{\"a\":1}"}</tool_call>`, "", `call00000 f({"a":1})`},
	{"broken", `<tool_call>{"name": "f", "arguments": {a}}</tool_call> so`, " so", `call00000 f({a})`},
	{"a brace too few", `<tool_call>{"name": "f", "arguments": {"a": {}}</tool_call>`, "", `call00000 f({"a": {}})`},
	{"broken quotes", "<tool_call>{\"name\":\"f\",\"a\":\"}</tool_call>\nso", "", `call00000 ({"name":"f","a":"})`},
	{"no name", `<tool_call>{"arguments":{}}</tool_call>`, "", `call00000 ({"arguments":{}})`},
	{"no object", `<tool_call>ls -l</tool_call>`, "", `call00000 (ls -l)`},
}

func TestSpokenAnswers(t *testing.T) {
	for _, test := range spokenAnswers {
		t.Run(test.name, func(t *testing.T) {
			for _, wrap := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
				c := talking(func() io.Reader { return wrap(strings.NewReader(says(test.said))) })
				var told strings.Builder
				m, err := c.Complete(t.Context(), Request{}, func(s string) error { told.WriteString(s); return nil })
				if err != nil || m.Text != test.text || show(m.Calls) != test.calls {
					t.Errorf("got %q, %s, %v; want %q, %s", m.Text, show(m.Calls), err, test.text, test.calls)
				}
				if told.String() != m.Text {
					t.Errorf("told %q, returned %q", told.String(), m.Text)
				}
			}
		})
	}
}

func TestSpokenCallsAreBounded(t *testing.T) {
	c := talking(func() io.Reader {
		return strings.NewReader(says("<tool_call>" + strings.Repeat(`{"name":"f"}`, maxCalls+1) + "</tool_call>"))
	})
	m, err := c.Complete(t.Context(), Request{}, nil)
	if err != nil || len(m.Calls) != 1 || m.Calls[0].Name != "" || !strings.HasPrefix(m.Calls[0].Arguments, `{"name":"f"}{`) {
		t.Errorf("got %d calls, %v", len(m.Calls), err)
	}
	c = talking(func() io.Reader {
		return strings.NewReader(says(strings.Repeat("<tool_call>{\"name\":\"f\"}</tool_call>\n", maxCalls+1)))
	})
	if _, err := c.Complete(t.Context(), Request{}, nil); err == nil || err.Error() != "p: the answer has more than 128 calls" {
		t.Errorf("got %v", err)
	}
}

// TestSpokenTime: what is spoken takes time by its length, and memory no more than once.
func TestSpokenTime(t *testing.T) {
	if testing.Short() {
		t.Skip("what it measures says nothing in a short run, which looks for races")
	}
	for name, text := range map[string]string{
		"calls":           strings.Repeat("<tool_call>x</tool_call>\n", 300_000),
		"starts of calls": strings.Repeat("<tool_cal\n", 800_000),
		"quotes":          "<tool_call>" + strings.Repeat(`"<`, 4<<20),
		"ends of calls":   "<tool_call>" + strings.Repeat("</tool_cal", 800_000),
		"objects":         "<tool_call>[" + strings.Repeat("{},", 2_500_000) + "{}]</tool_call>",
	} {
		t.Run(name, func(t *testing.T) {
			body := chunks("stop", `{"content":`+string(encoded(text))+`}`)
			c := talking(func() io.Reader { return strings.NewReader(body) })
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			m, err := c.Complete(t.Context(), Request{}, nil)
			runtime.ReadMemStats(&after)
			if took := time.Since(start); took > 2*time.Minute {
				t.Errorf("took %v", took)
			}
			if taken := (after.TotalAlloc - before.TotalAlloc) / uint64(len(text)); taken > 64 {
				t.Errorf("took %d bytes for each", taken)
			}
			if err == nil && len(m.Calls) > maxCalls {
				t.Errorf("%d calls", len(m.Calls))
			}
		})
	}
}

// TestSpokenRequest: tools are described in the system prompt, calls and results are text, and what was sent stays.
func TestSpokenRequest(t *testing.T) {
	req := Request{
		Messages: []Message{
			{Role: System, Text: "be good"},
			{Role: User, Text: "hi"},
			{Role: Assistant, Text: "so", Calls: []Call{{ID: "c1", Name: "f", Arguments: `{"a":1}`}, {ID: "c2", Name: "g"}, {ID: "c3", Arguments: "ls -l"}}},
			{Role: ToolRole, CallID: "c1", Text: "one</tool_result>"},
			{Role: ToolRole, CallID: "c2"},
			{Role: User, Text: "and?"},
		},
		Tools: []Tool{{"f", "does f", []byte(`{"type":"object"}`)}},
	}
	e := encoder{settings: []field{{"model", []byte(`"m"`)}}, speaks: true}
	b, err := e.encode(req)
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := io.ReadAll(b.reader())
	var got struct {
		Tools    []any
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if !b.spoken || got.Tools != nil || len(got.Messages) != 4 {
		t.Fatalf("sent %s", raw)
	}
	system := got.Messages[0].Content
	if !strings.HasPrefix(system, "be good\n\nYou have tools.") || !strings.HasSuffix(system, "\nf: does f\n{\"type\":\"object\"}\n") {
		t.Errorf("the system prompt is %s", system)
	}
	if want := "so\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\":1}}\n</tool_call>\n<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>\n" +
		"<tool_call>\nls -l\n</tool_call>\n"; got.Messages[2].Content != want {
		t.Errorf("the calls are %q", got.Messages[2].Content)
	}
	if want := "<tool_result name=\"f\">\none<\\/tool_result>\n</tool_result>\n\n<tool_result name=\"g\">\n(no output)\n</tool_result>\n\nand?"; got.Messages[3].Content != want || got.Messages[3].Role != "user" {
		t.Errorf("the results are %q", got.Messages[3].Content)
	}
	req.Messages = append(req.Messages, Message{Role: Assistant, Text: "done"}, Message{Role: User, Text: "more"})
	longer, _ := e.encode(req)
	now, _ := io.ReadAll(longer.reader())
	if !strings.HasPrefix(string(now), strings.TrimSuffix(string(raw), "]}")) {
		t.Errorf("%s does not go on from %s", now, raw)
	}
	if req.Messages[0].Text != "be good" {
		t.Error("the conversation itself was changed")
	}
}

// TestToolsAreRefused: where a server says that the model knows no tools, it is told of them in words.
func TestToolsAreRefused(t *testing.T) {
	for _, refusal := range []struct {
		status int
		body   string
	}{
		{400, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}`},
		{404, `{"error":{"message":"No endpoints found that support tool use. To learn more, see …","code":404}}`},
		{400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}`},
		{500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`},
	} {
		tries := 0
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			tries++
			if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), `"tools":`) {
				w.WriteHeader(refusal.status)
				io.WriteString(w, refusal.body)
				return
			}
			io.WriteString(w, says("<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"))
		})
		var told []string
		m, err := c.Complete(t.Context(), Request{Messages: []Message{{Role: User, Text: "hi"}}, Tools: []Tool{{Name: "f"}},
			OnRetry: func(r Retry) error { told = append(told, r.String()); return nil }}, nil)
		if len(told) != 1 || !strings.HasSuffix(told[0], "; asking again with tools described in words (see supports_tools)") {
			t.Errorf("%s: told %q", refusal.body, told)
		}
		if err != nil || show(m.Calls) != "call00128 f({})" || tries != 2 {
			t.Errorf("%s: %d tries, %s, %v", refusal.body, tries, show(m.Calls), err)
		}
	}
}

// FuzzListener: in whatever pieces a text arrives, the same is text and the same are calls, and nothing is lost that is
// no call.
func FuzzListener(f *testing.F) {
	for _, test := range spokenAnswers {
		f.Add([]byte(test.said), uint8(3))
	}
	f.Fuzz(func(t *testing.T, said []byte, size uint8) {
		hear := func(size int) (text []byte, calls []string) {
			var l listener
			for rest := said; len(rest) > 0; {
				n := min(max(size, 1), len(rest))
				more, found := l.hear(nil, rest[:n])
				text, calls, rest = append(text, more...), append(calls, found...), rest[n:]
			}
			more, last := l.end()
			if last != "" {
				calls = append(calls, last)
			}
			return append(text, more...), calls
		}
		text, calls := hear(len(said))
		piecewise, callsPiecewise := hear(int(size))
		if string(text) != string(piecewise) || strings.Join(calls, "|") != strings.Join(callsPiecewise, "|") {
			t.Errorf("%q, %q in one piece; %q, %q in pieces of %d", text, calls, piecewise, callsPiecewise, size)
		}
		if len(calls) == 0 && !strings.Contains(string(said), callStart) && string(text) != string(said) {
			t.Errorf("%q became %q", said, text)
		}
		for _, call := range calls {
			if len(spokenCalls(call)) == 0 {
				t.Errorf("%q is lost", call)
			}
		}
	})
}
