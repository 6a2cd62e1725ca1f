package providers

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestProbe(t *testing.T) {
	const (
		two   = `{"index":0,"id":"a","function":{"name":"add","arguments":"{\"a\":2,\"b\":3}"}},{"index":1,"id":"b","function":{"name":"add","arguments":"{\"a\":4,\"b\":5}"}}`
		one   = `{"index":0,"id":"a","function":{"name":"add","arguments":"{\"a\":2,\"b\":3}"}}`
		whole = `{"choices":[{"message":{"content":"5 and 9"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`
	)
	for _, test := range []struct {
		name    string
		answers []string // an error begins with its status
		results string   // what must be in the second request
		want    string
	}{
		{"everything", []string{calls(two), hi}, `"content":"9","tool_call_id":"b"`, "{Streaming:true Usage:false Tools:true Spoken:false Parallel:true Results:true} <nil>"},
		{"one call", []string{calls(one), whole}, `"content":"5","tool_call_id":"a"`, "{Streaming:true Usage:true Tools:true Spoken:false Parallel:false Results:true} <nil>"},
		{"no call", []string{whole}, "", "{Streaming:false Usage:true Tools:false Spoken:false Parallel:false Results:false} <nil>"},
		{"in words", []string{`400{"error":"m does not support tools"}`,
			says(`<tool_call>{"name":"add","arguments":{"a":2,"b":3}}</tool_call>`), hi}, `\"add\"`, "{Streaming:true Usage:false Tools:false Spoken:true Parallel:false Results:true} <nil>"},
		{"results are refused", []string{calls(one), `400{"error":"no role tool"}`}, "", "{Streaming:true Usage:false Tools:true Spoken:false Parallel:false Results:false} p: 400: no role tool"},
		{"the key is wrong", []string{`401{"error":"wrong key"}`}, "", "{Streaming:false Usage:false Tools:false Spoken:false Parallel:false Results:false} p: 401: wrong key"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var last string
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				last = string(body)
				answer := test.answers[0]
				test.answers = test.answers[1:]
				var status int
				if n, _ := fmt.Sscanf(answer, "%3d", &status); n == 1 {
					w.WriteHeader(status)
					answer = answer[3:]
				}
				io.WriteString(w, answer)
			})
			support, err := c.Probe(t.Context(), nil)
			if got := fmt.Sprintf("%+v %v", support, err); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if len(test.answers) > 0 || !strings.Contains(last, test.results) {
				t.Errorf("%d answers left, the last request was %s", len(test.answers), last)
			}
		})
	}
}
