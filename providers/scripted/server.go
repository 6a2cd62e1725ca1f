package scripted

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tricode/providers"
)

// ServeHTTP plays the script as a server that speaks chat completions, so that a real client can be tried on it. What
// a script does not expect is answered with status 400 and says why.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		io.WriteString(w, `{"data":[{"id":"scripted"}]}`)
		return
	}
	req, err := readRequest(http.MaxBytesReader(w, r.Body, 64<<20))
	var t *turn
	if err == nil {
		t, err = m.next(req)
	}
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
	case sleep(r.Context(), time.Duration(t.Delay)) != nil:
	case t.Body != "":
		w.WriteHeader(t.status())
		io.WriteString(w, t.Body)
	case t.Error != "":
		if t.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(time.Duration(t.RetryAfter).Seconds())))
		}
		refuse(w, t.status(), t.Error)
	default:
		t.stream(w, r)
	}
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": message}})
}

func readRequest(body io.Reader) (providers.Request, error) {
	var wire struct {
		Messages []struct {
			Role    providers.Role
			Content string
			CallID  string `json:"tool_call_id"`
			Calls   []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Tools []struct{ Function providers.Tool }
	}
	if err := json.NewDecoder(body).Decode(&wire); err != nil {
		return providers.Request{}, fmt.Errorf("the request is not what it should be: %w", err)
	}
	var req providers.Request
	for _, m := range wire.Messages {
		message := providers.Message{Role: m.Role, Text: m.Content, CallID: m.CallID}
		for _, c := range m.Calls {
			message.Calls = append(message.Calls, providers.Call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		req.Messages = append(req.Messages, message)
	}
	for _, t := range wire.Tools {
		req.Tools = append(req.Tools, t.Function)
	}
	return req, nil
}

// stream writes the turn as server-sent events, each at once.
func (t *turn) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta map[string]any, finish any) {
		data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(w, "data: %s\n\n", data)
		http.NewResponseController(w).Flush()
	}
	for _, piece := range t.pieces() {
		send(map[string]any{"content": piece}, nil)
		if sleep(r.Context(), time.Duration(t.Pace)) != nil {
			return
		}
	}
	if t.Cut {
		return
	}
	for i, c := range t.Calls {
		send(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": c.ID, "type": "function",
			"function": map[string]string{"name": c.Tool, "arguments": c.text}}}}, nil)
	}
	send(map[string]any{}, t.Finish)
	fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d}}\n\ndata: [DONE]\n\n", t.Input, t.Output)
}
