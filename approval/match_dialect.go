package approval

import (
	"strings"
	"sync"
)

// dialect is how a program takes its words, as far as the words of a rule can be spelt in other ways.
type dialect struct {
	same    []string // options that mean the same, "f force"; one behind "<" has that meaning among others
	pairs   []string // "D d f": two options that together are a third
	takes   string   // options with a value: one-letter ones, and long ones behind blanks
	subs    []string // subcommands that mean the same
	oneDash bool     // -name is one option, not a cluster
	short   bool     // subcommands can be abbreviated
	plus    string   // the option that a + before an operand stands for
	colon   string   // the one that a : stands for
}

// dialects is looked up by program and subcommand, then by program. Sources: the manual pages of Debian 12, git(1) 2.39, curl(1) 7.88,
// npm 10, docker 24 and kubectl 1.28.
var dialects = sync.OnceValue(func() map[string]*dialect {
	return map[string]*dialect{
		"rm":    {same: []string{"r R recursive", "f force", "i interactive", "d dir", "v verbose"}},
		"rmdir": {same: []string{"p parents", "v verbose"}},
		"cp":    {same: []string{"r R recursive <a <archive", "a archive", "f force", "l link", "s symbolic-link"}, takes: "tS target-directory suffix"},
		"mv":    {same: []string{"f force", "n no-clobber"}, takes: "tS target-directory suffix"},
		"ln":    {same: []string{"s symbolic", "f force"}, takes: "tS target-directory suffix"},
		"chmod": recursive, "chown": recursive, "chgrp": recursive, "setfacl": recursive, "chattr": {same: []string{"R recursive"}},
		"mkdir":     {same: []string{"p parents"}, takes: "m mode"},
		"tee":       {same: []string{"a append"}},
		"sed":       {same: []string{"i in-place", "n quiet silent", "e expression", "f file", "E r regexp-extended"}, takes: "efl expression file line-length"},
		"grep":      {same: []string{"r recursive <R <dereference-recursive", "R dereference-recursive", "f file", "e regexp"}, takes: "ABCDdefm file regexp max-count include exclude exclude-dir"},
		"tar":       {same: []string{"x extract get", "c create", "f file", "C directory", "z gzip", "I use-compress-program"}, takes: "CfTXI file directory files-from exclude-from exclude"},
		"kill":      {same: []string{"9 KILL SIGKILL", "15 TERM SIGTERM", "1 HUP SIGHUP", "s signal"}, takes: "s signal", oneDash: true},
		"pkill":     {same: []string{"9 KILL SIGKILL", "15 TERM SIGTERM", "1 HUP SIGHUP", "f full"}, takes: "gGPsuU signal"},
		"crontab":   {takes: "u"},
		"find":      {oneDash: true},
		"java":      {oneDash: true},
		"go":        {oneDash: true, takes: "o exec toolexec run tags mod"},
		"terraform": {oneDash: true, takes: " chdir target var var-file"},
		"tofu":      {oneDash: true, takes: " chdir target var var-file"},
		"curl": {same: []string{"d data", "X request", "o output", "O remote-name", "L location", "k insecure", "T upload-file", "F form", "H header", "u user", "x proxy", "K config", "I head", "s silent", "S show-error", "f fail"},
			takes: "AbcCdDeEFhHKmoPQrtTuUwxXyYz data data-binary data-raw data-urlencode request output upload-file form header user user-agent proxy config url max-time cookie cookie-jar referer write-out retry retry-delay retry-max-time connect-timeout max-redirs limit-rate cacert cert key range json form-string"},
		"wget":   {same: []string{"O output-document", "o output-file", "i input-file", "P directory-prefix", "r recursive", "q quiet", "c continue"}, takes: "aABDeiIlOoPQRtTUwX output-document output-file input-file directory-prefix execute user-agent header post-data post-file"},
		"ssh":    {takes: "BbcDEeFIiJLlmOopQRSWw"},
		"scp":    {takes: "cDFiJloPSX"},
		"rsync":  {same: []string{"r recursive <a <archive", "a archive", "n dry-run", "e rsh"}, takes: "eBfMT rsh exclude include rsync-path files-from"},
		"python": {takes: "cmWX"}, "python3": {takes: "cmWX"},
		"node": {same: []string{"e eval", "p print", "r require"}, takes: "epr eval print require import"},
		"perl": {takes: "eEIMm"}, "ruby": {takes: "eIr"},
		"git":          {takes: "Cc git-dir work-tree namespace config-env super-prefix attr-source", subs: []string{"push send-pack http-push", "add stage", "fsck fsck-objects", "init init-db"}},
		"git push":     {same: []string{"f force <mirror", "d delete", "n dry-run", "u set-upstream"}, takes: "o push-option repo receive-pack exec", plus: "force", colon: "delete"},
		"git commit":   {same: []string{"n no-verify", "a all", "m message", "e edit", "s signoff"}, takes: "mFCct message file author date template cleanup fixup squash reuse-message reedit-message trailer pathspec-from-file"},
		"git branch":   {same: []string{"d delete <D", "m move <M", "f force", "a all", "c copy <C"}, pairs: []string{"D d f", "M m f", "C c f"}, takes: "u set-upstream-to"},
		"git clean":    {same: []string{"f force", "n dry-run", "q quiet", "i interactive", "e exclude"}, takes: "e exclude"},
		"git checkout": {same: []string{"f force", "d detach", "t track"}, takes: "bB orphan conflict pathspec-from-file"},
		"git switch":   {same: []string{"f force discard-changes", "c create", "C force-create", "d detach"}, takes: "cC create force-create orphan"},
		"git reset":    {same: []string{"q quiet"}, takes: " pathspec-from-file"},
		"git rebase":   {same: []string{"i interactive", "x exec", "f force-rebase no-ff"}, takes: "xsX exec onto strategy"},
		"git tag":      {same: []string{"d delete", "f force", "a annotate", "s sign", "m message", "F file"}, takes: "mFu message file local-user"},
		"git add":      {same: []string{"A all no-ignore-removal", "f force", "u update", "p patch"}, takes: " chmod pathspec-from-file"},
		"git rm":       {same: []string{"f force", "n dry-run", "q quiet"}, takes: " pathspec-from-file"},
		"git pull":     {same: []string{"f force", "r rebase"}, takes: "sX strategy upload-pack"},
		"git fetch":    {same: []string{"f force", "p prune", "a append"}, takes: "j upload-pack depth jobs"},
		"git stash":    {takes: "m message"},
		"git worktree": {same: []string{"f force"}, takes: "bB reason"},
		"npm": {same: []string{"g global location=global", "f force", "y yes", "D save-dev", "w workspace"}, takes: "wC prefix registry workspace loglevel userconfig globalconfig cache tag otp access script-shell location omit", short: true,
			subs: []string{"install i in ins inst insta instal isnt isnta isntal isntall add", "uninstall unlink remove rm r un", "run run-script rum urn", "test t tst", "exec x", "update up upgrade udpate", "ci clean-install ic install-clean", "publish", "config c", "link ln", "view info show v"}},
		"pnpm":   {same: []string{"g global", "D save-dev", "r recursive"}, takes: "CF dir filter", subs: []string{"install i", "remove rm uninstall un", "update up upgrade", "run run-script", "test t tst"}},
		"yarn":   {takes: " cwd"},
		"pip":    {same: []string{"U upgrade", "r requirement", "e editable", "y yes"}, takes: "recit requirement editable constraint index-url extra-index-url target proxy"},
		"cargo":  {takes: "CpZj manifest-path package config color target target-dir jobs features", subs: []string{"build b", "check c", "run r", "test t", "doc d", "remove rm"}},
		"docker": container, "podman": container,
		"docker run": {same: []string{"v volume", "p publish", "e env", "d detach", "i interactive", "t tty", "u user", "w workdir"}, takes: "aceghlmpuvw volume publish env name network mount entrypoint user workdir env-file label memory cpus"},
		"docker rm":  {same: []string{"f force", "v volumes", "l link"}}, "docker rmi": {same: []string{"f force"}},
		"kubectl":   {same: []string{"n namespace", "f filename", "A all-namespaces", "l selector", "o output", "R recursive"}, takes: "nflosv namespace filename selector output context cluster kubeconfig user server token as as-group request-timeout", subs: nil},
		"helm":      {same: []string{"n namespace"}, takes: "n namespace kube-context kubeconfig", subs: []string{"uninstall delete del un"}},
		"systemctl": {takes: "tpsnoHM type property state host machine root"},
		"apt":       aptGet, "apt-get": aptGet, "aptitude": aptGet,
		"brew":   {subs: []string{"uninstall remove rm", "list ls", "upgrade"}},
		"svn":    {subs: []string{"delete del remove rm", "commit ci", "checkout co", "switch sw", "update up"}},
		"hg":     {short: true},
		"ip":     {short: true},
		"gh":     {same: []string{"R repo", "X method", "f raw-field", "F field", "y yes"}, takes: "RXfFHBbtl repo method field raw-field hostname title body"},
		"aws":    {takes: " profile region endpoint-url output query color ca-bundle"},
		"gcloud": {takes: " project account configuration format verbosity"},
		"psql":   {same: []string{"c command", "f file", "h host", "U username", "d dbname"}, takes: "cdfhpUvLoPRTF command dbname file host port username variable"},
		"shred":  {same: []string{"u remove", "n iterations", "z zero"}, takes: "ns iterations size"},
		"dd":     {oneDash: true},
		"make":   {same: []string{"f file makefile", "C directory", "j jobs", "B always-make"}, takes: "CfIoW directory file makefile include-dir"},
	}
})

