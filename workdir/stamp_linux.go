package workdir

import (
	"io/fs"
	"syscall"
	"time"
)

// stamp is another one when a directory, or what it holds, has changed: nobody can set the time of the last change (inode(7)).
type stamp struct {
	device, file uint64
	changed      time.Time
}

func stampOf(info fs.FileInfo) stamp {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}
	}
	return stamp{uint64(s.Dev), s.Ino, time.Unix(int64(s.Ctim.Sec), int64(s.Ctim.Nsec))}
}
