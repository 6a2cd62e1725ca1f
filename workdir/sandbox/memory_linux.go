package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// slim rehearses, and leaves of the files that this process has looked at, its own program above all, what that needed: a helper
// that waits needs little of what starting took. What is used again comes back from the file.
func slim(rehearse func()) {
	forget()
	rehearse()
	if resident() > maxResident {
		forget()
	}
}

// maxResident is how much a helper that waits holds without need, in bytes. It is more where the system keeps the program in large
// pages, of which a few are all of it, and which are quick to come back.
const maxResident = 12 << 20

// resident is how much memory this process holds, in bytes (proc_pid_statm(5)).
func resident() (bytes int) {
	text, _ := os.ReadFile("/proc/self/statm")
	var size, pages int
	_, _ = fmt.Sscan(string(text), &size, &pages)
	return pages * os.Getpagesize()
}

// forget lets go of what is nowhere but in files.
func forget() {
	for _, a := range untouched() { // and what lies around it stays away
		unix.Syscall(unix.SYS_MADVISE, a.from, a.to-a.from, unix.MADV_RANDOM)
		unix.Syscall(unix.SYS_MADVISE, a.from, a.to-a.from, unix.MADV_DONTNEED)
	}
}

// area is a part of the memory of this process, as in proc_pid_maps(5).
type area struct {
	from, to uintptr
	rights   string
	file     uint64 // its number, 0 for none
}

// areaOf reads a line of that.
func areaOf(line []byte) (a area, is bool) {
	var offset uint64
	var device string
	n, _ := fmt.Sscanf(string(line), "%x-%x %s %x %s %d", &a.from, &a.to, &a.rights, &offset, &device, &a.file)
	return a, n == 6
}

// untouched are the areas that hold nothing but what is in their files. Those without a file do not count: what is nothing but
// reserved now, for the stack of a thread or as memory, may be in use a moment later. Finding them takes much of the program, so that
// is done before any of it is let go.
func untouched() (areas []area) {
	maps, _ := os.ReadFile("/proc/self/smaps")
	var at area
	for line := range bytes.Lines(maps) {
		if next, is := areaOf(line); is {
			at = next
		}
		if own, is := bytes.CutPrefix(line, []byte("Anonymous:")); is && at.file != 0 && at.rights[1] == '-' && string(bytes.TrimSpace(own)) == "0 kB" {
			areas = append(areas, at)
		}
	}
	return areas
}

// reclaim takes back the memory that a process shares with the one that it has just started in a user namespace, which is copied for that:
// otherwise the first write to each page of it takes a microsecond (madvise(2), since Linux 5.14), when it counts.
func reclaim() {
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range bytes.Lines(maps) {
		if a, is := areaOf(line); is && a.rights == "rw-p" {
			a.reclaim()
		}
	}
}

// reclaim takes back what the process has in an area.
func (a area) reclaim() {
	page := uintptr(os.Getpagesize())
	there := make([]byte, (a.to-a.from)/page) // a byte for each page, whose lowest bit says so (mincore(2))
	if _, _, failed := unix.Syscall(unix.SYS_MINCORE, a.from, a.to-a.from, uintptr(unsafe.Pointer(unsafe.SliceData(there)))); failed != 0 {
		return
	}
	for from := 0; from < len(there); {
		to := from
		for to < len(there) && there[to]&1 != 0 {
			to++
		}
		if to > from {
			unix.Syscall(unix.SYS_MADVISE, a.from+uintptr(from)*page, uintptr(to-from)*page, unix.MADV_POPULATE_WRITE)
		}
		from = to + 1
	}
}
