package shell

import (
	"path"
	"strings"

	"tricode/approval"
)

// role is what happens to the operands of a program that writes.
type role int

const (
	writes     role = iota + 1 // each is written
	removes                    // each is removed
	intoLast                   // all but the last are read, the last is written, or a directory that gets them
	movesLast                  // the same, and the others are removed
	afterFirst                 // the first is a mode or an owner, the others are changed
	lastOnly                   // the last is written, the others are no files or read
	optionOnly                 // only options say what is written
)

// writer is a program that makes, changes or removes the files in its words.
type writer struct {
	grammar
	role  role
	into  string // options whose value is a directory that gets files, one-letter and long
	intoL string
	out   string // options whose value is a file that is written
	outL  string
	only  string // options without which the operands are not written: sed -i
	onlyL string
	empty bool // an existing file loses what it held
}

// writers is the table of programs whose words say what they write. A word that the grammar misreads can only make
// a path too many or one too few; the command itself is asked about in any case. Sources: the manual pages of Debian 12.
var writers = map[string]writer{
	// coreutils 9.1
	"cp":       {grammar: grammar{values: "tSZ", long: "target-directory= suffix= backup? context?"}, role: intoLast, into: "t", intoL: "target-directory"},
	"mv":       {grammar: grammar{values: "tS", long: "target-directory= suffix= backup?"}, role: movesLast, into: "t", intoL: "target-directory"},
	"install":  {grammar: grammar{values: "tSmog", long: "target-directory= suffix= mode= owner= group= backup?"}, role: intoLast, into: "t", intoL: "target-directory"},
	"ln":       {grammar: grammar{values: "tS", long: "target-directory= suffix= backup?"}, role: lastOnly, into: "t", intoL: "target-directory"},
	"link":     {role: lastOnly},
	"tee":      {grammar: grammar{long: "append output-error?"}, role: writes, empty: true},
	"touch":    {grammar: grammar{values: "drt", long: "date= reference= time="}, role: writes},
	"mkdir":    {grammar: grammar{values: "m", long: "mode= context?"}, role: writes},
	"mkfifo":   {grammar: grammar{values: "m", long: "mode="}, role: writes},
	"mknod":    {grammar: grammar{values: "m", long: "mode="}, role: writes},
	"mktemp":   {grammar: grammar{values: "p", long: "suffix= tmpdir?"}, role: writes, into: "p", intoL: "tmpdir"},
	"truncate": {grammar: grammar{values: "sr", long: "size= reference="}, role: writes, empty: true},
	"shred":    {grammar: grammar{values: "ns", long: "iterations= size= random-source= remove?"}, role: removes},
	"rm":       {grammar: grammar{long: "interactive? preserve-root? recursive force"}, role: removes},
	"rmdir":    {role: removes},
	"unlink":   {role: removes},
	"chmod":    {grammar: grammar{long: "reference="}, role: afterFirst},
	"chown":    {grammar: grammar{long: "reference= from="}, role: afterFirst},
	"chgrp":    {grammar: grammar{long: "reference="}, role: afterFirst},
	"chattr":   {grammar: grammar{values: "vp"}, role: afterFirst},
	"setfacl":  {grammar: grammar{values: "mxMX", long: "modify= remove= set="}, role: writes},
	"setfattr": {grammar: grammar{values: "nvx"}, role: writes},
	"sort":     {grammar: grammar{values: "koStT", long: "output= key= temporary-directory= compress-program="}, role: optionOnly, out: "o", outL: "output", into: "T", intoL: "temporary-directory"},
	"split":    {grammar: grammar{values: "abCln", long: "suffix-length= bytes= lines= number="}, role: lastOnly},
	"csplit":   {grammar: grammar{values: "bfn", long: "prefix="}, role: optionOnly, out: "f", outL: "prefix"},
	"uniq":     {role: lastOnly},
	"dd":       {role: optionOnly},
	// editors in place, compression, archives
	"sed":   {grammar: grammar{flags: "nErsuz", values: "eflI", long: "in-place? expression= file= line-length="}, role: writes, only: "iI", onlyL: "in-place"},
	"perl":  {grammar: grammar{flags: "nplwWtTsSxucf", values: "eEIMmFC"}, role: writes, only: "i"},
	"patch": {grammar: grammar{values: "diopBDFVYzrg", long: "directory= input= output= strip= reject-file="}, role: writes, into: "d", intoL: "directory", out: "or", outL: "output reject-file"},
	"gzip":  {role: writes}, "gunzip": {role: writes}, "bzip2": {role: writes}, "bunzip2": {role: writes}, "xz": {role: writes}, "unxz": {role: writes},
	"zstd":   {grammar: grammar{values: "oMTD"}, role: writes, out: "o"},
	"tar":    {grammar: grammar{values: "fCTXbgHFILVK", long: "file= directory= files-from= exclude-from= exclude= to-command= use-compress-program= checkpoint-action= transform= one-top-level?"}, role: optionOnly, into: "C", intoL: "directory", out: "f", outL: "file"},
	"bsdtar": {grammar: grammar{values: "fCTX", long: "file= directory="}, role: optionOnly, into: "C", intoL: "directory", out: "f", outL: "file"},
	"cpio":   {grammar: grammar{values: "DEFIOMR", long: "directory= file="}, role: optionOnly, into: "D", intoL: "directory", out: "OF", outL: "file"},
	"zip":    {grammar: grammar{values: "bixnPtZs"}, role: writes},
	"unzip":  {grammar: grammar{values: "dPx"}, role: optionOnly, into: "d"},
	"7z":     {role: optionOnly},
	"ar":     {role: optionOnly},
	// network
	"curl":   {grammar: grammar{values: "oOdFHXATuUbcKeEmxyYzCDPQrtw", long: "output= output-dir= dump-header= cookie-jar= stderr= trace= trace-ascii= config= etag-save= hsts= libcurl= data= header= request= user= form= url= upload-file="}, role: optionOnly, out: "ocD", outL: "output dump-header cookie-jar stderr trace trace-ascii etag-save hsts libcurl", into: "", intoL: "output-dir"},
	"wget":   {grammar: grammar{values: "OPoaietTwQUlADRIXB", long: "output-document= directory-prefix= output-file= append-output= input-file= save-cookies= execute= user-agent= header= tries= warc-file= post-file= post-data="}, role: optionOnly, out: "Ooa", outL: "output-document output-file append-output save-cookies warc-file", into: "P", intoL: "directory-prefix"},
	"aria2c": {grammar: grammar{values: "doijxs", long: "dir= out= log="}, role: optionOnly, out: "ol", outL: "out log", into: "d", intoL: "dir"},
	"rsync":  {grammar: grammar{values: "efMTB", long: "rsh= exclude= include= exclude-from= include-from= files-from= backup-dir= log-file= partial-dir= temp-dir= link-dest= rsync-path= max-size= bwlimit= chmod= filter="}, role: intoLast, out: "", outL: "log-file", into: "T", intoL: "backup-dir partial-dir temp-dir"},
	"scp":    {grammar: grammar{values: "cDFiJloPSX"}, role: intoLast},
	// compilers and the rest: only what their options name
	"gcc": compiler, "g++": compiler, "cc": compiler, "c++": compiler, "clang": compiler, "clang++": compiler, "ld": compiler, "rustc": {grammar: grammar{values: "oLlCWADF", long: "out-dir= crate-type= edition="}, role: optionOnly, out: "o", intoL: "out-dir"},
	"go":      {grammar: grammar{values: "", long: ""}, role: optionOnly},
	"tree":    {grammar: grammar{values: "oILPH"}, role: optionOnly, out: "o"},
	"xxd":     {grammar: grammar{values: "cglos"}, role: lastOnly},
	"less":    {grammar: grammar{values: "oOkTptbhjxyzPD", long: "log-file= LOG-FILE="}, role: optionOnly, out: "oO", outL: "log-file LOG-FILE"},
	"iconv":   {grammar: grammar{values: "fto", long: "output= from-code= to-code="}, role: optionOnly, out: "o", outL: "output"},
	"openssl": {role: optionOnly},
	"gpg":     {grammar: grammar{values: "oru", long: "output= homedir="}, role: optionOnly, out: "o", outL: "output"},
	"jar":     {role: optionOnly},
	"script":  {grammar: grammar{values: "cEImoOTB"}, role: writes, out: "IOBT"},
	"ex":      {role: writes}, "ed": {role: writes}, "vi": {role: writes}, "vim": {role: writes}, "nvim": {role: writes}, "nano": {role: writes}, "emacs": {role: writes},
	"gofmt":    {grammar: grammar{flags: "lwsde", values: "r"}, role: writes, only: "w"},
	"prettier": {grammar: grammar{flags: "w", long: "write"}, role: writes, only: "w", onlyL: "write"},
	"mkfs":     {role: lastOnly}, "wipefs": {role: writes}, "fdisk": {role: writes}, "parted": {role: writes}, "sgdisk": {role: writes}, "blkdiscard": {role: writes}, "mkswap": {role: writes},
	"sponge": {role: writes, empty: true},
}

