package shell

import (
	"path"
	"slices"
	"strings"
)

// glob appends the files that a pattern finds, or the word itself if there are none.
func (w *walker) glob(out []word, pattern, text string) []word {
	pattern = strings.ReplaceAll(pattern, "[!", "[^")
	rest := strings.Split(pattern, "/")
	if w.state.dirs == nil || len(w.state.dirs) > 1 && !path.IsAbs(pattern) || slices.ContainsFunc(rest, strangePattern) {
		return append(out, word{text: text})
	}
	found := []string{""}
	for i, part := range rest {
		found = w.globPart(found, part, i < len(rest)-1)
		if len(found) > maxFields {
			return append(out, word{text: text})
		}
	}
	whole := rest[len(rest)-1] == "*"
	if len(found) == 0 {
		return append(out, word{text: text, known: true, idle: true, whole: whole})
	}
	for _, name := range found {
		out = append(out, word{text: name, known: true, found: true, whole: whole})
	}
	return out
}

// strangePattern reports whether a part of a pattern means something else to a shell than to path.Match: []x], [x-] and classes.
func strangePattern(part string) bool {
	_, err := path.Match(part, "")
	return err != nil && strings.Contains(part, "]") || strings.Contains(part, "[:") || strings.Contains(part, "[.") || strings.Contains(part, "[=")
}

// globPart extends each of the names, which end in a slash or are empty, by what one part of a pattern finds.
func (w *walker) globPart(names []string, part string, more bool) []string {
	var found []string
	for _, dir := range names {
		if !strings.ContainsAny(part, "*?[") {
			plain := strings.ReplaceAll(part, `\`, "")
			name := dir + plain
			if !more && w.look(name).Kind != Missing {
				found = append(found, name)
			} else if more {
				found = append(found, name+"/")
			}
			continue
		}
		entries := w.list(dir)
		if len(entries) == 0 && dir != "" && w.look(dir).Rel == "" { // perhaps a link has led outside, where nobody looks
			found = append(found, dir+part)
		}
		if up, _ := path.Match(part, ".."); up && strings.HasPrefix(part, ".") && !more { // before bash 5.2
			found = append(found, dir+"..")
		}
		for _, entry := range entries {
			name := entry.Name()
			if name[0] == '.' && !strings.HasPrefix(part, ".") {
				continue
			}
			if ok, _ := path.Match(part, name); !ok {
				continue
			}
			if more {
				name += "/"
			}
			found = append(found, dir+name)
		}
	}
	return found
}
