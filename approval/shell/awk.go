package shell

import "strings"

// awkReads reports whether an awk program neither runs, reads nor writes anything by itself: it has no pipe, no output to a file
// and none of the names in awkNot. The program is split into tokens; where awks would split it differently it is given up.
func awkReads(program string) bool {
	a := awkProgram{text: program}
	for a.text != "" {
		n := a.token()
		if n == 0 {
			return false
		}
		a.text = a.text[n:]
	}
	return len(a.open) == 0
}

// awkProgram is an awk program that is being split.
type awkProgram struct {
	text  string
	open  []byte   // the brackets that are open, 'c' for the parenthesis of a condition
	last  awkToken // what stands before the text
	print int      // one more than the brackets that are open around the statement, if it is a print; else 0
}

// awkToken says what a slash behind a token means.
type awkToken byte

const (
	awkOther   awkToken = iota // it begins a regular expression
	awkValue                   // it divides
	awkKeyword                 // it begins a regular expression; a parenthesis is that of a condition
	awkUnclear                 // awks differ
)

// awkNot are the names through which a program reaches beyond its input; source: gawk(1), 5.2, "I/O Statements", "Built-in Variables"
// and "Dynamically Loading New Functions".
const awkNot = " system getline close fflush ARGV ENVIRON PROCINFO SYMTAB FUNCTAB extension "

// awkKeywords are the words behind which no slash divides.
const awkKeywords = " print printf return in else do case exit delete "

// token returns how long the next token is, 0 if the program is to be given up.
func (a *awkProgram) token() int {
	switch c := a.text[0]; {
	case c == ' ', c == '\t':
		return 1
	case strings.HasPrefix(a.text, "\\\n"):
		return 2
	case c == '#':
		line, _, _ := strings.Cut(a.text, "\n")
		if strings.HasSuffix(line, `\`) {
			return 0
		}
		return len(line)
	case c == '"':
		a.last = awkValue
		return quoted(a.text)
	case c == '/':
		return a.slash()
	case c == '.', name(a.text, 0):
		return a.word()
	default:
		return a.sign(c)
	}
}

// quoted returns the length of the string that a text begins with.
func quoted(text string) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			if i++; i < len(text) && text[i] == '\n' {
				return 0
			}
		}
	}
	return 0
}

// slash divides or begins a regular expression.
func (a *awkProgram) slash() int {
	switch a.last {
	case awkValue:
		a.last = awkOther
		return 1
	case awkUnclear:
		return 0
	}
	a.last = awkUnclear
	end := regexEnd(a.text[1:], '/')
	if end < 0 || strings.Contains(a.text[1:end+1], "\n") {
		return 0
	}
	return end + 2
}

// word is a name or a number.
func (a *awkProgram) word() int {
	n := 1
	for name(a.text, n) || n < len(a.text) && a.text[n] == '.' {
		n++
	}
	word := a.text[:n]
	a.last = awkValue
	switch {
	case listed(awkNot, word):
		return 0
	case word == "length": // it needs no parentheses
		a.last = awkUnclear
	case word == "if", word == "while", word == "for", word == "switch":
		a.last = awkKeyword
	case listed(awkKeywords, word):
		a.last = awkOther
		if strings.HasPrefix(word, "print") {
			a.print = len(a.open) + 1
		}
	}
	return n
}

// sign is a bracket, an operator or the end of a statement.
func (a *awkProgram) sign(c byte) int {
	before := a.last
	a.last = awkOther
	switch c {
	case '\n':
		return a.line(before)
	case ';':
		a.print = 0
	case '(', '[', '{':
		if c == '(' && before == awkKeyword {
			c = 'c'
		}
		a.open = append(a.open, c)
		if c == '{' {
			a.print = 0
		}
	case ')', ']', '}':
		return a.close(c)
	case '>':
		if a.print == len(a.open)+1 { // between parentheses it compares
			return 0
		}
	case '|', '&':
		if !strings.HasPrefix(a.text[1:], string(c)) {
			return 0
		}
		return 2
	case '+', '-':
		if strings.HasPrefix(a.text[1:], string(c)) {
			a.last = before
			return 2
		}
	case '*', '%', '^', '!', '<', '=', '~', '?', ':', ',', '$':
	default:
		return 0
	}
	return 1
}

// line ends a statement, unless that goes on.
func (a *awkProgram) line(before awkToken) int {
	switch {
	case before == awkUnclear, before == awkKeyword:
		a.last = before
	case before == awkValue && len(a.open) > 0 && a.open[len(a.open)-1] != '{':
		return 0
	case before == awkValue:
		a.print = 0
	}
	return 1
}

// close ends what a bracket began.
func (a *awkProgram) close(c byte) int {
	n := len(a.open) - 1
	if n < 0 {
		return 0
	}
	began := a.open[n]
	a.open = a.open[:n]
	switch {
	case c == '}' && began == '{':
		a.print = 0
	case c == ']' && began == '[', c == ')' && began == '(':
		a.last = awkValue
	case c == ')' && began == 'c':
		a.last = awkUnclear
	default:
		return 0
	}
	return 1
}
