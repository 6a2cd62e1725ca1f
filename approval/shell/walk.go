package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

// walker follows a tree and collects what it would do.
type walker struct {
	r      Resolver
	out    *Analysis
	most   room
	state  *state
	source string // of the tree that is being followed

	started string // the program that the outermost command is; empty if it has to be looked up

	files    []int   // the subjects that are files, in the order in which they were named
	owners   []owner // whose words or redirects name them
	given    bool    // the present command reads its standard input instead of files
	emptied  bool    // an option of it names a file that is there
	discards bool    // it takes files back to what git has
	rewrites bool    // it moves a branch of git to another commit
	// unpacked says that the present command writes files that its words do not name.
	unpacked bool

	nesting  int
	parts    int
	bytes    int // of expanded text
	looks    int // at the world
	entries  int // directory entries looked at
	full     bool
	blind    bool    // something was neither looked at nor said
	around   int     // commands that run what is being followed
	behind   bool    // standard input is a pipe
	lister   *lister // what feeds that pipe, if it only prints names of files
	fed      feed    // what else is known of what comes through it
	found    *finder // the find that runs what is being followed
	download bool    // that pipe, or a word of the command, carries what another machine sent
	inBack   bool    // it goes on in the background
	closes   bool    // a redirect has closed a file
}

// add records a subject.
func (w *walker) add(s approval.Subject) {
	if len(w.out.Subjects) < w.most.subjects {
		w.out.Subjects = append(w.out.Subjects, s)
		return
	}
	w.blind = true
	last := &w.out.Subjects[w.most.subjects-1] // what is left out must not be allowed for want of a subject
	last.Effects |= approval.Exec | approval.ExecOpaque
	last.Why = "it has too many parts to be analysed"
}

// opaque records what cannot be followed.
func (w *walker) opaque(args []string, why string) {
	w.add(approval.Subject{Effects: approval.Exec | approval.ExecOpaque, Args: args, Why: why})
}

func (w *walker) opaqueNode(n syntax.Node, why string) { w.opaque([]string{w.slice(n)}, why) }

// spend counts a part and reports whether there may be one more.
func (w *walker) spend() bool {
	if w.parts++; w.parts <= maxParts && w.nesting <= maxNesting && w.bytes <= maxBytes {
		return true
	}
	w.stop()
	return false
}

// stop says, once, that not everything could be followed.
func (w *walker) stop() {
	if !w.full {
		w.full = true
		w.opaque([]string{w.source}, "it has too many parts to be analysed")
	}
}

// enter starts a part that a shell runs in a copy of itself; leave, with what enter returned, ends it.
func (w *walker) enter() *state {
	before := w.state
	w.state = before.clone()
	return before
}

func (w *walker) leave(before *state) { w.state = before }

func (w *walker) statements(list []*syntax.Stmt) {
	for _, s := range list {
		w.statement(s)
	}
}

func (w *walker) statement(s *syntax.Stmt) {
	if !w.spend() {
		return
	}
	if _, chain := s.Cmd.(*syntax.BinaryCmd); !chain { // a | b | c nests in the tree alone
		w.nesting++
		defer func() { w.nesting-- }()
	}
	if s.Coprocess || s.Disown {
		w.opaqueNode(s, "it runs beside the rest")
	}
	if s.Background {
		before, back := w.enter(), w.inBack
		w.inBack = true
		w.redirected(s)
		w.inBack = back
		w.leave(before)
		return
	}
	w.redirected(s)
}

// redirected follows the redirects of a statement and then its command.
func (w *walker) redirected(s *syntax.Stmt) {
	behind, lister, fed, download := w.behind, w.lister, w.fed, w.download
	start := len(w.out.Subjects)
	files := w.opened(func() {
		for _, r := range s.Redirs {
			w.redirect(r)
		}
	})
	w.download = w.download || w.reached(start)
	first := len(w.out.Commands)
	if s.Cmd != nil {
		var skipped *state
		if slices.ContainsFunc(s.Redirs, w.mayFail) {
			skipped = w.state.clone()
		}
		w.command(s.Cmd)
		if skipped != nil {
			w.state.merge(skipped)
		}
	}
	w.belong(files, first, len(w.out.Commands))
	w.behind, w.lister, w.fed, w.download = behind, lister, fed, download
}

func (w *walker) command(c syntax.Command) {
	switch c := c.(type) {
	case *syntax.CallExpr:
		w.call(c)
	case *syntax.BinaryCmd:
		w.binary(c)
	case *syntax.Block:
		w.statements(c.Stmts)
	case *syntax.Subshell:
		before := w.enter()
		w.statements(c.Stmts)
		w.leave(before)
	case *syntax.IfClause:
		w.ifClause(c)
	case *syntax.WhileClause:
		w.loop(c.Do, func() { w.statements(c.Cond) })
	case *syntax.ForClause:
		w.forClause(c)
	case *syntax.CaseClause:
		w.caseClause(c)
	case *syntax.FuncDecl:
		w.function(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.statement(c.Stmt)
		}
	case *syntax.DeclClause:
		w.declare(c)
	case *syntax.TestClause:
		w.test(c.X)
	case *syntax.ArithmCmd:
		w.arithmetic(c.X)
	default: // coproc and let: shells and the parser disagree about them
		w.inner(c)
		w.opaqueNode(c, "this kind of command cannot be analysed")
	}
}

func (w *walker) ifClause(c *syntax.IfClause) {
	if !w.spend() {
		return
	}
	w.statements(c.Cond)
	otherwise := w.state.clone()
	w.statements(c.Then)
	if len(c.Cond) == 0 { // it is an else
		return
	}
	then := w.state
	w.state = otherwise
	if c.Else != nil {
		w.ifClause(c.Else)
	}
	w.state.merge(then)
}

func (w *walker) caseClause(c *syntax.CaseClause) {
	w.single(c.Word)
	before := w.state
	after := before.clone()
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			w.single(p)
		}
		w.state = before.clone()
		w.state.merge(after) // ;& falls through
		w.statements(item.Stmts)
		after.merge(w.state)
	}
	w.state = after
}

// inner follows the commands and expansions within a node whose own meaning is not followed.
func (w *walker) inner(outer syntax.Node) {
	syntax.Walk(outer, func(n syntax.Node) bool {
		if n == outer {
			return true
		}
		switch n := n.(type) {
		case *syntax.CmdSubst:
			before := w.enter()
			w.statements(n.Stmts)
			w.leave(before)
			return false
		case *syntax.ProcSubst:
			w.process(n)
			return false
		case *syntax.Stmt:
			before := w.enter()
			w.statement(n)
			w.leave(before)
			return false
		case *syntax.ParamExp:
			(&expansion{w: w, source: &syntax.Word{}}).param(n, true)
			return false
		case *syntax.ArithmExp:
			w.arithmetic(n.X)
			return false
		case *syntax.SglQuoted:
			w.unread(n, n.Value, "$`") // between double quotes and in here-documents these quotes do not quote
		case *syntax.Lit:
			w.unread(n, n.Value, "<>") // <(…) is one here too
		}
		return true
	})
}

// unread makes a text opaque that the parser takes for literal, although a shell may run what follows one of the characters.
func (w *walker) unread(n syntax.Node, text, chars string) {
	if i := strings.IndexAny(text, chars); i >= 0 && (chars != "<>" || strings.ContainsRune(text[i:], '(')) {
		w.opaqueNode(n, "it is not known what an expansion runs")
	}
}
