package approval

import "strings"

// index finds the rules that may match, each list in the order of the rules.
type index struct {
	programs map[string][]int // rules for commands, by program
	commands []int            // and those for any program
	lines    bool             // one names a whole line
	paths    map[string][]int // rules for paths, by the first component of their glob
	anyPath  []int            // and those whose first component is not literal
	hosts    []int
	tools    map[string][]int // rules for whole tools
	anyTool  []int
}

func (x *index) add(i int, r *rule) {
	x.lines = x.lines || r.shape != nil && r.shape.text != ""
	switch {
	case r.host != "":
		x.hosts = append(x.hosts, i)
	case r.path != nil:
		if first := firstComponent(r.path.base); first != "" {
			insert(&x.paths, first, i)
		} else {
			x.anyPath = append(x.anyPath, i)
		}
	case r.shape != nil && r.shape.program != "":
		insert(&x.programs, r.shape.program, i)
	case r.shape != nil:
		x.commands = append(x.commands, i)
	case r.tools.all:
		x.anyTool = append(x.anyTool, i)
	default:
		for _, tool := range r.tools.names {
			insert(&x.tools, tool, i)
		}
	}
}

func insert(m *map[string][]int, key string, i int) {
	if *m == nil {
		*m = map[string][]int{}
	}
	(*m)[key] = append((*m)[key], i)
}

// firstComponent is the first component of a path, with the slash before it if there is one, in lower case.
func firstComponent(p string) string {
	if p == "" {
		return ""
	}
	if i := strings.IndexByte(p[1:], '/'); i >= 0 {
		p = p[:i+1]
	}
	return strings.ToLower(p)
}

// none is the number of no rule; every other one comes before it.
const none = int(^uint(0) >> 1)

// first returns the first of the listed rules that matches and comes before best.
func first(list []int, best int, matches func(int) bool) int {
	for _, i := range list {
		if i >= best {
			break
		}
		if matches(i) {
			return i
		}
	}
	return best
}
