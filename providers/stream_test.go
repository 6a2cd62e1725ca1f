package providers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// chunks writes events of choices with the given deltas, then finish_reason and [DONE].
func chunks(finish string, deltas ...string) string {
	var b strings.Builder
	for _, d := range deltas {
		fmt.Fprintf(&b, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":null}],\"usage\":null}\n\n", d)
	}
	fmt.Fprintf(&b, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", finish)
	return b.String()
}

// calls is chunks with the given tool_calls.
func calls(fragments ...string) string {
	for i, f := range fragments {
		fragments[i] = `{"tool_calls":[` + f + `]}`
	}
	return chunks("tool_calls", fragments...)
}

const hi = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

// behaviours are bodies of servers, and what must come of them: text, then calls as name(arguments) with the id in
// front where the server gave one. An error is a part of the message.
var behaviours = []struct {
	name, body string
	text       string
	calls      string
	usage      Usage
	err        string
}{
	{name: "text", body: chunks("stop", `{"role":"assistant","content":""}`, `{"content":"he"}`, `{"content":"llo"}`), text: "hello"},
	{name: "escapes", body: chunks("stop", `{"content":"a\"\\\/\n\t\u00e9\ud83d\ude00\ud800"}`, `{"content":"é<&>"}`), text: "a\"\\/\n\té😀\ufffdé<&>"},
	{name: "python spaces", body: "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"hi\"}, \"finish_reason\": null}]}\n\n" + hi, text: "hihi"},
	{name: "CRLF", body: strings.ReplaceAll(hi, "\n", "\r\n"), text: "hi"},
	{name: "no blank lines", body: strings.ReplaceAll(chunks("stop", `{"content":"a"}`, `{"content":"b"}`), "\n\n", "\n"), text: "ab"},
	{name: "no space after the colon", body: strings.ReplaceAll(hi, "data: ", "data:"), text: "hi"},
	{name: "BOM and blank lines", body: "\ufeff\n\n" + hi, text: "hi"},
	{name: "other fields", body: "id: 1\nretry: 10\nevent: message\nnonsense\n" + hi, text: "hi"},
	{name: "keep-alives", body: strings.Repeat(": OPENROUTER PROCESSING\n\n", 500) + hi, text: "hi"},
	{name: "keep-alive in an event", body: "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n: still here\n\n" + hi, text: "xhi"},
	{name: "data over several lines", body: "data: {\"choices\":\ndata: [{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\n" + hi, text: "ahi"},
	{name: "missing DONE", body: strings.TrimSuffix(hi, "data: [DONE]\n\n"), text: "hi"},
	{name: "last line without newline", body: strings.TrimSuffix(hi, "\n\ndata: [DONE]\n\n"), text: "hi"},
	{name: "DONE without finish_reason", body: "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: [DONE]\n\n", text: "hi"},
	{name: "junk after DONE", body: hi + "data: {broken\n\n", text: "hi"},
	{name: "empty choices", body: "data: {\"choices\":[],\"prompt_filter_results\":[{}]}\n\ndata: {\"choices\":null}\n\ndata: {\"id\":\"x\"}\n\n" + hi, text: "hi"},
	{name: "other choices", body: chunks("stop", `{"content":"a"}`) + "", text: "a"},
	{name: "second choice is not ours", body: "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}},{\"index\":0,\"delta\":{\"content\":\"yes\"}}]}\n\n" + hi, text: "yeshi"},
	{name: "content in parts", body: chunks("stop", `{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"},"b",{"text":"c"},7]}`), text: "abc"},
	{name: "numeric id, float created", body: "data: {\"id\":7,\"created\":1.5e9,\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n" + hi, text: "ahi"},
	{name: "refusal", body: chunks("stop", `{"refusal":"I can"}`, `{"refusal":"not"}`), text: "I cannot"},
	{name: "doubled keys", body: chunks("stop", `{"content":"a","content":"b"}`), text: "b"},
	{name: "upper case keys", body: chunks("stop", `{"Content":"b"}`), text: "b"},

	{name: "usage at the end", body: strings.Replace(hi, "data: [DONE]", "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\ndata: [DONE]", 1), text: "hi", usage: Usage{Input: 3, Output: 4}},
	{name: "usage in a choice", body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\",\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}]}\n\n", text: "a", usage: Usage{Input: 3, Output: 4}},
	{name: "usage of Groq", body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"x_groq\":{\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}}\n\n", text: "a", usage: Usage{Input: 3, Output: 4}},
	{name: "usage of the wrong type", body: "data: {\"usage\":{\"prompt_tokens\":\"x\",\"completion_tokens\":-4.5e300},\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n" + hi, text: "ahi"},
	{name: "usage with a cache", body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":30,\"completion_tokens\":4,\"prompt_tokens_details\":{\"cached_tokens\":20}}}\n\n", text: "a", usage: Usage{Input: 30, Output: 4, Cached: 20}},
	{name: "usage with DeepSeek's cache", body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":30,\"completion_tokens\":4,\"prompt_cache_hit_tokens\":40}}\n\n", text: "a", usage: Usage{Input: 30, Output: 4, Cached: 30}},
	{name: "usage grows", body: "data: {\"usage\":{\"input_tokens\":3,\"output_tokens\":1},\"choices\":[]}\n\ndata: {\"usage\":{\"output_tokens\":5.0},\"choices\":[]}\n\n" + hi, text: "hi", usage: Usage{Input: 3, Output: 5}},

	{name: "call in fragments", body: calls(`{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}`, `{"index":0,"function":{"arguments":"{\"a\""}}`, `{"index":0,"function":{"arguments":":1}"}}`), calls: `c1 f({"a":1})`},
	{name: "text, then call", body: chunks("tool_calls", `{"content":"so"}`, `{"content":null,"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}}]}`), text: "so", calls: `c1 f({})`},
	{name: "parallel calls interleaved", body: calls(`{"index":0,"id":"c1","function":{"name":"f"}}`, `{"index":1,"id":"c2","function":{"name":"g"}}`, `{"index":1,"function":{"arguments":"{2}"}}`, `{"index":0,"function":{"arguments":"{1}"}}`), calls: `c1 f({1}) c2 g({2})`},
	{name: "several in one delta", body: calls(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"c2","function":{"name":"f","arguments":"{}"}}`), calls: `c1 f({}) c2 f({})`},
	{name: "no index, with ids", body: calls(`{"id":"c1","function":{"name":"f","arguments":"{}"}}`, `{"id":"c2","function":{"name":"f","arguments":"{}"}}`), calls: `c1 f({}) c2 f({})`},
	{name: "no index, fragments without id", body: calls(`{"id":"c1","function":{"name":"f","arguments":"{"}}`, `{"function":{"arguments":"}"}}`), calls: `c1 f({})`},
	{name: "no index, no id", body: calls(`{"function":{"name":"f","arguments":{"a":[1, "b"]}}},{"function":{"name":"f","arguments":"{}"}}`), calls: `call00000 f({"a":[1,"b"]}) call00001 f({})`},
	{name: "all index 0, ids differ", body: calls(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}}`, `{"index":0,"id":"c2","function":{"name":"g","arguments":"{}"}}`), calls: `c1 f({}) c2 g({})`},
	{name: "all index 0, no ids", body: calls(`{"index":0,"function":{"name":"f","arguments":"{}"}}`, `{"index":0,"function":{"name":"f","arguments":"{}"}}`), calls: `call00000 f({}) call00001 f({})`},
	{name: "a new id in each fragment", body: calls(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{"}}`, `{"index":0,"id":"c2","function":{"arguments":"}"}}`), calls: `c1 f({})`},
	{name: "the name in each fragment", body: calls(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{"}}`, `{"index":0,"id":"c1","function":{"name":"f","arguments":"}"}}`), calls: `c1 f({})`},
	{name: "the name in fragments", body: calls(`{"index":0,"id":"c1","function":{"name":"read_"}}`, `{"index":0,"function":{"name":"file","arguments":"{}"}}`), calls: `c1 read_file({})`},
	{name: "the same id twice", body: calls(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}}`, `{"index":1,"id":"c1","function":{"name":"g","arguments":"{}"}}`), calls: `c1 f({}) call00001 g({})`},
	{name: "numeric call id", body: calls(`{"index":0,"id":17,"function":{"name":"f","arguments":null}}`), calls: `17 f()`},
	{name: "cut off before its arguments", body: chunks("length", `{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":""}}]}`), calls: `c1 f((cut off))`},
	{name: "arguments are no JSON", body: calls(`{"index":0,"id":"c1","function":{"name":"f","arguments":"rm -rf"}}`), calls: `c1 f(rm -rf)`},
	{name: "function_call", body: chunks("function_call", `{"function_call":{"name":"f","arguments":""}}`, `{"function_call":{"arguments":"{}"}}`), calls: `call00000 f({})`},
	{name: "too many calls", body: calls(strings.Repeat(`{"id":"","function":{"name":"f"}},`, 128) + `{"function":{"name":"f"}}`), err: "more than 128 calls"},

	{name: "whole completion", body: "{\n  \"choices\": [ { \"message\": {\"role\":\"assistant\",\"content\":\"hi\",\n \"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}, \"finish_reason\":\"tool_calls\" } ],\n\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n", text: "hi", calls: `c1 f({})`, usage: Usage{Input: 3, Output: 4}},
	{name: "whole completion in one event", body: "data: {\"choices\":[{\"message\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", text: "hi"},
	{name: "whole error", body: `{"error":{"message":"no credit","type":"billing","code":402}}`, err: "402: no credit"},
	{name: "whole error in a list", body: `[{"error":{"message":"bad key","status":"UNAUTHENTICATED"}}]`, err: "bad key"},
	{name: "whole detail", body: `{"detail":[{"loc":["body"],"msg":"field required"}]}`, err: "field required"},
	{name: "HTML", body: "<!DOCTYPE html>\n<html><head><TITLE>Bad\n Gateway &amp; more</title><body>" + strings.Repeat("x", 70000), err: "a web page instead of an answer: Bad Gateway & more"},
	{name: "HTML without title", body: "<html></html>", err: "a web page instead of an answer"},
	{name: "plain text", body: "upstream connect error\nor  disconnect", err: "upstream connect error or disconnect"},
	{name: "text that begins like a stream", body: "event0", err: "event0"},
	{name: "endless text", body: strings.Repeat("la ", 1<<20), err: "la la la"},

	{name: "error in the middle", body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"message\":\"overloaded\"}}\n\n", text: "a", err: "overloaded"},
	{name: "error after a keep-alive", body: ": hm\n\ndata: {\"error\":{\"message\":\"overloaded\"}}\n\n", err: "overloaded"},
	{name: "error as a string", body: "data: {\"error\":\"overloaded\"}\n\n", err: "overloaded"},
	{name: "error with a space", body: "data: { \"error\" : {\"message\":\"overloaded\"}}\n\n", err: "overloaded"},
	{name: "error beside choices", body: "data: {\"id\":\"x\",\"error\":{\"code\":502,\"message\":\"Provider returned error\",\"metadata\":{\"raw\":\"cold\"}},\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}\n\n", err: "502: Provider returned error: cold"},
	{name: "event: error", body: "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", err: "Overloaded"},
	{name: "event: error with text", body: "event: error\ndata: out of memory\n\n", err: "out of memory"},
	{name: "error without words", body: "data: {\"error\":{}}\n\n", err: "reported an error without saying which"},
	{name: "error of vLLM", body: "data: {\"object\":\"error\",\"message\":\"too long\",\"code\":400}\n\n", err: "400: too long"},
	{name: "error is null", body: "data: {\"error\":null,\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n" + hi, text: "ahi"},
	{name: "broken JSON", body: "data: {\"choices\":[{]}\n\n" + hi, err: "broken JSON"},
	{name: "no JSON", body: "data: hello\n\n" + hi, err: "broken JSON"},

	{name: "nothing", body: "", err: "closed the connection without an answer"},
	{name: "only comments", body: ": hm\n\n", err: "the answer was cut off"},
	{name: "only DONE", body: "data: [DONE]\n\n", err: "gave an empty answer"},
	{name: "no text, no calls", body: chunks("content_filter", `{"role":"assistant"}`), err: "gave an empty answer (finish_reason content_filter)"},
	{name: "cut off", body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n", text: "a", err: "the answer was cut off"},
}

// roundTrip is a server without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// played returns a client of a server that answers each request with body. It asks once.
func played(body func() io.Reader) *Client {
	c, err := New(Config{Name: "p", BaseURL: "http://localhost/v1", Model: "m"})
	if err != nil {
		panic(err)
	}
	c.longest = -1
	c.http.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(body())}, nil
	})
	return c
}

func play(t *testing.T, body func() io.Reader) (Message, error) {
	t.Helper()
	var told strings.Builder
	m, err := played(body).Complete(context.Background(), Request{}, func(s string) error { told.WriteString(s); return nil })
	var known *Error
	switch {
	case err != nil && !errors.As(err, &known):
		t.Errorf("error %v is a %T", err, err)
	case err != nil && (len(known.Message) > maxMessage || strings.ContainsAny(known.Message, "\n\r")):
		t.Errorf("error is not one short line: %q", known.Message)
	case told.String() != m.Text && (len(m.Text) != MaxText || !strings.HasPrefix(told.String(), m.Text)):
		t.Errorf("told %q, returned %q", told.String(), m.Text)
	}
	return m, err
}

func show(calls []Call) string {
	var all []string
	for _, c := range calls {
		all = append(all, fmt.Sprintf("%s %s(%s)", c.ID, c.Name, c.Arguments))
	}
	return strings.Join(all, " ")
}

func TestBehaviours(t *testing.T) {
	for _, test := range behaviours {
		t.Run(test.name, func(t *testing.T) {
			for _, wrap := range []func(io.Reader) io.Reader{nil, iotest.OneByteReader, iotest.DataErrReader} {
				m, err := play(t, func() io.Reader {
					if wrap == nil {
						return strings.NewReader(test.body)
					}
					return wrap(strings.NewReader(test.body))
				})
				if m.Text != test.text || show(m.Calls) != test.calls || m.Usage != test.usage {
					t.Errorf("got %q, %s, %+v; want %q, %s, %+v", m.Text, show(m.Calls), m.Usage, test.text, test.calls, test.usage)
				}
				if got := fmt.Sprint(err); (err != nil) != (test.err != "") || !strings.Contains(got, test.err) {
					t.Errorf("error %v, want %q", err, test.err)
				}
			}
		})
	}
}

// TestCutAnywhere ends each body after each byte, in order and by a reset connection: what comes is an error, or all
// of the answer where only the farewell was lost.
func TestCutAnywhere(t *testing.T) {
	reset := errors.New("connection reset by peer")
	for _, test := range behaviours {
		t.Run(test.name, func(t *testing.T) {
			step := 1
			if len(test.body) > 4096 || testing.Short() {
				step = len(test.body)/20 + 1
			}
			for n := 0; n < len(test.body); n += step {
				for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, reset} {
					m, err := play(t, func() io.Reader {
						return io.MultiReader(strings.NewReader(test.body[:n]), iotest.ErrReader(end))
					})
					if err == nil && (m.Text != test.text || show(m.Calls) != test.calls) {
						t.Fatalf("cut after %d bytes by %v: %q, %s without an error\n%s", n, end, m.Text, show(m.Calls), test.body[:n])
					}
					if !strings.HasPrefix(test.text, m.Text) {
						t.Fatalf("cut after %d bytes by %v: %q is no part of %q", n, end, m.Text, test.text)
					}
				}
			}
		})
	}
}

func TestLongAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine reads them, and takes long where races are looked for")
	}
	event := func(text, rest string) string {
		quoted, _ := json.Marshal(text)
		return `{"choices":[{"delta":{"content":` + string(quoted) + `}` + rest + `}]}`
	}
	lines := strings.Repeat("0123456789\n", 1<<20)
	plain := strings.Repeat("0123456789abcdef", 20<<20/16)
	for _, test := range []struct {
		name, body string
		want       string
		err        string
	}{
		{"one line", "data: " + event(plain, "") + "\n\ndata: [DONE]\n\n", plain, ""},
		{"whole", strings.ReplaceAll(event(lines, ""), "delta", "message"), lines, ""},
		{"a line beyond the bound", "data: " + strings.Repeat("x", maxLine+1), "", "line of more than 32 MiB"},
		{"whole beyond the bound", "{" + strings.Repeat(" ", maxLine+1), "", "line of more than 32 MiB"},
		{"an event beyond the bound", strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 33), "", "line of more than 32 MiB"},
		{"an answer beyond the bound", strings.Repeat("data: "+event(plain, "")+"\n\n", 7), plain + plain, "the answer has more than 128 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var told strings.Builder
			c := played(func() io.Reader { return strings.NewReader(test.body) })
			m, err := c.Complete(t.Context(), Request{}, func(s string) error { told.WriteString(s); return nil })
			if !strings.HasPrefix(told.String(), test.want) || err == nil && told.Len() != len(test.want) {
				t.Errorf("told %d bytes, want %d", told.Len(), len(test.want))
			}
			if m.Text != test.want[:min(len(test.want), MaxText)] {
				t.Errorf("returned %d bytes", len(m.Text))
			}
			if (err != nil) != (test.err != "") || !strings.Contains(fmt.Sprint(err), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}
}

func TestKeptFields(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"reasoning_content", chunks("stop", `{"reasoning_content":"I "}`, `{"reasoning_content":"think"}`, `{"content":"a"}`),
			`{"reasoning_content":"I think"}`},
		{"reasoning", chunks("stop", `{"reasoning":"I think"}`, `{"content":"a","reasoning":null}`), `{"reasoning":"I think"}`},
		{"reasoning_details", chunks("stop",
			`{"reasoning":"I ","reasoning_details":[{"type":"reasoning.text","text":"I ","index":0,"format":"x","signature":null}]}`,
			`{"reasoning":"think","reasoning_details":[{"type":"reasoning.text","text":"think","index":0}]}`,
			`{"reasoning_details":[{"type":"reasoning.text","index":0,"signature":"S"}]}`,
			`{"reasoning_details":[{"type":"reasoning.encrypted","data":"D","index":1}, 7, null]}`, `{"content":"a"}`),
			`{"reasoning_details":[{"format":"x","index":0,"signature":"S","text":"I think","type":"reasoning.text"},{"data":"D","index":1,"type":"reasoning.encrypted"}]}`},
		{"extra_content", chunks("stop", `{"content":"a"}`, `{"content":"","extra_content":{"google":{"thought_signature":"S"}}}`),
			`{"extra_content":{"google":{"thought_signature":"S"}}}`},
		{"none", hi, `null`},
	} {
		m, err := play(t, func() io.Reader { return strings.NewReader(test.body) })
		if got, _ := json.Marshal(m.Extra); string(got) != test.want || err != nil {
			t.Errorf("%s: got %s, %v; want %s", test.name, got, err, test.want)
		}
	}
	m, err := play(t, func() io.Reader {
		return strings.NewReader(calls(`{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"S"}}}`))
	})
	if err != nil || string(m.Calls[0].Extra["extra_content"]) != `{"google":{"thought_signature":"S"}}` {
		t.Errorf("call has %s, %v", m.Calls[0].Extra, err)
	}
}

