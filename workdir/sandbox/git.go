package sandbox

import "strconv"

// lookEnv keeps git from starting the programs that configuration names, and from refreshing its index
// (https://git-scm.com/docs/git-config, https://git-scm.com/docs/git#_environment_variables).
var lookEnv = append(gitConfig([][2]string{
	{"core.fsmonitor", "false"},
	{"core.hooksPath", "/dev/null"},
	{"log.showSignature", "false"},
	{"gpg.program", "false"},
	{"gpg.openpgp.program", "false"},
	{"gpg.x509.program", "false"},
	{"gpg.ssh.program", "false"},
}), "GIT_PAGER=cat", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_EDITOR=false")

// gitConfig is configuration that goes before all files (GIT_CONFIG_COUNT).
func gitConfig(settings [][2]string) []string {
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings))}
	for i, s := range settings {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s[0], "GIT_CONFIG_VALUE_"+n+"="+s[1])
	}
	return env
}
