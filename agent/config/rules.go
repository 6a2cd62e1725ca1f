package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tricode/approval"
)

// rule is a rule as a file has it, see approval.Rule.
type rule struct {
	Tool    string   `toml:"tool"`
	Action  string   `toml:"action"`
	Command string   `toml:"command"`
	Prefix  []string `toml:"command_prefix"`
	Pattern string   `toml:"pattern"`
	Path    string   `toml:"path"`
	Host    string   `toml:"host"`
	Reason  string   `toml:"reason"`
}

// test is a test as a file has it, see Test.
type test struct {
	Tool   string `toml:"tool"`
	Args   any    `toml:"args"`
	Expect string `toml:"expect"`
}

// rulebook fills in the rules, the defaults of tools and the tests.
func (d *document) rulebook(p *Permissions) error {
	in := d.file.Permissions
	for i := range in.Rules {
		r, err := d.rule(i)
		if err != nil {
			return err
		}
		p.Rules = append(p.Rules, r)
	}
	if err := d.tools(p); err != nil {
		return err
	}
	for i := range in.Tests {
		t, err := d.test(i)
		if err != nil {
			return err
		}
		p.Tests = append(p.Tests, t)
	}
	p.Sources = d.sources("permissions.")
	return nil
}

// tools are the defaults of tools.
func (d *document) tools(p *Permissions) error {
	for _, name := range slices.Sorted(maps.Keys(d.file.Permissions.Tools)) {
		key, word := join("permissions.tools", name), d.file.Permissions.Tools[name]
		if err := approval.CheckTool(name); err != nil {
			return d.wrong(d.places[key].key, err.Error())
		}
		v, err := approval.ParseVerdict(word)
		if err != nil {
			return d.wrongValue(key, "%s is not one of allow, ask, deny", quote(word))
		}
		if p.Tools == nil {
			p.Tools = map[string]approval.Verdict{}
		}
		p.Tools[name] = v
	}
	return nil
}

// Usual is what is said of tools as rules for the whole of them, in the order of their names.
func (p *Permissions) Usual() []approval.Rule {
	var rules []approval.Rule
	for _, name := range slices.Sorted(maps.Keys(p.Tools)) {
		rules = append(rules, approval.Rule{Tool: name, Action: p.Tools[name], Source: p.Sources[join("tools", name)]})
	}
	return rules
}

// rule understands one rule. What is given but empty would be a rule for the whole tool, so it is a mistake.
func (d *document) rule(i int) (approval.Rule, error) {
	in, table := d.file.Permissions.Rules[i], elementKey("permissions.rules", i)
	r := approval.Rule{
		Tool: in.Tool, Command: in.Command, Prefix: in.Prefix, Pattern: in.Pattern, Path: in.Path, Host: in.Host,
		Reason: in.Reason, Source: d.source(table),
	}
	var err error
	if r.Action, err = d.action(table, "action", in.Action); err != nil {
		return r, err
	}
	if err := d.ruleTool(table, in.Tool); err != nil {
		return r, err
	}
	at := d.places[table].key
	for _, m := range [...]struct {
		key   string
		empty bool
	}{
		{"command", strings.TrimSpace(in.Command) == ""}, {"command_prefix", len(in.Prefix) == 0},
		{"pattern", strings.TrimSpace(in.Pattern) == ""}, {"path", in.Path == ""}, {"host", in.Host == ""},
	} {
		where, given := d.places[table+"."+m.key]
		switch {
		case given && m.empty:
			return r, d.wrong(where.value, m.key+" is empty; a rule without it speaks of the whole tool")
		case given:
			at = where.value
		}
	}
	if err := r.Check(); err != nil {
		return r, d.wrong(at, err.Error())
	}
	return r, nil
}

// ruleTool checks the tool of a rule.
func (d *document) ruleTool(table, name string) error {
	where, given := d.places[table+".tool"]
	if !given {
		return d.wrong(d.places[table].key, "the rule has no tool; \"*\" stands for all")
	}
	if err := approval.CheckTool(name); err != nil {
		return d.wrong(where.value, err.Error())
	}
	return nil
}

// action reads a verdict that must be given.
func (d *document) action(table, name, word string) (approval.Verdict, error) {
	key := table + "." + name
	if _, given := d.places[key]; !given {
		return 0, d.wrong(d.places[table].key, "there is no "+name+"; it is one of allow, ask, deny")
	}
	v, err := approval.ParseVerdict(word)
	if err != nil {
		return 0, d.wrongValue(key, "%s is not one of allow, ask, deny", quote(word))
	}
	return v, nil
}

func (d *document) test(i int) (Test, error) {
	in, table := d.file.Permissions.Tests[i], elementKey("permissions.tests", i)
	t := Test{Tool: in.Tool, Args: in.Args, Source: d.source(table)}
	var err error
	if t.Expect, err = d.action(table, "expect", in.Expect); err != nil {
		return t, err
	}
	if _, given := d.places[table+".tool"]; !given {
		return t, d.wrong(d.places[table].key, "the test has no tool")
	}
	switch in.Args.(type) {
	case nil, string, map[string]any:
		return t, nil
	}
	return t, d.wrongValue(table+".args", "must be a table of arguments, or a string")
}

// sources says where the settings of a table are written, by their keys; nil if there are none.
func (d *document) sources(table string) map[string]string {
	var all map[string]string
	for _, key := range d.keys {
		if name, ok := strings.CutPrefix(key, table); ok && !strings.Contains(name, "[") {
			if all == nil {
				all = map[string]string{}
			}
			all[name] = d.source(key)
		}
	}
	return all
}

// source is the file and the line of a key.
func (d *document) source(key string) string {
	line := d.wrong(d.places[key].key, "").Line
	return fmt.Sprintf("%s:%d", d.name, line)
}

// waits is the name under which a key of a project's configuration waits for trust, empty if it counts without.
func (p *Permissions) waits(key string) string {
	name, ours := strings.CutPrefix(key, "permissions.")
	array, index, _ := strings.Cut(name, "[")
	switch {
	case !ours:
		name, _, _ := strings.Cut(key, "[")
		return name
	case name == "protected":
		return ""
	case array == "rules":
		n, _ := strconv.Atoi(index[:strings.IndexByte(index, ']')])
		if p.Rules[n].Action != approval.Allow {
			return ""
		}
		return "permissions.rules"
	case array == "tests":
		return "permissions.tests"
	}
	for tool, v := range p.Tools {
		if v == approval.Deny && name == join("tools", tool) {
			return ""
		}
	}
	return key
}
