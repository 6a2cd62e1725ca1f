package cli

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"tricode/agent"
	"tricode/agent/config"
	"tricode/approval"
)

func TestPagesFitTheScreen(t *testing.T) {
	for _, name := range append([]string{"usage"}, topicNames...) {
		if name == flagsTopic {
			continue
		}
		var shown strings.Builder
		if err := (&commandLine{}).helpOn([]string{name}, &shown); err != nil && name != "usage" {
			t.Fatal(err)
		}
		for line := range strings.Lines(cmp.Or(shown.String(), page(name))) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%s: wider than 80 columns: %s", name, line)
			}
		}
	}
	if n := strings.Count(page("usage"), "\n"); n > 23 { // of 24, one is for the prompt
		t.Errorf("the first page has %d lines, which do not fit a screen", n)
	}
}

// What there is, the pages say; what they say, there is.
func TestPagesAreComplete(t *testing.T) {
	parser, err := newParser(&commandLine{}, io.Discard, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	if err := allFlags(&all); err != nil {
		t.Fatal(err)
	}
	for _, name := range commandNames(parser.Model.Node) {
		if !strings.Contains(page("usage"), name) || !strings.Contains(all.String(), "\n  "+name) {
			t.Errorf("the command %s is not on the first page, or not under flags", name)
		}
	}
	flags := map[string]bool{"--check": true, "--json": true, "--batch": true} // those of commands
	for _, f := range flagsOf(parser.Model.Node) {
		flags["--"+f.Name] = true
		if !strings.Contains(all.String(), "--"+f.Name) {
			t.Errorf("--%s is not under flags", f.Name)
		}
	}
	for _, name := range append([]string{"usage"}, topicNames[:len(topicNames)-1]...) {
		for _, flag := range regexp.MustCompile(`--[a-z]+(-[a-z]+)*`).FindAllString(page(name), -1) {
			if !flags[flag] {
				t.Errorf("%s speaks of %s, which there is not", name, flag)
			}
		}
	}
	for _, e := range []agent.Event{
		agent.Started{}, agent.Said{}, agent.Turn{}, agent.Text{}, agent.Retry{}, agent.Proposed{}, agent.Decided{}, agent.Done{},
		agent.PlanChanged{}, agent.Contract{}, agent.Compacted{}, agent.Notice{}, agent.Ended{},
	} {
		if !strings.Contains(page("output"), "\n  "+e.Kind()+" ") {
			t.Errorf("help output says nothing of %s", e.Kind())
		}
		for key := range fields(reflect.TypeOf(e)) {
			if !regexp.MustCompile(`\b` + key + `\b`).MatchString(page("output")) {
				t.Errorf("help output says nothing of %s in %s", key, e.Kind())
			}
		}
	}
	for _, v := range []any{explanation{}, answer{}, denials{}, replay{}, finding{}} {
		for key := range fields(reflect.TypeOf(v)) {
			if !regexp.MustCompile(`\b` + key + `\b`).MatchString(page("output")) {
				t.Errorf("help output says nothing of %s in %T", key, v)
			}
		}
	}
	for layer := approval.LayerTools; layer <= approval.LayerBuiltin; layer++ {
		if !strings.Contains(page("permissions"), fmt.Sprintf("%4d ", int(layer))) {
			t.Errorf("help permissions leaves out layer %d", layer)
		}
	}
}

// What is shown as an example of a command is one.
func TestExamplesOfCommands(t *testing.T) {
	for name, lines := range typed {
		for _, line := range lines {
			_, line, _ = strings.Cut(line, "tricode ")
			line, _, _ = strings.Cut(strings.TrimSuffix(line, ")"), " >")
			var words []string
			for i, part := range strings.Split(line, "'") {
				if i%2 == 1 {
					words = append(words, part)
				} else {
					words = append(words, strings.Fields(part)...)
				}
			}
			command, _, err := parse(&commandLine{}, words, io.Discard)
			if err != nil || !strings.HasPrefix(command, name) {
				t.Errorf("%s: %q is %q, %v", name, line, command, err)
			}
		}
	}
}

// fields are the names that a type has in JSON, and those of what is in it.
func fields(of reflect.Type) map[string]bool {
	all := map[string]bool{}
	switch {
	case of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer:
		return fields(of.Elem())
	case of.Kind() != reflect.Struct || of.Implements(reflect.TypeFor[json.Marshaler]()) || of.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return all
	}
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name != "" {
			all[name] = true
		}
		maps.Copy(all, fields(f.Type))
	}
	return all
}

// Every sample of a configuration on a page loads.
func TestSamplesOnPagesLoad(t *testing.T) {
	setting := regexp.MustCompile(`^  (\[|[a-z_]+ = )`)
	for _, name := range topicNames[:len(topicNames)-1] {
		var sample strings.Builder
		for line := range strings.Lines(page(name)) {
			if setting.MatchString(line) {
				sample.WriteString(line)
			}
		}
		file := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(file, []byte(sample.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(config.Paths{File: file, Home: t.TempDir(), Named: true}); err != nil {
			t.Errorf("%s: %v\n%s", name, err, sample.String())
		}
	}
}
