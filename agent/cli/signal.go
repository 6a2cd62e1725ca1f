package cli

import (
	"os"
	"time"
)

// echo is how long a signal may come again without being another one: whoever started tricode may pass on what the
// terminal has sent to both of them, and Go tells twice what meets it in the middle of starting a program.
const echo = 200 * time.Millisecond

// Again waits for another signal after one that has just come, and reports whether there was one before done.
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
		return true
	case <-done:
		return false
	}
}
