package approval

import (
	"fmt"
	"strings"
)

// TOML is the policy as a configuration file of tricode holds it, the warnings as comments in front.
func (p *Imported) TOML() string {
	var b strings.Builder
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "# warning: %s\n", comment(w))
	}
	fmt.Fprintf(&b, "[permissions]\nmode = %q\n", p.Mode)
	if p.Default == Deny {
		b.WriteString("default = \"deny\"\n")
	}
	if len(p.Directories) > 0 {
		fmt.Fprintf(&b, "additional_directories = %s\n", tomlList(p.Directories))
	}
	for _, r := range p.Rules {
		b.WriteString("\n[[permissions.rules]]\n")
		fmt.Fprintf(&b, "tool = %s\n", tomlString(r.Tool))
		if r.Prefix != nil {
			fmt.Fprintf(&b, "command_prefix = %s\n", tomlList(r.Prefix))
		}
		for _, f := range [...]struct{ key, value string }{
			{"command", r.Command}, {"pattern", r.Pattern}, {"path", r.Path}, {"host", r.Host}, {"action", r.Action.String()}, {"reason", r.Reason},
		} {
			if f.value != "" {
				fmt.Fprintf(&b, "%s = %s\n", f.key, tomlString(f.value))
			}
		}
	}
	return b.String()
}

func tomlList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = tomlString(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tomlString is a basic string. Source: toml.io/en/v1.0.0, String.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// comment keeps a text on the line of its comment.
func comment(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, text)
}
