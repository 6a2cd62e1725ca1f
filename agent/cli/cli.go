// Package cli is the command line: it reads flags and configuration, puts the parts together and turns what comes
// out into an exit status. It alone knows every package.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tricode/agent"
	"tricode/agent/redact"
	"tricode/agent/render"
	"tricode/approval/plain"
	"tricode/tools/runner"
	"tricode/workdir/sandbox"
)

// commandLine is what can be typed. The flags stand on the root, so that they may come before and after the task.
type commandLine struct {
	Config   string `placeholder:"FILE" help:"Read the configuration from FILE (also TRICODE_CONFIG)."`
	Provider string `placeholder:"NAME" help:"Use this provider of the configuration."`
	Model    string `placeholder:"NAME" help:"Use this model."`
	WorkDir  string `short:"C" placeholder:"DIR" help:"Work in DIR instead of the current directory, and leave what is outside as it is."`

	PermissionMode             string   `placeholder:"MODE" help:"What may happen unasked: ask, accept_edits, plan, read_only."`
	BypassPermission           bool     `aliases:"trust" help:"Ask only about catastrophes and where a rule asks (also --trust)."`
	DangerouslySkipPermissions bool     `help:"Ask nothing at all, for disposable machines."`
	BypassWorkDirectoryLimit   bool     `help:"Let files outside the work directory be read and changed too."`
	Tools                      []string `placeholder:"A,B" help:"Offer only these tools."`

	Sandbox string `placeholder:"auto|require|off" help:"Hold programs by the system: as far as it can, or not at all, or do not start where it cannot."`

	Preview bool `help:"Run commands where they change nothing, and ask whether to keep what they changed."`

	Allow ruleFlags `placeholder:"RULE" aliases:"allowedTools,allowed-tools" help:"Allow what RULE speaks of: a tool, or TOOL(WHAT) as in 'run_command(git diff *)'."`
	Deny  ruleFlags `placeholder:"RULE" aliases:"disallowedTools,disallowed-tools" help:"Deny it, in every mode and spelling."`
	Ask   ruleFlags `placeholder:"RULE" help:"Ask about it, also when permissions are bypassed."`

	Plan    bool   `help:"Have the model plan first, and agree once to the plan and what it needs."`
	PlanOut string `placeholder:"FILE" help:"Write the plan and what it needs to FILE, and do nothing else."`
	PlanIn  string `placeholder:"FILE" help:"Carry out the plan in FILE; what it does not allow is denied."`

	Continue bool   `help:"Go on with the latest run in this work directory."`
	Resume   string `placeholder:"[ID]" help:"Go on with that run, of whose name the beginning is enough, or choose one; what was allowed in it is not."`

	RequirePlan bool   `help:"Let nothing change before the model decided about a plan."`
	NoTerminal  string `default:"stop" placeholder:"stop|continue" help:"Without a person to ask: stop, or deny and continue."`
	Strict      bool   `help:"End with status 3 if any call was denied."`

	MaxTurns  int           `placeholder:"N" help:"Ask the model at most N times (default 200)."`
	MaxTokens int           `placeholder:"N" help:"End when N tokens were sent and received."`
	MaxCost   float64       `placeholder:"USD" help:"End when so many US dollars were spent, by the prices in the configuration."`
	MaxTime   time.Duration `placeholder:"TIME" help:"End after a time such as 30m."`

	StallTimeout time.Duration `placeholder:"TIME" help:"Give up on a server that sends nothing for so long (default 5m)."`

	SystemPrompt         string `placeholder:"FILE" help:"Add the text of FILE to the system prompt."`
	OverrideSystemPrompt bool   `help:"Use the text of --system-prompt alone."`

	Output  string           `default:"text" placeholder:"text|json|stream-json" help:"How the run is written: for people, one JSON object at the end, or one for each event."`
	Stdio   bool             `help:"Another name of --output stream-json."`
	Color   string           `default:"auto" placeholder:"auto|always|never" help:"Colours on standard error."`
	Plain   bool             `help:"For screen readers: no bars, pictures, colours or moving parts."`
	Verbose bool             `short:"v" help:"Show results and decisions."`
	Quiet   bool             `short:"q" help:"Show only the answer, errors and questions."`
	Debug   debugFlag        `placeholder:"FILE" help:"Write requests and responses to a file, keys left out; --debug=FILE names it."`
	Version kong.VersionFlag `help:"Print the version."`

	Run struct {
		Task *string `arg:"" optional:"" help:"What to do, in quotes; - reads it from standard input."`
	} `cmd:"" default:"withargs" hidden:""`
	Init struct{} `cmd:"" help:"Set up a provider."`
	Demo struct{} `cmd:"" help:"See the question at work, without a key or a network."`

	Doctor      doctorCommand      `cmd:"" help:"Look at everything that a run needs."`
	Providers   providersCommand   `cmd:"" help:"List the providers, or test one."`
	Models      modelsCommand      `cmd:"" help:"List the models that a provider offers."`
	Permissions permissionsCommand `cmd:"" help:"Look at what decides, and try it."`
	Trust       trustCommand       `cmd:"" help:"Let all of the project's .tricode/config.toml count, as it is now."`

	Completion completionCommand `cmd:"" help:"Print completions for bash, zsh or fish."`
	Help       helpCommand       `cmd:"" help:"Say more about a topic."`

	taskGiven bool // by a --, so that it is a task whatever it looks like

	secrets redact.Redactor // what is known of keys, and what was hidden
	person  *terminal       // see terminal
	wire    wire            // where --debug writes to
}

