package shell

import "sync"

// role is what happens to the operands of a program that writes.
type role int

// The roles.
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
	all   string // options with which each operand is written: install -d
	allL  string
	only  string // options without which the operands are not written: sed -i
	onlyL string
	empty bool   // an existing file loses what it held
	deep  bool   // what lies below an operand that is a directory is written
	modes string // options that are the mode, so that the first operand is a file: chmod -x
}

// writers is the table of programs whose words say what they write. A word that the grammar misreads can only make
// a path too many or one too few; the command itself is asked about in any case. Sources: the manual pages of Debian 12.
var writers = sync.OnceValue(func() map[string]writer {
	return map[string]writer{
		// coreutils 9.1
		"cp":       {grammar: grammar{values: "tSZ", long: "target-directory= suffix= backup? context?"}, role: intoLast, into: "t", intoL: "target-directory"},
		"mv":       {grammar: grammar{values: "tS", long: "target-directory= suffix= backup?"}, role: movesLast, into: "t", intoL: "target-directory"},
		"install":  {grammar: grammar{values: "tSmog", long: "target-directory= suffix= mode= owner= group= backup? directory"}, role: intoLast, all: "d", allL: "directory", into: "t", intoL: "target-directory"},
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
		"chmod":    {grammar: grammar{long: "reference="}, role: afterFirst, modes: "rwxXstugoa"},
		"chown":    {grammar: grammar{long: "reference= from="}, role: afterFirst},
		"chgrp":    {grammar: grammar{long: "reference="}, role: afterFirst},
		"chattr":   {grammar: grammar{values: "vp"}, role: afterFirst, modes: "aAcCdDeFijmPsStTux"},
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
		"tar":    {grammar: grammar{values: "fCTXbgHFILVK", long: "file= directory= listed-incremental= index-file= volno-file= files-from= exclude-from= exclude= to-command= use-compress-program= checkpoint-action= transform= one-top-level?"}, role: optionOnly, into: "C", intoL: "directory", out: "fg", outL: "file listed-incremental index-file volno-file"},
		"bsdtar": {grammar: grammar{values: "fCTX", long: "file= directory="}, role: optionOnly, into: "C", intoL: "directory", out: "f", outL: "file"},
		"cpio":   {grammar: grammar{values: "DEFIOMR", long: "directory= file="}, role: optionOnly, into: "D", intoL: "directory", out: "OF", outL: "file"},
		"zip":    {grammar: grammar{values: "bixnOPtZs", long: "output-file= temp-path= logfile-path="}, role: writes, into: "b", intoL: "temp-path", out: "O", outL: "output-file logfile-path"},
		"unzip":  {grammar: grammar{values: "dPx"}, role: optionOnly, into: "d"},
		"7z":     {role: optionOnly},
		"ar":     {role: optionOnly},
		// network
		"curl":   {grammar: grammar{values: "AbcCdDeEFhHKmoPQrtTuUwxXyYz", long: "output= output-dir= dump-header= cookie-jar= stderr= trace= trace-ascii= config= etag-save= hsts= alt-svc= libcurl= data= header= request= user= form= url= upload-file= write-out="}, role: optionOnly, out: "ocD", outL: "output dump-header cookie-jar stderr trace trace-ascii etag-save hsts alt-svc libcurl", into: "", intoL: "output-dir"},
		"wget":   {grammar: grammar{values: "OPoaietTwQUlADRIXB", long: "output-document= directory-prefix= output-file= append-output= input-file= save-cookies= execute= user-agent= header= tries= warc-file= rejected-log= hsts-file= post-file= post-data="}, role: optionOnly, out: "Ooa", outL: "output-document output-file append-output save-cookies warc-file rejected-log hsts-file", into: "P", intoL: "directory-prefix"},
		"aria2c": {grammar: grammar{values: "doijxs", long: "dir= out= log="}, role: optionOnly, out: "ol", outL: "out log", into: "d", intoL: "dir"},
		"rsync":  {grammar: grammar{values: "efMTB", long: "rsh= exclude= include= exclude-from= include-from= files-from= backup-dir= log-file= partial-dir= temp-dir= link-dest= rsync-path= max-size= bwlimit= chmod= filter= write-batch= only-write-batch="}, role: intoLast, out: "", outL: "log-file write-batch only-write-batch", into: "T", intoL: "backup-dir partial-dir temp-dir"},
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
		"gofmt":    {grammar: grammar{flags: "lwsde", values: "r"}, role: writes, only: "w", deep: true},
		"prettier": {grammar: grammar{flags: "w", long: "write"}, role: writes, only: "w", onlyL: "write", deep: true},
		"mkfs":     {grammar: grammar{values: "t", long: "type="}, role: writes}, "mke2fs": {grammar: grammar{values: "t"}, role: writes}, "newfs": {role: writes}, "wipefs": {role: writes}, "fdisk": {role: writes}, "parted": {role: writes}, "sgdisk": {role: writes}, "blkdiscard": {role: writes}, "mkswap": {role: writes},
		"sponge": {role: writes, empty: true},
		// formatters; of a directory they change all that lies below
		"goimports":    {grammar: grammar{values: "r", long: "local="}, role: writes, only: "w", deep: true},
		"gofumpt":      {role: writes, only: "w", deep: true},
		"black":        {grammar: grammar{values: "lt", long: "line-length= target-version= include= exclude= config="}, role: writes, deep: true},
		"isort":        {grammar: grammar{values: "lp", long: "profile= line-length= skip="}, role: writes, deep: true},
		"autopep8":     {grammar: grammar{values: "p", long: "max-line-length= select= ignore="}, role: writes, only: "i", onlyL: "in-place", deep: true},
		"yapf":         {grammar: grammar{values: "e", long: "style="}, role: writes, only: "i", onlyL: "in-place", deep: true},
		"eslint":       {grammar: grammar{values: "cfo", long: "config= ext= format= output-file= rule="}, role: writes, onlyL: "fix", out: "o", outL: "output-file", deep: true},
		"stylelint":    {grammar: grammar{values: "cfo", long: "config= formatter= output-file="}, role: writes, onlyL: "fix", out: "o", outL: "output-file", deep: true},
		"rustfmt":      {grammar: grammar{long: "edition= config= emit="}, role: writes, deep: true},
		"clang-format": {grammar: grammar{long: "style= assume-filename="}, role: writes, only: "i", deep: true},
		"dos2unix":     {role: writes}, "unix2dos": {role: writes},
		"psql": {grammar: grammar{values: "cdFfhLoPpRTUv", long: "command= dbname= file= output= log-file= host= port= username= set="}, role: optionOnly, out: "oL", outL: "output log-file"}, "mysql": {grammar: grammar{values: "ehuDP", long: "tee= execute= host= user="}, role: optionOnly, outL: "tee"},
		"pg_dump": {grammar: grammar{values: "fdhpUntTFjZ", long: "file= dbname= table="}, role: optionOnly, out: "f", outL: "file"}, "mysqldump": {grammar: grammar{values: "rhuP", long: "result-file= host= user="}, role: optionOnly, out: "r", outL: "result-file"},
		// what measures other programs; its own options come first
		"time": {out: "o", outL: "output"}, "strace": {out: "o", outL: "output"}, "ltrace": {out: "o", outL: "output"}, "valgrind": {outL: "log-file xml-file"},
	}
})

var compiler = writer{grammar: grammar{values: "oILDUlxBTe", long: "output="}, role: optionOnly, out: "o", outL: "output"}
