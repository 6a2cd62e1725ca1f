package shell

import (
	"slices"
	"strings"
)

func asksVersion(program, option string) bool {
	_, reading := readers()[program]
	switch option {
	case "--version", "--help":
		return reading || strings.Contains(versions, " "+program+" ")
	case "-V":
		return program == "python3" || program == "python"
	case "-v":
		return program == "node" || program == "ruby"
	}
	return false
}

// specially checks what a table of options cannot say.
func specially(program string, p *parsed) bool {
	switch program {
	case "date":
		for _, x := range p.operands {
			if !strings.HasPrefix(x.text, "+") {
				return false
			}
		}
	case "ps":
		return psReads(p)
	case "man": // a file in place of a name is formatted as it says
		return !slices.ContainsFunc(p.operands, func(x word) bool { return strings.Contains(x.text, "/") })
	case "printenv": // all variables, without a name
		return len(p.operands) > 0
	case "sed":
		return scripts(p, "e", "expression", sedReads)
	case "awk", "gawk", "mawk", "nawk":
		return scripts(p, "", "", awkReads)
	case "jq":
		return scripts(p, "", "", jqReads)
	}
	return true
}

// psReads reports whether ps leaves out the environment of other programs, which an "e" shows that is no option; ps(1), procps 4.0.2. Where it
// takes its options for wrong it reads them again, as if they were none: ps -auxe.
func psReads(p *parsed) bool {
	for _, x := range p.operands {
		if strings.Trim(x.text, "auxwfjlTr") != "" {
			return false
		}
	}
	e, sure, formats := false, len(p.operands) == 0, 0
	for _, o := range p.options {
		switch {
		case strings.Contains(o.value.text, "env"):
			return false
		case o.long, strings.Contains("AwyH", o.name):
		case o.name == "e":
			e = true
		case strings.Contains("fFlo", o.name):
			formats++
		case o.name == "C":
			e = e || strings.Contains(o.value.text, "e")
		default:
			e, sure = e || strings.Contains(o.value.text, "e"), false
		}
	}
	return !e || sure && formats < 2
}

// scripts checks every program text of a command: those that options give, or the first operand.
func scripts(p *parsed, short, long string, check func(string) bool) bool {
	given := false
	for _, o := range p.options {
		if short != "" && o.is(short, long) {
			given = true
			if !o.value.known || !check(o.value.text) {
				return false
			}
		}
	}
	return given || len(p.operands) > 0 && p.operands[0].known && check(p.operands[0].text)
}

// jqReads reports whether a jq program stays with its input: no modules, no environment.
func jqReads(text string) bool {
	for _, no := range [...]string{"import", "include", "env", "ENV", "modulemeta"} {
		for at := text; ; {
			before, after, ok := strings.Cut(at, no)
			if !ok {
				break
			}
			if !strings.HasSuffix(before, ".") && !name(before, len(before)-1) && !name(after, 0) {
				return false
			}
			at = after
		}
	}
	return true
}

// name reports whether s has a character of a name at i.
func name(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] == '_' || s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z')
}

// tarLists returns the archive of a tar command that lists one and does nothing else, as it is mostly written: tar tzf ARCHIVE MEMBER…
// A name with a colon can mean another machine; source: tar(1), 1.34.
func tarLists(rest []word) string {
	if len(rest) < 2 || !rest[0].known || !rest[1].known {
		return ""
	}
	how, archive := strings.TrimPrefix(rest[0].text, "-"), rest[1].text
	if letters, ends := strings.CutSuffix(how, "f"); !ends || !strings.Contains(letters, "t") || strings.Trim(letters, "tvzjJ") != "" {
		return ""
	}
	if strings.Contains(archive, ":") || slices.ContainsFunc(rest[1:], func(x word) bool { return !x.known || strings.HasPrefix(x.text, "-") && x.text != "-" }) {
		return ""
	}
	return archive
}

// goReads allows the subcommands of go(1) that only print.
func goReads(rest []word) bool {
	if len(rest) == 0 || !rest[0].known {
		return false
	}
	for _, x := range rest[1:] {
		if !x.known || strings.HasPrefix(x.text, "-") && x.text != "-json" && x.text != "-changed" {
			return false
		}
	}
	return rest[0].text == "env" || rest[0].text == "help" || rest[0].text == "version" && len(rest) == 1
}

// testReads follows test(1): an unknown word is harmless where an operator says that it is an operand.
func testReads(rest []word) bool {
	for i, x := range rest {
		switch {
		case x.known && (x.text == "-v" || x.text == "-R"):
			return false // bash evaluates a subscript in its operand
		case x.known || x.tame:
		case !x.one:
			return false // it may become a whole expression
		case i > 0 && unaryTest(rest[i-1]), i > 0 && binaryTest(rest[i-1]), i+1 < len(rest) && binaryTest(rest[i+1]):
		default:
			return false
		}
	}
	return true
}

func unaryTest(x word) bool {
	return x.known && len(x.text) == 2 && x.text[0] == '-' && strings.IndexByte("bcdefghkLnOprsStuwxzGN", x.text[1]) >= 0
}

func binaryTest(x word) bool {
	if !x.known {
		return false
	}
	switch x.text {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef":
		return true
	}
	return false
}
