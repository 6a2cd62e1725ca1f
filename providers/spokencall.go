package providers

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
)

// spokenCalls are the calls in what a model wrote between the marks: objects with name and arguments, one after the
// other or in an array, in a fence or without. What is not that becomes one call, which is answered with what is
// wrong with it.
func spokenCalls(block string) []*pending {
	block = strings.TrimSpace(block)
	if body, ok := strings.CutPrefix(block, "```"); ok {
		body = strings.TrimPrefix(body, "json")
		block = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "```"))
	}
	if crowded([]byte(block)) {
		return []*pending{malformed(block)}
	}
	var calls []*pending
	for dec := json.NewDecoder(strings.NewReader(block)); ; {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if err == io.EOF && len(calls) > 0 {
			return calls
		}
		var list []spokenCall
		if err == nil && raw[0] == '[' {
			err = json.Unmarshal(raw, &list)
		} else if err == nil {
			list = make([]spokenCall, 1)
			err = json.Unmarshal(raw, &list[0])
		}
		for _, c := range list {
			if p := c.pending(); p != nil && err == nil {
				calls = append(calls, p)
			} else {
				err = io.ErrUnexpectedEOF
			}
		}
		if err != nil || len(calls) > maxCalls {
			return []*pending{malformed(block)}
		}
	}
}

// spokenCall takes the names that models were trained on.
type spokenCall struct {
	Name       text     `json:"name"`
	Arguments  text     `json:"arguments"`
	Parameters text     `json:"parameters"`
	Function   function `json:"function"`
}

// pending is the call, nil if it has no name.
func (c *spokenCall) pending() *pending {
	p := &pending{name: string(c.Name + c.Function.Name)}
	if p.name == "" {
		return nil
	}
	p.args.WriteString(string(c.Arguments + c.Parameters + c.Function.Arguments))
	return p
}

// malformed is a call that cannot be read as it should be. Where there are a name and arguments these are its own, so
// that a brace too few does no harm and other mistakes are complained about in place.
func malformed(block string) *pending {
	p := new(pending)
	m := regexp.MustCompile(`(?s)"name"\s*:\s*"([^"\\]{1,64})"\s*,\s*"(?:arguments|parameters)"\s*:\s*(.*)`).FindStringSubmatch(block)
	if m == nil {
		p.args.WriteString(block)
		return p
	}
	args := m[2]
	if !json.Valid([]byte(args)) {
		args = strings.TrimSpace(strings.TrimSuffix(args, "}"))
	}
	p.name = m[1]
	p.args.WriteString(args)
	return p
}
