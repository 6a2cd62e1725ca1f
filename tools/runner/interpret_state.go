package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"mvdan.cc/sh/v3/interp"
)

func cd(c call) error {
	args, physical := c.args, false
	for len(args) > 0 && (args[0] == "-L" || args[0] == "-P" || args[0] == "-e") {
		physical = args[0] == "-P" || physical && args[0] != "-L"
		args = args[1:]
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) > 1 {
		return c.fail(1, "too many arguments")
	}
	to := c.hc.Env.Get("HOME").String()
	if len(args) == 1 {
		to = args[0]
	} else if to == "" {
		return c.fail(1, "HOME not set")
	}
	switch {
	case to == "":
		return nil
	case to == "-":
		if !c.hc.Env.Get("OLDPWD").IsSet() {
			return c.fail(1, "OLDPWD not set")
		}
		return c.native("cd", "-")
	}
	return c.change(to, physical)
}

// change goes to a directory; physical follows links.
func (c call) change(to string, physical bool) error {
	path := to
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.hc.Dir, path)
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return c.fail(1, "%s: %v", to, reason(err))
	}
	if physical {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
	}
	return c.native("cd", path)
}

// set leaves out the options that change nothing here.
func set(c call) error {
	if len(c.args) == 0 {
		return list(c)
	}
	var args []string
	rest := c.args
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] != '\'' && (rest[0][0] == '-' || rest[0][0] == '+') && rest[0] != "--" {
		sign, letters := rest[0][:1], strings.Map(drop("EThBHPkmb"), rest[0][1:])
		if strings.Contains(rest[0], "E") || strings.HasSuffix(letters, "o") && len(rest) > 1 && rest[1] == "errtrace" {
			c.errtrace.Store(sign == "-")
		}
		rest = rest[1:]
		if strings.HasSuffix(letters, "o") && len(rest) > 0 {
			switch rest[0] {
			case "errtrace", "functrace", "hashall", "braceexpand", "posix", "history", "interactive-comments", "physical", "monitor", "notify":
				letters = letters[:len(letters)-1]
			default:
				if letters != "o" {
					args = append(args, sign+letters[:len(letters)-1])
				}
				args = append(args, sign+"o", rest[0])
				letters = ""
			}
			rest = rest[1:]
		}
		if letters != "" {
			args = append(args, sign+letters)
		}
	}
	if args = append(args, rest...); len(args) == 0 {
		return nil
	}
	return c.native(append([]string{"set"}, args...)...)
}

func drop(set string) func(rune) rune {
	return func(r rune) rune {
		if strings.ContainsRune(set, r) {
			return -1
		}
		return r
	}
}

// ret returns with the status of the last command if none is named.
func ret(c call) error {
	status, alone := c.given()
	if !alone {
		return c.native("exit", "1")
	}
	return c.native("return", strconv.Itoa(status))
}

// given is the status that exit or return is given, that of the last command if it is none. What is no number stands for 2.
func (c call) given() (status int, alone bool) {
	args := c.args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return int(c.hc.LastExitStatus), true
	}
	status, err := strconv.Atoi(strings.TrimSpace(args[0]))
	if err != nil {
		c.fail(2, "%s: numeric argument required", args[0])
		return 2, true
	}
	if len(args) > 1 {
		c.fail(1, "too many arguments")
	}
	return status, len(args) == 1
}

// shift shifts nothing if there are too few.
func shift(c call) error {
	n := 1
	if len(c.args) > 0 {
		var err error
		if n, err = strconv.Atoi(c.args[0]); err != nil || n < 0 {
			return c.fail(1, "%s: shift count out of range", c.args[0])
		}
	}
	if err := c.native("eval", "TRICODE_COUNT=$#"); err != nil {
		return err
	}
	if count, _ := strconv.Atoi(c.hc.Env.Get("TRICODE_COUNT").String()); n > count {
		return interp.ExitStatus(1)
	}
	return c.native("shift", strconv.Itoa(n))
}

// hash fails for what is neither a program nor known to the shell: there is no table of programs.
func hash(c call) (failed error) {
	for _, name := range c.args {
		if strings.HasPrefix(name, "-") || interp.IsBuiltin(name) || c.declared(name) {
			continue
		}
		if _, _, why := find(c.hc, name); why != "" {
			failed = c.fail(1, "%s: not found", name)
		}
	}
	return failed
}

// execute replaces the shell: nothing of it runs afterwards.
func execute(c call) error {
	if len(c.args) == 0 {
		return c.native("exec")
	}
	if c.args[0] == "--" {
		c.args = c.args[1:]
	} else if len(c.args[0]) > 1 && c.args[0][0] == '-' {
		return c.fail(2, "%s is not supported", c.args[0])
	}
	if len(c.args) == 0 || strings.HasPrefix(c.args[0], mark) {
		return c.fail(127, "not found")
	}
	if err := c.native("trap", "-", "EXIT"); err != nil {
		return err
	}
	return c.native(append([]string{"exec"}, c.args...)...)
}

// noInteger is an operand of a comparison of numbers that is none: the interpreter would take it for 0.
func noInteger(args []string) (word string, found bool) {
	for i := 1; i+1 < len(args); i++ {
		if !slices.Contains([]string{"-eq", "-ne", "-lt", "-le", "-gt", "-ge"}, args[i]) {
			continue
		}
		for _, word := range []string{args[i-1], args[i+1]} {
			if _, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64); err != nil {
				return word, true
			}
		}
	}
	return "", false
}

// test compares strings that look like operators, which the interpreter takes for operators: POSIX says that the number
// of arguments decides.
func test(c call) error {
	args := c.args
	if c.name == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			return c.fail(2, "missing `]'")
		}
		args = args[:len(args)-1]
	}
	negated := (len(args) == 2 || len(args) == 4) && args[0] == "!"
	if negated {
		args = args[1:]
	}
	if len(args) > 3 {
		return c.expression(args)
	}
	truth := false
	switch {
	case len(args) == 0:
	case len(args) == 1:
		truth = args[0] != ""
	case len(args) == 2 && args[0] == "-v" && c.elementNamed(args[1]) != "":
		truth = c.native("eval", "[[ -n ${"+c.elementNamed(args[1])+"+x} ]]") == nil
	case len(args) == 3 && (args[1] == "=" || args[1] == "=="):
		truth = args[0] == args[2]
	case len(args) == 3 && args[1] == "!=":
		truth = args[0] != args[2]
	case len(args) == 3 && args[1] == "<":
		truth = args[0] < args[2]
	case len(args) == 3 && args[1] == ">":
		truth = args[0] > args[2]
	default:
		if word, ok := noInteger(args); ok {
			return c.fail(2, "%s: integer expression expected", word)
		}
		if negated {
			args = append([]string{"!"}, args...)
		}
		return c.native(append([]string{"test"}, args...)...)
	}
	if truth == negated {
		return interp.ExitStatus(1)
	}
	return nil
}
