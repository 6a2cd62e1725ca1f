package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assignAll sets an array.
func (c call) assignAll(name string, values []string) error {
	var b strings.Builder
	b.WriteString(name + "=(")
	for i, v := range values {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quote(v))
	}
	b.WriteString(")")
	return c.native("eval", b.String())
}

// mapping is what mapfile is asked for.
type mapping struct {
	name       string
	delim      byte
	strip      bool // the delimiter is no part of an element
	most, skip int  // lines; all if most is 0
	from       int  // the number of a file
}

// mapfile reads lines into an array.
func mapfile(c call) error {
	m := mapping{name: "MAPFILE", delim: '\n'}
	if err := m.options(c.args); err != nil {
		return c.fail(2, "%v", err)
	}
	if !syntax.ValidName(m.name) {
		return c.fail(1, "`%s': not a valid identifier", m.name)
	}
	var lines []string
	if f, _ := c.file(c.hc, m.from); f.file != nil {
		defer interruptible(c.ctx, f.file)()
		data, err := io.ReadAll(io.LimitReader(f.file, maxInput+1))
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		} else if err != nil || len(data) > maxInput {
			return c.fail(1, "%v", errors.Join(err, fmt.Errorf("more than %d MB", maxInput>>20)))
		}
		lines = split(data, m.delim, m.strip)
	}
	lines = lines[min(m.skip, len(lines)):]
	if m.most > 0 {
		lines = lines[:min(m.most, len(lines))]
	}
	return c.assignAll(m.name, lines)
}

// options understands the arguments of mapfile.
func (m *mapping) options(args []string) error {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		if option == "-t" {
			m.strip = true
			continue
		}
		if option == "-td" {
			m.strip, option = true, "-d"
		}
		if len(args) == 0 {
			return fmt.Errorf("%s: option requires an argument", option)
		}
		value := args[0]
		args = args[1:]
		n, err := strconv.Atoi(value)
		switch {
		case option == "-d":
			m.delim = (value + "\x00")[0]
		case option == "-n" && err == nil && n >= 0:
			m.most = n
		case option == "-s" && err == nil && n >= 0:
			m.skip = n
		case option == "-u" && err == nil:
			m.from = n
		default:
			return fmt.Errorf("%s: invalid option", option)
		}
	}
	if len(args) > 0 {
		m.name = args[0]
	}
	return nil
}

func split(data []byte, delim byte, strip bool) (lines []string) {
	for len(data) > 0 {
		end := bytes.IndexByte(data, delim)
		next := end + 1
		if end < 0 {
			end, next = len(data), len(data)
		}
		if !strip {
			end = next
		}
		lines = append(lines, string(data[:end]))
		data = data[next:]
	}
	return lines
}

// copyInput is $(<file).
func copyInput(c call) error {
	in, ok := c.hc.Stdin.(*os.File)
	if !ok || in == nil {
		return nil
	}
	defer interruptible(c.ctx, in)()
	if _, err := io.Copy(&bounded{w: c.hc.Stdout, left: maxCapture, session: c.session}, in); c.ctx.Err() != nil {
		return c.ctx.Err()
	} else if err != nil {
		return c.fail(1, "%v", reason(err))
	}
	return nil
}
