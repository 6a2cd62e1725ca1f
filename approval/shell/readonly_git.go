package shell

import (
	"path"
	"slices"
	"strings"

	"tricode/approval"
)

// gitReads reports whether the words behind "git" only read.
func gitReads(rest []word) bool {
	n, ok := gitGlobal.leading(rest)
	if !ok || n == len(rest) || !rest[n].known {
		return false
	}
	sub := rest[n].text
	spec, ok := gitReaders()[sub]
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
		if !x.known && !x.tame || x.many && spec.most > 0 {
			return false
		}
	}
	if sub == "config" && len(p.operands) == 1 && strings.Contains(p.operands[0].text, ".") { // the others are subcommands
		return !gitCredential(p.operands[0].text)
	}
	return spec.operandsRead(&p)
}

// signs reports whether a format asks for signatures, which another program checks, or for what an object holds.
func signs(format string) bool {
	return strings.Contains(format, "%G") || strings.Contains(format, "%+G") || strings.Contains(format, "%-G") || strings.Contains(format, "% G") || strings.Contains(format, "signature") || strings.Contains(format, "%(raw") || strings.Contains(format, "%(*raw")
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
	} else {
		w.gitWrites(sub, words)
	}
	for _, o := range p.options {
		switch {
		case !o.valued || !o.value.known:
		case o.like("", "output") && o.long, o.is("o", "") && (sub == "archive" || sub == "format-patch"):
			w.path(approval.Write, o.value.text, "empties an existing file")
		case o.is("O", "") && sub != "grep":
			w.read(o.value.text)
		case o.is("", "output-directory"):
			w.path(approval.Write, o.value.text, "")
		}
	}
}

// gitAnySub is enough of the options of all subcommands to find the files they write.
var gitAnySub = grammar{values: "o", attached: "O", long: "output= outpu= outp= out= output-directory= contents= separate-git-dir="}
