package tools

import (
	"bytes"
	"strings"
)

// The line ends that a file can have throughout, and the mark that some programs put at its start.
const (
	lf   = "\n"
	crlf = "\r\n"
	bom  = "\ufeff"
)

// document is the text of a file without what an edit should not have to care about.
type document struct {
	bom  bool
	ends string // how all lines end; empty if they differ or there is only one
	text string // with plain line ends if all are CRLF
}

func parse(data []byte) document {
	var d document
	d.text, d.bom = strings.CutPrefix(string(data), bom)
	lines, windows := strings.Count(d.text, lf), strings.Count(d.text, crlf)
	switch {
	case lines == 0:
	case windows == 0:
		d.ends = lf
	case windows == lines:
		d.ends, d.text = crlf, strings.ReplaceAll(d.text, crlf, lf)
	}
	return d
}

// bytes is what the file holds with the given text.
func (d document) bytes(text string) []byte {
	if d.ends == crlf {
		text = strings.ReplaceAll(text, lf, crlf)
	}
	if d.bom {
		text = bom + text
	}
	return []byte(text)
}

// adapt gives text from elsewhere the line ends of the document's text.
func (d document) adapt(text string) string {
	if d.ends == "" {
		return text
	}
	return strings.ReplaceAll(text, crlf, lf)
}

func (d document) endsName() string {
	switch d.ends {
	case lf:
		return "LF"
	case crlf:
		return "CRLF"
	}
	return "mixed"
}

// overwrite is the document's new text. The model decides about line ends, unless all were CRLF.
func (d document) overwrite(content string) string {
	if d.bom {
		content = strings.TrimPrefix(content, bom)
	}
	if d.ends == crlf {
		content = d.adapt(content)
	}
	return content
}

// append puts content after the text, on lines of its own, and keeps the final line end.
func (d document) append(content string) string {
	content = d.adapt(content)
	switch {
	case d.text == "":
		return content
	case strings.HasSuffix(d.text, lf):
		return d.text + ended(content)
	case strings.HasPrefix(content, lf):
		return d.text + content
	}
	return d.text + lf + content
}

// prepend puts content before the text, on lines of its own.
func (d document) prepend(content string) string {
	content = d.adapt(content)
	if d.text == "" {
		return content
	}
	return ended(content) + d.text
}

// ended is text whose last line has its end.
func ended(text string) string {
	if strings.HasSuffix(text, lf) {
		return text
	}
	return text + lf
}

// binary reports whether data is nothing to edit as text.
func binary(data []byte) bool { return bytes.IndexByte(data, 0) >= 0 }
