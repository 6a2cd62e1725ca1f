package approval

import (
	"errors"
	"fmt"
	"strings"
)

// Codex's rules files. Source: codex-rs/execpolicy/README.md of openai/codex (prefix_rule(pattern, decision, justification, match,
// not_match); a list inside a pattern holds alternatives; the strictest of all rules that match counts; decision is allow
// unless it is given). They are Starlark; a file with more than calls of literal arguments is refused.

var codexDecisions = map[string]Verdict{"": Allow, "allow": Allow, "prompt": Ask, "forbidden": Deny, "deny": Deny}

// codexArguments are the arguments of calls; the first may have no name.
var codexArguments = map[string]string{
	"prefix_rule": "pattern decision justification match not_match", "host_executable": "name paths", "network_rule": "host protocol decision justification",
}

// maxPrefixes bounds the prefixes that one pattern stands for.
const maxPrefixes = 256

func isCodex(f *foreign) bool {
	for line := range strings.Lines(string(f.Data)) {
		for _, name := range [...]string{"prefix_rule", "host_executable", "network_rule"} {
			rest, ok := strings.CutPrefix(strings.TrimSpace(line), name)
			if ok && strings.HasPrefix(strings.TrimSpace(rest), "(") {
				return true
			}
		}
	}
	return false
}

func importCodex(m *importer, f *foreign) error {
	calls, err := parseStarlark(string(f.Data))
	if err != nil {
		return err
	}
	for _, wanted := range [...]Verdict{Deny, Ask, Allow} {
		for _, c := range calls {
			if err := m.codexCall(c, wanted); err != nil {
				return fmt.Errorf("line %d: %w", c.line, err)
			}
		}
	}
	return nil
}

// codexCall takes a call in if its decision is the wanted one.
func (m *importer) codexCall(c starlarkCall, wanted Verdict) error {
	first, _, _ := strings.Cut(codexArguments[c.name], " ")
	if first == "" {
		return fmt.Errorf("%s is not understood", c.name)
	}
	if v, ok := c.args[""]; ok {
		if c.args[first] != nil {
			return errors.New("the first argument is there twice")
		}
		c.args[first] = v
		delete(c.args, "")
	}
	if odd := unknownKey(c.args, codexArguments[c.name]); odd != "" {
		return fmt.Errorf("%s: %s", c.name, odd)
	}
	decision, err := stringOf("decision", c.args["decision"])
	if err != nil {
		return err
	}
	verdict, err := verdictOf(decision, codexDecisions)
	if err != nil || verdict != wanted {
		return err
	}
	switch c.name {
	case "host_executable":
		m.warn("host_executable in line %d is left out: allow rules hold for programs found on PATH, deny and ask rules for all", c.line)
		return nil
	case "network_rule":
		host, err := stringOf("host", c.args["host"])
		if err != nil {
			return err
		}
		e := entry{text: fmt.Sprintf("network_rule in line %d", c.line), family: "fetch", verdict: verdict, host: host}
		if verdict == Allow || host == "" {
			e.odd = "what it says of protocols and of the network of commands has no counterpart"
		}
		return m.add(e)
	}
	return m.codexPrefix(c, verdict)
}

func (m *importer) codexPrefix(c starlarkCall, verdict Verdict) error {
	pattern, ok := c.args["pattern"].([]any)
	if !ok || len(pattern) == 0 {
		return errors.New("prefix_rule needs a pattern of at least one word")
	}
	reason, err := stringOf("justification", c.args["justification"])
	if err != nil {
		return err
	}
	e := entry{text: fmt.Sprintf("prefix_rule in line %d", c.line), family: "command", verdict: verdict, reason: reason}
	prefixes := [][]string{nil}
	for _, element := range pattern {
		words, err := stringsOf("an element of pattern", element)
		if err != nil || len(words) == 0 {
			return errors.New("each element of pattern is a word or a list of words")
		}
		if len(words)*len(prefixes) > maxPrefixes {
			e.odd = "it has too many alternatives"
			return m.add(e)
		}
		prefixes = product(prefixes, words)
	}
	for _, e.prefix = range prefixes {
		if err := m.add(e); err != nil {
			return err
		}
	}
	return nil
}

// product continues each prefix with each word.
func product(prefixes [][]string, words []string) [][]string {
	var all [][]string
	for _, p := range prefixes {
		for _, w := range words {
			all = append(all, append(p[:len(p):len(p)], w))
		}
	}
	return all
}
