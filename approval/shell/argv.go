package shell

import "tricode/approval"

// Arguments follows one program that is about to start, with final arguments, in a directory: no text is read, and nothing
// depends on what stood around it. args[0] is the name by which it is called, program the file that was found for that, absolute;
// it is empty for what a shell does itself. Whatever could not be followed to its end for want of room has unknown effects.
func Arguments(r Resolver, dir, program string, args []string) Analysis {
	if len(args) == 0 {
		args = []string{program}
	}
	return analyze(r, dir, argumentRoom, approval.Subject{Args: args, Why: crashed}, func(w *walker) {
		w.start(program, words(args))
		if real := realProgram(r, program, args[0]); real != "" {
			w.start(real, append([]word{literal(real)}, words(args[1:])...))
		}
		w.complete(args)
	})
}

func (w *walker) start(program string, ws []word) {
	w.started = program
	w.run(run{words: ws, external: program != ""})
}

// complete says that a part is missing.
func (w *walker) complete(args []string) {
	if w.blind {
		w.most.subjects++
		w.add(approval.Subject{Args: args, Why: "it has too many arguments to be checked"})
	}
}

// realProgram is the program that a file is a link to, if that is known by another name than the one it is called by and no
// program of the system's; empty otherwise.
func realProgram(r Resolver, program, called string) string {
	name := programName(called)
	if program == "" || programName(program) == name && systemProgram(program) {
		return ""
	}
	real := r.Resolve(program).Path
	if base := programName(real); real == "" || base == name || multicall[base] {
		return ""
	}
	return real
}

// multicall are programs that are what they are called.
var multicall = map[string]bool{"busybox": true, "toybox": true, "coreutils": true, "rustup": true}

// Redirect follows a file that is about to be opened, by its name in a directory, to be read or written.
func Redirect(r Resolver, dir, name string, e approval.Effects) Analysis {
	return analyze(r, dir, argumentRoom, approval.Subject{Path: name, Why: crashed}, func(w *walker) {
		w.network(name)
		w.path(e, name, "")
	})
}

// dir is where a command runs, if that is known.
func (w *walker) dir() string {
	switch {
	case len(w.state.dirs) != 1:
		return ""
	case w.state.dirs[0] == w.r.WorkDir():
		return w.state.dirs[0]
	}
	return w.r.Resolve(w.state.dirs[0]).Path
}

// open are the words of a command that stand for any.
func (c run) open() (indexes []int) {
	for i, x := range c.words {
		if !x.known || x.idle {
			indexes = append(indexes, i)
		}
	}
	return indexes
}
