package shell

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// associates finds a declaration of an associative array; plainKey is a key that means the same within double quotes.
var (
	associates = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(declare|local|typeset|readonly) +-[a-z]*A`) })
	plainKey   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([\w.:/@%+*, -]|\$[A-Za-z_]|\$\{[A-Za-z_]\w*\})+$`) })
)

// parseKeys parses a text. The parser takes each key of an array for arithmetic; one that is none, as in m[a.b]=1 or
// m=([a b]=1), is quoted for it in the text that is parsed.
func parseKeys(p *syntax.Parser, text string) (file *syntax.File, parsed string, err error) {
	const maxKeys = 100 // each costs a parse of what stands before it
	for range maxKeys {
		if file, err = p.Parse(strings.NewReader(text), ""); err == nil {
			return file, text, nil
		}
		quoted := keyQuoted(text, err)
		if quoted == "" {
			break
		}
		text = quoted
	}
	return nil, text, err
}

// keyQuoted is a text with quotes around the key that the parser stopped at, empty if it stopped elsewhere.
func keyQuoted(text string, err error) string {
	var at syntax.Pos
	var bad syntax.ParseError
	var foreign syntax.LangError
	switch {
	case errors.As(err, &bad):
		at = bad.Pos
	case errors.As(err, &foreign):
		at = foreign.Pos
	}
	stop := int(at.Offset())
	if !at.IsValid() || stop >= len(text) || !associates().MatchString(text) {
		return ""
	}
	start := strings.LastIndexByte(text[:stop+1], '[') + 1
	end := start + strings.IndexByte(text[start:], ']')
	if start == 0 || end < stop || !plainKey().MatchString(text[start:end]) {
		return ""
	}
	return text[:start] + `"` + text[start:end] + `"` + text[end:]
}
