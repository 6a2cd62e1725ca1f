package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// reads reports whether a command only reads, by the tables.
func reads(program string, ws []word) bool {
	rest := ws[1:]
	switch {
	case len(rest) == 1 && rest[0].known && asksVersion(program, rest[0].text):
		return true
	case program == "git":
		return gitReads(rest)
	case program == "go":
		return goReads(rest)
	case program == "tar":
		return tarLists(rest) != ""
	}
	spec, ok := readers()[program]
	switch {
	case !ok:
		return false
	case program == "test" || program == "[":
		return testReads(rest)
	case program == "printf":
		return len(rest) > 0 && rest[0].known && !strings.HasPrefix(rest[0].text, "-v")
	case spec.words:
		return true
	case program == "xxd" && slices.ContainsFunc(rest, func(x word) bool { return x.known && x.text == "--" }):
		return false // it takes that for a file
	}
	p := spec.options(rest)
	if spec.needs != "" && !p.has(spec.needs, spec.needsL) {
		return false
	}
	if p.strange != "" || p.dynamic || spec.most > 0 && len(p.operands) > spec.most || spec.operands == nothing && len(p.operands) > 0 {
		return false
	}
	for _, o := range p.options {
		if o.valued && !o.value.known && !o.value.tame {
			return false
		}
	}
	for _, x := range p.operands {
		if !x.known && !x.tame && x.from == nil || x.many && spec.most > 0 {
			return false
		}
	}
	return specially(program, &p)
}

// touches records the files that a command reads and writes, as far as its words say so.
func (w *walker) touches(program string, ws []word, e approval.Effects) {
	if program == "git" {
		w.gitTouches(ws[1:], e)
	} else if program == "tar" && e.Only(approval.Read) {
		w.read(tarLists(ws[1:]))
	} else if spec, ok := readers()[program]; ok {
		w.inputs(program, spec, ws[1:])
	}
	if !e.Only(approval.Read) {
		w.outputs(program, ws)
		w.sourcesOutside(program, ws[1:])
		w.secrets(program, ws)
		if program == "docker" || program == "podman" || program == "nerdctl" {
			w.mounts(ws[1:])
		}
	}
}

// inputs records the files that a reading program is given.
func (w *walker) inputs(program string, spec reader, rest []word) {
	if program == "test" || program == "[" {
		w.testInputs(rest)
		return
	}
	if spec.words || spec.operands == nothing || spec.operands == anything {
		return
	}
	p := spec.options(rest)
	if wr, ok := writers()[program]; ok && p.strange != "" {
		p = wr.options(rest)
	}
	files := p.operands
	if spec.operands == matching && !p.has(spec.given, spec.long) && len(files) > 0 {
		files = files[1:]
	}
	deep, in := recursion(program, &p)
	w.given = w.behind && program == "rg" && !p.has("", "files") && len(files) == 0
	if len(files) == 0 && (spec.here || deep) && !w.given {
		files = []word{literal(".")}
	}
	for _, x := range files {
		switch {
		case x.from != nil:
			w.listedFiles(x.from, spec.operands)
		case !x.known:
		case spec.operands == names:
			w.stat(x.text)
		case deep, program == "diff" && w.directory(x.text): // which compares the files in it that have the same names
			w.tree(x.text, in)
		case assignment(x) && strings.HasSuffix(program, "awk"):
		default:
			w.read(x.text)
		}
	}
}

// recursion says whether a program reads what lies below a directory, and which of it.
func recursion(program string, p *parsed) (deep bool, in sweep) {
	switch program {
	case "rg":
		name, some := p.only("g", "glob iglob", "!")
		return !p.has("", "files type-list"), sweep{hidden: some || p.like("u.", "hidden unrestricted"), name: name}
	case "grep", "egrep", "fgrep":
		name, _ := p.only("", "include", "")
		return p.like("rRd", "recursive dereference-recursive directories"), sweep{hidden: true, links: p.like("R", "dereference-recursive"), name: name}
	case "diff":
		return p.like("r", "recursive"), sweep{hidden: true, links: true}
	}
	return false, sweep{}
}

// only returns the pattern that the names of all files must match because an option says so, and whether there is such an option;
// values that begin with not say the opposite.
func (p *parsed) only(short, long, not string) (name string, some bool) {
	for _, o := range p.options {
		if !o.is(short, long) || not != "" && strings.HasPrefix(o.value.text, not) {
			continue
		}
		if some {
			return "", true
		}
		name, some = o.value.text[strings.LastIndexByte(o.value.text, '/')+1:], true
	}
	if strings.ContainsAny(name, "{[") || name == "**" {
		return "", some
	}
	return name, some
}

// comparesFiles reports whether a word of a test compares two files.
func comparesFiles(x word) bool { return x.known && listed("-nt -ot -ef", x.text) }

// testInputs records the files whose existence is tested.
func (w *walker) testInputs(rest []word) {
	for i, x := range rest {
		of := i > 0 && unaryTest(rest[i-1]) && strings.Trim(rest[i-1].text, "-nzt") != ""
		if x.known && (of || i > 0 && comparesFiles(rest[i-1]) || i+1 < len(rest) && comparesFiles(rest[i+1])) {
			w.stat(x.text)
		}
	}
}
