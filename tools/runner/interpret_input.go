package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// What read and mapfile take at a time is bounded, in bytes.
const (
	maxLine  = 1 << 20
	maxInput = 16 << 20
)

// past is a deadline that ends a read at once.
var past = time.Unix(1, 0)

// reading is what read is asked for.
type reading struct {
	raw, array bool
	name       string // of the array
	delim      byte
	chars      int  // -1 for a line
	exact      bool // no delimiter ends it
	timeout    time.Duration
	from       int // the number of a file
}

// read reads a line into variables.
func read(c call) error {
	r := reading{delim: '\n', chars: -1, timeout: -1}
	names, err := r.options(c.args)
	if err != nil {
		return c.fail(2, "%v", err)
	}
	for _, name := range names {
		if !syntax.ValidName(name) {
			return c.fail(1, "`%s': not a valid identifier", name)
		}
	}
	f, err := c.file(c.hc, r.from)
	if r.from != 0 && (err != nil || f.file == nil) {
		return c.fail(1, "%d: invalid file descriptor: %v", r.from, reason(syscall.EBADF))
	}
	in := f.file
	line, status := r.line(c.ctx, in)
	if errors.Is(status, errTooLong) {
		return c.fail(1, "%v", status)
	}
	if err := c.spread(r, line, names); err != nil {
		return err
	}
	switch {
	case status == nil:
		return nil
	case c.ctx.Err() != nil:
		return c.ctx.Err()
	case errors.Is(status, os.ErrDeadlineExceeded):
		return interp.ExitStatus(142)
	}
	return interp.ExitStatus(1)
}

func (r *reading) options(args []string) (names []string, err error) {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		word := args[0][1:]
		args = args[1:]
		if word == "-" {
			break
		}
		for word != "" {
			letter := word[0]
			word = word[1:]
			value := ""
			if strings.IndexByte("adnNptui", letter) >= 0 {
				if value, word = word, ""; value == "" {
					if len(args) == 0 {
						return nil, fmt.Errorf("-%c: option requires an argument", letter)
					}
					value, args = args[0], args[1:]
				}
			}
			if err := r.option(letter, value); err != nil {
				return nil, err
			}
		}
	}
	if r.array {
		args = nil
	}
	return args, nil
}

func (r *reading) option(letter byte, value string) (err error) {
	switch letter {
	case 'r':
		r.raw = true
	case 's', 'p': // nobody sees a prompt
	case 'a':
		r.array, r.name = true, value
		if !syntax.ValidName(value) {
			err = fmt.Errorf("`%s': not a valid identifier", value)
		}
	case 'd':
		if r.delim = 0; value != "" {
			r.delim = value[0]
		}
	case 'n', 'N':
		r.exact = letter == 'N'
		if r.chars, err = strconv.Atoi(value); err != nil || r.chars < 0 {
			err = fmt.Errorf("%s: invalid number", value)
		}
	case 't':
		seconds, parseErr := strconv.ParseFloat(value, 64)
		if parseErr != nil || seconds < 0 {
			return fmt.Errorf("%s: invalid timeout specification", value)
		}
		r.timeout = time.Duration(seconds * float64(time.Second))
	case 'u':
		if r.from, err = strconv.Atoi(value); err != nil {
			err = fmt.Errorf("%s: invalid file descriptor specification", value)
		}
	default:
		err = fmt.Errorf("-%c: invalid option", letter)
	}
	return err
}

var errTooLong = fmt.Errorf("a line is longer than %d MB", maxLine>>20)

// line reads what was asked for, one byte at a time: what follows belongs to whoever reads next.
func (r *reading) line(ctx context.Context, in *os.File) ([]byte, error) {
	if in == nil {
		return nil, io.EOF
	}
	if r.timeout >= 0 {
		in.SetReadDeadline(time.Now().Add(r.timeout))
		defer in.SetReadDeadline(time.Time{})
	}
	stop := interruptible(ctx, in)
	defer stop()
	var line []byte
	var one [1]byte
	escaped := false
	for chars, bytes := 0, 0; r.chars < 0 || chars < r.chars; bytes++ {
		if bytes > maxLine {
			return nil, errTooLong
		}
		if bytes%1024 == 0 && ctx.Err() != nil {
			return line, ctx.Err()
		}
		if n, err := in.Read(one[:]); n == 0 {
			if err == nil {
				err = io.EOF
			}
			return line, err
		}
		b := one[0]
		switch {
		case !r.raw && escaped && b == '\n':
			line, escaped = line[:len(line)-1], false
			continue
		case b == r.delim && !r.exact && !escaped:
			return line, nil
		case b == 0: // bash drops them too
			continue
		}
		escaped = !r.raw && b == '\\' && !escaped
		line = append(line, b)
		if r.chars >= 0 && utf8.Valid(line) {
			chars++
		}
	}
	return line, nil
}

// spread splits a line into variables.
func (c call) spread(r reading, line []byte, names []string) error {
	text := string(line)
	switch {
	case r.array:
		return c.assignAll(r.name, splitLine(c.hc.Env, text, -1, r.raw))
	case len(names) == 0:
		if !r.raw {
			text = unescape(text)
		}
		return c.assign("REPLY", text)
	case r.exact && len(names) == 1:
		return c.assign(names[0], text)
	}
	values := splitLine(c.hc.Env, text, len(names), r.raw)
	for i, name := range names {
		value := ""
		if i < len(values) {
			value = values[i]
		}
		if err := c.assign(name, value); err != nil {
			return err
		}
	}
	return nil
}

func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
