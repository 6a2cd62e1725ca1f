package shell

import (
	"path"
	"slices"
	"strings"

	"tricode/approval"
)

// gitReader is a subcommand of git that only reads with the options listed.
type gitReader struct {
	grammar
	most  int    // operands it may have; -1 for none, 0 for any number
	first string // what the first operand must be: "list show", "" for anything
	needs string // without one of these options operands make it write: git branch NAME
}

// gitGlobal are options before the subcommand that change nothing about it; -C is judged by where it leads. Left out: -c and
// --config-env set anything, -p pages, --exec-path and --git-dir choose what is run and read. Source: git(1), 2.39.
var gitGlobal = grammar{values: "C", long: "no-pager no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-lazy-fetch"}

// gitAnyGlobal are all of them, to find the subcommand.
var gitAnyGlobal = grammar{flags: "pPhv", values: "Cc", long: "no-pager no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-replace-objects no-lazy-fetch " +
	"paginate bare version help exec-path? html-path man-path info-path git-dir= work-tree= namespace= config-env= super-prefix= list-cmds= attr-source="}

// The options of git-diff(1) and git-log(1) that only read. Left out: --output, --ext-diff, --textconv, -O, --no-index,
// --show-signature, and --submodule, for which git starts another git.
const (
	gitDiffFlags  = "abwpuRzsBDMCt#"
	gitDiffValues = "UGSlX"
	gitDiffLong   = " patch no-patch unified= raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram diff-algorithm= anchored= stat? numstat shortstat dirstat? summary" +
		" patch-with-stat name-only name-status color? no-color color-moved? no-color-moved color-moved-ws= word-diff? word-diff-regex= color-words? no-renames rename-empty check full-index binary abbrev? no-abbrev" +
		" find-renames? find-copies? find-copies-harder irreversible-delete diff-filter= find-object= pickaxe-all pickaxe-regex skip-to= rotate-to= relative? no-relative text ignore-cr-at-eol ignore-space-at-eol" +
		" ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix= dst-prefix= no-prefix line-prefix= cc combined-all-paths ws-error-highlight="
	gitLogFlags = gitDiffFlags + "gimLcEFPq"
	gitLogLong  = gitDiffLong + " oneline format= pretty? graph no-graph decorate? no-decorate decorate-refs= decorate-refs-exclude= source follow no-follow use-mailmap mailmap log-size max-count= skip= since= after= until= before= author= committer= grep= all-match invert-grep" +
		" regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges min-parents= max-parents= first-parent exclude-first-parent-only not all branches? tags? remotes? glob= exclude= reflog walk-reflogs grep-reflog=" +
		" boundary simplify-by-decoration full-history dense sparse simplify-merges ancestry-path? show-pulls date-order author-date-order topo-order reverse date= parents children left-right left-only right-only cherry cherry-mark cherry-pick" +
		" relative-date abbrev-commit no-abbrev-commit encoding= expand-tabs? no-expand-tabs notes? no-notes show-notes? clear-decorations no-walk? diff-merges= root merge count objects bisect ignore-missing no-diff-merges"
)

var gitLog = gitReader{grammar: grammar{flags: gitLogFlags, values: gitDiffValues + "nL", long: gitLogLong}}
var gitDiff = gitReader{grammar: grammar{flags: gitDiffFlags, values: gitDiffValues, long: gitDiffLong + " cached staged merge-base ours theirs base"}}

