package approval

import (
	"fmt"
	"strings"
	"unicode"
)

// TOML is the policy as a configuration file of tricode holds it, the warnings as comments in front.
func (p *Imported) TOML() string {
	var b strings.Builder
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "# warning: %s\n", TOMLComment(w))
	}
	fmt.Fprintf(&b, "[permissions]\nmode = %q\n", p.Mode)
	if p.Default == Deny {
		b.WriteString("default = \"deny\"\n")
	}
	if len(p.Directories) > 0 {
		fmt.Fprintf(&b, "additional_directories = %s\n", tomlList(p.Directories))
	}
	for _, r := range p.Rules {
		b.WriteString("\n" + r.TOML())
	}
	return b.String()
}

// TOML is the rule as a table of a configuration file.
func (r Rule) TOML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[[permissions.rules]]\ntool = %s\n", TOMLString(r.Tool))
	if r.Prefix != nil {
		fmt.Fprintf(&b, "command_prefix = %s\n", tomlList(r.Prefix))
	}
	for _, f := range [...]struct{ key, value string }{
		{"command", r.Command}, {"pattern", r.Pattern}, {"path", r.Path}, {"host", r.Host}, {"action", r.Action.String()}, {"reason", r.Reason},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, "%s = %s\n", f.key, TOMLString(f.value))
		}
	}
	return b.String()
}

func tomlList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = TOMLString(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// TOMLString is a basic string in which nothing acts on a terminal, hides or reorders anything. What is not UTF-8 in it is
// replaced. Source: toml.io/en/v1.0.0, String.
func TOMLString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// TOMLComment keeps a text on the line of its comment, with blanks for what acts on a terminal, hides or reorders anything.
func TOMLComment(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}
