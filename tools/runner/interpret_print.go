package runner

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// echo writes its arguments.
func echo(c call) error {
	newline, escapes, args := true, false, c.args
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		for _, letter := range args[0][1:] {
			newline = newline && letter != 'n'
			escapes = letter == 'e' || escapes && letter != 'E'
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		var ended bool
		if text, ended = unescaped(text, true); ended {
			return c.write(text)
		}
	}
	if newline {
		text += "\n"
	}
	return c.write(text)
}

// unescaped follows the escapes of echo -e and printf %b, or of a format; ended reports \c.
func unescaped(text string, arguments bool) (result string, ended bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			i++
			continue
		}
		if text[i+1] == 'c' && arguments {
			return b.String(), true
		}
		out, size := escape(text[i+1:], arguments)
		b.WriteString(out)
		i += 1 + size
	}
	return b.String(), false
}

// escape is what follows a backslash, and how long that is.
func escape(s string, arguments bool) (string, int) {
	const from, to = `abeEfnrtv\`, "\a\b\x1b\x1b\f\n\r\t\v\\"
	if i := strings.IndexByte(from, s[0]); i >= 0 {
		return to[i : i+1], 1
	}
	switch c := s[0]; {
	case c >= '0' && c <= '7':
		skip := 0
		if arguments {
			if c != '0' {
				return `\` + s[:1], 1
			}
			skip = 1
		}
		digits := leading(s[skip:], 3, "01234567")
		n, _ := strconv.ParseUint("0"+digits, 8, 16)
		return string([]byte{byte(n)}), skip + len(digits)
	case c == 'x' || c == 'u' || c == 'U':
		digits := leading(s[1:], map[byte]int{'x': 2, 'u': 4, 'U': 8}[c], "0123456789abcdefABCDEF")
		n, err := strconv.ParseUint(digits, 16, 32)
		switch {
		case err != nil:
			return `\` + s[:1], 1
		case c == 'x':
			return string([]byte{byte(n)}), 1 + len(digits)
		}
		return string(rune(n)), 1 + len(digits)
	case !arguments && (c == '\'' || c == '"' || c == '?'):
		return s[:1], 1
	}
	return `\` + s[:1], 1
}

// leading is the longest beginning of at most so many characters of a set.
func leading(s string, most int, set string) string {
	n := 0
	for n < len(s) && n < most && strings.IndexByte(set, s[n]) >= 0 {
		n++
	}
	return s[:n]
}

// printf writes its arguments as a format says, or assigns them with -v.
func printf(c call) error {
	args, name := c.args, ""
	if len(args) > 1 && args[0] == "-v" {
		name, args = args[1], args[2:]
		if base, _, _ := strings.Cut(name, "["); !syntax.ValidName(base) {
			return c.fail(2, "`%s': not a valid identifier", name)
		}
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return c.fail(2, "usage: printf [-v var] format [arguments]")
	}
	f := &formatter{args: args[1:]}
	for {
		before := len(f.args)
		f.format(args[0])
		if len(f.args) == 0 || len(f.args) == before || f.ended || f.out.Len() > maxInput {
			break
		}
	}
	err := error(nil)
	if name != "" {
		err = c.assignElement(name, f.out.String())
	} else {
		err = c.write(f.out.String())
	}
	if f.wrong != "" && err == nil {
		return c.fail(1, "%s", f.wrong)
	}
	return err
}

// assignElement is assign for names that may have a subscript, which is taken as it is.
func (c call) assignElement(name, value string) error {
	if base, index, ok := strings.Cut(name, "["); ok {
		return c.native("eval", base+"["+quote(strings.TrimSuffix(index, "]"))+"]="+quote(value))
	}
	return c.assign(name, value)
}

// formatter is one call of printf.
type formatter struct {
	out   strings.Builder
	args  []string
	wrong string // the first mistake
	ended bool   // by \c or a mistake in the format
}

func (f *formatter) next() string {
	if len(f.args) == 0 {
		return ""
	}
	arg := f.args[0]
	f.args = f.args[1:]
	return arg
}

