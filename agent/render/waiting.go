package render

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/fatih/color"

	"tricode/approval/plain"
)

const (
	patience = 400 * time.Millisecond // what takes less long is over before anybody wonders
	frame    = 100 * time.Millisecond
)

// frames are what turns while something is waited for.
var frames = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// waiting shows on a terminal what is waited for and for how long, and the last lines that a program printed, in rows
// that it takes away again: nothing else may be printed before hide. The zero waiting shows nothing.
type waiting struct {
	out   Stream // nothing is shown unless it Redraws
	paint func(string) string

	mu    sync.Mutex
	tail  tail // of the program that runs
	what  string
	since time.Time // may be still to come: then it is waited for that first
	timer *time.Timer
	drawn []int     // the columns of the rows that are on the screen
	at    time.Time // when they were drawn
}

// Waiting shows on a terminal what is waited for and for how long, until stop is called; nothing else may be written
// before. On other streams it does nothing.
func Waiting(on Stream, what string) (stop func()) {
	p := &waiting{out: on, paint: func(s string) string { return style(on, color.Faint).Sprint(s) }}
	p.wait(what)
	p.show()
	return func() { p.hide() }
}

// wait says what is waited for from now on; nothing is for nothing.
func (p *waiting) wait(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.since = what, time.Now()
}

// pause says what is waited for after a pause, which is counted down.
func (p *waiting) pause(pause time.Duration, what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.since = what, time.Now().Add(pause)
}

// show begins to show it, if it takes longer.
func (p *waiting) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.what == "" || !p.out.Redraws {
		return
	}
	after := max(patience-time.Since(p.since), 0)
	if after > patience { // the pause was said already
		after = 0
	}
	p.timer = time.AfterFunc(after, p.tick)
}

// hide takes away what is shown, and reports whether that was anything.
func (p *waiting) hide() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if p.left(); len(p.drawn) == 0 {
		return false
	}
	io.WriteString(p.out, p.erased(p.out.columns()))
	p.drawn = p.drawn[:0]
	return true
}

func (p *waiting) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil { // it was hidden in this moment
		return
	}
	p.left()
	columns := p.out.columns()
	text := p.erased(columns)
	p.drawn = p.drawn[:0]
	for i, row := range p.rows(columns - 1) {
		if i > 0 {
			text += "\n"
		}
		text += p.paint(row)
		p.drawn = append(p.drawn, plain.Width(row))
	}
	io.WriteString(p.out, text)
	p.at = time.Now()
	p.timer = time.AfterFunc(frame, p.tick)
}

// left leaves what is drawn where it is, if this run was stopped since: a shell wrote below it.
func (p *waiting) left() {
	if time.Since(p.at) > 10*frame {
		p.drawn = p.drawn[:0]
	}
}

// rows are what is shown now, none wider than the terminal.
func (p *waiting) rows(columns int) []string {
	var rows []string
	for _, l := range p.tail.lines(room(columns)) {
		rows = append(rows, cutTo("  "+l, columns))
	}
	waited := time.Since(p.since)
	text := fmt.Sprintf("%s %ds", p.what, int(waited.Seconds()))
	if waited < 0 {
		text = fmt.Sprintf("asking again in %ds", int(-waited.Seconds())+1)
	}
	turned := frames[int(waited.Abs()/frame)%len(frames)]
	return append(rows, cutTo(fmt.Sprintf("%c %s", turned, text), columns))
}

// cutTo is as much of safe text as there is room for.
func cutTo(text string, columns int) string {
	if plain.Width(text) <= columns || columns < 1 {
		return text
	}
	head, _ := plain.Split(text, columns)
	return head
}

// room is how many columns a line has that a program printed, behind its indent.
func room(columns int) int {
	if columns <= 0 {
		return tailWidth
	}
	return min(max(columns-2, 8), tailWidth)
}

// erased is what takes the rows that are drawn from a terminal with so many columns, which may have been broken since.
func (p *waiting) erased(columns int) string {
	if len(p.drawn) == 0 {
		return ""
	}
	rows := -1
	for _, width := range p.drawn {
		rows += 1 + max(width-1, 0)/max(columns, 1)
	}
	return "\r" + strings.Repeat("\x1b[A", rows) + "\x1b[J"
}

// write takes what a program prints.
func (p *waiting) write(text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tail.write(text)
}

// fold is the end of what the program printed, which is over.
func (p *waiting) fold() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := p.tail.lines(room(p.out.columns()))
	p.tail = tail{}
	return lines
}
