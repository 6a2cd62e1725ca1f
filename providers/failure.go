package providers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxMessage bounds the message of an Error, in bytes.
const maxMessage = 500

// refused turns an answer that is not 2xx into an error. Of its body little is read, however much there is.
func (c *Client) refused(resp *http.Response) *Error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxNoise)) // half a message is better than none
	e := c.failure(resp.StatusCode, body)
	if where, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		where.RawQuery, where.User = "", nil
		e.Message = oneLine("redirects to " + where.String() + "; if that is right, make it the base_url")
	}
	e.RetryAfter = retryAfter(resp.Header, time.Now())
	return e
}

// failure reads an error in any of the forms that servers give it: JSON of many shapes, HTML, plain text.
func (c *Client) failure(status int, body []byte) *Error {
	e := &Error{Provider: c.config.Name, Status: status}
	body = bytes.TrimSpace(body)
	var v any
	if json.Unmarshal(body, &v) == nil {
		e.read(v)
	} else {
		e.Message = string(body)
	}
	if text := strings.TrimSpace(e.Message); strings.HasPrefix(text, "<") {
		e.Message = pageTitle(text)
	}
	if e.Message == "" {
		e.Message = http.StatusText(e.Status)
	}
	if e.Message == "" {
		e.Message = "reported an error without saying which"
	}
	for _, secret := range append(c.config.Secrets(), c.key.all()...) {
		if len(secret) >= 8 {
			e.Message = strings.ReplaceAll(e.Message, secret, "[key]")
		}
	}
	e.Message = oneLine(e.Message)
	return e
}

// read finds code and message in decoded JSON: {"error":{"message":...}}, {"error":"..."}, {"detail":[{"msg":...}]},
// [{"error":...}] and what else there is.
func (e *Error) read(v any) {
	switch v := v.(type) {
	case string:
		e.Message = v
	case []any:
		if len(v) > 0 {
			e.read(v[0])
		}
	case map[string]any:
		for _, key := range [...]string{"type", "status_code", "status", "code"} { // the last one says most
			e.setCode(v[key])
		}
		for _, key := range [...]string{"error", "errors", "message", "detail", "msg", "base_resp", "status_msg"} {
			if e.Message == "" {
				e.read(v[key])
			}
		}
		if meta, ok := v["metadata"].(map[string]any); ok { // OpenRouter, for what is behind it
			if raw, ok := meta["raw"].(string); ok && e.Message != "" {
				e.Message += ": " + raw
			}
		}
	}
}

func (e *Error) setCode(v any) {
	number, _ := v.(float64)
	text, _ := v.(string)
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		number = n
	}
	switch {
	case number >= 400 && number < 600:
		if e.Status == 0 {
			e.Status = int(number)
		}
	case text != "":
		e.Code = oneLine(text)
	}
}

// broken turns an error of the connection, or of reading what came over it, into one that can be shown.
func (c *Client) broken(err error, started bool) *Error {
	e := &Error{Provider: c.config.Name, MidStream: started, Err: err, unclear: errors.Is(err, errBroken), lost: c.reached.Load()}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without method and URL
	}
	var dial *net.OpError
	switch {
	case errors.Is(err, errPublic):
		e.Message = errPublic.Error()
	case errors.As(err, &dial) && dial.Op == "dial":
		e.Message = fmt.Sprintf("cannot connect to %s: %v", c.base.Host, dial.Err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Message = errCut.Error()
	default:
		e.Message = err.Error()
	}
	e.Message = oneLine(e.Message)
	return e
}

// webPage is what one gets from a proxy, or from a network that wants a login first.
const webPage = "a web page instead of an answer"

// pageTitle is what a web page says it is.
func pageTitle(page string) string {
	for _, tag := range [...]string{"title", "h1"} {
		if m := regexp.MustCompile(`(?is)<` + tag + `\b[^>]*>(.*?)</` + tag).FindStringSubmatch(page); m != nil {
			if title := strings.TrimSpace(html.UnescapeString(m[1])); title != "" {
				return webPage + ": " + title
			}
		}
	}
	return webPage
}

// oneLine makes one line of at most maxMessage bytes.
func oneLine(s string) string {
	s = s[:min(len(s), 16*maxMessage)] // whatever is in front of it, a message that far down says nothing
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\ufffd")), " ")
	if len(s) <= maxMessage {
		return s
	}
	n := maxMessage - len("…")
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
