package providers

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	maxTries = 3
	maxWait  = time.Minute // what a server may ask to wait; with more the request fails at once
)

// retry makes a request again while that can help.
func (c *Client) retry(ctx context.Context, request func() error) error {
	for try := 1; ; try++ {
		err := request()
		if err == nil || ctx.Err() != nil {
			return err
		}
		var e *Error
		if !errors.As(err, &e) {
			return err
		}
		if c.adapt(e) {
			try-- // another request, not the same again
			continue
		}
		wait := c.wait(try, e)
		if try == maxTries || !e.passes() || wait > maxWait {
			return err
		}
		if c.OnRetry != nil {
			c.OnRetry(err, wait)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// adapt leaves out what a server refused by name and can do without. It reports whether that is worth a request.
func (c *Client) adapt(e *Error) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	if strings.Contains(e.Message, "max_completion_tokens") && c.encoder.leaveOut("max_tokens") {
		return true
	}
	for _, field := range [...]string{"stream_options", "reasoning_content", "reasoning_details", "extra_content", "reasoning"} {
		if strings.Contains(e.Message, field) && c.encoder.leaveOut(field) {
			return true
		}
	}
	return false
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

// passes reports whether the same request may succeed later.
func (e *Error) passes() bool {
	if e.MidStream || e.Code == "insufficient_quota" { // 429 too, but it takes a payment to pass
		return false
	}
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	case 0:
		return transient(e.Err) || strings.Contains(e.Code, "overloaded") || strings.Contains(e.Code, "rate_limit") ||
			e.Code == "server_error"
	}
	return e.Status >= 500
}

// transient reports whether an error of the connection may pass; a name that does not exist and a certificate that
// is wrong do not.
func transient(err error) bool {
	var (
		name *net.DNSError
		cert *tls.CertificateVerificationError
		op   *net.OpError
	)
	switch {
	case errors.As(err, &name) && name.IsNotFound, errors.As(err, &cert), errors.Is(err, errPublic):
		return false
	}
	return errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errCut) ||
		errors.Is(err, errNothing) || errors.Is(err, syscall.ECONNRESET)
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
