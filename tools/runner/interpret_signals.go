package runner

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"

	"tricode/approval/shell"
)

// signals are those that POSIX numbers (kill(1)), and what Linux and the BSDs have in common.
var signals = map[string]int{"EXIT": 0, "HUP": 1, "INT": 2, "QUIT": 3, "ABRT": 6, "KILL": 9, "ALRM": 14, "TERM": 15}

// ends reports whether a signal ends what does not expect it.
func ends(number int) bool {
	return number > 0 && number <= 15 || number == sigUser1 || number == sigUser2
}

func signalNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(signals)), func(name string) bool { return name == "EXIT" })
}

// signalNumber understands a signal by name or number; ok is false if there is no such signal.
func signalNumber(name string) (number int, ok bool) {
	if number, err := strconv.Atoi(name); err == nil {
		return number, number >= 0 && number < 65
	}
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	if number, ok = signals[name]; !ok {
		number, ok = systemSignals[name]
	}
	return number, ok
}

// signalOf understands the arguments of kill; the number is negative if names are asked for.
func (c call) signalOf(args []string) (number int, targets []string, err error) {
	name := "TERM"
	if len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "--" {
		switch option := args[0][1:]; {
		case option == "l" || option == "L":
			return -1, args[1:], nil
		case (option == "s" || option == "n") && len(args) > 1:
			name, args = args[1], args[2:]
		default:
			name, args = option, args[1:]
		}
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	number, ok := signalNumber(name)
	if !ok {
		return 0, nil, fmt.Errorf("%s: invalid signal specification", name)
	}
	if len(args) == 0 {
		return 0, nil, fmt.Errorf("usage: kill [-s sigspec | -sigspec] pid")
	}
	return number, args, nil
}

// signals writes the names of signals that are given by number, the numbers of those given by name, or all names.
func (c call) signals(of []string) error {
	if len(of) == 0 {
		return c.write(strings.Join(signalNames(), " ") + "\n")
	}
	var b strings.Builder
	for _, word := range of {
		number, ok := signalNumber(word)
		given, err := strconv.Atoi(word)
		if err != nil && !ok {
			return c.fail(1, "%s: invalid signal specification", word)
		} else if err != nil {
			fmt.Fprintln(&b, number)
			continue
		}
		for _, names := range []map[string]int{signals, systemSignals} {
			for name, n := range names {
				if n == given || n == given-128 {
					fmt.Fprintln(&b, name)
				}
			}
		}
	}
	return c.write(b.String())
}

// trap sets what runs at the end of the shell, after a failure, or when the shell sends itself a signal.
func trap(c call) error {
	args := c.args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	switch {
	case len(args) == 0 || args[0] == "-p":
		return c.listTraps(args)
	case args[0] == "-l":
		return c.write(strings.Join(signalNames(), " ") + "\n")
	case len(args) == 1:
		args = []string{"-", args[0]}
	}
	text, err := c.fragment(args[0], shell.ParseToRun)
	if args[0] == "-" {
		text, err = "-", nil
	}
	if err != nil {
		return c.fail(2, "%v", err)
	}
	var failed error
	for _, name := range args[1:] {
		own := text
		if trapName(name) == "ERR" && text != "-" {
			own, _ = c.fragment(located(args[0]), shell.ParseToRun)
		}
		if err := c.trapOne(own, strings.TrimPrefix(strings.ToUpper(name), "SIG")); err != nil {
			failed = err
		} else {
			c.note(name, args[0])
		}
	}
	return failed
}

// trapName is a signal as trap writes it.
func trapName(name string) string {
	name = strings.TrimPrefix(strings.ToUpper(name), "SIG")
	number, ok := signalNumber(name)
	switch {
	case ok && number == 0:
		return "EXIT"
	case !ok:
		return name
	}
	for known, n := range signals {
		if n == number {
			name = known
		}
	}
	return "SIG" + name
}

// note remembers the text of a trap as it was written.
func (c call) note(name, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil {
		c.texts = map[string]string{}
	}
	if c.texts[trapName(name)] = text; text == "-" {
		delete(c.texts, trapName(name))
	}
}

// listTraps writes the traps, or those that are named behind -p.
func (c call) listTraps(args []string) error {
	c.mu.Lock()
	texts := maps.Clone(c.texts)
	c.mu.Unlock()
	order := func(name string) int {
		if number, ok := signalNumber(name); ok {
			return number
		}
		return 65 // ERR
	}
	var b strings.Builder
	for _, name := range slices.SortedFunc(maps.Keys(texts), func(x, y string) int { return order(x) - order(y) }) {
		if len(args) < 2 || slices.ContainsFunc(args[1:], func(a string) bool { return trapName(a) == name }) {
			fmt.Fprintf(&b, "trap -- '%s' %s\n", strings.ReplaceAll(texts[name], "'", `'\''`), name)
		}
	}
	return c.write(b.String())
}

func (c call) trapOne(text, name string) error {
	if name != "ERR" && text != "-" {
		c.trapped.Store(true)
	}
	if (name == "EXIT" || name == "0") && text != "-" && text != "" {
		text = mark + "last; " + text
	}
	if name == "ERR" {
		return c.trapFailures(text)
	}
	if name == "EXIT" || name == "0" {
		return c.native("trap", "--", text, "EXIT")
	}
	number, ok := signalNumber(name)
	if !ok {
		return c.fail(1, "%s: invalid signal specification", name)
	}
	if number == sigKill || number > 0 && c.frame.ignored&bit(number) != 0 {
		return nil // what bash(1) does not trap either
	}
	if !c.itself(c.hc) {
		return c.trapPart(text, name, number)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if text == "-" {
		delete(c.traps, number)
		return nil
	}
	if c.traps == nil {
		c.traps = map[int]string{}
	}
	c.traps[number] = text
	return nil
}

// trapPart makes a job ignore a signal, or not. Signals to the shell are not for its other parts.
func (c call) trapPart(text, name string, number int) error {
	if text != "-" && text != "" {
		return c.fail(1, "%s: not supported within ( ), $( ), a pipeline or a job; use bash -c", name)
	}
	j := c.job(own(c.hc))
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if text == "-" {
		j.ignored &^= bit(number)
	} else {
		j.ignored |= bit(number)
	}
	return nil
}

// ignored are the signals that do nothing to a job or a shell which is started here.
func (s *subshell) ignored(hc interp.HandlerContext) (set uint64) {
	if j := s.job(own(hc)); j != nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.ignored
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for number, text := range s.traps {
		if text == "" {
			set |= bit(number)
		}
	}
	return set
}
