package shell

import "tricode/approval"

// owner says that a command, by its index in Analysis.Commands, names a file, by its index in Analysis.Subjects.
type owner struct{ file, command int }

// maxOwners bounds what is remembered of them; beyond it no file has a known owner.
const maxOwners = 64 * maxParts

// opened returns the files that follow names.
func (w *walker) opened(follow func()) []int {
	start := len(w.files)
	follow()
	return w.files[start:len(w.files):len(w.files)]
}

// belong records that the commands from first to last, without it, name files.
func (w *walker) belong(files []int, first, last int) {
	for _, f := range files {
		for c := first; c < last && len(w.owners) <= maxOwners; c++ {
			w.owners = append(w.owners, owner{f, c})
		}
	}
}

// names follows the files that the words of a command name.
func (w *walker) names(command int, ws []word, e approval.Effects) {
	program := programName(ws[0].text)
	w.given, w.emptied, w.unpacked, w.discards, w.rewrites = false, false, false, false, false
	files := w.opened(func() { w.touches(program, ws, e) })
	w.belong(files, command, command+1)
	w.out.Commands[command].Fed = w.given
	if s := &w.out.Subjects[w.out.Commands[command].Subject]; w.discards {
		s.Effects, s.Why = s.Effects|approval.Dangerous, "discards changes"
	} else if w.rewrites {
		s.Effects, s.Why = s.Effects|approval.Dangerous|approval.History, "drops commits from the branch"
	}
	optional := writers()[program].role == optionOnly || program == "git" // whatever it writes, an option says so
	if w.emptied || w.unpacked || optional && w.overwrites(files) || program == "make" && setsVariables(ws[1:]) {
		w.out.Commands[command].Runs = true
	}
}

// setsVariables reports whether words of make set variables, which decide what its recipes run.
func setsVariables(ws []word) bool {
	for _, x := range ws {
		if assignment(x) {
			return true
		}
	}
	return false
}

// overwrites reports whether one of the files is there already and loses what it held.
func (w *walker) overwrites(files []int) bool {
	for _, f := range files {
		if f < len(w.out.Subjects) && w.out.Subjects[f].Effects.Has(approval.Write) && w.out.Subjects[f].Effects.Has(approval.Dangerous) {
			return true
		}
	}
	return false
}

// link tells the subjects of their commands.
func (w *walker) link() {
	for i := range w.out.Commands {
		c := &w.out.Commands[i]
		if s := &w.out.Subjects[c.Subject]; s.Args != nil {
			s.Command = &c.Command
		}
	}
	if len(w.owners) > maxOwners {
		return
	}
	for _, o := range w.owners {
		if o.file < len(w.out.Subjects) && w.out.Subjects[o.file].Path != "" {
			s := &w.out.Subjects[o.file]
			s.By = append(s.By, &w.out.Commands[o.command].Command)
		}
	}
}

// unlisted reports whether a program that does more than read may run what its words name. ln gives it another name.
func unlisted(program string) bool {
	_, writing := writers()[program]
	return !writing && program != "git" || program == "ln"
}
