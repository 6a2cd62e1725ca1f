package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tricode/approval"
	"tricode/approval/hook"
)

// hookTable is one of [[hooks]].
type hookTable struct {
	Event   string   `toml:"event"`
	Tools   []string `toml:"tools"`
	Command []string `toml:"command"`
	Timeout string   `toml:"timeout"`
}

// maxHooks bounds how many programs one call may start.
const maxHooks = 100

// hooks are the hooks of the document. A program that is named relative to a directory and stands in dir is that one;
// others are found from the work directory.
func (d *document) hooks(dir string) ([]hook.Hook, error) {
	if n := len(d.file.Hooks); n > maxHooks {
		return nil, d.wrong(d.places[fmt.Sprintf("hooks[%d]", maxHooks)].key, fmt.Sprintf("more than %d hooks", maxHooks))
	}
	var list []hook.Hook
	for i, t := range d.file.Hooks {
		key := fmt.Sprintf("hooks[%d]", i)
		h := hook.Hook{Event: hook.Event(t.Event), Tools: t.Tools, Command: beside(dir, t.Command), Source: d.source(key)}
		if err := d.hook(key, &h, t); err != nil {
			return nil, err
		}
		list = append(list, h)
	}
	return list, nil
}

// hook checks one hook.
func (d *document) hook(key string, h *hook.Hook, t hookTable) error {
	for _, needed := range [...]string{"event", "command"} {
		if _, ok := d.places[key+"."+needed]; !ok {
			return d.wrong(d.places[key].key, "the hook has no "+needed)
		}
	}
	if !slices.Contains(hook.Events[:], h.Event) {
		return d.wrongValue(key+".event", "%s is not one of %s", quote(t.Event), eventNames())
	}
	if len(t.Command) == 0 || t.Command[0] == "" || slices.ContainsFunc(t.Command, func(s string) bool { return strings.ContainsRune(s, 0) }) {
		return d.wrongValue(key+".command", "must be a program and its arguments")
	}
	for _, tool := range t.Tools {
		if err := approval.CheckTool(tool); err != nil {
			return d.wrongValue(key+".tools", "has a mistake in it: %v", err)
		}
	}
	if _, ok := d.places[key+".tools"]; ok && len(t.Tools) == 0 {
		return d.wrongValue(key+".tools", "names no tool; without it the hook is for all")
	}
	return d.timeout(key+".timeout", t.Timeout, &h.Timeout)
}

// timeout reads how long a hook may take.
func (d *document) timeout(key, text string, into *time.Duration) error {
	*into = hook.DefaultTimeout
	if _, ok := d.places[key]; !ok {
		return nil
	}
	t, err := time.ParseDuration(text)
	if err != nil || t <= 0 || t > hook.MaxTimeout {
		return d.wrongValue(key, `%s is not a time up to %v, such as "10s"`, quote(text), hook.MaxTimeout)
	}
	*into = t
	return nil
}

func eventNames() string {
	var names []string
	for _, e := range hook.Events {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

// beside makes the program of a command absolute if it is named with a relative path and stands in dir.
func beside(dir string, command []string) []string {
	if len(command) == 0 || filepath.IsAbs(command[0]) || !strings.ContainsAny(command[0], `/`+string(filepath.Separator)) {
		return command
	}
	at := filepath.Join(dir, filepath.FromSlash(command[0]))
	if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() {
		return command
	}
	return append([]string{at}, command[1:]...)
}
