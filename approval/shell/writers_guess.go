package shell

import (
	"strings"

	"tricode/approval"
)

// mayWrite says that a command, of whose words not all are known for what they are, may write to a protected place that one of them
// names. What follows words such as --exclude is left out, and the script of an interpreter.
func (w *walker) mayWrite(program string, ws []word) {
	leave := interpreter(program)
	for i, x := range ws[1:] {
		option := strings.HasPrefix(x.text, "-")
		switch {
		case !x.known, strings.Contains(x.text, "://"), excludes(x.text), i > 0 && excludes(ws[i].text):
		case leave && !option:
			leave = false
		case namesProtected(x.text):
			w.opaque(run{words: ws}.args(), "it may write "+x.text+", which is protected")
			return
		}
	}
}

// excludes reports whether a word is an option that says what is left out.
func excludes(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return strings.HasPrefix(name, "-") && (strings.Contains(name, "exclude") || strings.Contains(name, "ignore") || strings.Contains(name, "skip"))
}

// namesProtected reports whether a word, or a path in it, has a protected name as a component. Packages are read by many programs.
func namesProtected(text string) bool {
	if !strings.ContainsAny(text, ".~") {
		return false
	}
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune("/\\ \t\n'\"=@:,()", c) }) {
		if approval.ProtectedName(part) && !strings.HasPrefix(strings.ToLower(part), "node_m") {
			return true
		}
	}
	return strings.HasPrefix(text, "-") && len(text) > 2 && text[1] != '-' && namesProtected(text[2:]) // -B.git
}

// likelyOutputs records what a program that no table knows writes if its options mean what they mean elsewhere. A name
// without a slash is a file in the directory where the program works, or no file at all.
func (w *walker) likelyOutputs(rest []word) {
	for i, x := range rest {
		if !x.known || len(x.text) < 2 {
			continue
		}
		name, value, given := strings.Cut(x.text, "=")
		switch {
		case name == "of" || listed(likelyOutputNames, name):
			if !given && i+1 < len(rest) && rest[i+1].known {
				value = rest[i+1].text
			}
		case strings.HasPrefix(x.text, "-o/"), strings.HasPrefix(x.text, "-O/"), strings.HasPrefix(x.text, "-o~"), strings.HasPrefix(x.text, "-o."):
			value = x.text[2:]
		default:
			continue
		}
		if strings.Contains(value, "/") && !strings.ContainsAny(value, "=:{") || approval.ProtectedName(value) {
			w.path(approval.Write, value, "empties an existing file")
		}
	}
}

const likelyOutputNames = "-o -O --output -output --out -out --outfile -outfile --out-file --output-file --outdir --out-dir -outdir --output-dir --output-path --output-directory --dest --destination --target-dir --log-file --logfile --report --export --save --write --dump --cidfile --iidfile"
