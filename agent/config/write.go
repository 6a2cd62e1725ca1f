package config

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tricode/approval"
	"tricode/providers"
)

// Compose is the text of a file that has one provider and uses it, as a person would write it.
func Compose(p providers.Config) string {
	var b strings.Builder
	name := bareOrQuoted(p.Name)
	fmt.Fprintf(&b, "# Made by \"tricode init\"; yours to change.\nprovider = %s\n\n[providers.%s]\n", approval.TOMLString(p.Name), name)
	for _, line := range []struct{ key, value string }{
		{"base_url", p.BaseURL}, {"api_key_env", p.KeyEnv}, {"api_key", p.Key}, {"model", p.Model},
	} {
		if line.value != "" {
			fmt.Fprintf(&b, "%s = %s\n", line.key, approval.TOMLString(line.value))
		}
	}
	return b.String()
}

// bareOrQuoted is a key as it can stand in a header.
func bareOrQuoted(name string) string {
	for _, r := range name {
		if r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return approval.TOMLString(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// Save writes the configuration so that only the person can read it: all of it or nothing. A file that was there is
// kept beside it, under the name that is returned; kept is empty if there was none.
func Save(p Paths, text string) (kept string, err error) {
	file := p.File
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // a person who links it from elsewhere wants it there
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	temporary, err := writeBeside(file, text, 0o600)
	if err != nil {
		return "", err
	}
	defer os.Remove(temporary) // gone already if all went well
	if kept, err = keep(file); err != nil {
		return "", err
	}
	return kept, os.Rename(temporary, file)
}

// writeBeside writes a new file in the directory of another, and makes sure that it is on the disk. The umask takes its part of
// the permissions.
func writeBeside(file, text string, perm fs.FileMode) (name string, err error) {
	name = filepath.Join(filepath.Dir(file), ".tricode-"+rand.Text()+".tmp")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(name)
		return "", err
	}
	return name, nil
}

// maxBackups bounds the search for a free name.
const maxBackups = 1000

// keep copies a file to the first free name of FILE.bak, FILE.bak.2 and so on, empty if there is no file.
func keep(file string) (string, error) {
	from, err := os.OpenFile(file, os.O_RDONLY|nonblock, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer from.Close()
	if info, err := from.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(err, fmt.Errorf("%s is not a regular file", file))
	}
	for n := 1; n <= maxBackups; n++ {
		name := file + ".bak"
		if n > 1 {
			name = fmt.Sprintf("%s.%d", name, n)
		}
		to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", err
		}
		_, err = io.Copy(to, from)
		if err = errors.Join(err, to.Sync(), to.Close()); err != nil {
			os.Remove(name)
		}
		return name, err
	}
	return "", fmt.Errorf("%s.bak and %d more are there already", file, maxBackups-1)
}
