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

// mapfile reads lines into an array.
func mapfile(c call) error {
	name, delim, strip, most, skip, from := "MAPFILE", byte('\n'), false, -1, 0, 0
	args := c.args
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		if option == "-t" {
			strip = true
			continue
		}
		if option == "-td" {
			strip, option = true, "-d"
		}
		if len(args) == 0 {
			return c.fail(2, "%s: option requires an argument", option)
		}
		value := args[0]
		args = args[1:]
		n, err := strconv.Atoi(value)
		switch {
		case option == "-d":
			delim = (value + "\x00")[0]
		case option == "-n" && err == nil:
			most = n
		case option == "-s" && err == nil:
			skip = n
		case option == "-u" && err == nil:
			from = n
		default:
			return c.fail(2, "%s: invalid option", option)
		}
	}
	if len(args) > 0 {
		name = args[0]
	}
	if !syntax.ValidName(name) {
		return c.fail(1, "`%s': not a valid identifier", name)
	}
	var lines []string
	if f, _ := c.file(c.hc, from); f.file != nil {
		in := f.file
		defer interruptible(c.ctx, in)()
		data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		} else if err != nil || len(data) > maxInput {
			return c.fail(1, "%v", errors.Join(err, fmt.Errorf("more than %d MB", maxInput>>20)))
		}
		lines = split(data, delim, strip)
	}
	lines = lines[min(skip, len(lines)):]
	if most > 0 {
		lines = lines[:min(most, len(lines))]
	}
	return c.assignAll(name, lines)
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
