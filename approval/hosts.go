package approval

import (
	"net/netip"
	"strings"
)

// privateHost reports whether a host of a URL is written so that it can only mean this machine or its network. The
// addresses that names resolve to are checked when the connection is made.
func privateHost(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return !PublicAddress(ip)
	}
	// Resolvers read 0x7f.1, 2130706433 and 0177.0.0.1 as addresses too: no name ends in a number.
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && last[0] >= '0' && last[0] <= '9'
}

// PublicAddress reports whether an address is one of the public internet: not loopback, private, link-local,
// multicast, unspecified or reserved for such use (RFC 6890).
func PublicAddress(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
		return false
	}
	for _, net := range reservedNets {
		if net.Contains(ip) {
			return false
		}
	}
	return true
}

// reservedNets are special-purpose networks that net/netip counts as global unicast (RFC 6890, RFC 6598, RFC 6052).
var reservedNets = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
}
