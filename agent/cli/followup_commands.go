package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"tricode/agent"
	"tricode/approval/plain"
)

// followUpHelp lists what can be typed beside tasks.
const followUpHelp = `  /permissions                     the policy, and where it comes from
  /permissions profile MODE        another mode, until you leave
  /permissions rule RULE ACTION    one more rule: run_command(git diff *) allow
  /permissions denials             what the last task was denied
  /plan                            the plan as it is now
  /model [NAME]                    the model, or another one of the provider
  /cost                            what was spent so far
  /exit                            leaves; so do Ctrl-D and ^C twice

  anything else                    is a task, in one conversation with those before it
  arrows up and down               bring back what was typed, and earlier tasks
  ^C                               ends the task that is under way
`

// followUpCommands are what a line can begin with that is no task.
var followUpCommands = []string{"/permissions", "/plan", "/model", "/cost", "/help", "/exit"}

// isCommand reports whether a line is no task: it begins with a slash and a word, and not with a path, or it is what
// other prompts are left with.
func isCommand(line string) bool {
	switch line {
	case "exit", "quit", "help", "?":
		return true
	}
	word, _, _ := strings.Cut(line, " ")
	return strings.HasPrefix(word, "/") && strings.Count(word, "/") == 1
}

// command does what a line that begins with a slash says, and reports whether the person leaves.
func (f *followUp) command(ctx context.Context, line string) (leaves bool) {
	words := strings.Fields(line)
	var reply string
	switch words[0] {
	case "/exit", "/quit", "exit", "quit":
		return true
	case "/help", "/?", "help", "?":
		reply = followUpHelp
	case "/permissions", "/plan":
		reply, _ = f.world.terminal.options.Command(line)
	case "/cost":
		reply = f.cost()
	case "/model":
		reply = f.model(ctx, words[1:])
	default:
		reply = unknownCommand(words[0], followUpCommands, "/help")
	}
	fmt.Fprintln(folding{os.Stderr}, plain.Text(strings.TrimSuffix(reply, "\n")))
	return false
}

// cost is what all tasks took.
func (f *followUp) cost() string {
	u := f.total.Usage
	text := fmt.Sprintf("tasks: %d, turns: %d, tokens: %s in, %s out", f.tasks, f.total.Turns, plain.Count(u.Input), plain.Count(u.Output))
	if f.total.Cost > 0 {
		text += ", " + agent.Dollars(f.total.Cost)
	}
	return text
}

// model says which model is used, or changes it.
func (f *followUp) model(ctx context.Context, names []string) string {
	if len(names) == 1 {
		before := f.c.Model
		f.c.Model = names[0]
		client, chosen, err := f.c.client(ctx, f.cfg)
		if err == nil {
			err = f.c.bound(f.agent, f.cfg, chosen)
		}
		if err != nil {
			f.c.Model = before
			return err.Error()
		}
		f.agent.Model, f.job.provider = client, chosen
	}
	return fmt.Sprintf("%s of %s", f.job.provider.Model, f.job.provider.Name)
}
