package tools

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The limits of what is turned into Markdown. Beyond them the conversion takes minutes or more memory than there is.
const (
	maxPage   = 1 << 20 // bytes
	maxNested = 12      // quotations and lists in each other: each indents all that is in it
	maxCells  = 100_000 // rows times columns: all rows become as long as the longest
)

// markdown turns a page into Markdown, without what a person would not see. What goes beyond the limits, or
// more than the converter can take, becomes plain text.
func markdown(page []byte, at *url.URL) []byte {
	if len(page) > maxPage {
		return plainText(page)
	}
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil { // it nests too deeply
		return plainText(page)
	}
	clean(doc)
	if tangled(doc) {
		return plainText(page)
	}
	text, err := convert(doc, at)
	if err != nil {
		return plainText(page)
	}
	return text
}

// convert is the conversion proper. The converter panics on some headings.
func convert(doc *html.Node, at *url.URL) (text []byte, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the converter crashed: %v", cause)
		}
	}()
	// Escaping takes time that grows with the square of the text, and a model reads it better as it is.
	conv := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled), converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
	))
	return conv.ConvertNode(doc, converter.WithDomain(at.Scheme+"://"+at.Host))
}

// unseen are elements whose contents are not shown.
var unseen = []atom.Atom{
	atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Iframe, atom.Object, atom.Embed, atom.Canvas,
	atom.Audio, atom.Video, atom.Head, atom.Select, atom.Math,
}

// clean takes out of a tree what is not shown, and links that lead nowhere. It needs no stack, however deep the tree is.
func clean(doc *html.Node) {
	for n := doc; n != nil; {
		next := following(n, doc)
		if n.Type == html.CommentNode || n.Type == html.ElementNode && notShown(n) {
			next = after(n, doc)
			n.Parent.RemoveChild(n)
		} else if n.Type == html.ElementNode {
			n.Attr = slices.DeleteFunc(n.Attr, useless)
			if n.DataAtom == atom.A && !slices.ContainsFunc(n.Attr, isHref) {
				n.Data, n.DataAtom = "span", atom.Span
			}
		}
		n = next
	}
}

// tangled reports whether a tree goes beyond the limits.
func tangled(doc *html.Node) bool {
	rows, columns := 0, 0
	for n := doc; n != nil; n = following(n, doc) {
		switch n.DataAtom {
		case atom.Blockquote, atom.Ul, atom.Ol, atom.Li:
			if nested(n) > maxNested {
				return true
			}
		case atom.Tr:
			cells := 0
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				cells++
			}
			rows, columns = rows+1, max(columns, cells)
		}
	}
	return rows*columns > maxCells
}

// nested counts the quotations and lists that n is in.
func nested(n *html.Node) (count int) {
	for n = n.Parent; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Blockquote, atom.Ul, atom.Ol:
			count++
		}
	}
	return count
}

func isHref(a html.Attribute) bool { return a.Key == "href" }

// following is the node behind n in the order of the text, nil at the end.
func following(n, doc *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	return after(n, doc)
}

// after is the node behind n and all that is in it.
func after(n, doc *html.Node) *html.Node {
	for ; n != nil && n != doc; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

// notShown reports whether an element is not shown. What style sheets hide cannot be known here.
func notShown(n *html.Node) bool {
	if slices.Contains(unseen, n.DataAtom) {
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "style":
			style := strings.Map(withoutBlanks, strings.ToLower(a.Val))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

func withoutBlanks(r rune) rune {
	if r <= ' ' {
		return -1
	}
	return r
}

// useless reports whether an attribute is a link that is a script or holds the data itself, or how far a cell stretches, which could make
// a table of any size.
func useless(a html.Attribute) bool {
	switch a.Key {
	case "colspan", "rowspan":
		return true
	case "href", "src":
		value := strings.Map(withoutBlanks, strings.ToLower(a.Val))
		return strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:") || strings.HasPrefix(value, "vbscript:")
	}
	return false
}

// plainText is the text of a page without its elements, of scripts and styles nothing.
func plainText(page []byte) []byte {
	var text []byte
	skip := false
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return text
		case html.StartTagToken:
			name, _ := z.TagName()
			skip = slices.Contains(unseen, atom.Lookup(name)) && atom.Lookup(name) != atom.Head
		case html.EndTagToken:
			skip = false
		case html.TextToken:
			if line := bytes.TrimSpace(z.Text()); !skip && len(line) > 0 {
				text = append(append(text, line...), '\n')
			}
		}
	}
}
