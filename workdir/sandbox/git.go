package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// lookConfig keeps git from starting the programs that other configuration names
// (https://git-scm.com/docs/git-config), and from taking a directory of the project for a repository without a
// work tree. What git shows of submodules it is told by other gits, which are given the same.
var lookConfig = [][2]string{
	{"core.fsmonitor", "false"},
	{"core.hooksPath", "/dev/null"},
	{"log.showSignature", "false"},
	{"gpg.program", "false"},
	{"gpg.openpgp.program", "false"},
	{"gpg.x509.program", "false"},
	{"gpg.ssh.program", "false"},
	{"safe.bareRepository", "explicit"},
	{"diff.submodule", "short"},
	{"status.submoduleSummary", "false"},
	{"stash.showPatch", "false"}, // what is printed is what the words ask for
	{"submodule.recurse", "false"},
}

// lookEnv does the same where the environment decides, and keeps git from refreshing its index and from fetching what a partial clone lacks
// (https://git-scm.com/docs/git#_environment_variables).
var lookEnv = append(gitConfig(lookConfig),
	"GIT_PAGER=cat", "GIT_EDITOR=false", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=")

// gitConfig is configuration that goes before all files (GIT_CONFIG_COUNT).
func gitConfig(settings [][2]string) []string {
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings))}
	for i, s := range settings {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s[0], "GIT_CONFIG_VALUE_"+n+"="+s[1])
	}
	return env
}

// driverKeys match the configuration of programs that git starts to compare and to convert files, and workTreeKey. Files of the
// project choose among the programs (gitattributes(5)), so they can only be switched off one by one.
const driverKeys = `^(core\.worktree|diff\.external|diff\..*\.(command|textconv|cachetextconv)|filter\..*\.(clean|smudge|process|required))$`

// plainDiff stands in for a program that compares files; git gives it seven arguments.
const plainDiff = `plain() { diff -u --label "a/$1" --label "b/$1" "$2" "$5"; :; }; plain`

// The bounds of what git may say about its drivers and its submodules, in bytes and in repositories.
const (
	maxDrivers      = 64 << 10
	maxRepositories = 100
)

// GitOff returns what the environment of a Cmd with Look needs beside, so that git in the Box's directory also starts
// none of the programs that its configuration names for comparing and converting files, nor that of a submodule, into
// which git descends.
func (b *Box) GitOff(ctx context.Context) ([]string, error) {
	config := lookConfig
	repositories := []string{b.Dir}
	for i := 0; i < len(repositories); i++ {
		if i == maxRepositories {
			return nil, fmt.Errorf("git has more than %d submodules", maxRepositories)
		}
		keys, err := b.drivers(ctx, repositories[i])
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if key == workTreeKey {
				if err := b.ownWorkTree(ctx, repositories[i]); err != nil {
					return nil, err
				}
				continue
			}
			config = append(slices.Clip(config), [2]string{key, driverOff(key)})
		}
		subs, err := b.submodules(ctx, repositories[i])
		if err != nil {
			return nil, err
		}
		for _, sub := range subs {
			if !slices.Contains(repositories, sub) {
				repositories = append(repositories, sub)
			}
		}
	}
	if len(config) == len(lookConfig) {
		return nil, nil
	}
	return gitConfig(config), nil
}

// workTreeKey says where the files of a repository are, which could be anywhere. Submodules have it too.
const workTreeKey = "core.worktree"

// ownWorkTree returns an error unless the repository in a directory has its files around that directory.
func (b *Box) ownWorkTree(ctx context.Context, dir string) error {
	var out names
	status, err := b.Run(ctx, Cmd{Args: []string{"git", "-C", dir, "rev-parse", "--show-toplevel"}, Look: true, Stdout: &out})
	if err != nil {
		return fmt.Errorf("git's work tree: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	top := filepath.FromSlash(strings.TrimSuffix(string(out), "\n"))
	below, _ := filepath.Rel(top, dir)
	if _, err := os.Lstat(filepath.Join(top, ".git")); status != 0 || err != nil || !filepath.IsLocal(below) {
		return fmt.Errorf("git's %s leads elsewhere: %s", workTreeKey, top)
	}
	return nil
}

// driverOff is the value that switches a driver's setting off.
func driverOff(key string) string {
	switch key[strings.LastIndexByte(key, '.')+1:] {
	case "external", "command":
		return plainDiff
	case "textconv":
		return "cat"
	case "cachetextconv", "required":
		return "false"
	}
	return "" // clean, smudge and process
}

// drivers lists the configured programs of the repository in a directory.
func (b *Box) drivers(ctx context.Context, dir string) ([]string, error) {
	var keys names
	status, err := b.Run(ctx, Cmd{
		Args: []string{"git", "-C", dir, "config", "--null", "--name-only", "--get-regexp", driverKeys},
		Look: true, Stdout: &keys,
	})
	if err != nil {
		return nil, fmt.Errorf("git's configuration: %w", err)
	}
	if status != 0 || len(keys) == 0 { // 1 if there are none; where it cannot be read, git does nothing else either
		return nil, nil
	}
	return strings.Split(strings.TrimSuffix(string(keys), "\x00"), "\x00"), nil
}

// submodules lists the repositories within the one in a directory that its index names.
func (b *Box) submodules(ctx context.Context, dir string) ([]string, error) {
	var links gitlinks
	_, err := b.Run(ctx, Cmd{Args: []string{"git", "-C", dir, "ls-files", "-z", "--stage", ":/"}, Look: true, Stdout: &links})
	if err != nil {
		return nil, fmt.Errorf("git's index: %w", err)
	}
	var found []string
	for _, name := range links.names {
		sub := filepath.Join(dir, name)
		if _, err := os.Lstat(filepath.Join(sub, ".git")); err == nil {
			found = append(found, sub)
		}
	}
	return found, nil
}

// gitlinks picks the submodules out of an index as git-ls-files(1) prints it.
type gitlinks struct {
	names []string
	rest  []byte // of a record that is not complete
}

func (g *gitlinks) Write(p []byte) (int, error) {
	g.rest = append(g.rest, p...)
	for {
		record, rest, ok := bytes.Cut(g.rest, []byte{0})
		if !ok {
			break
		}
		if _, name, ok := bytes.Cut(record, []byte{'\t'}); ok && bytes.HasPrefix(record, []byte("160000 ")) {
			g.names = append(g.names, string(name))
		}
		g.rest = rest
	}
	if len(g.rest) > maxDrivers {
		return 0, errors.New("is too long")
	}
	return len(p), nil
}

// names collects what git lists, up to maxDrivers.
type names []byte

func (n *names) Write(p []byte) (int, error) {
	if len(*n)+len(p) > maxDrivers {
		return 0, errors.New("is too long")
	}
	*n = append(*n, p...)
	return len(p), nil
}