func (f *formatter) fail(format string, args ...any) {
	if f.wrong == "" {
		f.wrong = fmt.Sprintf(format, args...)
	}
}

func (f *formatter) format(format string) {
	for i := 0; i < len(format) && !f.ended; {
		switch {
		case format[i] == '\\' && i+1 < len(format):
			out, size := escape(format[i+1:], false)
			f.out.WriteString(out)
			i += 1 + size
		case format[i] == '%' && strings.HasPrefix(format[i:], "%%"):
			f.out.WriteByte('%')
			i += 2
		case format[i] == '%':
			i += 1 + f.directive(format[i+1:])
		default:
			f.out.WriteByte(format[i])
			i++
		}
	}
}

// maxWidth bounds the width and the precision of a conversion.
const maxWidth = 1 << 16

// directive writes one conversion and returns its length.
func (f *formatter) directive(s string) int {
	i := len(leading(s, len(s), "-+ #0"))
	flags := s[:i]
	width, precision, given := "", "", false
	width, i = f.number(s, i)
	if strings.HasPrefix(width, "-") {
		flags, width = flags+"-", width[1:]
	}
	if i < len(s) && s[i] == '.' {
		given = true
		precision, i = f.number(s, i+1)
	}
	i += len(leading(s[i:], len(s), "hlLqjzt"))
	if i > 0 && i == len(s) && s[i-1] == 'q' {
		i-- // %q is a conversion of its own
	} else if i > 0 && i < len(s) && s[i-1] == 'q' && strings.IndexByte("diouxXeEfFgGaAcsb", s[i]) < 0 {
		i--
	}
	if i == len(s) {
		f.fail("`%s': missing format character", "%"+s)
		f.ended = true
		return i
	}
	if atoi(width) > maxWidth || atoi(precision) > maxWidth {
		f.fail("a field is wider than %d", maxWidth)
		f.ended = true
		return i
	}
	verb := "%" + flags + width
	if given {
		verb += "." + precision
	}
	if s[i] == '(' {
		end := strings.Index(s[i:], ")T")
		if end < 0 {
			f.fail("`%s': missing format character", "%"+s)
			f.ended = true
			return len(s)
		}
		fmt.Fprintf(&f.out, verb+"s", f.date(s[i+1:i+end]))
		return i + end + 2
	}
	f.convert(verb, s[i])
	return i + 1
}

func (f *formatter) number(s string, i int) (string, int) {
	if i < len(s) && s[i] == '*' {
		return strconv.Itoa(int(f.integer(f.next()))), i + 1
	}
	digits := leading(s[i:], len(s), "0123456789")
	return digits, i + len(digits)
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// convert writes an argument.
func (f *formatter) convert(verb string, c byte) {
	switch c {
	case 's':
		fmt.Fprintf(&f.out, clean(verb)+"s", f.next())
	case 'q', 'Q':
		fmt.Fprintf(&f.out, clean(verb)+"s", backslashed(f.next()))
	case 'b':
		arg, ended := unescaped(f.next(), true)
		fmt.Fprintf(&f.out, clean(verb)+"s", arg)
		f.ended = ended
	case 'c':
		arg := f.next()
		if len(arg) > 1 {
			arg = arg[:1]
		}
		fmt.Fprintf(&f.out, clean(verb)+"s", arg)
	case 'd', 'i':
		fmt.Fprintf(&f.out, numeric(verb)+"d", f.integer(f.next()))
	case 'u', 'o', 'x', 'X':
		if c == 'u' {
			c = 'd'
		}
		fmt.Fprintf(&f.out, numeric(verb)+string(c), uint64(f.integer(f.next())))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		fmt.Fprintf(&f.out, verb+string(c), f.float(f.next()))
	default:
		f.fail("`%c': invalid format character", c)
		f.ended = true
	}
}

// clean leaves out flags that text does not have in C and would have in Go.
func clean(verb string) string {
	head := len(leading(verb, len(verb), "%-+ #0"))
	if strings.Contains(verb[:head], "-") {
		return "%-" + verb[head:]
	}
	return "%" + verb[head:]
}

// numeric leaves out the 0 that C ignores beside a precision or a minus.
func numeric(verb string) string {
	head := len(leading(verb, len(verb), "%-+ #0"))
	if strings.Contains(verb, ".") || strings.Contains(verb[:head], "-") {
		return strings.ReplaceAll(verb[:head], "0", "") + verb[head:]
	}
	return verb
}

// integer is a number as C writes it, or the code of a character behind a quote.
func (f *formatter) integer(arg string) int64 {
	arg = strings.TrimLeft(arg, " \t\n")
	if arg == "" {
		return 0
	}
	if arg[0] == '\'' || arg[0] == '"' {
		r, _ := utf8.DecodeRuneInString(arg[1:])
		return int64(r)
	}
	digits := leading(arg, 1, "+-")
	if rest := arg[len(digits):]; strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0X") {
		digits += rest[:2] + leading(rest[2:], len(rest), "0123456789abcdefABCDEF")
	} else {
		digits += leading(rest, len(rest), "0123456789")
	}
	n, err := strconv.ParseInt(digits, 0, 64)
	if err != nil || digits != arg {
		if u, err := strconv.ParseUint(digits, 0, 64); err == nil && digits == arg {
			return int64(u)
		}
		f.fail("%s: invalid number", arg)
	}
	return n
}

