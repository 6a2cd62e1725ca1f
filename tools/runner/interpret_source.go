package runner

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval/shell"
)

// source runs the commands of a file in this shell.
func source(c call) error {
	if len(c.args) == 0 {
		return c.fail(2, "filename argument required")
	}
	name, text, err := c.sourced(c.args[0])
	if err != nil {
		return c.fail(1, "%s: %v", c.args[0], reason(err))
	}
	if text, err = c.within(name, text); err != nil {
		return err
	}
	if text, err = c.fragment(text, shell.ParseToRun); err != nil {
		return c.fail(2, "%s: %v", c.args[0], err)
	}
	if err := c.native(append([]string{"source", inMemory + text}, c.args[1:]...)...); err != nil {
		return err
	}
	return c.returned()
}

// returned is that a file ended well. With no error the interpreter would leave what is around it too, if return ended it: it
// forgets that only where an error of its own builtins says so.
func (c call) returned() error {
	failed := c.native("false")
	return reflect.Zero(reflect.TypeOf(failed)).Interface().(error)
}

// sourced is the text that source means, and the name that bash gives its file: on PATH if it has no slash, otherwise in
// this directory.
func (c call) sourced(name string) (as, text string, err error) {
	if name == "/dev/stdin" {
		in, _ := c.hc.Stdin.(*os.File)
		text, err = c.all(c.ctx, in)
		return name, text, err
	}
	path := name
	if !strings.Contains(name, "/") {
		for _, dir := range filepath.SplitList(c.hc.Env.Get("PATH").String()) {
			found := filepath.Join(dir, name)
			if info, err := os.Stat(found); err == nil && info.Mode().IsRegular() && filepath.IsAbs(found) {
				name, path = found, found
				break
			}
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.hc.Dir, path)
	}
	text, err = c.text(c.ctx, path)
	return name, text, err
}

// within is the text of a file that is sourced, with the name of that file where it asks for BASH_SOURCE: also in
// functions, wherever they are called.
func (c call) within(name, text string) (string, error) {
	file, err := shell.ParseToRun(text)
	if err != nil || !strings.Contains(text, "BASH_SOURCE") {
		return text, nil // the mistake is found again
	}
	c.mu.Lock()
	c.hoisted++
	variable := "TRICODE_SOURCE_" + strconv.Itoa(c.hoisted)
	c.mu.Unlock()
	syntax.Walk(file, func(n syntax.Node) bool {
		x, ok := n.(*syntax.ParamExp)
		if !ok || x.Param == nil || x.Param.Value != "BASH_SOURCE" || x.Excl {
			return true
		}
		if w, ok := x.Index.(*syntax.Word); x.Index == nil || ok && w.Lit() == "0" {
			x.Param, x.Index, x.Short = &syntax.Lit{Value: variable}, nil, false
		}
		return true
	})
	var printed strings.Builder
	if err := syntax.NewPrinter().Print(&printed, file); err != nil {
		return "", err
	}
	return printed.String(), c.assign(variable, name)
}
