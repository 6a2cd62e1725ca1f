package runner

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// printf writes its arguments as a format says, or assigns them with -v.
func printf(c call) error {
	args, name := c.args, ""
	if len(args) == 1 && args[0] == "-v" {
		return c.fail(2, "-v: option requires an argument")
	}
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
	i := len(leading(s, len(s), "-+ #0'"))
	flags := strings.ReplaceAll(s[:i], "'", "") // thousands have no separator in most places
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
		f.text(verb, f.date(s[i+1:i+end]))
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
		f.text(verb, f.next())
	case 'q', 'Q':
		f.text(verb, backslashed(f.next()))
	case 'b':
		arg, ended := unescaped(f.next(), true)
		f.text(verb, arg)
		f.ended = ended
	case 'c':
		f.text(verb, (f.next() + "\x00")[:1])
	case 'd', 'i':
		fmt.Fprintf(&f.out, numeric(verb)+"d", f.integer(f.next()))
	case 'u', 'o', 'x', 'X':
		if c == 'u' {
			c = 'd'
		}
		n := f.integer(f.next())
		if n == 0 {
			verb = strings.ReplaceAll(verb, "#", "")
		}
		fmt.Fprintf(&f.out, numeric(verb)+string(c), uint64(n))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		fmt.Fprintf(&f.out, verb+string(c), f.float(f.next()))
	default:
		f.fail("`%c': invalid format character", c)
		f.ended = true
	}
}

// text writes a text in a field, of which C counts the bytes.
func (f *formatter) text(verb, text string) {
	head := len(leading(verb, len(verb), "%-+ #0"))
	width, precision, given := strings.Cut(verb[head:], ".")
	if given {
		text = text[:min(len(text), max(atoi(precision), 0))]
	}
	blank := strings.Repeat(" ", max(atoi(width)-len(text), 0))
	if strings.Contains(verb[:head], "-") {
		f.out.WriteString(text + blank)
	} else {
		f.out.WriteString(blank + text)
	}
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
