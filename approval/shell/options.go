package shell

import "strings"

// grammar is what options a program takes.
type grammar struct {
	flags    string // one-letter options without a value; '#' stands for -NUMBER
	values   string // one-letter options with a value, in the same word or the next
	attached string // those that may have one, in the same word
	apart    string // those with a value that is the next word, whatever follows in this one: -Io PATTERN FILE
	lone     bool   // a word is one option, by its first letter: -ps is -p
	long     string // long options, with blanks around each; "name=" takes a value, "name?" may take one after =
}

// option is one option of a command.
type option struct {
	name   string // without its hyphens
	long   bool
	value  word
	valued bool
}

// parsed are the words of a command behind its name.
type parsed struct {
	options  []option
	operands []word
	strange  string // the first option that the grammar does not know
	dynamic  bool   // a word that may be an option is not known
	ended    bool   // there was a "--"
}

// has reports whether one of the one-letter options in short or of the long ones is there, spelt out.
func (p *parsed) has(short, long string) bool {
	for _, o := range p.options {
		if o.is(short, long) {
			return true
		}
	}
	return false
}

func (o *option) is(short, long string) bool {
	if !o.long {
		return strings.Contains(short, o.name)
	}
	return listed(long, o.name)
}

// like is has for programs that take abbreviations of long names, whether the abbreviation is unique or not.
func (p *parsed) like(short, long string) bool {
	for _, o := range p.options {
		if o.like(short, long) {
			return true
		}
	}
	return false
}

func (o *option) like(short, long string) bool {
	if !o.long {
		return strings.Contains(short, o.name)
	}
	for name := range strings.FieldsSeq(long) {
		if len(o.name) > 1 && strings.HasPrefix(name, o.name) {
			return true
		}
	}
	return false
}

// options reads words as getopt_long(3) does, options after operands included.
func (g *grammar) options(ws []word) parsed {
	if len(ws) == 0 {
		return parsed{}
	}
	p := parsed{options: make([]option, 0, 1), operands: make([]word, 0, 2)}
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		switch {
		case !w.known && !w.tame:
			p.dynamic = p.dynamic || !p.ended && w.from == nil
			p.operands = append(p.operands, w)
		case p.ended, w.tame, w.text == "-", !strings.HasPrefix(w.text, "-"):
			p.operands = append(p.operands, w)
		case w.text == "--":
			p.ended = true
		case strings.HasPrefix(w.text, "--"):
			i += g.longOption(&p, w.text[2:], ws[i+1:])
		default:
			i += g.shortOptions(&p, w.text[1:], ws[i+1:])
		}
	}
	return p
}

// longOption reads one long option and returns how many of the words after it belong to it.
func (g *grammar) longOption(p *parsed, text string, next []word) int {
	name, v, given := strings.Cut(text, "=")
	o := option{name: name, long: true, valued: given, value: literal(v)}
	used := 0
	switch {
	case listed(g.long, name+"="):
		if !given && len(next) > 0 {
			o.value, o.valued, used = next[0], true, 1
		}
	case listed(g.long, name+"?"), listed(g.long, name) && !given:
	default:
		p.odd("--" + name)
		if full := g.abbreviated(name); full != "" {
			o.name = strings.TrimRight(full, "=?")
			if !given && len(next) > 0 && strings.HasSuffix(full, "=") {
				o.value, o.valued, used = next[0], true, 1
			}
		}
	}
	p.options = append(p.options, o)
	return used
}

// abbreviated is the entry of the first long option that a name is the beginning of, empty if there is none.
func (g *grammar) abbreviated(name string) string {
	for full := range strings.FieldsSeq(g.long) {
		if name != "" && strings.HasPrefix(full, name) {
			return full
		}
	}
	return ""
}

// listed reports whether name is one of the words of long.
func listed(long, name string) bool {
	for name != "" {
		i := strings.Index(long, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || long[i-1] == ' ') && (end == len(long) || long[end] == ' ') {
			return true
		}
		long = long[end:]
	}
	return false
}

func (p *parsed) odd(name string) {
	if p.strange == "" {
		p.strange = name
	}
}

// shortOptions reads a cluster of one-letter options and returns how many of the words after it belong to it.
func (g *grammar) shortOptions(p *parsed, cluster string, next []word) int {
	taken := 0
	for i := 0; i < len(cluster); i++ {
		c := cluster[i]
		o := option{name: cluster[i : i+1]}
		switch {
		case c >= '0' && c <= '9' && strings.Contains(g.flags, "#"):
		case c == '#':
			p.odd("-#")
		case strings.IndexByte(g.values, c) >= 0:
			o.valued = true
			if i+1 < len(cluster) {
				o.value = literal(cluster[i+1:])
			} else if taken < len(next) {
				o.value = next[taken]
				taken++
			}
			p.options = append(p.options, o)
			return taken
		case strings.IndexByte(g.attached, c) >= 0:
			o.valued, o.value = i+1 < len(cluster), literal(cluster[i+1:])
			p.options = append(p.options, o)
			return taken
		case strings.IndexByte(g.apart, c) >= 0 && taken < len(next):
			o.valued, o.value = true, next[taken]
			taken++
		case strings.IndexByte(g.flags, c) < 0:
			p.odd("-" + o.name)
		}
		p.options = append(p.options, o)
		if g.lone {
			break
		}
	}
	return taken
}

// leading counts the words that are options before the first operand; ok is false if one is not known.
func (g *grammar) leading(ws []word) (n int, ok bool) {
	for n < len(ws) {
		x := ws[n]
		if !x.known || !strings.HasPrefix(x.text, "-") || x.text == "-" {
			return n, x.known
		}
		if n++; x.text == "--" {
			return n, true
		}
		var p parsed
		if strings.HasPrefix(x.text, "--") {
			n += g.longOption(&p, x.text[2:], ws[n:])
		} else {
			n += g.shortOptions(&p, x.text[1:], ws[n:])
		}
		if p.strange != "" {
			return n, false
		}
	}
	return n, true
}
