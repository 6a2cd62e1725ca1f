package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tricode/approval"
	"tricode/workdir"
)

const (
	instructionsName  = "AGENTS.md"
	instructionsLimit = 64 << 10 // bytes of one file
)

// instructions collects the AGENTS.md of the work directory and of those above it up to the root of the
// repository, the outermost first. Outside a repository only the work directory counts. A file that cannot be used is
// left out, with a line that says why: one that leads out of its directory through a link, or to a secret, would send
// to the provider what the person did not mean to send.
func instructions(dir, home string, notice func(string)) string {
	var texts []string
	for at, top := dir, repository(dir); ; at = filepath.Dir(at) {
		text, err := instructionsIn(at, home)
		if err != nil {
			notice(fmt.Sprintf("%s is left out: %v", filepath.Join(at, instructionsName), err))
		}
		if text != "" {
			texts = append(texts, text)
		}
		if at == top {
			break
		}
	}
	slices.Reverse(texts)
	return strings.Join(texts, "\n\n")
}

// repository is the directory around dir that holds .git; dir itself if there is none.
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func instructionsIn(dir, home string) (string, error) {
	d, err := workdir.Open(dir)
	if err != nil {
		return "", err
	}
	defer d.Close()
	p, err := d.Resolve(instructionsName)
	if err != nil {
		return "", err
	}
	data, err := p.Read(instructionsLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case approval.IsSecret(p.Abs, home):
		return "", errors.New("it leads to what may hold a secret")
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(data), "\uFFFD")), nil
}
