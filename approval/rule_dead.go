package approval

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// checkHost returns an error if a host is anything but a name or an address, with * in front perhaps.
func checkHost(host string) error {
	name := strings.TrimSuffix(strings.TrimPrefix(host, "*."), ".")
	if host == "*" || name != "" && name[0] != '.' && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_.") == "" {
		return nil
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return nil
	}
	return fmt.Errorf("%q is not a host: a name in its ASCII form or an address, without port; a * may stand for its first part only, as in *.example.com", host)
}

// dead says why the rule can match nothing, empty if it may match something.
func (r Rule) dead(tools *toolSet) string {
	glob := r.glob(tools)
	switch {
	case r.matchers() == 0:
		return ""
	case r.Host != "":
		if !tools.any(hostTools) && !tools.all {
			return r.Tool + " reaches no host"
		}
		return ""
	case glob == "" && !tools.any(commandTools):
		return r.Tool + " runs no commands"
	case glob == "":
		return r.deadCommand()
	case !tools.any(readingTools) && !tools.any(writingTools) && !tools.any(commandTools):
		return r.Tool + " has no paths"
	case strings.HasPrefix(glob, "$"), strings.HasPrefix(glob, "~") && glob != "~" && !strings.HasPrefix(glob, "~/"):
		return "of what stands for a directory only ~/ is understood"
	}
	return ""
}

// deadCommand says why no command can be what the rule speaks of.
func (r Rule) deadCommand() string {
	words := r.commandWords()
	if len(words) == 0 {
		return "it has no words"
	}
	for _, w := range words {
		switch {
		case r.Command != "": // may be a whole line
		case r.Prefix != nil && strings.Trim(w, "*") == "":
			return fmt.Sprintf("in a prefix %q stands for itself", w)
		case isOperator(w):
			return fmt.Sprintf("each command of a line is matched by itself, and none holds %q", w)
		}
	}
	return deadProgram(words[0])
}

// deadProgram says why a word is what no program is called.
func deadProgram(word string) string {
	if name, _, ok := strings.Cut(word, "="); ok && name != "" && !strings.ContainsAny(name, "/*") {
		return "assignments before a command are not part of it"
	}
	base := word[strings.LastIndexByte(word, '/')+1:]
	switch {
	case base == "", strings.ContainsAny(word, " \t\n"), strings.ContainsAny(base, ";&|<>()`'\"$"), strings.ContainsAny(base[:1], `-#\`),
		slices.Contains(keywords, base):
		return fmt.Sprintf("no program is called %q; each word stands for itself, as in [\"git\", \"push\"]", word)
	case strings.HasSuffix(base, ":*"):
		return fmt.Sprintf("%q is a prefix at the end only", word)
	}
	return ""
}

// keywords of shells begin what is no command.
var keywords = []string{"if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "select", "function", "{", "}", "!"}

// isOperator reports whether a word of a glob is what stands between commands, or the redirect of one.
func isOperator(word string) bool {
	const all = ";&|<>"
	bare := strings.Trim(word, "*")
	behind := strings.TrimLeft(bare, "0123456789&")
	return bare != "" && (strings.Trim(bare, all) == "" || bare[len(bare)-1] == ';' || behind != "" && (behind[0] == '<' || behind[0] == '>'))
}

// commandWords are the words of a command-shaped rule.
func (r Rule) commandWords() []string {
	switch {
	case r.Prefix != nil:
		return r.Prefix
	case r.Command != "":
		words, _ := splitWords(r.Command)
		return words
	}
	return strings.Fields(r.Pattern)
}
