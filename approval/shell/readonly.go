package shell

// kind says what the operands of a reading program are.
type kind int

const (
	nothing  kind = iota // it takes none
	anything             // words that name no files
	contents             // files that are read
	names                // files that are looked at from outside
	matching             // a pattern or a program text, unless an option gave one, then files that are read
)

// reader is a program that only reads if its options are those listed here. Whatever is not listed makes it an
// ordinary command.
type reader struct {
	grammar
	operands kind
	most     int    // how many operands it may have, 0 for any number: the second one of uniq is written
	given    string // one-letter options that take the place of the first operand of a matching program
	long     string // the same as long options
	here     bool   // without an operand it reads the directory it is in
	words    bool   // every word is text, options too: echo
}

// readers is the table of programs that only read, with all options that leave it so. Left out on purpose: options that write (sort -o, tree -o,
// date -s), start programs (sort --compress-program, rg --pre and -z, file -z), read lists of files or patterns from other files (grep -f, wc --files0-from,
// du -X), or follow links while recursing. Sources: the manual pages of Debian 12, package by package.
var readers = map[string]reader{
	// coreutils 9.1: output of files
	"cat":    {grammar: grammar{flags: "AbeEnstTuv", long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"}, operands: contents},
	"tac":    {grammar: grammar{flags: "br", values: "s", long: "before regex separator="}, operands: contents},
	"nl":     {grammar: grammar{flags: "p", values: "bdfhilnsvw", long: "body-numbering= number-format= number-separator= number-width= starting-line-number="}, operands: contents},
	"head":   {grammar: grammar{flags: "qvz#", values: "nc", long: "lines= bytes= quiet silent verbose zero-terminated"}, operands: contents},
	"tail":   {grammar: grammar{flags: "fFqvz#", values: "ncs", long: "lines= bytes= quiet silent verbose zero-terminated follow? retry pid= sleep-interval="}, operands: contents},
	"wc":     {grammar: grammar{flags: "clLmw", long: "bytes chars lines max-line-length words total="}, operands: contents},
	"od":     {grammar: grammar{flags: "abcdfiloqsvx", values: "AjNSwt", long: "address-radix= skip-bytes= read-bytes= format= output-duplicates width?"}, operands: contents},
	"fold":   {grammar: grammar{flags: "bs", values: "w", long: "bytes spaces width="}, operands: contents},
	"fmt":    {grammar: grammar{flags: "cstu#", values: "gpw", long: "width= goal= prefix= split-only uniform-spacing"}, operands: contents},
	"base64": {grammar: grammar{flags: "di", values: "w", long: "decode ignore-garbage wrap="}, operands: contents},
	"base32": {grammar: grammar{flags: "di", values: "w", long: "decode ignore-garbage wrap="}, operands: contents},
	// coreutils: text
	"sort": {grammar: grammar{flags: "bcCdfghiMmnRrsuVz", values: "kt", long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort " +
		"ignore-nonprinting month-sort numeric-sort random-sort reverse version-sort key= field-separator= unique stable zero-terminated check? merge parallel= debug sort="}, operands: contents},
	"uniq":     {grammar: grammar{flags: "cdDiuz#", values: "fsw", long: "count repeated all-repeated? group? skip-fields= ignore-case skip-chars= unique zero-terminated check-chars="}, operands: contents, most: 1},
	"cut":      {grammar: grammar{flags: "nsz", values: "bcdf", long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated"}, operands: contents},
	"paste":    {grammar: grammar{flags: "sz", values: "d", long: "delimiters= serial zero-terminated"}, operands: contents},
	"join":     {grammar: grammar{flags: "iz", values: "aejotv12", long: "ignore-case check-order nocheck-order header zero-terminated"}, operands: contents},
	"comm":     {grammar: grammar{flags: "123z", long: "check-order nocheck-order output-delimiter= total zero-terminated"}, operands: contents},
	"tr":       {grammar: grammar{flags: "cCdst", long: "complement delete squeeze-repeats truncate-set1"}, operands: anything, words: true},
	"expand":   {grammar: grammar{flags: "i#", values: "t", long: "initial tabs="}, operands: contents},
	"unexpand": {grammar: grammar{flags: "a#", values: "t", long: "all first-only tabs="}, operands: contents},
	"numfmt":   {grammar: grammar{values: "d", long: "from= to= suffix= field= format= header? padding= round= delimiter= grouping"}, operands: anything},
	// coreutils: checksums; -c reads the names of the files from a file
	"md5sum":    {grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
	"sha1sum":   {grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
	"sha224sum": {grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
	"sha256sum": {grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
	"sha384sum": {grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
	"sha512sum": {grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
	"shasum":    {grammar: grammar{flags: "bt", values: "a", long: "algorithm= binary text tag"}, operands: contents}, // perl
	"b2sum":     {grammar: grammar{flags: "btz", values: "l", long: "binary text tag zero length="}, operands: contents},
	"cksum":     {grammar: grammar{flags: "z", values: "al", long: "algorithm= length= tag untagged zero"}, operands: contents},
	"sum":       {grammar: grammar{flags: "rs", long: "sysv"}, operands: contents},
	// coreutils: files from outside
	"ls": {grammar: grammar{flags: "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1", values: "ITw", long: "all almost-all author escape block-size= ignore-backups color? " +
		"directory dired classify? file-type format= full-time no-group group-directories-first human-readable si dereference dereference-command-line hide= hyperlink? " +
		"indicator-style= inode ignore= kibibytes literal numeric-uid-gid hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= " +
		"time= time-style= tabsize= width= context zero"}, operands: names, here: true},
	"dir":      {grammar: grammar{flags: "aAhlrRStu1"}, operands: names, here: true},
	"stat":     {grammar: grammar{flags: "fLt", values: "c", long: "format= printf= dereference file-system terse cached="}, operands: names},
	"du":       {grammar: grammar{flags: "0abcDhHklmsSx", values: "dBt", long: "all apparent-size block-size= bytes total human-readable max-depth= summarize one-file-system exclude= threshold= time? time-style= si separate-dirs null"}, operands: names, here: true},
	"df":       {grammar: grammar{flags: "ahHiklPTv", values: "Btx", long: "all human-readable si inodes local output? portability print-type total type= exclude-type= block-size="}, operands: names},
	"realpath": {grammar: grammar{flags: "eLmPqsz", long: "canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero relative-to= relative-base="}, operands: names},
	"readlink": {grammar: grammar{flags: "efmnqsvz", long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero"}, operands: names},
	"basename": {grammar: grammar{flags: "az", values: "s", long: "multiple suffix= zero"}, operands: anything, words: true},
	"dirname":  {grammar: grammar{flags: "z", long: "zero"}, operands: anything, words: true},
	"pathchk":  {grammar: grammar{flags: "pP", long: "portability"}, operands: anything, words: true},
	// coreutils: this machine; hostname(1) and date(1) change it with other words
	"pwd":      {grammar: grammar{flags: "LP"}},
	"whoami":   {},
	"logname":  {},
	"tty":      {grammar: grammar{flags: "s"}},
	"id":       {grammar: grammar{flags: "agGnruzZ", long: "group groups name real user zero context"}, operands: anything},
	"groups":   {operands: anything},
	"uname":    {grammar: grammar{flags: "asnrvmpio", long: "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system"}},
	"arch":     {},
	"nproc":    {grammar: grammar{long: "all ignore="}},
	"hostname": {grammar: grammar{flags: "AdfiIsy", long: "all-fqdns domain fqdn long ip-address all-ip-addresses short"}},
	"date":     {grammar: grammar{flags: "uRI", values: "d", long: "date= utc universal iso-8601? rfc-3339= rfc-email"}, operands: anything},
	"sleep":    {operands: anything, words: true},
	"seq":      {grammar: grammar{flags: "w#", values: "fs", long: "format= separator= equal-width"}, operands: anything, words: true},
	"expr":     {operands: anything, words: true},
	"factor":   {operands: anything, words: true},
	"echo":     {operands: anything, words: true},
	"printf":   {operands: anything, words: true},
	"test":     {operands: names, words: true},
	"[":        {operands: names, words: true},
	// procps 4.0; BSD "e" of ps shows the environment of other programs
	"uptime": {grammar: grammar{flags: "ps", long: "pretty since"}},
	"free":   {grammar: grammar{flags: "bkmghlLtvw", long: "bytes kibi mebi gibi human si lohi total wide"}},
	"ps":     {grammar: grammar{flags: "AadeFfHjlLTwy", values: "CGgopstuU", long: "forest no-headers headers sort= format= pid= ppid= user= cols= columns= width="}, operands: anything},
	"pgrep":  {grammar: grammar{flags: "acfilnovwx", values: "dgGPstuU", long: "count delimiter= list-name list-full full ignore-case newest oldest exact parent= uid= euid="}, operands: anything},
	// util-linux 2.38, bsdextrautils
	"column":  {grammar: grammar{flags: "ejLntx", values: "cCEHNoORsTW", long: "table separator= output-separator= output-width= fillrows json table-columns= table-hide= table-right= table-truncate="}, operands: contents},
	"rev":     {operands: contents},
	"hexdump": {grammar: grammar{flags: "bcCdovx", values: "ens", long: "one-byte-octal one-byte-char canonical two-bytes-decimal two-bytes-octal two-bytes-hex length= skip= no-squeezing color?"}, operands: contents},
	"hd":      {grammar: grammar{flags: "bcdovx", values: "ens"}, operands: contents},
	"lscpu":   {grammar: grammar{flags: "aBbcJy", long: "all json"}},
	"cal":     {grammar: grammar{flags: "13jmsyw", long: "one three monday sunday year"}, operands: anything},
	// diffutils 3.8
	"diff": {grammar: grammar{flags: "abBcdeEiNnpqrstTuwyZ#", values: "CFILUWx", long: "brief unified? context? side-by-side recursive new-file text minimal ignore-all-space ignore-space-change " +
		"ignore-blank-lines ignore-trailing-space ignore-tab-expansion ignore-case ignore-matching-lines= color? width= exclude= label= report-identical-files suppress-common-lines strip-trailing-cr normal show-c-function"}, operands: contents},
	"cmp": {grammar: grammar{flags: "bls", values: "in", long: "print-bytes verbose quiet silent ignore-initial= bytes="}, operands: contents},
	// grep 3.8
	"grep":  grepReader,
	"egrep": grepReader,
	"fgrep": grepReader,
	// ripgrep 13 to 14
	"rg": {grammar: grammar{flags: "acFHhiIlnNopPqsSuUvVwx0.", values: "ABCdegEjmMrtT", long: "after-context= before-context= context= case-sensitive ignore-case smart-case color= colors= column " +
		"no-column count count-matches crlf encoding= engine= files files-with-matches files-without-match fixed-strings glob= iglob= glob-case-insensitive heading no-heading hidden no-hidden " +
		"include-zero invert-match json line-buffered line-number no-line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= multiline multiline-dotall " +
		"no-config no-ignore no-ignore-vcs no-ignore-parent no-ignore-global no-messages null one-file-system only-matching passthru path-separator= pcre2 pretty quiet regexp= replace= sort= sortr= stats text threads= trim type= type-not= " +
		"type-add= type-clear= type-list unicode no-unicode unrestricted vimgrep with-filename no-filename word-regexp"}, operands: matching, given: "e", long: "regexp files type-list", here: true},
	// fd 8: no -x, -X, -L
	"tree": {grammar: grammar{flags: "aACdDfFghiJnNpqQrsStuUvxX", values: "ILP", long: "noreport dirsfirst filesfirst prune gitignore si du charset= filelimit= matchdirs ignore-case sort? inodes device metafirst"}, operands: names, here: true},
	// jq 1.6; the text of the program is looked at
	"jq": {grammar: grammar{flags: "acCejMnrRsS", long: "raw-output compact-output null-input exit-status slurp sort-keys join-output ascii-output color-output monochrome-output tab indent= raw-input stream seq"}, operands: matching},
	// sed 4.8, gawk 5.2, mawk 1.3: likewise
	"sed":  {grammar: grammar{flags: "nErsuz", values: "el", long: "quiet silent expression= regexp-extended separate unbuffered null-data line-length= debug posix sandbox"}, operands: matching, given: "e", long: "expression"},
	"awk":  {grammar: grammar{values: "Fv", long: "field-separator= assign="}, operands: matching},
	"gawk": {grammar: grammar{values: "Fv", long: "field-separator= assign= sandbox posix"}, operands: matching},
	"mawk": {grammar: grammar{values: "Fv"}, operands: matching},
	"nawk": {grammar: grammar{values: "Fv"}, operands: matching},
	// binutils 2.40, file 5.44, vim's xxd, debianutils' which
	"strings": {grammar: grammar{flags: "afow", values: "ent", long: "all print-file-name bytes= radix= encoding= include-all-whitespace"}, operands: contents},
	"nm":      {grammar: grammar{flags: "aABCDgnPrSsu", long: "demangle? dynamic extern-only defined-only undefined-only numeric-sort size-sort"}, operands: contents},
	"size":    {grammar: grammar{flags: "ABdotx", long: "format= total common"}, operands: contents},
	"file":    {grammar: grammar{flags: "bhikLNr0", values: "F", long: "brief mime mime-type mime-encoding no-dereference dereference keep-going raw print0 extension no-pad separator="}, operands: contents},
	"xxd":     {grammar: grammar{flags: "abeEipu", values: "cglos"}, operands: contents, most: 1},
	"which":   {grammar: grammar{flags: "as"}, operands: anything, words: true},
}

var grepReader = reader{grammar: grammar{flags: "EFGPivwxycLlqsbHhnTZzoaIUrR#", values: "eABCmdD", long: "extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case " +
	"invert-match word-regexp line-regexp count color? colour? files-with-matches files-without-match max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= " +
	"line-number initial-tab null null-data after-context= before-context= context= text binary-files= include= exclude= exclude-dir= recursive dereference-recursive line-buffered directories= devices="},
	operands: matching, given: "e", long: "regexp"}

// versions are programs that say their version, alone with --version or -V, without looking at the project first. Not rustup's and not npm's: a
// file of the project can name the program that answers.
const versions = " node python python3 ruby perl php lua gcc g++ cc c++ clang clang++ ld make cmake ninja java javac git bash sh curl wget tar gzip zip rsync ssh docker podman kubectl gh jq rg fd tree sed awk gawk vim openssl sqlite3 psql mysql "