var compiler = writer{grammar: grammar{values: "oILDUlxBTe", long: "output="}, role: optionOnly, out: "o", outL: "output"}

// deletes reports whether a program removes its operands.
func deletes(program string) bool { return writers[program].role == removes }

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
		rest = append([]word{literal("-" + rest[0].text)}, rest[1:]...) // the old style: tar xf FILE
	}
	spec, ok := writers[program]
	if !ok {
		return
	}
	p := spec.options(rest)
	for _, o := range p.options {
		switch {
		case !o.valued || !o.value.known:
		case o.like(spec.into, spec.intoL) && spec.given(&p):
			w.into(o.value.text, p.operands)
		case o.like(spec.into, spec.intoL):
			w.path(approval.Write, o.value.text, "")
		case o.like(spec.out, spec.outL) && program == "tar" && !tarWrites(&p):
			w.read(o.value.text)
		case o.like(spec.out, spec.outL):
			w.path(approval.Write, o.value.text, "empties an existing file")
		}
	}
	if (spec.only != "" || spec.onlyL != "") && !p.like(spec.only, spec.onlyL) {
		return
	}
	files := p.operands
	if spec.given(&p) {
		w.sources(spec.role, files)
		return
	}
	w.operands(program, spec, &p, files)
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
	case removes:
		w.each(approval.Delete, files, "")
	case afterFirst:
		if !p.like("", "reference") && len(files) > 0 {
			files = files[1:]
		}
		w.each(approval.Write, files, "")
	case intoLast, movesLast, lastOnly:
		w.last(spec.role, files)
	}
}

func (w *walker) each(e approval.Effects, files []word, why string) {
	for _, x := range files {
		if x.known {
			w.path(e, x.text, why)
		}
	}
}

// last records operands of which the last is the target.
func (w *walker) last(as role, files []word) {
	if len(files) < 2 {
		return
	}
	target, sources := files[len(files)-1], files[:len(files)-1]
	w.sources(as, sources)
	if !target.known || strings.Contains(target.text, ":") && !strings.HasPrefix(target.text, "/") && as == intoLast {
		return // HOST:PATH, or unknown
	}
	w.into(target.text, sources)
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

// into records a target and, if it is a directory, what would be put into it.
func (w *walker) into(target string, files []word) {
	if w.look(target).Kind == Dir {
		for _, x := range files {
			if x.known {
				w.path(approval.Write, strings.TrimSuffix(target, "/")+"/"+path.Base(x.text), "")
			}
		}
		if len(files) > 0 {
			return
		}
	}
	w.path(approval.Write, target, "")
}

func (w *walker) ddOutputs(rest []word) {
	for _, x := range rest {
		switch {
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

const goFiles = "o coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir pkgdir test.coverprofile test.cpuprofile test.memprofile test.trace test.outputdir"
