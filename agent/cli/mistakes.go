package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

const listed = "tricode --help lists what can be typed"

// elsewhere is what other programs call something that has another name here.
var elsewhere = map[string]string{
	"login": "init", "auth": "init", "setup": "init", "configure": "init", "config": "help configuration",
	"version": "--version", "resume": "--resume", "continue": "--continue", "model": "--model",
	"-c": "--continue", "-r": "--resume", "-m": "--model", "-o": "--output", "-V": "--version", "-y": "--bypass-permission",
	"--json": "--output json", "--format": "--output", "--output-format": "--output",
	"--cd": "--work-dir", "--cwd": "--work-dir", "--directory": "--work-dir", "--dry-run": "--preview",
	"--mode": "--permission-mode", "--approval-mode": "--permission-mode", "--append-system-prompt": "--system-prompt",
	"--yolo": "--bypass-permission", "--yes": "--bypass-permission", "--yes-always": "--bypass-permission",
}

// mistake says what is wrong with a command line that the parser refused, in the words of a person.
func mistake(err error, app *kong.Application, args []string) error {
	if len(args) > 0 {
		if err := slip(args[0], app); err != nil {
			return err
		}
	}
	text := err.Error()
	flag, _, _ := strings.Cut(text, ": expected ")
	switch {
	case strings.HasPrefix(text, "unexpected argument "):
		return unexpected(text, refusing(err), args)
	case strings.HasPrefix(text, "unknown flag "):
		return unknownFlag(text)
	case strings.HasPrefix(text, "expected "):
		return missing(text, refusing(err))
	case strings.HasSuffix(text, "(<EOL>)"): // the parser's name for the end of the line
		text = flag + " needs a value"
	case strings.Contains(text, "short flag"): // a value that begins with a dash, as that of a limit below zero
		text = flag + " needs a value that does not begin with -"
	case strings.Contains(text, "expected duration"):
		text = flag + " needs a time such as 90s or 30m"
	case strings.Contains(text, "64 bit int"), strings.Contains(text, "expected a float"):
		text = flag + " needs a number"
	}
	return &usageError{text}
}

// refusing is the command that the parser had come to, nil for a task.
func refusing(err error) *kong.Node {
	var refused *kong.ParseError
	if !errors.As(err, &refused) || refused.Context == nil {
		return nil
	}
	n := refused.Context.Selected()
	if n == nil || n.Hidden {
		return nil
	}
	return n
}

func unexpected(text string, at *kong.Node, args []string) error {
	switch {
	case strings.HasSuffix(text, "?"): // "did you mean"
		return &usageError{text}
	case at == nil:
		hint := listed
		if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") || strings.ContainsAny(a, "\"$`\\!\n") }) {
			hint = fmt.Sprintf(`tricode "%s"`, strings.Join(args, " "))
		}
		return hinted(&usageError{text + "; the task is one argument, in quotes"}, hint)
	case len(at.Children) > 0:
		return &usageError{fmt.Sprintf("%s to %s; there are %s", text, at.Path(), strings.Join(commandNames(at), ", "))}
	}
	return &usageError{text + " to " + at.Path()}
}

func unknownFlag(text string) error {
	name, suggested, _ := strings.Cut(text, ", did you mean ")
	name = strings.TrimPrefix(name, "unknown flag ")
	switch known := elsewhere[name]; {
	case known != "":
		return &usageError{fmt.Sprintf("unknown flag %s, did you mean %q?", name, known)}
	case suggested != "" && strings.HasPrefix(name, "--"):
		return &usageError{text}
	}
	return hinted(&usageError{"unknown flag " + name}, listed)
}

// missing names the argument that a command needs.
func missing(text string, at *kong.Node) error {
	if at == nil || len(at.Positional) == 0 {
		return &usageError{text}
	}
	p := at.Positional[0]
	help := strings.TrimSuffix(p.Help, ".")
	return &usageError{fmt.Sprintf("%s needs a %s: %s", at.Path(), p.Name, strings.ToLower(help[:1])+help[1:])}
}

// checkTask refuses a task of one word that was probably meant to be a command: a slip of the finger should not cost
// anything. Behind -- everything is a task.
func (c *commandLine) checkTask(app *kong.Application) error {
	if c.Run.Task == nil || c.taskGiven {
		return nil
	}
	return slip(*c.Run.Task, app)
}

// slip says what a word was meant to be; nil if that is itself.
func slip(word string, app *kong.Application) error {
	commands := commandNames(app.Node)
	if word == "" || word[0] == '-' || strings.ContainsAny(word, " \t\n") || slices.Contains(commands, word) {
		return nil
	}
	meant := elsewhere[word]
	if i := slices.IndexFunc(commands, func(name string) bool { return slipped(word, name) }); i >= 0 {
		meant = commands[i]
	}
	if meant == "" {
		return nil
	}
	return hinted(&usageError{fmt.Sprintf("%q is no command; did you mean %q?", word, meant)}, "tricode -- "+word+" makes a task of it")
}

// slipped reports whether a word is another one with a letter too many, too few or in the place of another, or with two
// neighbours changed.
func slipped(word, name string) bool {
	for word != "" && name != "" && word[0] == name[0] {
		word, name = word[1:], name[1:]
	}
	for word != "" && name != "" && word[len(word)-1] == name[len(name)-1] {
		word, name = word[:len(word)-1], name[:len(name)-1]
	}
	return len(word) <= 1 && len(name) <= 1 || len(word) == 2 && len(name) == 2 && word[0] == name[1] && word[1] == name[0]
}
