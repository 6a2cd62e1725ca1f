package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// sourcesOutside records what lies outside of what a command reads that is no reader, as far as its words say so. What is inside needs
// no subject: the command itself is asked about.
func (w *walker) sourcesOutside(program string, rest []word) {
	_, reading := readers()[program]
	_, writing := writers()[program]
	any := strings.Contains(projectPrograms, " "+program+" ") || interpreter(program) || reading && !writing
	archiver := (program == "tar" || program == "bsdtar") && tarReads(rest) || program == "zip"
	for i, x := range rest {
		if !x.known {
			continue
		}
		name, value, given := strings.Cut(x.text, "=")
		sends := program == "curl" && (strings.HasPrefix(x.text, "-T") || i > 0 && listed(curlSends, rest[i-1].text) || listed(curlSends, name))
		switch {
		case len(x.text) > 5 && strings.EqualFold(x.text[:5], "file:"):
			w.outside(strings.TrimPrefix(x.text[5:], "//"))
		case strings.Contains(x.text, "://"), program == "go" && i > 0 && listed("-run -skip -bench -fuzz", rest[i-1].text): // a pattern
		case program == "curl" && strings.Contains(x.text, "@"):
			w.outside(x.text[strings.IndexByte(x.text, '@')+1:])
		case sends && given:
			w.outside(value)
		case sends:
			w.outside(strings.TrimPrefix(x.text, "-T"))
		case (any || archiver) && given && strings.HasPrefix(name, "-"):
			w.outside(value)
		case any || archiver:
			w.outside(strings.TrimSuffix(x.text, "/..."))
		}
	}
	if archiver && slices.ContainsFunc(rest, func(x word) bool { return x.text == "--remove-files" || program == "zip" && x.text == "-m" }) {
		spec := writers()[program]
		p := spec.options(rest)
		w.each(approval.Delete, p.operands, "")
	}
}

// curlSends are the options of curl(1) whose value is a file that it reads.
const curlSends = "-T --upload-file --netrc-file --cacert --capath --cert --key -E --proxy-cert --proxy-key"

// outside records a file that is read if it lies outside.
func (w *walker) outside(name string) {
	if leaves(name) && w.look(name).Rel == "" {
		w.read(name)
	}
}