// gitReaders is the table of reading subcommands; source: their manual pages, 2.39.
var gitReaders = map[string]gitReader{
	"status":        {grammar: grammar{flags: "sbvuz", long: "short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames? null"}},
	"log":           gitLog,
	"show":          gitLog,
	"whatchanged":   gitLog,
	"reflog":        {grammar: gitLog.grammar, first: "show list"},
	"diff":          gitDiff,
	"diff-tree":     {grammar: grammar{flags: gitDiffFlags + "rmcv", values: gitDiffValues, long: gitDiffLong + " root no-commit-id pretty? always merge-base"}},
	"diff-index":    {grammar: grammar{flags: gitDiffFlags + "m", values: gitDiffValues, long: gitDiffLong + " cached merge-base"}},
	"diff-files":    {grammar: grammar{flags: gitDiffFlags + "q0123", values: gitDiffValues, long: gitDiffLong}},
	"range-diff":    {grammar: grammar{flags: gitDiffFlags, values: gitDiffValues, long: gitDiffLong + " creation-factor= left-only right-only"}},
	"blame":         {grammar: grammar{flags: "bcefghknpstwCM", values: "LS", long: "root show-stats reverse porcelain line-porcelain incremental encoding= date= color-lines color-by-age abbrev= show-name show-number show-email first-parent minimal"}},
	"annotate":      {grammar: grammar{flags: "bcefhknpstw", values: "L"}},
	"shortlog":      {grammar: grammar{flags: "nsec", values: "w", long: "numbered summary email group= committer format= since= until= all no-merges"}},
	"describe":      {grammar: grammar{long: "all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?"}},
	"rev-parse":     {grammar: grammar{flags: "q", long: "abbrev-ref? short? verify quiet symbolic symbolic-full-name all branches? tags? remotes? git-dir absolute-git-dir git-common-dir show-toplevel show-cdup show-prefix show-superproject-working-tree is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-object-format? git-path= path-format= default= revs-only no-revs flags no-flags not local-env-vars show-ref-format since= until="}},
	"rev-list":      {grammar: grammar{flags: gitLogFlags, values: "n", long: gitLogLong + " disk-usage? objects-edge use-bitmap-index timestamp header filter= no-object-names quiet"}},
	"ls-files":      {grammar: grammar{flags: "cdmoiskuvtzf", values: "x", long: "cached deleted modified others ignored stage killed unmerged exclude= exclude-standard directory no-empty-directory error-unmatch full-name recurse-submodules abbrev? eol deduplicate sparse format="}},
	"ls-tree":       {grammar: grammar{flags: "drtlz", long: "long name-only name-status object-only full-name full-tree abbrev? format="}},
	"cat-file":      {grammar: grammar{flags: "tsep", long: "batch? batch-check? buffer unordered allow-unknown-type"}},
	"name-rev":      {grammar: grammar{long: "tags refs= exclude= all name-only no-undefined always"}},
	"merge-base":    {grammar: grammar{flags: "a", long: "all octopus independent is-ancestor fork-point"}},
	"show-ref":      {grammar: grammar{flags: "dqsh", long: "head heads branches tags dereference hash? verify abbrev? quiet"}},
	"show-branch":   {grammar: grammar{flags: "ar", long: "all remotes current topo-order date-order sparse more= list merge-base independent no-name sha1-name topics color? no-color"}},
	"for-each-ref":  {grammar: grammar{long: "count= shell sort= format= points-at= merged? no-merged? contains? no-contains? ignore-case color? omit-empty exclude="}},
	"grep":          {grammar: grammar{flags: "aIiwvhHEGFPnlLczopqW#r", values: "ABCem", long: "cached untracked text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color? no-color break heading show-function context= after-context= before-context= function-context max-count= threads= and or not all-match quiet max-depth= recursive no-recursive exclude-standard"}},
	"cherry":        {grammar: grammar{flags: "v", long: "abbrev="}},
	"count-objects": {grammar: grammar{flags: "vH", long: "verbose human-readable"}, most: -1},
	"check-ignore":  {grammar: grammar{flags: "qvnz", long: "quiet verbose non-matching no-index"}},
	"check-attr":    {grammar: grammar{flags: "az", long: "all cached"}},
	"version":       {grammar: grammar{long: "build-options"}, most: -1},
	"stripspace":    {grammar: grammar{flags: "sc"}, most: -1},
	// these write with other words
	"branch":       {grammar: grammar{flags: "arvqi", long: "list all remotes verbose quiet ignore-case show-current contains? no-contains? merged? no-merged? sort= points-at= format= color? no-color column? no-column abbrev? no-abbrev omit-empty"}, needs: "list contains no-contains merged no-merged points-at"},
	"tag":          {grammar: grammar{flags: "lin#", long: "list sort= format= contains? no-contains? merged? no-merged? points-at= color? column? no-column ignore-case omit-empty"}, needs: "l list contains no-contains merged no-merged points-at"},
	"remote":       {grammar: grammar{flags: "v", long: "verbose all push"}, first: "get-url", most: 2},
	"stash":        {grammar: grammar{flags: gitDiffFlags, long: gitDiffLong + " oneline include-untracked only-untracked format= date="}, first: "list show", needs: "first"},
	"worktree":     {grammar: grammar{flags: "vz", long: "porcelain verbose"}, first: "list", needs: "first", most: 1},
	"notes":        {grammar: grammar{}, first: "list show", most: 2},
	"config":       {grammar: grammar{long: "get get-all local global show-origin show-scope type= bool int path default= name-only null"}, needs: "get get-all", most: 1},
	"symbolic-ref": {grammar: grammar{flags: "q", long: "short quiet no-recurse"}, most: 1},
}

