package providers

import (
	"net/http"
	"time"
)

// Through makes the client send its requests through rt, and hardly wait between them.
func (c *Client) Through(rt http.RoundTripper) {
	c.http.Transport = rt
	c.pause = 10 * time.Microsecond
}
