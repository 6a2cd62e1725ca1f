package tools

import (
	"io/fs"

	"tricode/approval"
	"tricode/workdir"
)

// spot is a path that commands were seen to change, and what is there.
type spot struct {
	path workdir.Path
	info fs.FileInfo // nil: nothing
}

// spotsOf are the paths that commands were seen to change, with what is there. Those that lie outside are left out.
func spotsOf(dir *workdir.Dir, subjects []approval.Subject) []spot {
	var all []spot
	for _, s := range subjects {
		if s.Path == "" || !s.Effects.Has(approval.Write|approval.Delete) {
			continue
		}
		if p, err := dir.Entry(s.Path); err == nil {
			info, _ := p.Info()
			all = append(all, spot{p, info})
		}
	}
	return all
}

// changedSince are those of the spots where something else is now. Of a directory that is neither made nor removed, that is
// what lies directly in it.
func changedSince(before []spot) []string {
	changed := []string{}
	for _, p := range before {
		now, _ := p.path.Info()
		switch {
		case p.info == nil && now == nil, p.info != nil && now != nil && workdir.Same(p.info, now):
		default:
			changed = append(changed, p.path.Shown())
		}
	}
	return changed
}
