package cli

import (
	"os"
	"time"
)

// echo is how long a signal may come again without being another one: whoever started tricode may pass on what the
// terminal has sent to both of them, and Go tells twice what meets it in the middle of starting a program.
const echo = 200 * time.Millisecond

// moment is what a run gets that does not end in order: enough to give the terminal back as it was, on a busy machine too.
const moment = 500 * time.Millisecond

// Again waits for another signal after one that has just come, and a moment. It reports whether there was one, and the moment
// is over, before done.
func Again(signals <-chan os.Signal, done <-chan struct{}) bool {
	for end := time.After(echo); end != nil; {
		select {
		case <-signals:
		case <-end:
			end = nil
		case <-done:
			return false
		}
	}
	select {
	case <-signals:
	case <-done:
		return false
	}
	select {
	case <-time.After(moment):
		return true
	case <-done:
		return false
	}
}
