package shell

import (
	"path"
	"strings"

	"tricode/approval"
)

// deletes reports whether a program removes its operands.
func deletes(program string) bool { return writers()[program].role == removes }

// outputs records what a command writes, as far as its words say so.
func (w *walker) outputs(program string, ws []word) {
	rest := ws[1:]
	switch {
	case program == "git":
		return
	case program == "dd":
		w.ddOutputs(rest)
		return
	case program == "go":
		w.goOutputs(rest)
		return
	case strings.HasPrefix(program, "mkfs."):
		program = "mkfs"
	case program == "tar" && len(rest) > 0 && rest[0].known && rest[0].text != "" && rest[0].text[0] != '-':
		rest = oldStyle(rest)
	}
	spec, ok := writers()[program]
	if _, reading := readers()[program]; !ok && !reading || spec.role == optionOnly {
		w.mayWrite(program, ws)
	}
	if !ok || spec.role == optionOnly && spec.out+spec.outL == "" {
		w.likelyOutputs(rest)
	}
	p := spec.options(rest)
	if dir, ok := unpacks(program, rest, &p); ok {
		w.unpacked = true
		w.writeTree(dir)
	}
	if !ok {
		return
	}
	for _, o := range p.options {
		switch {
		case o.value.each && (o.like(spec.into, spec.intoL) || o.like(spec.out, spec.outL)):
			w.writesFound()
		case !o.valued || !o.value.known:
		case program == "curl" && o.like("w", "write-out"): // curl(1), "%output{filename}", since 8.3
			for _, part := range strings.Split(o.value.text, "%output{")[1:] {
				name, _, _ := strings.Cut(strings.TrimPrefix(part, ">>"), "}")
				w.path(approval.Write, name, "empties an existing file")
			}
		case o.like(spec.into, spec.intoL) && spec.given(&p):
			w.into(o.value.text, p.operands, replaces(&p))
		case o.like(spec.into, spec.intoL):
			w.path(approval.Write, o.value.text, "")
		case o.like(spec.out, spec.outL) && program == "tar" && !tarWrites(&p):
			w.read(o.value.text)
		case o.like(spec.out, spec.outL):
			files := w.opened(func() { w.path(approval.Write, o.value.text, "empties an existing file") })
			w.emptied = w.emptied || w.overwrites(files)
		}
	}
	if (spec.only != "" || spec.onlyL != "") && !p.like(spec.only, spec.onlyL) {
		return
	}
	files := p.operands
	switch {
	case spec.given(&p):
		w.sources(spec.role, files)
	case p.like(spec.all, spec.allL):
		w.each(approval.Write, files, "")
	default:
		w.operands(program, spec, &p, files)
	}
}

// oldStyle makes options with hyphens of the letters that tar takes first, each with a value followed by it: tar xfC FILE DIR.
func oldStyle(rest []word) []word {
	spec := writers()["tar"]
	out := make([]word, 0, len(rest)+2)
	letters, rest := rest[0].text, rest[1:]
	for i := range len(letters) {
		out = append(out, literal("-"+letters[i:i+1]))
		if strings.Contains(spec.values, letters[i:i+1]) && len(rest) > 0 {
			out, rest = append(out, rest[0]), rest[1:]
		}
	}
	return append(out, rest...)
}

// given reports whether an option names the directory that gets the operands.
func (spec *writer) given(p *parsed) bool {
	return (spec.role == intoLast || spec.role == movesLast || spec.role == lastOnly) && p.like(spec.into, spec.intoL)
}

func tarWrites(p *parsed) bool { return p.like("cruA", "create append update catenate delete") }

func (w *walker) operands(program string, spec writer, p *parsed, files []word) {
	switch spec.role {
	case writes:
		why := ""
		if spec.empty && !p.like("a", "append") {
			why = "empties an existing file"
		}
		if program == "sed" && !p.like("ef", "expression file") && len(files) > 0 {
			files = files[1:]
		}
		w.each(approval.Write, files, why)
		if spec.deep {
			w.directories(files)
		}
	case removes:
		w.each(approval.Delete, files, "")
		if p.like("rR", "recursive") {
			w.emptiesAll(files)
		}
	case afterFirst:
		if !p.like(spec.modes, "reference") && len(files) > 0 {
			files = files[1:]
		}
		w.each(approval.Write, files, "")
	case intoLast, movesLast, lastOnly:
		if program == "rsync" && len(files) > 1 && p.has("", mirrors) {
			w.each(approval.Delete, files[len(files)-1:], "deletes what the source does not have")
		}
		w.last(spec.role, files, replaces(p))
	}
}

