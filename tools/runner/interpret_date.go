package runner

import (
	"strconv"
	"strings"
	"time"
)

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
