package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// wrapper is a program that runs the command in its words.
type wrapper struct {
	grammar
	before  int              // operands before the command: 1 for timeout's duration
	assigns bool             // NAME=VALUE may stand before the command
	effects approval.Effects // what it does itself; Read if that is nothing
	why     string
	text    string // the one-letter option whose value is a command line: su -c
	joined  bool   // its words make a command line: watch
	beside  string // the one-letter options whose values are further command lines: hyperfine -p
	besideL string // the same as long options
}

// wrapper follows a program that runs the command in its words.
func (w *walker) wrapper(c run, wr wrapper) {
	program := programName(c.words[0].text)
	p, inner, ok := wr.split(c.words[1:])
	next := run{external: true, set: c.set, assigned: c.assigned, why: c.why}
	if wr.assigns {
		inner = next.assign(inner)
	}
	if program == "env" && p.has("iu", "ignore-environment unset") {
		next.assigned = true // git's variables keep its configuration from running programs
	}
	if program == "parallel" && (len(inner) == 0 || strings.HasPrefix(inner[0].text, ":::")) {
		ok = false // the commands are what it reads
	}
	if program != "chrt" || len(inner) > 0 && digits(inner[0].text) { // its priority may be left out
		inner = inner[min(wr.before, len(inner)):]
	}
	next.words = inner
	e, why := wr.effects, wr.why
	where, foreign := w.own(c.words[0].text)
	if foreign || program == "env" && len(inner) == 0 { // which prints the environment
		e |= approval.Exec
	}
	if !ok {
		e, why = e|approval.Exec|approval.ExecOpaque, "it is not known what it runs"
	}
	cmd := w.emit(c, e, why)
	cmd.Program, cmd.Foreign, cmd.Runs = where, foreign, len(inner) > 0
	w.wrapperOptions(c, wr, &p, inner)
	switch {
	case wr.joined && !p.has("x", "exec"), program == "entr" && p.has("s", ""):
		w.within(inner, func(ws []word) { w.line(c, ws) })
	case program == "xargs":
		w.within(inner, func([]word) { w.xargs(next, &p) })
	default:
		w.within(inner, func([]word) { w.run(next) })
	}
}

// split separates the options of a wrapper from what follows them; ok is false if one is not known.
func (wr *wrapper) split(rest []word) (p parsed, inner []word, ok bool) {
	if all := wr.options(rest); wr.text != "" && all.has(wr.text, "command") { // su USER -c TEXT
		_, ok = wr.leading(rest)
		return all, nil, ok
	}
	n, ok := wr.leading(rest)
	return wr.options(rest[:n]), rest[n:], ok
}

// assign takes assignments before a command into account and returns what follows them.
func (c *run) assign(ws []word) []word {
	for len(ws) > 0 && assignment(ws[0]) {
		name, _, _ := strings.Cut(ws[0].text, "=")
		c.set, c.assigned = true, c.assigned || !cosmetic(name)
		if reason := deciding(name); reason != "" {
			c.why = reason
		}
		ws = ws[1:]
	}
	return ws
}

// assignment reports whether a word is NAME=VALUE.
func assignment(x word) bool {
	name, _, ok := strings.Cut(x.text, "=")
	return x.known && ok && name != "" && !strings.HasPrefix(name, "-") && !strings.Contains(name, "/")
}

// line follows words that together are a command line.
func (w *walker) line(c run, ws []word) {
	var texts []string
	for _, x := range ws {
		if !x.known {
			w.emit(c, approval.Exec|approval.ExecOpaque, "its words are not known before it runs")
			return
		}
		texts = append(texts, x.text)
	}
	w.apart(func() { w.nested(strings.Join(texts, " ")) })
}

// apart follows something that runs in a shell of its own.
func (w *walker) apart(follow func()) {
	before := w.enter()
	w.state.funcs = nil
	follow()
	w.leave(before)
}

