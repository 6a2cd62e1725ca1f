package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// find follows find, and fd as far as it is like it.
func (w *walker) find(c run) {
	if programName(c.words[0].text) != "find" {
		w.fd(c)
		return
	}
	where, foreign := w.own(c.words[0].text)
	f := finder{w: w, c: c, effects: approval.Read}
	rest := c.words[1:]
	for len(rest) > 0 && rest[0].known && (rest[0].text == "-P" || rest[0].text == "-H") {
		rest = rest[1:]
	}
	for len(rest) > 0 && rest[0].known && !strings.HasPrefix(rest[0].text, "-") && rest[0].text != "(" && rest[0].text != "!" {
		f.roots = append(f.roots, rest[0].text)
		rest = rest[1:]
	}
	if len(f.roots) == 0 {
		f.roots = []string{"."}
	}
	if foreign {
		f.effects |= approval.Exec
	}
	at := len(w.out.Commands)
	cmd := w.emit(c, f.effects, "")
	cmd.Program, cmd.Foreign = where, foreign
	subject := cmd.Subject
	f.name, f.some = onlyName(rest), slices.ContainsFunc(rest, func(x word) bool { return listed(narrowing, x.text) })
	f.expression(rest)
	if f.effects != approval.Read {
		s := &w.out.Subjects[subject]
		s.Effects |= f.effects | approval.Exec
		if s.Why == "" {
			s.Why = f.why
		}
	}
	w.out.Commands[at].Runs = f.runs
	for _, root := range f.roots {
		w.stat(root)
	}
	for _, x := range c.words[1:] {
		if x.found && strings.HasPrefix(x.text, "-") {
			w.opaque(c.args(), "a file name looks like an option")
			return
		}
	}
}

// finder is a find command whose expression is being followed.
type finder struct {
	w       *walker
	c       run
	roots   []string
	effects approval.Effects
	why     string
	runs    bool
	name    string // the pattern of names it finds; empty for any
	some    bool   // a test leaves some names out
}

// narrowing are the tests of find(1) that leave names out.
const narrowing = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -prune -maxdepth -newer"

// writesFound records that a command writes the files that find finds. Without a test of names that is what git keeps too.
func (w *walker) writesFound() {
	if w.found == nil {
		return
	}
	for _, root := range w.found.roots {
		w.writeTree(root)
		if kept := strings.TrimSuffix(root, "/") + "/.git"; !w.found.some && w.look(kept).Kind != Missing {
			w.path(approval.Write, kept, "")
		}
	}
}

// onlyName is the pattern that every file must match which a find expression finds, empty if there is none or the
// expression is not that simple. What must not be narrows it further.
func onlyName(rest []word) string {
	name := ""
	for i := 0; i < len(rest); i++ {
		switch rest[i].text {
		case "-o", "-or", ",", "(":
			return ""
		case "!", "-not":
			if i++; i == len(rest) || !strings.HasPrefix(rest[i].text, "-") {
				return ""
			}
			i += findTests[rest[i].text]
		case "-name":
			if i++; i < len(rest) && rest[i].known && name == "" && !strings.Contains(rest[i].text, "[") {
				name = rest[i].text
			}
		default:
			i += findTests[rest[i].text]
		}
	}
	return name
}

