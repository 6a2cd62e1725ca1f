package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// maxPrompt bounds the person's own system prompt, in bytes.
const maxPrompt = 256 << 10

// readPrompt reads the file of --system-prompt; no name is no text.
func readPrompt(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	data, err := os.ReadFile(name)
	switch {
	case err != nil:
		return "", &usageError{fmt.Sprintf("--system-prompt: %s: %v", name, errors.Unwrap(err))}
	case len(data) > maxPrompt:
		return "", &usageError{fmt.Sprintf("--system-prompt: %s has more than %d bytes", name, maxPrompt)}
	}
	return strings.TrimSpace(string(data)), nil
}