// gitReads reports whether the words behind "git" only read.
func gitReads(rest []word) bool {
	n, ok := gitGlobal.leading(rest)
	if !ok || n == len(rest) || !rest[n].known {
		return false
	}
	sub := rest[n].text
	spec, ok := gitReaders[sub]
	if !ok {
		return false
	}
	p := spec.options(rest[n+1:])
	if p.strange != "" || p.dynamic || spec.most < 0 && len(p.operands) > 0 || spec.most > 0 && len(p.operands) > spec.most {
		return false
	}
	for _, o := range p.options {
		if o.valued && (!o.value.known && !o.value.tame || signs(o.value.text)) {
			return false
		}
	}
	for _, x := range p.operands {
		if !x.known && !x.tame {
			return false
		}
	}
	return spec.operandsRead(&p)
}

// signs reports whether a format asks for signatures, which another program checks, or for what an object holds.
func signs(format string) bool {
	return strings.Contains(format, "%G") || strings.Contains(format, "signature") || strings.Contains(format, "%(raw")
}

// operandsRead reports whether the operands leave a subcommand a reading one.
func (spec *gitReader) operandsRead(p *parsed) bool {
	if spec.first != "" {
		if len(p.operands) == 0 {
			return spec.needs == ""
		}
		return listed(spec.first, p.operands[0].text)
	}
	if spec.needs == "" || len(p.operands) == 0 && !listed(spec.needs, "get") {
		return true
	}
	for _, o := range p.options {
		if listed(spec.needs, o.name) {
			return true
		}
	}
	return false
}

// gitSplit separates git's own options from the subcommand and its words; sub is empty if that is not known.
func gitSplit(rest []word) (global parsed, sub string, words []word) {
	n, _ := gitAnyGlobal.leading(rest)
	global = gitAnyGlobal.options(rest[:n])
	if n < len(rest) && rest[n].known {
		return global, rest[n].text, rest[n+1:]
	}
	return global, "", nil
}

// otherRepository reports whether git may work in another repository than that of the work directory.
func (w *walker) otherRepository(rest []word) bool {
	if w.state.dirs == nil {
		return true
	}
	dirs := slices.Clone(w.state.dirs)
	global, _, _ := gitSplit(rest)
	for _, o := range global.options {
		for i := range dirs {
			switch {
			case !o.is("C", ""):
			case path.IsAbs(o.value.text):
				dirs[i] = o.value.text
			default:
				dirs[i] += "/" + o.value.text
			}
		}
	}
	root := w.r.Resolve(w.r.WorkDir()).Path
	for _, dir := range dirs {
		if !w.afford() {
			return true
		}
		for at := w.r.Resolve(dir).Path; at != root; at = path.Dir(at) {
			if !strings.HasPrefix(at, strings.TrimSuffix(root, "/")+"/") || !w.afford() || w.r.Entry(at+"/.git").Kind != Missing {
				return true
			}
		}
	}
	return false
}

// gitTouches records where git is sent and what of the working tree its operands name.
func (w *walker) gitTouches(rest []word, e approval.Effects) {
	global, sub, words := gitSplit(rest)
	for _, o := range global.options {
		if o.valued && o.value.known && (o.is("C", "git-dir work-tree exec-path")) {
			w.stat(o.value.text)
		}
	}
	reading := e.Only(approval.Read)
	p := gitAnySub.options(words)
	for _, x := range p.operands {
		if !x.known {
			continue
		}
		name := x.text
		if reading {
			name = name[strings.LastIndexByte(name, ':')+1:] // REVISION:FILE, :STAGE:FILE
		}
		if reading && (strings.HasPrefix(name, "/") || strings.HasPrefix(name, "..") || strings.Contains(name, "/../") || approval.IsSecret("/"+name, w.r.Home())) && !strings.Contains(name, "...") {
			w.read(name)
		}
	}
	if reading {
		w.gitSecrets(sub, words, global.has("C", "literal-pathspecs icase-pathspecs"))
	}
	for _, o := range p.options {
		switch {
		case !o.valued || !o.value.known:
		case o.like("", "output") && o.long, o.is("o", "") && (sub == "archive" || sub == "format-patch"):
			w.path(approval.Write, o.value.text, "empties an existing file")
		case o.is("", "output-directory"):
			w.path(approval.Write, o.value.text, "")
		}
	}
}

// gitAnySub is enough of the options of all subcommands to find the files they write.
var gitAnySub = grammar{values: "o", long: "output= outpu= outp= out= output-directory= contents= separate-git-dir="}
