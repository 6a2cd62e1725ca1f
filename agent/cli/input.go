package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// maxInput bounds what is read from standard input, in bytes.
const maxInput = 1 << 20

// inputNotice is how long standard input may keep the run waiting before a line says so.
const inputNotice = time.Second

// readTask is the text of the task, with what was piped in as its context. A task of "-" is standard input itself.
func readTask(ctx context.Context, task *string, stdin *os.File, notice func(string)) (string, error) {
	if task == nil || strings.TrimSpace(*task) == "" {
		return "", hinted(&usageError{"no task was given"}, "tricode --help lists what can be typed")
	}
	text := *task
	if !piped(stdin) {
		if text == "-" {
			return "", &usageError{"the task - wants text on standard input, and none is piped in"}
		}
		return text, nil
	}
	input, err := readInput(ctx, stdin, notice)
	if err != nil {
		return "", err
	}
	switch {
	case text == "-" && strings.TrimSpace(input) == "":
		return "", &usageError{"the task on standard input is empty"}
	case text == "-":
		return input, nil
	case input == "":
		return text, nil
	}
	return fmt.Sprintf("%s\n\nText on standard input:\n%s", text, input), nil
}

// piped reports whether standard input is a pipe, a file or a socket: a terminal or /dev/null has nothing to add.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&fs.ModeCharDevice == 0
}

// readInput reads standard input to its end, and says that it waits if that takes long.
func readInput(ctx context.Context, stdin io.Reader, notice func(string)) (string, error) {
	type result struct {
		data []byte
		err  error
	}
	read := make(chan result, 1)
	go func() { // a read of a pipe cannot be interrupted otherwise
		data, err := io.ReadAll(io.LimitReader(stdin, maxInput+1))
		read <- result{data, err}
	}()
	patience := time.NewTimer(inputNotice)
	defer patience.Stop()
	for {
		select {
		case r := <-read:
			return checkInput(r.data, r.err)
		case <-patience.C:
			notice("waiting for standard input to end (</dev/null if there is none)")
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

func checkInput(data []byte, err error) (string, error) {
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed):
		return "", &usageError{"standard input: " + failed.Err.Error()}
	case err != nil:
		return "", &usageError{"standard input: " + err.Error()}
	case len(data) > maxInput:
		return "", &usageError{fmt.Sprintf("standard input has more than %d bytes; save it and name the file in the task", maxInput)}
	case !utf8.Valid(data):
		return "", &usageError{"standard input is not text in UTF-8"}
	}
	return string(data), nil
}
