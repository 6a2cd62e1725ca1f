package approval

import (
	"slices"
	"strings"
)

// fetchers are programs whose operands are addresses, with or without a scheme, and their options that take more of them or send elsewhere
// what goes to one. Sources: curl(1) 7.88, wget(1) 1.21, aria2c(1) 1.36.
var fetchers = map[string]string{
	"curl": "x proxy preproxy socks4 socks4a socks5 socks5-hostname proxy1.0 url connect-to resolve doh-url unix-socket abstract-unix-socket haproxy-protocol interface dns-servers K config",
	"wget": "i input-file B base H span-hosts e execute use-askpass", "aria2c": "i input-file all-proxy http-proxy https-proxy ftp-proxy", "axel": "", "lynx": "", "w3m": "",
}

// addressesOf are the words of a rule that say which addresses a command may have; nil if it does not say.
func addressesOf(fields []string) []string {
	if len(fields) < 2 {
		return nil
	}
	var all []string
	_, fetches := fetchers[fields[0]]
	says := false
	for _, f := range fields[1:] {
		address := strings.Contains(f, "://") || fetches && !strings.HasPrefix(f, "-")
		if address || f == "*" {
			all = append(all, f)
		}
		says = says || address && f != "*"
	}
	if !says {
		return nil
	}
	return all
}

// addressed reports whether a command has no other addresses than a rule that says which: a * at the end of one stands for the rest
// of that.
func (s *shape) addressed(args []string) bool {
	if s.addresses == nil {
		return true
	}
	reroutes, fetches := fetchers[args[0]]
	words := s.dialect.spell(args[1:])
	for _, o := range words.operands {
		if (fetches || strings.Contains(o.text, "://")) && !s.address(o.text) {
			return false
		}
	}
	for _, o := range words.options {
		named := slices.ContainsFunc(s.options, func(want spelled) bool { return s.dialect.means(want, o) })
		switch {
		case strings.Contains(o.value, "://") && !s.address(o.value), rerouting(reroutes, o) && !named:
			return false
		}
	}
	return true
}

// rerouting reports whether an option is one of those listed, perhaps abbreviated.
func rerouting(reroutes string, o spelled) bool {
	for name := range strings.FieldsSeq(reroutes) {
		if name == o.name || o.long && len(name) > 1 && len(o.name) > 1 && strings.HasPrefix(name, o.name) {
			return true
		}
	}
	return false
}

// address reports whether an address is one of the rule's, its host by itself.
func (s *shape) address(text string) bool {
	return slices.ContainsFunc(s.addresses, func(glob string) bool {
		return matchGlob(glob, text) && (!strings.Contains(glob, "://") || matchGlob(hostPart(glob), hostPart(text)))
	})
}

// hostsOf are the hosts that the words of a command may name: those of addresses, and of whatever a fetcher may take for one.
func hostsOf(args []string) (hosts []string) {
	if len(args) == 0 {
		return nil
	}
	_, fetches := fetchers[baseName(args[0])]
	for _, w := range args[1:] {
		if !strings.Contains(w, "://") && (!fetches || strings.HasPrefix(w, "-")) {
			continue
		}
		host := hostPart(w)
		host = host[strings.LastIndexByte(host, '@')+1:]
		if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
			host = host[:i]
		}
		hosts = append(hosts, strings.Trim(host, "[]"))
	}
	return hosts
}

// hostPart is what stands between the scheme and the path of an address; an @ in it counts as a part.
func hostPart(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		rest = address
	}
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		rest = rest[:i]
	}
	return rest
}