var (
	recursive = &dialect{same: []string{"R recursive", "f silent quiet"}}
	container = &dialect{takes: "cHl config context host log-level connection url"}
	aptGet    = &dialect{same: []string{"y yes assume-yes", "q quiet"}, takes: "otc option target-release config-file", subs: []string{"remove", "purge"}}
	plain     = &dialect{}
)

// dialectOf finds the dialect of a command by its program and its first operands.
func dialectOf(program string, subs []string) *dialect {
	if len(subs) > 0 {
		if d := dialects()[program+" "+subs[0]]; d != nil {
			return d
		}
	}
	if d := dialects()[program]; d != nil {
		return d
	}
	return plain
}

// takesValue reports whether an option is followed by its value.
func (d *dialect) takesValue(name string, long bool) bool {
	letters, names, _ := strings.Cut(d.takes, " ")
	if !long {
		return strings.Contains(letters, name)
	}
	for n := range strings.FieldsSeq(names) {
		if n == name {
			return true
		}
	}
	return d.oneDash && len(name) == 1 && strings.Contains(letters, name)
}

// sameSub reports whether two subcommands are one.
func (d *dialect) sameSub(rule, word string) bool {
	if rule == word || d.short && len(word) > 1 && strings.HasPrefix(rule, word) {
		return true
	}
	for _, group := range d.subs {
		if inGroup(group, rule) && inGroup(group, word) {
			return true
		}
	}
	return false
}

func inGroup(group, word string) bool {
	for g := range strings.FieldsSeq(group) {
		if g == word {
			return true
		}
	}
	return false
}

// GitCommand reports whether git has a subcommand of this name itself. Any other may be an alias.
func GitCommand(name string) bool { return strings.Contains(gitCommands, " "+name+" ") }

// gitCommands are the subcommands that git has itself; any other may be an alias for one of them. Source: git help -a, 2.39 to 2.51, and git-lfs.
const gitCommands = " add am annotate apply archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit" +
	" commit-graph commit-tree config count-objects credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack" +
	" filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects fsmonitor--daemon gc get-tar-commit-id gitk grep gui hash-object help hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers last-modified lfs" +
	" log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-one-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push" +
	" quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay repo request-pull rerere reset restore rev-list rev-parse revert rm scalar send-email send-pack sh-i18n sh-setup shortlog show show-branch show-index show-ref sparse-checkout stage stash status" +
	" stripspace submodule subtree svn switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree write-tree "