// replaces says what happens to a file that is there already; nothing if it is kept.
func replaces(p *parsed) string {
	if p.like("n", "no-clobber ignore-existing") {
		return ""
	}
	return "overwrites an existing file"
}

// mirrors are the options of rsync by which the target loses what the source does not have; source: rsync(1).
const mirrors = "delete del delete-before delete-during delete-delay delete-after delete-excluded"

func (w *walker) each(e approval.Effects, files []word, why string) {
	for _, x := range files {
		switch {
		case x.known:
			w.path(e, x.text, why)
		case x.each && e.Has(approval.Write):
			w.writesFound()
		}
	}
}

// emptiesAll records that a directory of the run, or one outside, is removed where all that it holds is.
func (w *walker) emptiesAll(files []word) {
	for _, x := range files {
		if dir := path.Dir(x.text); x.whole && (w.look(dir).Rel == "." || w.look(dir).Rel == "") {
			w.path(approval.Delete, dir, "")
		}
	}
}

// directories records that anything below those of the names may be written that are directories.
func (w *walker) directories(files []word) {
	for _, x := range files {
		if x.known && w.directory(x.text) {
			w.writeTree(x.text)
		}
	}
}

// last records operands of which the last is the target.
func (w *walker) last(as role, files []word, why string) {
	if len(files) < 2 {
		return
	}
	target, sources := files[len(files)-1], files[:len(files)-1]
	w.sources(as, sources)
	if target.each {
		w.writesFound()
	}
	if !target.known || strings.Contains(target.text, ":") && !strings.HasPrefix(target.text, "/") && as == intoLast {
		return // HOST:PATH, or unknown
	}
	w.into(target.text, sources, why)
}

// sources records the operands that are copied or moved.
func (w *walker) sources(as role, files []word) {
	switch as {
	case intoLast:
		for _, x := range files {
			if x.known && !strings.Contains(x.text, ":") {
				w.read(x.text)
			}
		}
	case movesLast:
		w.each(approval.Delete, files, "")
	}
}

// into records a target and, if it is a directory, what would be put into it; why is what happens to files that are there.
func (w *walker) into(target string, files []word, why string) {
	if w.look(target).Kind == Dir {
		for _, x := range files {
			if x.known {
				w.path(approval.Write, strings.TrimSuffix(target, "/")+"/"+path.Base(x.text), why)
			}
		}
		if len(files) > 0 {
			return
		}
	}
	w.path(approval.Write, target, why)
}

func (w *walker) ddOutputs(rest []word) {
	for _, x := range rest {
		switch {
		case x.each && strings.HasPrefix(x.text, "of="):
			w.writesFound()
		case !x.known:
		case strings.HasPrefix(x.text, "of="):
			w.path(approval.Write, x.text[3:], "overwrites an existing file")
		case strings.HasPrefix(x.text, "if="):
			w.read(x.text[3:])
		}
	}
}

// goOutputs records the files that options of go(1) name: they have one hyphen or two, and their value in the same
// word or the next.
func (w *walker) goOutputs(rest []word) {
	for i, x := range rest {
		name, value, given := strings.Cut(strings.TrimLeft(x.text, "-"), "=")
		if !x.known || !strings.HasPrefix(x.text, "-") || !listed(goFiles, name) {
			continue
		}
		if !given && i+1 < len(rest) && rest[i+1].known {
			value = rest[i+1].text
		}
		w.path(approval.Write, value, "empties an existing file")
	}
}

const goFiles = "o output coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir pkgdir test.coverprofile test.cpuprofile test.memprofile test.blockprofile test.mutexprofile test.trace test.outputdir test.testlogfile test.gocoverdir"