// Main runs the command line and returns the exit status.
func Main(ctx context.Context, args []string) int {
	if sandbox.IsHelper() { // before anything else, because each command waits for it
		return runner.Main(ctx)
	}
	return guard(os.Stderr, func() int { return execute(ctx, args) })
}

// guard makes a line and a status of a mistake of ours. What is deferred on the way out of it has been done by then: the
// transcript is closed, the terminal is as it was, programs have ended.
func guard(stderr io.Writer, do func() int) (status int) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(stderr, "tricode: internal error: %s\n", plain.Line(fmt.Sprint(cause)))
			status = statusBroken
		}
	}()
	return do()
}

func execute(ctx context.Context, args []string) (status int) {
	if len(args) == 1 && args[0] == "--version" { // what scripts ask for needs no parser
		fmt.Println(banner())
		return statusDone
	}
	var c commandLine
	command, done, err := parse(&c, args, os.Stdout)
	if done {
		return statusDone
	}
	if err == nil {
		status, err = c.dispatch(ctx, command)
	}
	if failed := c.wire.close(); failed != nil {
		c.notice(fmt.Sprintf("--debug: not all was written: %v", failed))
	}
	if err != nil {
		if status = statusOf(err); c.complain(err, command, args) != nil {
			return statusBroken
		}
	}
	return status
}

// complain says why nothing could begin. Whoever reads JSON of a run gets an object for every ending, for that one too.
func (c *commandLine) complain(err error, command string, args []string) error {
	if c.Output == "" { // the parser did not get as far
		c.Output = typedOutput(args)
	}
	if word, _, _ := strings.Cut(command, " "); c.Output == "json" || c.Output == "stream-json" {
		if word == "" || word == "run" || word == "demo" {
			return c.view().Emit(agent.Ended{Status: statusOf(err), Reason: err.Error(), Hint: hintFor(err), Tally: agent.NewTally()})
		}
	}
	return render.Complain(c.stream(os.Stderr), err.Error(), hintFor(err))
}

func (c *commandLine) dispatch(ctx context.Context, command string) (int, error) {
	switch command {
	case "init":
		return c.init(ctx)
	case "demo":
		return c.demo(ctx)
	case "permissions import <file>":
		return c.importRules(os.Stdout, os.Stderr)
	case "trust":
		return c.trust(ctx)
	case "doctor":
		return c.doctor(ctx, os.Stdout)
	case "providers list":
		return statusDone, c.listProviders(os.Stdout)
	case "providers test", "providers test <name>":
		return statusDone, c.testProvider(ctx, os.Stdout)
	case "help", "help <topic>":
		return statusDone, c.helpOn(c.Help.About, os.Stdout)
	case "completion <shell>":
		return statusDone, c.completion(os.Stdout)
	case "models", "models <name>":
		return statusDone, c.listModels(ctx, os.Stdout)
	}
	if name, ok := strings.CutPrefix(command, "permissions "); ok {
		return c.permissions(ctx, name, os.Stdout)
	}
	return c.task(ctx)
}

// banner is what --version prints.
func banner() string { return "tricode " + version() }

// version is the module's version where the build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
