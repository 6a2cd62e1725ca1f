package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// listing finds out what names a command prints, and nothing else.
func listing(program string, rest []word) *lister {
	switch program {
	case "find":
		return findLister(rest)
	case "grep", "egrep", "fgrep", "rg":
		return searchLister(program, rest)
	case "git":
		return gitLister(rest)
	case "fd", "fdfind":
		if p := fdLists.options(rest); p.strange == "" {
			return everything
		}
	}
	return nil
}

// everything is what is read where it is not known which files are listed below the directory that the shell is in.
var everything = &lister{roots: []string{"."}, in: sweep{hidden: true, links: true}}

// The options with which programs print names of files and nothing else, each as it is. Left out is what puts something else before, into
// or in place of them: --format, --line-prefix, --label, --replace, --path-separator, -printf.
var (
	grepLists  = grammar{flags: "rRiwxyvEFGPlsIaHhnZz", values: "eABCm", long: "recursive dereference-recursive ignore-case word-regexp line-regexp invert-match extended-regexp fixed-strings basic-regexp perl-regexp files-with-matches include= exclude= exclude-dir= no-messages null regexp="}
	rgLists    = grammar{flags: "lisSwxvFuIHnU.0", values: "egtTmd", long: "files files-with-matches ignore-case smart-case case-sensitive word-regexp fixed-strings multiline glob= iglob= type= type-not= hidden no-ignore max-depth= sort= sortr= regexp= null"}
	fdLists    = grammar{flags: "HIusigaFp01", values: "deEtS", long: "hidden no-ignore unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path full-path max-depth= min-depth= exclude= type= extension= size= print0"}
	filesLists = grammar{flags: "cmodz", values: "x", long: "cached modified others deleted exclude= exclude-standard"}
	diffLists  = grammar{flags: "z", long: "name-only cached staged diff-filter="}
)

// searchLister is for programs that search files and print the names of those where they found something.
func searchLister(program string, rest []word) *lister {
	g := &grepLists
	if program == "rg" {
		g = &rgLists
	}
	p := g.options(rest)
	all := p.has("", "files")
	if p.strange != "" || !all && !p.has("l", "files-with-matches") {
		return nil
	}
	_, in := recursion(program, &p)
	in.links = true // names in the words may be links
	l := &lister{in: in}
	files := p.operands
	if !all && !p.has("e", "regexp") && len(files) > 0 {
		files = files[1:]
	}
	for _, x := range files {
		l.roots = append(l.roots, x.text)
	}
	if l.roots == nil {
		l.roots = []string{"."}
	}
	return l
}

// findLister is for expressions of tests alone.
func findLister(rest []word) *lister {
	l := &lister{in: sweep{hidden: true, links: true, name: onlyName(rest)}}
	roots := true
	for i := 0; i < len(rest); i++ {
		x := rest[i].text
		n, test := findTests[x]
		switch {
		case x == "-printf", x == "-ls", !test && !roots, !test && strings.HasPrefix(x, "-"):
			return nil
		case x == "-P", x == "-H":
		case test:
			roots = false
			i += n
		default:
			l.roots = append(l.roots, x)
		}
	}
	if l.roots == nil {
		l.roots = []string{"."}
	}
	return l
}

// gitLister is for git ls-files and git diff --name-only, below the directory that git is in.
func gitLister(rest []word) *lister {
	if len(rest) == 0 {
		return nil
	}
	g := &filesLists
	switch rest[0].text {
	case "ls-files":
	case "diff":
		g = &diffLists
	default:
		return nil
	}
	p := g.options(rest[1:])
	outside := slices.ContainsFunc(p.operands, func(x word) bool { return leaves(x.text) || strings.HasPrefix(x.text, ":") })
	if p.strange != "" || outside || g == &diffLists && !p.has("", "name-only") {
		return nil
	}
	return everything
}

// filters are programs that pass on whole lines of what they read, with the options listed.
var filters = map[string]grammar{
	"head": {flags: "#qz", values: "n", long: "lines="},
	"tail": {flags: "#qz", values: "n", long: "lines="},
	"sort": {flags: "bdfghiMnrRuVz", values: "kt", long: "reverse unique numeric-sort version-sort ignore-case"},
	"uniq": {flags: "diuz", values: "fsw"},
	"grep": {flags: "EFGPivwxyahsz", values: "em", long: "invert-match ignore-case extended-regexp fixed-strings perl-regexp word-regexp line-regexp max-count= regexp="},
	"rg":   {flags: "FivwxsSNIa", values: "em", long: "invert-match ignore-case fixed-strings word-regexp line-regexp max-count= regexp= no-filename no-line-number"},
}

// passes reports whether a statement only picks or orders lines of its standard input.
func passes(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || slices.ContainsFunc(s.Redirs, speaks) {
		return false
	}
	ws, ok := plainWords(c)
	if !ok {
		return false
	}
	g, ok := filters[ws[0]]
	p := g.options(words(ws[1:]))
	most := 0
	if (ws[0] == "grep" || ws[0] == "rg") && !p.has("e", "regexp") {
		most = 1 // what it looks for
	}
	return ok && p.strange == "" && len(p.operands) <= most
}
