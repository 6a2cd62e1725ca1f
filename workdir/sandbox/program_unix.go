//go:build unix

package sandbox

import (
	"os"
	"syscall"
)

// Program is what stands at a path: two are equal if they are the same unchanged file. The zero Program is none.
type Program struct {
	size, time   int64
	device, file uint64
}

// Program looks at the program at a path, as LookPath found it; links are followed.
func (b *Box) Program(path string) Program {
	info, err := os.Stat(path)
	if err != nil {
		return Program{}
	}
	p := Program{size: info.Size(), time: info.ModTime().UnixNano()}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		p.device, p.file = uint64(s.Dev), s.Ino
	}
	return p
}
