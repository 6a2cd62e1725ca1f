package sandbox

import (
	"slices"
	"strings"
)

// profile is a box in the language of sandbox-exec(1), the last rule that matches counts.
func profile(l *Limits, temp string) string {
	var p strings.Builder
	rule := func(rule string, filters ...string) {
		p.WriteString("(" + rule)
		for _, filter := range filters {
			p.WriteString("\n  " + filter)
		}
		p.WriteString(")\n")
	}
	each := func(kind string, paths []string) (filters []string) {
		for _, path := range paths {
			filters = append(filters, "("+kind+" "+quoted(path)+")")
		}
		return filters
	}
	rule("version 1")
	rule("allow default")
	rule("deny file-write*")
	rule("allow file-write*", each("subpath", slices.Concat(l.Write, []string{temp}))...)
	rule("allow file-write*", each("literal", []string{"/dev/null", "/dev/zero", "/dev/tty", "/dev/ptmx", "/dev/dtracehelper"})...)
	rule("allow file-write* file-ioctl", `(regex #"^/dev/ttys[0-9]+$")`)
	if len(l.Protect) > 0 {
		rule("deny file-write*", each("subpath", l.Protect)...)
	}
	if len(l.Hide) > 0 {
		rule("deny file-read* file-write*", each("subpath", l.Hide)...)
	}
	rule("deny network-outbound", "(remote unix-socket)")
	if len(l.Sockets) > 0 {
		rule("allow network-outbound", each("literal", l.Sockets)...)
	}
	if l.Look || !l.Network {
		rule("deny network*")
	}
	rule("deny signal", "(target others)")
	rule("allow signal", "(target same-sandbox)")
	return p.String()
}

// quoted is a string of the profile's language, in which a backslash and a quote need a backslash.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
