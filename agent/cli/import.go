package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tricode/agent/config"
	"tricode/approval"
	"tricode/approval/plain"
)

// importCommand is what permissions import takes.
type importCommand struct {
	File string `arg:"" help:"The settings of Claude Code, Letta Code, packetcode, agent-code or opencode, a rules file of Codex, or a policy file of Gemini CLI; - for standard input."`
	From string `placeholder:"NAME" help:"Read it as claude-code, letta-code, packetcode, agent-code, codex, gemini or opencode, whatever it looks like."`
}

// maxSettings bounds the settings of another agent, in bytes.
const maxSettings = 1 << 20

// importRules prints the rules of another agent in tricode's form.
func (c *commandLine) importRules(out, complaints io.Writer) (int, error) {
	in := c.Permissions.Import
	data, err := settings(in.File)
	if err == nil {
		var policy *approval.Imported
		policy, err = approval.Import(in.From, approval.Foreign{Name: in.File, Own: ownSettings(in.File), Data: data, TOML: config.Tables})
		if err == nil {
			return statusDone, printImported(policy, out, complaints)
		}
	}
	var path *fs.PathError // names the file once more
	if errors.As(err, &path) {
		err = path.Err
	}
	return 0, &usageError{fmt.Sprintf("%s: %v", in.File, err)}
}

// ownSettings reports whether a file lies in the person's own directory of Claude Code, and in no project's.
func ownSettings(name string) bool {
	home, err := os.UserHomeDir()
	at, wrong := filepath.Abs(name)
	return err == nil && wrong == nil && filepath.Dir(at) == filepath.Join(home, ".claude")
}

// settings reads a whole file, which must not be too large.
func settings(name string) ([]byte, error) {
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxSettings+1))
	if err == nil && len(data) > maxSettings {
		err = fmt.Errorf("it has more than %d bytes", maxSettings)
	}
	return data, err
}

func printImported(p *approval.Imported, out, complaints io.Writer) error {
	for _, w := range p.Warnings {
		if _, err := fmt.Fprintf(folded(complaints), "tricode: warning: %s\n", plain.Line(w)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "# The rules of %s, imported.\n%s", p.Format, p.TOML())
	return err
}