func (f *formatter) float(arg string) float64 {
	if arg == "" {
		return 0
	}
	if arg[0] == '\'' || arg[0] == '"' {
		return float64(f.integer(arg))
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(arg), 64)
	if err != nil {
		f.fail("%s: invalid number", arg)
	}
	return n
}

// date is a time as strftime(3) writes it; -1 and no argument are now.
func (f *formatter) date(layout string) string {
	when := time.Now()
	if arg := f.next(); arg != "" && arg != "-1" && arg != "-2" {
		when = time.Unix(f.integer(arg), 0)
	}
	if layout == "" {
		layout = "%X"
	}
	var b strings.Builder
	for i := 0; i < len(layout); i++ {
		if layout[i] != '%' || i+1 == len(layout) {
			b.WriteByte(layout[i])
			continue
		}
		i++
		b.WriteString(dateField(when, layout[i]))
	}
	return b.String()
}

func dateField(t time.Time, c byte) string {
	layouts := map[byte]string{
		'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'y': "06", 'F': "2006-01-02", 'T': "15:04:05", 'X': "15:04:05",
		'D': "01/02/06", 'R': "15:04", 'b': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday", 'e': "_2", 'I': "03", 'p': "PM", 'z': "-0700",
		'Z': "MST", 'j': "002", 'N': "000000000", 'c': "Mon Jan _2 15:04:05 2006", 'x': "01/02/06", 'h': "Jan",
	}
	switch c {
	case 's':
		return strconv.FormatInt(t.Unix(), 10)
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case '%':
		return "%"
	case 'u':
		return strconv.Itoa((int(t.Weekday())+6)%7 + 1)
	case 'w':
		return strconv.Itoa(int(t.Weekday()))
	}
	if layout, ok := layouts[c]; ok {
		return t.Format(layout)
	}
	return "%" + string(c)
}

// backslashed is a text as one word of the shell, as printf %q writes it.
func backslashed(text string) string {
	if text == "" {
		return "''"
	}
	for _, r := range text {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return dollarQuoted(text)
		}
	}
	var b strings.Builder
	for i, r := range text {
		if strings.ContainsRune(" '\"\\|&;()<>!{}*[]?^$`,", r) || i == 0 && (r == '#' || r == '~') || r == '~' && i > 0 && strings.ContainsRune(":=", rune(text[i-1])) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func dollarQuoted(text string) string {
	const from, to = "\a\b\x1b\f\n\r\t\v\\'", `abEfnrtv\'`
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch j := strings.IndexByte(from, c); {
		case j >= 0:
			b.WriteString(`\` + to[j:j+1])
		case c < ' ' || c == 0x7f || c >= utf8.RuneSelf && !utf8.ValidString(text):
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
