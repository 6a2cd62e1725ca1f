package providers

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	maxTries  = 6
	fewTries  = 3                // where nobody listens, or nothing comes: that seldom changes within seconds
	maxWait   = 10 * time.Minute // what a server may ask to wait; with more the request fails at once
	chainWait = time.Minute      // the same where another provider can be asked
)

// Retry is that a request failed and that it is made again.
type Retry struct {
	Err  error
	Wait time.Duration // until then
	Next string        // the provider that is asked instead; empty: the same one
	Void bool          // text of the answer was given out already: all of it comes anew
	How  string        // in which way it is made, if in another; empty: in the same
}

func (r Retry) String() string {
	anew := ""
	if r.Void {
		anew = ", from the beginning"
	}
	switch {
	case r.Next != "":
		return fmt.Sprintf("%v; asking %s instead%s", r.Err, r.Next, anew)
	case r.How != "":
		return fmt.Sprintf("%v; asking again %s", r.Err, r.How)
	}
	return fmt.Sprintf("%v; asking again in %v%s", r.Err, r.Wait.Round(100*time.Millisecond), anew)
}

// retry makes a request again while that can help. request reports whether text of its answer was given out.
func (c *Client) retry(ctx context.Context, told func(Retry) error, request func() (void bool, err error)) error {
	renewed := false
	for try := 1; ; try++ {
		key := c.key.now()
		void, err := request()
		if err == nil || ctx.Err() != nil {
			return err
		}
		var e *Error
		if !errors.As(err, &e) {
			return err
		}
		how, other := c.adapt(e)
		if !other && !renewed && c.renewKey(ctx, e, key) {
			how, other, renewed = "with a new key", true, true
		}
		if !other {
			r := Retry{Err: err, Wait: c.wait(try, e), Void: void}
			if try >= e.tries() {
				return err
			}
			if r.Wait > c.longest {
				e.sayWait(r.Wait)
				return err
			}
			if err := r.pass(ctx, told); err != nil {
				return err
			}
			continue
		}
		if how != "" {
			if err := tell(told, Retry{Err: err, How: how}); err != nil {
				return err
			}
		}
		try-- // another request, not the same again
	}
}

// sayWait adds that a server asks for more patience than there is.
func (e *Error) sayWait(wait time.Duration) {
	if e.RetryAfter > 0 {
		e.Message = oneLine("asks to wait " + wait.Round(time.Second).String() + ": " + e.Message)
	}
}

// pass tells of a retry and waits until it is time for it.
func (r Retry) pass(ctx context.Context, told func(Retry) error) error {
	if err := tell(told, r); err != nil {
		return err
	}
	select {
	case <-time.After(r.Wait):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// tell tells of a retry if anybody listens.
func tell(told func(Retry) error, r Retry) error {
	if told == nil {
		return nil
	}
	return told(r)
}

// wait is how long to wait after a number of tries: what the server says, otherwise twice as long each time, and
// never the same for all that were refused together.
func (c *Client) wait(try int, e *Error) time.Duration {
	if e.RetryAfter > 0 {
		return e.RetryAfter
	}
	longest := c.pause << (try - 1)
	return longest/2 + rand.N(longest/2+1)
}

// tries is how often a request that failed so is made altogether. It does not matter how much of the answer was there:
// nothing in it is acted on before it is complete.
func (e *Error) tries() int {
	var late *lateError
	var op *net.OpError
	switch {
	case errors.As(e.Err, &op) && op.Op == "dial" && e.lost: // the network is away, even if it says that there is no such name
		return maxTries
	case errors.As(e.Err, &late) && late.again, op != nil && op.Op == "dial" && transient(e.Err):
		return fewTries
	case e.passes():
		return maxTries
	case e.unclear && e.Status == 0 && e.Code == "":
		return fewTries
	}
	return 1
}

// passes reports whether the same request may succeed later.
func (e *Error) passes() bool {
	if e.Code == "insufficient_quota" { // 429 too, but it takes a payment to pass
		return false
	}
	if e.Code == "tool_use_failed" { // 400 of Groq, for what the model wrote and not for the request
		return true
	}
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	case 0, http.StatusOK:
		return transient(e.Err) || busy(e.Code)
	}
	return e.Status >= 500
}

// busy reports whether a code says that the server, not the request, is at fault, in the words of OpenAI, Anthropic,
// Google, DeepSeek and Mistral.
func busy(code string) bool {
	code = strings.ToLower(code)
	for _, word := range [...]string{"overloaded", "rate_limit", "server_error", "unavailable", "internal", "insufficient_system_resource", "network_error", "api_error", "timeout"} {
		if strings.Contains(code, word) {
			return true
		}
	}
	return false
}

// down reports whether another provider may do better.
func (e *Error) down() bool {
	var (
		late   *lateError
		op     *net.OpError
		closed *openError
	)
	return e.passes() || errors.As(e.Err, &late) || errors.As(e.Err, &op) && op.Op == "dial" || errors.As(e.Err, &closed) ||
		e.Code == "insufficient_quota"
}

// transient reports whether an error of the connection may pass; a name that does not exist and a certificate that
// is wrong do not.
func transient(err error) bool {
	var (
		name *net.DNSError
		cert *tls.CertificateVerificationError
		op   *net.OpError
		late net.Error
	)
	switch {
	case errors.As(err, &name) && name.IsNotFound, errors.As(err, &cert), errors.Is(err, errPublic):
		return false
	}
	return errors.As(err, &op) || errors.As(err, &late) && late.Timeout() || brokeHTTP2(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errCut) ||
		errors.Is(err, errNothing) || errors.Is(err, syscall.ECONNRESET)
}

// brokeHTTP2 reports whether a stream or a connection of HTTP/2 broke. What net/http says then has no type that can be
// named, but its words begin alike.
func brokeHTTP2(err error) bool {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	text := fmt.Sprint(err)
	return strings.HasPrefix(text, "stream error: ") || strings.HasPrefix(text, "http2: ") || strings.HasPrefix(text, "connection error: ")
}

// retryAfter reads how long to wait: seconds or a date (RFC 9110, 10.2.3), or the milliseconds that some send as
// well. 0 if nothing is said.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return seconds(ms / 1000)
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return seconds(s)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// seconds converts without overflow; what is no sensible number is 0.
func seconds(s float64) time.Duration {
	const year = 365 * 24 * 3600
	if !(s > 0) {
		return 0
	}
	return time.Duration(min(s, year) * float64(time.Second))
}
