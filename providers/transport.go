package providers

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
	"time"
)

// transport makes what requests are sent over.
func (c Config) transport(scheme string) (*http.Transport, error) {
	t := http.DefaultTransport.(*http.Transport).Clone() // with the proxies of the environment
	t.DisableCompression = true                          // it would hold back events, and let a small body become a huge one
	t.ReadBufferSize = readSize
	t.MaxResponseHeaderBytes = maxNoise
	if scheme == "http" && !c.AllowInsecure {
		t.DialContext = (&net.Dialer{Timeout: 30 * time.Second, Control: refusePublic}).DialContext
	}
	if c.CAFile != "" {
		pool, err := certificates(c.CAFile)
		if err != nil {
			return nil, fmt.Errorf("ca_file of provider %q: %w", c.Name, err)
		}
		t.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	switch {
	case c.Proxy == "none":
		t.Proxy = nil
	case c.Proxy != "":
		u, err := url.Parse(c.Proxy)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" && u.Scheme != "socks5h" {
			return nil, fmt.Errorf(`proxy of provider %q is neither "none" nor an http, https or socks5 URL`, c.Name)
		}
		t.Proxy = http.ProxyURL(u)
	}
	return t, nil
}

// certificates are the system's and those of a file in PEM.
func certificates(file string) (*x509.CertPool, error) {
	const most = 16 << 20
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() { // others may never end, or never begin
		err = fmt.Errorf("%s is not a regular file", file)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	pem, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // then these alone
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificate in PEM", file)
	}
	return pool, nil
}

// sameOrigin follows a redirect that asks for the same request at the same origin. Another one would get the
// conversation, and headers that hold a key; and a redirect that makes a GET of it loses the conversation.
func sameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 5 || req.Method != first.Method || req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// errPublic says that a name led to a public address.
var errPublic = errors.New("http:// would send key and conversation in the clear to a public address; use https://, or set allow_insecure = true")

// refusePublic keeps connections that are not encrypted on private networks, wherever the name of the host led to.
func refusePublic(_, address string, _ syscall.RawConn) error {
	addr, err := netip.ParseAddrPort(address)
	if err != nil || !private(addr.Addr().WithZone("")) {
		return errPublic
	}
	return nil
}
