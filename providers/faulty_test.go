package providers_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing/iotest"
	"time"
)

// faulty is a server that has a job done in steps, and does something wrong with each request while there are faults
// left: two bytes for each, what it is and where.
type faulty struct {
	faults []byte
	leave  context.CancelCauseFunc // of the person who watches
}

// steps is how many calls the job takes, two in each answer.
const steps = 4

// RoundTrip answers as the conversation goes on: from how many steps it says are made.
func (f *faulty) RoundTrip(req *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	events := answer(strings.Count(string(asked), `"content":"made `))
	if len(f.faults) < 2 {
		return response(200, strings.NewReader(strings.Join(events, ""))), nil
	}
	kind, at := int(f.faults[0]), int(f.faults[1])
	f.faults = f.faults[2:]
	return faults[kind%len(faults)](f, req, events, at)
}

// answer are the events of the answer when so many steps are made.
func answer(made int) []string {
	const event = "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n"
	if made >= steps {
		return []string{fmt.Sprintf(event, `{"content":"All "}`, "null"), fmt.Sprintf(event, `{"content":"done."}`, "null"),
			fmt.Sprintf(event, "{}", `"stop"`), "data: [DONE]\n\n"}
	}
	all := []string{fmt.Sprintf(event, `{"role":"assistant","content":"Going on."}`, "null")}
	for i, n := 0, made; n < min(made+2, steps); i, n = i+1, n+1 {
		all = append(all,
			fmt.Sprintf(event, fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call%d","type":"function","function":{"name":"step","arguments":"{\"n\""}}]}`, i, n), "null"),
			fmt.Sprintf(event, fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":": %d}"}}]}`, i, n), "null"))
	}
	return append(all, fmt.Sprintf(event, "{}", `"tool_calls"`), "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\n", "data: [DONE]\n\n")
}

func response(status int, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(body)}
}

type fault func(f *faulty, req *http.Request, events []string, at int) (*http.Response, error)

var faults = []fault{
	ends(io.EOF), ends(io.ErrUnexpectedEOF), ends(&net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}),
	stalls, silent, leaves,
	breaks(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}), breaks(io.EOF), breaks(errors.New("http2: stream closed")),
	refuses, refusesUntil("Retry-After", "0.0001"), refusesUntil("Retry-After", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)),
	refusesUntil("Retry-After", "86400"),
	says(502, "<html><title>Bad gateway</title>"), says(200, "<html><title>Log in</title>"), says(503, "no healthy upstream"), says(200, "no"),
	says(200, ""), says(200, "data: [DONE]\n\n"), says(200, `{"error":{"message":"busy","code":503}}`), says(200, ": hm\n\n"),
	inserts("data: {\"error\":{\"message\":\"overloaded\",\"type\":\"overloaded_error\"}}\n\n"), inserts("data: {\"error\":\"out of memory\"}\n\n"),
	inserts("event: error\ndata: {\"message\":\"crashed\"}\n\n"), inserts("error: {\"code\":500,\"message\":\"slot\"}\n\n"),
	inserts("{\"error\":{\"message\":\"CUDA\"}}\n"), inserts("data: {\"choices\":[{]}\n\n"), inserts("data: hello\n\n"),
	inserts(": still here\n\n"), inserts("data: {\"choices\":[]}\n\n"), inserts("\n\n\n"), inserts(": " + strings.Repeat("x", 100_000) + "\n\n"),
	inserts("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n"),
	inserts("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n"),
	inserts("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"insufficient_system_resource\"}]}\n\n"),
	without("data: [DONE]\n\n"), crawls, redirects,
}

// ends cuts the answer.
func ends(err error) fault {
	return func(_ *faulty, _ *http.Request, events []string, at int) (*http.Response, error) {
		return response(200, io.MultiReader(strings.NewReader(upTo(events, at)), iotest.ErrReader(err))), nil
	}
}

// upTo is a part of the answer.
func upTo(events []string, at int) string {
	all := strings.Join(events, "")
	return all[:at*len(all)/256]
}

// stalls says a part of the answer and then nothing.
func stalls(_ *faulty, req *http.Request, events []string, at int) (*http.Response, error) {
	return response(200, io.MultiReader(strings.NewReader(upTo(events, at)), &waiting{req.Context()})), nil
}

// waiting is a connection on which nothing comes.
type waiting struct{ ctx context.Context }

func (w *waiting) Read([]byte) (int, error) {
	<-w.ctx.Done()
	return 0, w.ctx.Err()
}

// silent does not even answer with a status.
func silent(_ *faulty, req *http.Request, _ []string, _ int) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

// leaves is a person who presses ^C in the middle of the answer.
func leaves(f *faulty, req *http.Request, events []string, at int) (*http.Response, error) {
	f.leave(errLeft)
	return response(200, io.MultiReader(strings.NewReader(upTo(events, at)), &waiting{req.Context()})), nil
}

var errLeft = errors.New("interrupted")

// breaks is an error of the connection before there is an answer.
func breaks(err error) fault {
	return func(*faulty, *http.Request, []string, int) (*http.Response, error) { return nil, err }
}

// refuses answers with a status, other than 413, which has the agent shorten the conversation.
func refuses(_ *faulty, _ *http.Request, _ []string, at int) (*http.Response, error) {
	status := [...]int{400, 401, 402, 403, 404, 408, 409, 422, 429, 500, 501, 502, 503, 504, 529}[at%15]
	return response(status, strings.NewReader(`{"error":{"message":"no\nway"}}`)), nil
}

// refusesUntil says how long to wait.
func refusesUntil(header, value string) fault {
	return func(*faulty, *http.Request, []string, int) (*http.Response, error) {
		r := response(429, strings.NewReader("slow down"))
		r.Header.Set(header, value)
		return r, nil
	}
}

func says(status int, body string) fault {
	return func(*faulty, *http.Request, []string, int) (*http.Response, error) {
		return response(status, strings.NewReader(body)), nil
	}
}

// inserts puts something between two events.
func inserts(what string) fault {
	return func(_ *faulty, _ *http.Request, events []string, at int) (*http.Response, error) {
		n := at % len(events)
		return response(200, strings.NewReader(strings.Join(events[:n], "")+what+strings.Join(events[n:], ""))), nil
	}
}

// without leaves an event out.
func without(event string) fault {
	return func(_ *faulty, _ *http.Request, events []string, _ int) (*http.Response, error) {
		return response(200, strings.NewReader(strings.ReplaceAll(strings.Join(events, ""), event, ""))), nil
	}
}

// crawls answers byte by byte.
func crawls(_ *faulty, _ *http.Request, events []string, _ int) (*http.Response, error) {
	return response(200, iotest.OneByteReader(strings.NewReader(strings.Join(events, "")))), nil
}

func redirects(*faulty, *http.Request, []string, int) (*http.Response, error) {
	r := response(307, strings.NewReader(""))
	r.Header.Set("Location", "https://elsewhere.example/v1")
	return r, nil
}
