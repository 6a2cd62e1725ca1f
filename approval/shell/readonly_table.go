package shell

import "sync"

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
	needs    string // options without one of which it writes: unzip -l
	needsL   string // the same as long options
}

// readers is the table of programs that only read, with all options that leave it so. Left out on purpose: options that write (sort -o, tree -o,
// date -s), start programs (sort --compress-program, rg --pre and -z, file -z), read lists of files or patterns from other files (grep -f, wc --files0-from,
// du -X), or follow links while recursing. Beside each entry stands its source, the manual page and the version of the package in Debian 12.
// Like the other large tables it is made when it is first needed: otherwise every start of the program would wait for it, also those of helpers.
var readers = sync.OnceValue(func() map[string]reader {
	return map[string]reader{
		// output of files
		"cat": { // cat(1), coreutils 9.1
			grammar: grammar{flags: "AbeEnstTuv", long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"}, operands: contents},
		"tac": { // tac(1), coreutils 9.1
			grammar: grammar{flags: "br", values: "s", long: "before regex separator="}, operands: contents},
		"nl": { // nl(1), coreutils 9.1
			grammar: grammar{flags: "p", values: "bdfhilnsvw", long: "body-numbering= number-format= number-separator= number-width= starting-line-number="}, operands: contents},
		"head": { // head(1), coreutils 9.1
			grammar: grammar{flags: "qvz#", values: "nc", long: "lines= bytes= quiet silent verbose zero-terminated"}, operands: contents},
		"tail": { // tail(1), coreutils 9.1
			grammar: grammar{flags: "fFqvz#", values: "ncs", long: "lines= bytes= quiet silent verbose zero-terminated follow? retry pid= sleep-interval="}, operands: contents},
		"wc": { // wc(1), coreutils 9.1
			grammar: grammar{flags: "clLmw", long: "bytes chars lines max-line-length words total="}, operands: contents},
		"od": { // od(1), coreutils 9.1
			grammar: grammar{flags: "abcdfiloqsvx", values: "AjNSwt", long: "address-radix= skip-bytes= read-bytes= format= output-duplicates width?"}, operands: contents},
		"fold": { // fold(1), coreutils 9.1
			grammar: grammar{flags: "bs", values: "w", long: "bytes spaces width="}, operands: contents},
		"fmt": { // fmt(1), coreutils 9.1
			grammar: grammar{flags: "cstu#", values: "gpw", long: "width= goal= prefix= split-only uniform-spacing"}, operands: contents},
		"base64": { // base64(1), coreutils 9.1
			grammar: grammar{flags: "di", values: "w", long: "decode ignore-garbage wrap="}, operands: contents},
		"base32": { // base32(1), coreutils 9.1
			grammar: grammar{flags: "di", values: "w", long: "decode ignore-garbage wrap="}, operands: contents},
		// text
		"sort": { // sort(1), coreutils 9.1
			grammar: grammar{flags: "bcCdfghiMmnRrsuVz", values: "kt", long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort " +
				"ignore-nonprinting month-sort numeric-sort random-sort reverse version-sort key= field-separator= unique stable zero-terminated check? merge parallel= debug sort="}, operands: contents},
		"uniq": { // uniq(1), coreutils 9.1
			grammar: grammar{flags: "cdDiuz#", values: "fsw", long: "count repeated all-repeated? group? skip-fields= ignore-case skip-chars= unique zero-terminated check-chars="}, operands: contents, most: 1},
		"cut": { // cut(1), coreutils 9.1
			grammar: grammar{flags: "nsz", values: "bcdf", long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated"}, operands: contents},
		"paste": { // paste(1), coreutils 9.1
			grammar: grammar{flags: "sz", values: "d", long: "delimiters= serial zero-terminated"}, operands: contents},
		"join": { // join(1), coreutils 9.1
			grammar: grammar{flags: "iz", values: "aejotv12", long: "ignore-case check-order nocheck-order header zero-terminated"}, operands: contents},
		"comm": { // comm(1), coreutils 9.1
			grammar: grammar{flags: "123z", long: "check-order nocheck-order output-delimiter= total zero-terminated"}, operands: contents},
		"tr": { // tr(1), coreutils 9.1
			grammar: grammar{flags: "cCdst", long: "complement delete squeeze-repeats truncate-set1"}, operands: anything, words: true},
		"expand": { // expand(1), coreutils 9.1
			grammar: grammar{flags: "i#", values: "t", long: "initial tabs="}, operands: contents},
		"unexpand": { // unexpand(1), coreutils 9.1
			grammar: grammar{flags: "a#", values: "t", long: "all first-only tabs="}, operands: contents},
		"numfmt": { // numfmt(1), coreutils 9.1
			grammar: grammar{values: "d", long: "from= to= suffix= field= format= header? padding= round= delimiter= grouping"}, operands: anything},
		// checksums; -c reads the names of the files from a file
		"md5sum": { // md5sum(1), coreutils 9.1
			grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
		"sha1sum": { // sha1sum(1), coreutils 9.1
			grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
		"sha224sum": { // sha224sum(1), coreutils 9.1
			grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
		"sha256sum": { // sha256sum(1), coreutils 9.1
			grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
		"sha384sum": { // sha384sum(1), coreutils 9.1
			grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
		"sha512sum": { // sha512sum(1), coreutils 9.1
			grammar: grammar{flags: "btz", long: "binary text tag zero"}, operands: contents},
		"shasum": { // shasum(1), perl 5.36
			grammar: grammar{flags: "bt", values: "a", long: "algorithm= binary text tag"}, operands: contents},
		"b2sum": { // b2sum(1), coreutils 9.1
			grammar: grammar{flags: "btz", values: "l", long: "binary text tag zero length="}, operands: contents},
		"cksum": { // cksum(1), coreutils 9.1
			grammar: grammar{flags: "z", values: "al", long: "algorithm= length= tag untagged zero"}, operands: contents},
		"sum": { // sum(1), coreutils 9.1
			grammar: grammar{flags: "rs", long: "sysv"}, operands: contents},
		// files from outside
		"ls": { // ls(1), coreutils 9.1
			grammar: grammar{flags: "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1", values: "ITw", long: "all almost-all author escape block-size= ignore-backups color? " +
				"directory dired classify? file-type format= full-time no-group group-directories-first human-readable si dereference dereference-command-line hide= hyperlink? " +
				"indicator-style= inode ignore= kibibytes literal numeric-uid-gid hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= " +
				"time= time-style= tabsize= width= context zero"}, operands: names, here: true},
		"dir": { // dir(1), coreutils 9.1
			grammar: grammar{flags: "aAhlrRStu1"}, operands: names, here: true},
		"stat": { // stat(1), coreutils 9.1
			grammar: grammar{flags: "fLt", values: "c", long: "format= printf= dereference file-system terse cached="}, operands: names},
		"du": { // du(1), coreutils 9.1
			grammar: grammar{flags: "0abcDhHklmsSx", values: "dBt", long: "all apparent-size block-size= bytes total human-readable max-depth= summarize one-file-system exclude= threshold= time? time-style= si separate-dirs null"}, operands: names, here: true},
		"df": { // df(1), coreutils 9.1
			grammar: grammar{flags: "ahHiklPTv", values: "Btx", long: "all human-readable si inodes local output? portability print-type total type= exclude-type= block-size="}, operands: names},
		"realpath": { // realpath(1), coreutils 9.1
			grammar: grammar{flags: "eLmPqsz", long: "canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero relative-to= relative-base="}, operands: names},
		"readlink": { // readlink(1), coreutils 9.1
			grammar: grammar{flags: "efmnqsvz", long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero"}, operands: names},
		"basename": { // basename(1), coreutils 9.1
			grammar: grammar{flags: "az", values: "s", long: "multiple suffix= zero"}, operands: anything, words: true},
		"dirname": { // dirname(1), coreutils 9.1
			grammar: grammar{flags: "z", long: "zero"}, operands: anything, words: true},
		"pathchk": { // pathchk(1), coreutils 9.1
			grammar: grammar{flags: "pP", long: "portability"}, operands: anything, words: true},
		// this machine; hostname(1) and date(1) change it with other words
		"pwd": { // pwd(1), coreutils 9.1
			grammar: grammar{flags: "LP"}},
		"whoami":  {}, // whoami(1), coreutils 9.1
		"logname": {}, // logname(1), coreutils 9.1
		"tty": { // tty(1), coreutils 9.1
			grammar: grammar{flags: "s"}},
		"id": { // id(1), coreutils 9.1
			grammar: grammar{flags: "agGnruzZ", long: "group groups name real user zero context"}, operands: anything},
		"groups": { // groups(1), coreutils 9.1
			operands: anything},
		"uname": { // uname(1), coreutils 9.1
			grammar: grammar{flags: "asnrvmpio", long: "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system"}},
		"arch": {}, // arch(1), coreutils 9.1
		"nproc": { // nproc(1), coreutils 9.1
			grammar: grammar{long: "all ignore="}},
		"hostname": { // hostname(1), hostname 3.23; -A, -d, -f and -i ask for names over the network
			grammar: grammar{flags: "Is", long: "all-ip-addresses short"}},
		"date": { // date(1), coreutils 9.1
			grammar: grammar{flags: "uRI", values: "d", long: "date= utc universal iso-8601? rfc-3339= rfc-email"}, operands: anything},
		"sleep": { // sleep(1), coreutils 9.1
			operands: anything, words: true},
		"seq": { // seq(1), coreutils 9.1
			grammar: grammar{flags: "w#", values: "fs", long: "format= separator= equal-width"}, operands: anything, words: true},
		"expr": { // expr(1), coreutils 9.1
			operands: anything, words: true},
		"factor": { // factor(1), coreutils 9.1
			operands: anything, words: true},
		"echo": { // echo(1), coreutils 9.1
			operands: anything, words: true},
		"printf": { // printf(1), coreutils 9.1
			operands: anything, words: true},
		"test": { // test(1), coreutils 9.1
			operands: names, words: true},
		"[": { // test(1), coreutils 9.1
			operands: names, words: true},
		// programs; the "e" of BSD shows the environment of others
		"uptime": { // uptime(1), procps 4.0.2
			grammar: grammar{flags: "ps", long: "pretty since"}},
		"free": { // free(1), procps 4.0.2
			grammar: grammar{flags: "bkmghlLtvw", long: "bytes kibi mebi gibi human si lohi total wide"}},
		"ps": { // ps(1), procps 4.0.2
			grammar: grammar{flags: "AadeFfHjlLTwy", values: "CGgopstuU", long: "forest no-headers headers sort= format= pid= ppid= user= cols= columns= width="}, operands: anything},
		"pgrep": { // pgrep(1), procps 4.0.2
			grammar: grammar{flags: "acfilnovwx", values: "dgGPstuU", long: "count delimiter= list-name list-full full ignore-case newest oldest exact parent= uid= euid="}, operands: anything},
		// more of this machine and of text
		"column": { // column(1), bsdextrautils 2.38.1
			grammar: grammar{flags: "ejLntx", values: "cCEHNoORsTW", long: "table separator= output-separator= output-width= fillrows json table-columns= table-hide= table-right= table-truncate="}, operands: contents},
		"rev": { // rev(1), bsdextrautils 2.38.1
			operands: contents},
		"hexdump": { // hexdump(1), bsdextrautils 2.38.1
			grammar: grammar{flags: "bcCdovx", values: "ens", long: "one-byte-octal one-byte-char canonical two-bytes-decimal two-bytes-octal two-bytes-hex length= skip= no-squeezing color?"}, operands: contents},
		"hd": { // hexdump(1), bsdextrautils 2.38.1
			grammar: grammar{flags: "bcdovx", values: "ens"}, operands: contents},
		"lscpu": { // lscpu(1), util-linux 2.38.1
			grammar: grammar{flags: "aBbcJy", long: "all json"}},
		"cal": { // cal(1), ncal 12.1.8
			grammar: grammar{flags: "13jmsyw", long: "one three monday sunday year"}, operands: anything},
		// comparing
		"diff": { // diff(1), diffutils 3.8
			grammar: grammar{flags: "abBcdeEiNnpqrstTuwyZ#", values: "CFILUWx", long: "brief unified? context? side-by-side recursive new-file text minimal ignore-all-space ignore-space-change " +
				"ignore-blank-lines ignore-trailing-space ignore-tab-expansion ignore-case ignore-matching-lines= color? width= exclude= label= report-identical-files suppress-common-lines strip-trailing-cr normal show-c-function"}, operands: contents},
		"cmp": { // cmp(1), diffutils 3.8
			grammar: grammar{flags: "bls", values: "in", long: "print-bytes verbose quiet silent ignore-initial= bytes="}, operands: contents},
		// searching
		"grep":  grepReader, // grep(1), grep 3.8
		"egrep": grepReader, // grep(1), grep 3.8
		"fgrep": grepReader, // grep(1), grep 3.8
		"rg": { // rg(1), ripgrep 13.0
			grammar: grammar{flags: "acFHhiIlnNopPqsSuUvVwx0.", values: "ABCdegEjmMrtT", long: "after-context= before-context= context= case-sensitive ignore-case smart-case color= colors= column " +
				"no-column count count-matches crlf encoding= engine= files files-with-matches files-without-match fixed-strings glob= iglob= glob-case-insensitive heading no-heading hidden no-hidden " +
				"include-zero invert-match json line-buffered line-number no-line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= multiline multiline-dotall " +
				"no-config no-ignore no-ignore-vcs no-ignore-parent no-ignore-global no-messages null one-file-system only-matching passthru path-separator= pcre2 pretty quiet regexp= replace= sort= sortr= stats text threads= trim type= type-not= " +
				"type-add= type-clear= type-list unicode no-unicode unrestricted vimgrep with-filename no-filename word-regexp"}, operands: matching, given: "e", long: "regexp files type-list", here: true},
		// trees
		"tree": { // tree(1), tree 2.1.0
			grammar: grammar{flags: "aACdDfFghiJnNpqQrsStuUvxX", apart: "ILP", long: "noreport dirsfirst filesfirst prune gitignore si du charset= filelimit= matchdirs ignore-case sort? inodes device metafirst"}, operands: names, here: true},
		// programs whose text is looked at too
		"jq": { // jq(1), jq 1.6
			grammar: grammar{flags: "acCejMnrRsS", long: "raw-output compact-output null-input exit-status slurp sort-keys join-output ascii-output color-output monochrome-output tab indent= raw-input stream seq"}, operands: matching},
		"sed": { // sed(1), sed 4.9
			grammar: grammar{flags: "nErsuz", values: "el", long: "quiet silent expression= regexp-extended separate unbuffered null-data line-length= debug posix sandbox"}, operands: matching, given: "e", long: "expression"},
		"awk": { // mawk(1), mawk 1.3.4
			grammar: grammar{values: "Fv", long: "field-separator= assign="}, operands: matching},
		"gawk": { // gawk(1), gawk 5.2.1
			grammar: grammar{values: "Fv", long: "field-separator= assign= sandbox posix"}, operands: matching},
		"mawk": { // mawk(1), mawk 1.3.4
			grammar: grammar{values: "Fv"}, operands: matching},
		"nawk": { // mawk(1), mawk 1.3.4
			grammar: grammar{values: "Fv"}, operands: matching},
		"bc": { // bc(1), bc 1.07; it has no files and runs nothing
			grammar: grammar{flags: "lqsw", long: "mathlib quiet standard warn"}, operands: contents},
		"man": { // man(1), man-db 2.11
			grammar: grammar{flags: "afikw", values: "s"}, operands: anything},
		// files of all kinds
		"strings": { // strings(1), binutils 2.40
			grammar: grammar{flags: "afow", values: "ent", long: "all print-file-name bytes= radix= encoding= include-all-whitespace"}, operands: contents},
		"nm": { // nm(1), binutils 2.40
			grammar: grammar{flags: "aABCDgnPrSsu", long: "demangle? dynamic extern-only defined-only undefined-only numeric-sort size-sort"}, operands: contents},
		"size": { // size(1), binutils 2.40
			grammar: grammar{flags: "ABdotx", long: "format= total common"}, operands: contents},
		"file": { // file(1), file 5.44
			grammar: grammar{flags: "bhikLNr0", values: "F", long: "brief mime mime-type mime-encoding no-dereference dereference keep-going raw print0 extension no-pad separator="}, operands: contents},
		"xxd": { // xxd(1), vim 9.0
			grammar: grammar{flags: "abeEipu", values: "cglos", lone: true}, operands: contents, most: 1},
		"readelf": { // readelf(1), binutils 2.40
			grammar: grammar{flags: "ahlgtSesnrudVAIcCW", long: "all file-header program-headers segments section-headers sections symbols syms dyn-syms notes relocs unwind dynamic version-info arch-specific histogram demangle? wide"}, operands: contents},
		"gofmt": { // cmd/gofmt, go 1.26; -w writes and -cpuprofile too
			grammar: grammar{flags: "lde", values: "r"}, operands: contents},
		// archives and what is compressed, printed or listed
		"unzip": { // unzip(1), unzip 6.0
			grammar: grammar{flags: "lvq"}, operands: contents, needs: "lv"},
		"zipinfo": { // zipinfo(1), unzip 6.0
			grammar: grammar{flags: "12lmshvtTzu"}, operands: contents},
		"gzip":   gzipReader, // gzip(1), gzip 1.12
		"gunzip": gzipReader, // gzip(1), gzip 1.12
		"zcat": { // gzip(1), gzip 1.12
			grammar: grammar{flags: "fqltv"}, operands: contents},
		"bzip2":   gzipReader, // bzip2(1), bzip2 1.0.8
		"bunzip2": gzipReader, // bzip2(1), bzip2 1.0.8
		"bzcat": { // bzip2(1), bzip2 1.0.8
			grammar: grammar{flags: "s"}, operands: contents},
		"xz":   gzipReader, // xz(1), xz-utils 5.4.1
		"unxz": gzipReader, // xz(1), xz-utils 5.4.1
		"xzcat": { // xz(1), xz-utils 5.4.1
			grammar: grammar{flags: "fqv"}, operands: contents},
		// settings
		"printenv": { // printenv(1), coreutils 9.1
			grammar: grammar{flags: "0", long: "null"}, operands: anything},
		"locale": { // locale(1), libc-bin 2.36
			grammar: grammar{flags: "amck", long: "all-locales charmaps category-name keyword-name"}, operands: anything},
		"getconf": { // getconf(1), libc-bin 2.36
			grammar: grammar{flags: "a"}, operands: anything},
		"which": { // which(1), debianutils 5.7
			grammar: grammar{flags: "as"}, operands: anything, words: true},
	}
})

// gzipReader is for what replaces files unless it is told to print, list or test them.
var gzipReader = reader{grammar: grammar{flags: "cdfklqtv#", long: "stdout to-stdout decompress uncompress list test quiet verbose keep force"}, operands: contents, needs: "clt", needsL: "stdout to-stdout list test"}

// grepReader is what grep(1), grep 3.8, takes.
var grepReader = reader{grammar: grammar{flags: "EFGPivwxycLlqsbHhnTZzoaIUrR#", values: "eABCmdD", long: "extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case " +
	"invert-match word-regexp line-regexp count color? colour? files-with-matches files-without-match max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= " +
	"line-number initial-tab null null-data after-context= before-context= context= text binary-files= include= exclude= exclude-dir= recursive dereference-recursive line-buffered directories= devices="},
	operands: matching, given: "e", long: "regexp"}

// versions are programs that say their version, alone with --version or -V, or what they are for, with --help, without looking at the project first. Not rustup's and not npm's: a
// file of the project can name the program that answers.
const versions = " node python python3 ruby perl php lua gcc g++ cc c++ clang clang++ ld make cmake ninja java javac git bash sh curl wget tar gzip zip rsync ssh docker podman kubectl gh jq rg fd tree sed awk gawk vim openssl sqlite3 psql mysql "

// findTests are the primaries of find(1), findutils 4.9, that only look, by the number of their words.
var findTests = map[string]int{
	"-name": 1, "-iname": 1, "-path": 1, "-ipath": 1, "-wholename": 1, "-iwholename": 1, "-regex": 1, "-iregex": 1, "-lname": 1, "-ilname": 1,
	"-type": 1, "-xtype": 1, "-size": 1, "-mtime": 1, "-mmin": 1, "-atime": 1, "-amin": 1, "-ctime": 1, "-cmin": 1, "-newer": 1, "-anewer": 1, "-cnewer": 1,
	"-newermt": 1, "-newerat": 1, "-newerct": 1, "-perm": 1, "-user": 1, "-group": 1, "-uid": 1, "-gid": 1, "-links": 1, "-inum": 1, "-samefile": 1, "-fstype": 1,
	"-maxdepth": 1, "-mindepth": 1, "-regextype": 1, "-printf": 1, "-used": 1,
	"-empty": 0, "-executable": 0, "-readable": 0, "-writable": 0, "-nouser": 0, "-nogroup": 0, "-true": 0, "-false": 0,
	"-depth": 0, "-d": 0, "-mount": 0, "-xdev": 0, "-daystart": 0, "-noleaf": 0, "-ignore_readdir_race": 0, "-nowarn": 0, "-warn": 0,
	"-print": 0, "-print0": 0, "-ls": 0, "-prune": 0, "-quit": 0, "-not": 0, "-a": 0, "-and": 0, "-o": 0, "-or": 0, "(": 0, ")": 0, "!": 0, ",": 0,
	"-P": 0, "-H": 0,
}

// fdGrammar holds the options of fd(1), 8.6, that leave it a reader.
var fdGrammar = grammar{flags: "HIusigaFlp01q", values: "deEtSc", long: "hidden no-ignore unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details full-path " +
	"max-depth= min-depth= exact-depth= exclude= type= extension= size= changed-within= changed-before= color= print0 max-results= quiet prune and= no-ignore-vcs"}

// gitReader is a subcommand of git that only reads with the options listed.
type gitReader struct {
	grammar
	most  int    // operands it may have; -1 for none, 0 for any number
	first string // what the first operand must be: "list show", "" for anything
	needs string // without one of these options operands make it write: git branch NAME
}

// gitGlobal are options before the subcommand that change nothing about it; -C is judged by where it leads. Left out: -c and
// --config-env set anything, -p pages, --exec-path and --git-dir choose what is run and read. Source: git(1), 2.39.
var gitGlobal = grammar{flags: "P", values: "C", long: "no-pager no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-lazy-fetch"}

// gitAnyGlobal are all of them, to find the subcommand.
var gitAnyGlobal = grammar{flags: "pPhv", values: "Cc", long: "no-pager no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-replace-objects no-lazy-fetch " +
	"paginate bare version help exec-path? html-path man-path info-path git-dir= work-tree= namespace= config-env= super-prefix= list-cmds= attr-source="}

// The options of git-diff(1) and git-log(1) that only read. Left out: --output, --ext-diff, --textconv, -O, --no-index,
// --show-signature, and --submodule, for which git starts another git.
const (
	gitDiffFlags  = "abwpuRzsBDMCt#"
	gitDiffValues = "UGSlX"
	gitDiffLong   = " patch no-patch unified= raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram diff-algorithm= anchored= stat? numstat shortstat dirstat? summary" +
		" patch-with-stat name-only name-status color? no-color color-moved? no-color-moved color-moved-ws= word-diff? word-diff-regex= color-words? no-renames rename-empty check full-index binary abbrev? no-abbrev" +
		" find-renames? find-copies? find-copies-harder irreversible-delete diff-filter= find-object= pickaxe-all pickaxe-regex skip-to= rotate-to= relative? no-relative text ignore-cr-at-eol ignore-space-at-eol" +
		" ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix= dst-prefix= no-prefix line-prefix= cc combined-all-paths ws-error-highlight="
	gitLogFlags = gitDiffFlags + "gimLcEFPq"
	gitLogLong  = gitDiffLong + " oneline format= pretty? graph no-graph decorate? no-decorate decorate-refs= decorate-refs-exclude= source follow no-follow use-mailmap mailmap log-size max-count= skip= since= after= until= before= author= committer= grep= all-match invert-grep" +
		" regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges min-parents= max-parents= first-parent exclude-first-parent-only not all branches? tags? remotes? glob= exclude= reflog walk-reflogs grep-reflog=" +
		" boundary simplify-by-decoration full-history dense sparse simplify-merges ancestry-path? show-pulls date-order author-date-order topo-order reverse date= parents children left-right left-only right-only cherry cherry-mark cherry-pick" +
		" relative-date abbrev-commit no-abbrev-commit encoding= expand-tabs? no-expand-tabs notes? no-notes show-notes? clear-decorations no-walk? diff-merges= root merge count objects bisect ignore-missing no-diff-merges"
)

var gitLog = gitReader{grammar: grammar{flags: gitLogFlags, values: gitDiffValues + "nL", long: gitLogLong}}
var gitDiff = gitReader{grammar: grammar{flags: gitDiffFlags, values: gitDiffValues, long: gitDiffLong + " cached staged merge-base ours theirs base"}}

// gitReaders is the table of reading subcommands. The source of an entry NAME is git-NAME(1), git 2.39.5.
var gitReaders = sync.OnceValue(func() map[string]gitReader {
	return map[string]gitReader{
		"status":        {grammar: grammar{flags: "sbvz", attached: "u", long: "short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames? null"}},
		"log":           gitLog,
		"show":          gitLog,
		"whatchanged":   gitLog,
		"reflog":        {grammar: gitLog.grammar, first: "show list"},
		"diff":          gitDiff,
		"diff-tree":     {grammar: grammar{flags: gitDiffFlags + "rmcv", values: gitDiffValues, long: gitDiffLong + " root no-commit-id pretty? always merge-base"}},
		"diff-index":    {grammar: grammar{flags: gitDiffFlags + "m", values: gitDiffValues, long: gitDiffLong + " cached merge-base"}},
		"diff-files":    {grammar: grammar{flags: gitDiffFlags + "q0123", values: gitDiffValues, long: gitDiffLong}},
		"range-diff":    {grammar: grammar{flags: gitDiffFlags, values: gitDiffValues, long: gitDiffLong + " creation-factor= left-only right-only"}},
		"blame":         {grammar: grammar{flags: "bcefghknpstwCM", values: "L", long: "root show-stats reverse porcelain line-porcelain incremental encoding= date= color-lines color-by-age abbrev= show-name show-number show-email first-parent minimal"}},
		"annotate":      {grammar: grammar{flags: "bcefhknpstw", values: "L"}},
		"shortlog":      {grammar: grammar{flags: "nsec", values: "w", long: "numbered summary email group= committer format= since= until= all no-merges"}},
		"describe":      {grammar: grammar{long: "all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?"}},
		"rev-parse":     {grammar: grammar{flags: "q", long: "abbrev-ref? short? verify quiet symbolic symbolic-full-name all branches? tags? remotes? git-dir absolute-git-dir git-common-dir show-toplevel show-cdup show-prefix show-superproject-working-tree is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-object-format? git-path= path-format= default= revs-only no-revs flags no-flags not local-env-vars show-ref-format since= until="}},
		"rev-list":      {grammar: grammar{flags: gitLogFlags, values: "n", long: gitLogLong + " disk-usage? objects-edge use-bitmap-index timestamp header filter= no-object-names quiet"}},
		"ls-files":      {grammar: grammar{flags: "cdmoiskuvtzf", values: "x", long: "cached deleted modified others ignored stage killed unmerged exclude= exclude-standard directory no-empty-directory error-unmatch full-name recurse-submodules abbrev? eol deduplicate sparse format="}},
		"ls-tree":       {grammar: grammar{flags: "drtlz", long: "long name-only name-status object-only full-name full-tree abbrev? format="}},
		"cat-file":      {grammar: grammar{flags: "tsep", long: "batch? batch-check? buffer unordered allow-unknown-type"}},
		"name-rev":      {grammar: grammar{long: "tags refs= exclude= all name-only no-undefined always"}},
		"merge-base":    {grammar: grammar{flags: "a", long: "all octopus independent is-ancestor fork-point"}},
		"show-ref":      {grammar: grammar{flags: "dqsh", long: "head heads branches tags dereference hash? verify abbrev? quiet"}},
		"show-branch":   {grammar: grammar{flags: "ar", long: "all remotes current topo-order date-order sparse more= list merge-base independent no-name sha1-name topics color? no-color"}},
		"for-each-ref":  {grammar: grammar{long: "count= shell sort= format= points-at= merged? no-merged? contains? no-contains? ignore-case color? omit-empty exclude="}},
		"grep":          {grammar: grammar{flags: "aIiwvhHEGFPnlLczopqW#r", values: "ABCem", long: "cached untracked text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color? no-color break heading show-function context= after-context= before-context= function-context max-count= threads= and or not all-match quiet max-depth= recursive no-recursive exclude-standard"}},
		"cherry":        {grammar: grammar{flags: "v", long: "abbrev="}},
		"count-objects": {grammar: grammar{flags: "vH", long: "verbose human-readable"}, most: -1},
		"check-ignore":  {grammar: grammar{flags: "qvnz", long: "quiet verbose non-matching no-index"}},
		"check-attr":    {grammar: grammar{flags: "az", long: "all cached"}},
		"version":       {grammar: grammar{long: "build-options"}, most: -1},
		"stripspace":    {grammar: grammar{flags: "sc"}, most: -1},
		// these write with other words
		"branch":       {grammar: grammar{flags: "arvqi", long: "list all remotes verbose quiet ignore-case show-current contains? no-contains? merged? no-merged? sort= points-at= format= color? no-color column? no-column abbrev? no-abbrev omit-empty"}, needs: "list contains no-contains merged no-merged points-at"},
		"tag":          {grammar: grammar{flags: "lin#", long: "list sort= format= contains? no-contains? merged? no-merged? points-at= color? column? no-column ignore-case omit-empty"}, needs: "l list contains no-contains merged no-merged points-at"},
		"remote":       {grammar: grammar{flags: "v", long: "verbose all push"}, first: "get-url", most: 2},
		"stash":        {grammar: grammar{flags: gitDiffFlags, long: gitDiffLong + " oneline include-untracked only-untracked format= date="}, first: "list show", needs: "first"},
		"worktree":     {grammar: grammar{flags: "vz", long: "porcelain verbose"}, first: "list", needs: "first", most: 1},
		"notes":        {grammar: grammar{}, first: "list show", most: 2},
		"config":       {grammar: grammar{long: "get get-all local global show-origin show-scope type= bool int path default= name-only null"}, needs: "get get-all", most: 1},
		"symbolic-ref": {grammar: grammar{flags: "q", long: "short quiet no-recurse"}, most: 1},
	}
})
