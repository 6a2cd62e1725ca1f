package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"tricode/approval"
)

// program is one of the person's own programs, which gets the terminal for as long as it runs.
type program struct {
	line  string   // for a shell
	args  []string // words behind it
	env   []string // beside the environment of this run
	input string   // what it reads; without that, the terminal
}

// maxDraft bounds what an editor may leave behind, in bytes.
const maxDraft = 16 << 20

// edited is what the person makes of a draft, in a file that nobody else can read.
func (x *exchange) edited(ctx context.Context, d *approval.Draft) (string, error) {
	dir, err := os.MkdirTemp("", "tricode-edit-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "edit"+extension(d.Name))
	if err := os.WriteFile(name, []byte(d.Text), 0o600); err != nil {
		return "", err
	}
	if err := x.run(ctx, program{line: x.options.Editor, args: []string{name}}); err != nil {
		return "", err
	}
	return contents(name)
}

// contents is the text of a file.
func contents(name string) (string, error) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return "", errors.New("the file is gone")
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxDraft+1))
	switch {
	case err != nil:
		return "", err
	case len(data) > maxDraft:
		return "", fmt.Errorf("the file has more than %d MiB", maxDraft>>20)
	case !utf8.Valid(data):
		return "", errors.New("the file is not text in UTF-8")
	}
	return string(data), nil
}

// extension is the end of a file's name by which editors know its language, as far as it is a plain one.
func extension(name string) string {
	ext := filepath.Ext(name)
	if len(ext) > 12 || strings.Trim(strings.ToLower(ext), ".abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return ext
}