// wrapperOptions follows what options of a wrapper write or run.
func (w *walker) wrapperOptions(c run, wr wrapper, p *parsed, inner []word) {
	program := programName(c.words[0].text)
	for _, o := range p.options {
		switch {
		case !o.valued:
		case !o.value.known:
			w.opaque(c.args(), "its words are not known before it runs")
		case wr.text != "" && o.is(wr.text, "command"), o.is(wr.beside, wr.besideL):
			w.within([]word{o.value}, func(ws []word) { w.line(c, ws) })
		case program == "env" && o.is("S", "split-string"):
			w.splitString(c, o.value.text, inner)
		case program == "env" && o.is("C", "chdir"), program == "sudo" && o.is("D", "chdir"):
			w.opaque(c.args(), "it runs in another directory")
		case o.is(writers()[program].out, writers()[program].outL) && program != "script" && program != "flock":
			w.path(approval.Write, o.value.text, "empties an existing file")
		case program == "xargs" && o.is("a", "arg-file"):
			w.read(o.value.text)
		}
	}
	if (program == "sudo" || program == "su") && len(inner) == 0 && !p.has("vKkc", "command") {
		w.opaque(c.args(), "starts a shell")
	}
	if program == "script" || program == "flock" {
		w.outputs(program, c.words)
	}
}

// splitString follows env -S, whose value is split into words like a command line.
func (w *walker) splitString(c run, text string, inner []word) {
	w.opaque(c.args(), "it is not known how env splits its words")
	file, err := Parse(text)
	if err != nil || len(file.Stmts) != 1 {
		return
	}
	for _, x := range inner {
		if !x.known {
			return
		}
		text += " " + quote(x.text)
	}
	w.within([]word{literal(text)}, func(ws []word) { w.line(c, ws) })
}

// xargs follows the command that xargs runs, with words that are read from elsewhere at its end.
func (w *walker) xargs(c run, p *parsed) {
	if mark := replaced(p); mark != "" {
		c.words = slices.Clone(c.words)
		for i, x := range c.words {
			if strings.Contains(x.text, mark) {
				c.words[i] = word{text: x.text}
			}
		}
	}
	added := word{text: "…", tame: true, many: true}
	program := programName(c.words[0].text)
	spec, reading := readers()[program]
	cut := p.has("d", "delimiter") && !delimited(p, `\n`)
	safe := w.lister != nil && !cut && !p.has("aIi", "arg-file replace") && reading && spec.most == 0 && spec.takesFiles(c.words) && reads(program, c.words)
	if !safe {
		if text := reading && spec.operands == anything; !text {
			added.tame = false
		}
		c.words = append(c.words[:len(c.words):len(c.words)], added)
		w.run(c)
		return
	}
	w.run(c)
	l := *w.lister
	l.whole = p.has("0d", "null delimiter")
	w.listedFiles(&l, spec.operands)
}

// delimited reports whether options say where the words that are read end, all of them there.
func delimited(p *parsed, end string) bool {
	other := slices.ContainsFunc(p.options, func(o option) bool { return o.is("d", "delimiter") && (!o.value.known || o.value.text != end) })
	return p.has("d", "delimiter") && !other
}

// replaced is what xargs puts the words that it reads in place of; empty if it adds them at the end (xargs(1)).
func replaced(p *parsed) string {
	for _, o := range p.options {
		switch {
		case !o.is("Ii", "replace"):
		case o.valued && o.value.text != "":
			return o.value.text
		default:
			return "{}"
		}
	}
	return ""
}

// takesFiles reports whether words added to a reading program are files.
func (spec *reader) takesFiles(ws []word) bool {
	if spec.operands != matching {
		return spec.operands == contents || spec.operands == names
	}
	p := spec.options(ws[1:])
	return len(p.operands) > 0 || p.has(spec.given, spec.long)
}

// dashes reports whether a directory holds a name that looks like an option.
func (w *walker) dashes(dir string) bool {
	for _, e := range w.list(dir) {
		if strings.HasPrefix(e.Name(), "-") {
			return true
		}
	}
	return false
}

// within follows a command that another one runs.
func (w *walker) within(ws []word, follow func([]word)) {
	if len(ws) == 0 {
		return
	}
	w.around++
	follow(ws)
	w.around--
}
