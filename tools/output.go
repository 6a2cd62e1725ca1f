package tools

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"unicode/utf8"

	"tricode/workdir"
)

// What the model is told of an output, and what is kept of it, in bytes.
const (
	shownHead   = 8 << 10
	shownTail   = 8 << 10
	keptOutput  = 64 << 20  // of one output
	keptAnswer  = 128 << 20 // of one text that Keep is for: all that an answer of a model may have
	keptOutputs = 256 << 20 // of all outputs of a run
)

// output takes what a program prints, as much as it likes, in constant memory: the model is told the beginning and
// the end, the file gets what does not fit into that.
type output struct {
	in    io.WriteCloser // hides secrets on the way, so that none is cut in the middle; nil: nothing does
	live  io.Writer
	start []byte // the first shownHead+shownTail bytes
	end   tail   // of what came after
	size  int64
	lines int64
	file  *outputFile // nil as long as all fits
	dir   *workdir.Dir
}

// newOutput returns an output that a person may watch at live. What is too long is kept with the outputs of the world.
func newOutput(w World, live io.Writer) *output {
	o := &output{live: live, dir: w.Outputs}
	if w.Redact != nil {
		o.in = w.Redact(taker{o})
	}
	return o
}

// Write fails only if live does.
func (o *output) Write(p []byte) (int, error) {
	if o.in != nil {
		return o.in.Write(p)
	}
	return o.take(p)
}

// taker is the output behind what hides secrets.
type taker struct{ *output }

func (t taker) Write(p []byte) (int, error) { return t.take(p) }

func (o *output) take(p []byte) (int, error) {
	n := len(p)
	o.size += int64(n)
	o.lines += int64(bytes.Count(p, []byte{'\n'}))
	if o.size > shownHead+shownTail && o.file == nil {
		o.file = newOutputFile(o.dir, keptOutput)
		o.file.write(o.start)
	}
	if o.file != nil {
		o.file.write(p)
	}
	rest := p
	if room := shownHead + shownTail - len(o.start); room > 0 {
		rest = p[min(room, n):]
		o.start = append(o.start, p[:n-len(rest)]...)
	}
	o.end.write(rest)
	if _, err := o.live.Write(p); err != nil {
		return 0, err
	}
	return n, nil
}

// text closes the file and returns what the model is told.
func (o *output) text() string {
	if o.in != nil {
		o.in.Close() // an error is that of live, which the effect has had
	}
	if o.file == nil {
		return safeText(o.start)
	}
	head := wholeHead(o.start[:shownHead])
	last := wholeTail(lastOf(append(o.start[shownHead:], o.end...), shownTail))
	left := o.size - int64(len(head)+len(last))
	lines := o.lines - int64(bytes.Count(head, []byte{'\n'})) - int64(bytes.Count(last, []byte{'\n'}))
	gap := fmt.Sprintf("[... %d bytes (%d lines) left out; %s ...]\n", left, lines, o.file.close())
	return withNote(safeText(head), gap) + safeText(last)
}

// tail is the end of what was written to it, at most shownTail bytes.
type tail []byte

func (t *tail) write(p []byte) {
	if over := len(*t) + len(p) - shownTail; over > 0 {
		*t = append((*t)[:0], (*t)[min(over, len(*t)):]...)
	}
	*t = append(*t, lastOf(p, shownTail)...)
}

func lastOf(p []byte, n int) []byte { return p[max(0, len(p)-n):] }

// wholeHead cuts b behind the last line, if that is not too far away, or character that is whole.
func wholeHead(b []byte) []byte {
	if i := bytes.LastIndexByte(b, '\n'); i > len(b)*3/4 {
		return b[:i+1]
	}
	return wholeCharacters(b)
}

// wholeCharacters is b without the character at its end if a part of that is missing.
func wholeCharacters(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if i := len(b) - n; utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// wholeTail cuts b before the first line, if that is not too far away, or character that is whole.
func wholeTail(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 && i < len(b)/4 {
		return b[i+1:]
	}
	for n := 0; n < utf8.UTFMax-1 && !utf8.RuneStart(b[0]); n++ {
		b = b[1:]
	}
	return b
}

// safeText is b as text: each run of bytes that are none, or NUL, becomes one replacement character.
func safeText(b []byte) string {
	if bytes.IndexByte(b, 0) >= 0 {
		b = bytes.ReplaceAll(b, []byte{0}, []byte{0xff})
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// Kept keeps a text in a directory of outputs, from where read_file reads it, while it comes.
type Kept struct{ file *outputFile }

// Keep begins a file for a text. What goes wrong with it is told by Close.
func Keep(dir *workdir.Dir) Kept { return Kept{newOutputFile(dir, keptAnswer)} }

// Write takes a part of the text. It never fails.
func (k Kept) Write(p []byte) (int, error) {
	k.file.write(p)
	return len(p), nil
}

// Drop takes the file away.
func (k Kept) Drop() {
	if k.file.close(); k.file.file != nil {
		k.file.path.Remove()
	}
}

// Close returns the file if all of the text is in it, otherwise nothing, and says in words where the text is.
func (k Kept) Close() (file, where string) {
	where = k.file.close()
	if k.file.err == nil && !k.file.cut {
		file = k.file.path.Abs
	}
	return file, where
}

// outputFile keeps an output in full, within bounds. An error ends the keeping but nothing else.
type outputFile struct {
	file io.WriteCloser
	path workdir.Path
	size int64
	room int64 // how much may still be written
	cut  bool  // something was not written for want of room
	err  error
}

func newOutputFile(dir *workdir.Dir, most int64) *outputFile {
	f := &outputFile{room: most}
	if dir == nil {
		f.err = errors.New("there is no directory for it")
		return f
	}
	f.err = f.open(dir)
	return f
}

// open makes the next file of the directory.
func (f *outputFile) open(dir *workdir.Dir) error {
	top, err := dir.Resolve(".")
	if err != nil {
		return err
	}
	entries, err := top.ReadDir()
	if err != nil {
		return err
	}
	room := int64(keptOutputs)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			room -= info.Size()
		}
	}
	if f.room = min(f.room, room); f.room <= 0 {
		return fmt.Errorf("the outputs of this run take %d MiB already", keptOutputs>>20)
	}
	for n := len(entries) + 1; ; n++ {
		if f.path, err = dir.Resolve("output-" + strconv.Itoa(n) + ".txt"); err != nil {
			return err
		}
		if f.file, err = f.path.Writer(); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

func (f *outputFile) write(p []byte) {
	if f.err != nil {
		return
	}
	if int64(len(p)) > f.room {
		p, f.cut = p[:f.room], true
	}
	f.room -= int64(len(p))
	f.size += int64(len(p))
	_, f.err = f.file.Write(p)
}

// close closes the file and says where the output is.
func (f *outputFile) close() string {
	if f.file != nil {
		if err := f.file.Close(); f.err == nil {
			f.err = err
		}
	}
	switch {
	case f.file == nil:
		return fmt.Sprintf("not kept: %v", f.err)
	case f.err != nil:
		return fmt.Sprintf("kept in part in %s: %v", f.path.Abs, f.err)
	case f.cut:
		return fmt.Sprintf("the first %d bytes are in %s", f.size, f.path.Abs)
	}
	return "all of it is in " + f.path.Abs
}