func (f *finder) expression(rest []word) {
	for i := 0; i < len(rest); i++ {
		x := rest[i]
		if !x.known && !x.tame {
			f.is(approval.ExecOpaque, "its words are not known before it runs")
			continue
		}
		if n, ok := findTests[x.text]; ok {
			i += n
			for _, operand := range rest[min(i-n+1, len(rest)):min(i+1, len(rest))] {
				switch {
				case !operand.known && !operand.tame:
					f.is(approval.ExecOpaque, "its words are not known before it runs")
				case listed("-newer -anewer -cnewer -samefile", x.text):
					f.w.stat(operand.text)
				}
			}
			continue
		}
		switch x.text {
		case "-delete":
			if f.effects.Has(approval.Delete) {
				continue
			}
			f.is(approval.Delete|approval.Dangerous, "deletes what it finds")
			for _, root := range f.roots {
				f.w.path(approval.Delete|approval.Dangerous, root, "")
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			i = f.exec(rest, i+1)
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			f.is(approval.Write, "")
			if i++; i < len(rest) && rest[i].known {
				f.w.path(approval.Write, rest[i].text, "empties an existing file")
			}
			if x.text == "-fprintf" {
				i++
			}
		case "-L", "-follow", "-files0-from":
			f.is(approval.Exec, "follows links")
		default:
			f.is(approval.Exec, "")
		}
	}
}

func (f *finder) is(e approval.Effects, why string) {
	if f.effects |= e | approval.Exec; f.why == "" {
		f.why = why
	}
}

// exec follows the command behind -exec, and returns where it ends.
func (f *finder) exec(rest []word, from int) int {
	f.runs = true
	end := from
	for end < len(rest) && !(rest[end].known && rest[end].text == ";") && !(rest[end].known && rest[end].text == "+" && end > from && rest[end-1].text == "{}") {
		end++
	}
	command := make([]word, 0, end-from)
	files, many := false, end < len(rest) && rest[end].text == "+"
	for _, x := range rest[from:end] {
		if strings.Contains(x.text, "{}") {
			files = true
			x = word{text: x.text, tame: x.text == "{}", many: many, each: true}
		}
		command = append(command, x)
	}
	if len(command) == 0 {
		f.is(approval.Exec, "")
		return end
	}
	if rest[from-1].text == "-execdir" || rest[from-1].text == "-okdir" {
		f.is(approval.Exec, "runs in other directories")
	}
	w := f.w
	start := len(w.out.Subjects)
	before, found := w.enter(), w.found
	w.found = f
	w.within(command, func(ws []word) { w.run(run{words: ws, external: true}) })
	w.found = found
	w.leave(before)
	if files {
		f.reach(start, command)
	}
	return end
}

// reach records that a command works on everything below the roots: what it would do to a file it may do to each.
func (f *finder) reach(start int, command []word) {
	w := f.w
	var e approval.Effects
	for _, s := range w.out.Subjects[start:] {
		e |= s.Effects
	}
	program := ""
	if command[0].known {
		program = programName(command[0].text)
	}
	for _, root := range f.roots {
		switch {
		case e.Only(approval.Read) && readers()[program].operands != names:
			w.tree(root, sweep{hidden: true, links: true, name: f.name})
		case deletes(program):
			w.path(approval.Delete|approval.Dangerous, root, "")
		case !e.Only(approval.Read) && (!strings.Contains(unreading, " "+program+" ") || readsDirectories(program)):
			w.tree(root, sweep{hidden: true, links: true, name: f.name})
		}
	}
}

// fd follows fd(1), which has no expression but options that run commands.
func (w *walker) fd(c run) {
	e, why := approval.Effects(approval.Exec), ""
	rest := c.words[1:]
	for i, x := range rest {
		name, value, _ := strings.Cut(x.text, "=")
		switch {
		case !x.known:
			continue
		case name == "--exec" || name == "--exec-batch" || strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "--") && strings.ContainsAny(name, "xX"):
			inner := rest[i+1:]
			if value != "" {
				inner = append([]word{literal(value)}, inner...)
			}
			w.emit(c, e, why)
			added := append(inner[:len(inner):len(inner)], word{text: "{}"})
			if len(inner) > 0 {
				w.within(added, func(ws []word) { w.run(run{words: ws, external: true}) })
			}
			return
		}
	}
	if p := fdGrammar.options(rest); p.strange == "" && !p.dynamic && c.known() {
		if _, foreign := w.own(c.words[0].text); !foreign {
			e = approval.Read
		}
		for _, x := range p.operands[min(1, len(p.operands)):] {
			w.stat(x.text)
		}
	}
	w.emit(c, e, why)
}
