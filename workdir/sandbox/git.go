package sandbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// lookConfig keeps git from starting the programs that other configuration names
// (https://git-scm.com/docs/git-config), and from taking a directory of the project for a repository without a
// work tree.
var lookConfig = [][2]string{
	{"core.fsmonitor", "false"},
	{"core.hooksPath", "/dev/null"},
	{"log.showSignature", "false"},
	{"gpg.program", "false"},
	{"gpg.openpgp.program", "false"},
	{"gpg.x509.program", "false"},
	{"gpg.ssh.program", "false"},
	{"safe.bareRepository", "explicit"},
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

// driverKeys match the configuration of programs that git starts to compare and to convert files. Files of the project choose
// among them (gitattributes(5)), so they can only be switched off one by one.
const driverKeys = `^(diff\.external|diff\..*\.(command|textconv|cachetextconv)|filter\..*\.(clean|smudge|process|required))$`

// plainDiff stands in for a program that compares files; git gives it seven arguments.
const plainDiff = `plain() { diff -u --label "a/$1" --label "b/$1" "$2" "$5"; :; }; plain`

// maxDrivers bounds what git may say about its drivers, in bytes.
const maxDrivers = 64 << 10

// GitOff returns what the environment of a Cmd with Look needs beside, so that git in the Box's directory also starts
// none of the programs that its configuration names for comparing and converting files.
func (b *Box) GitOff(ctx context.Context) ([]string, error) {
	var keys names
	status, err := b.Run(ctx, Cmd{
		Args: []string{"git", "config", "--null", "--name-only", "--get-regexp", driverKeys},
		Look: true, Stdout: &keys,
	})
	if err != nil {
		return nil, fmt.Errorf("git's configuration: %w", err)
	}
	if status != 0 || len(keys) == 0 { // 1 if there are none; where it cannot be read, git does nothing else either
		return nil, nil
	}
	config := slices.Clone(lookConfig)
	for key := range strings.SplitSeq(strings.TrimSuffix(string(keys), "\x00"), "\x00") {
		config = append(config, [2]string{key, driverOff(key)})
	}
	return gitConfig(config), nil
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

// names collects what git lists, up to maxDrivers.
type names []byte

func (n *names) Write(p []byte) (int, error) {
	if len(*n)+len(p) > maxDrivers {
		return 0, errors.New("is too long")
	}
	*n = append(*n, p...)
	return len(p), nil
}
