package sandbox

import "os"

// Program is what stands at a path: two are equal if they are the same size and age. The zero Program is none.
type Program struct{ size, time int64 }

// Program looks at the program at a path, as LookPath found it; links are followed.
func (b *Box) Program(path string) Program {
	info, err := os.Stat(path)
	if err != nil {
		return Program{}
	}
	return Program{info.Size(), info.ModTime().UnixNano()}
}