func TestOnTextError(t *testing.T) {
	stop := errors.New("disk full")
	c := played(func() io.Reader { return strings.NewReader(hi) })
	if _, err := c.Complete(context.Background(), Request{}, func(string) error { return stop }); err != stop {
		t.Errorf("got %v", err)
	}
}

// FuzzStream: whatever a server sends, there is a message or an *Error, and the same whatever pieces it comes in.
func FuzzStream(f *testing.F) {
	for _, test := range behaviours {
		if len(test.body) < 4096 {
			f.Add([]byte(test.body))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := play(t, func() io.Reader { return bytes.NewReader(body) })
		if err == nil && m.Text == "" && len(m.Calls) == 0 {
			t.Error("an empty answer without an error")
		}
		n, err2 := play(t, func() io.Reader { return iotest.OneByteReader(bytes.NewReader(body)) })
		if m.Text != n.Text || show(m.Calls) != show(n.Calls) || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Errorf("%q, %v in one piece; %q, %v byte by byte", m.Text, err, n.Text, err2)
		}
	})
}

// FuzzAppendText: where the short way is sure, decoding finds the same text and nothing else.
func FuzzAppendText(f *testing.F) {
	for _, test := range behaviours {
		for line := range strings.Lines(test.body) {
			if data, ok := strings.CutPrefix(line, "data: "); ok && len(data) < 4096 {
				f.Add([]byte(data))
			}
		}
	}
	f.Add([]byte("{}\x00"))
	f.Fuzz(func(t *testing.T, event []byte) {
		text, ok := appendText(nil, event)
		if !ok {
			return
		}
		var c chunk
		if err := c.decode(event); err != nil {
			t.Fatalf("%q: %v", event, err)
		}
		if c.failure(event) != nil || len(c.Choices) > 1 {
			t.Fatalf("%q is more than text", event)
		}
		if len(c.Choices) == 0 {
			c.Choices = make([]choice, 1)
		}
		if c.Choices[0].Delta == nil {
			c.Choices[0].Delta = new(delta)
		}
		if got := string(c.Choices[0].Delta.Content); got != string(text) {
			t.Errorf("%q: %q, want %q", event, text, got)
		}
		c.Choices[0].Delta.Content = ""
		c.Choices[0].Delta.ExtraContent = nil // null, as are the three below
		c.Error, c.Message, c.Detail = nil, nil, nil
		if want := (chunk{Choices: []choice{{Delta: new(delta)}}}); !reflect.DeepEqual(c, want) {
			t.Errorf("%q has more: %+v", event, c)
		}
	})
}
