package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Trust is what a person trusts, by the directory of the project: absolute, links followed.
type Trust map[string]Trusted

// Trusted is a project's configuration as a person saw it.
type Trusted struct {
	Config   string            `json:"config"`   // the sum of the file
	Programs map[string]string `json:"programs"` // the sums of the project's programs that it names, by absolute path
}

// Sum is a digest of contents.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// SumFile is the Sum of a regular file.
func SumFile(name string) (string, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is not a regular file")
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

func (p Paths) trustFile() string { return filepath.Join(p.State, "trust.json") }

// LoadTrust reads what is trusted. Without a state directory or a file in it that is nothing; a file that is not
// understood is an *Error.
func LoadTrust(p Paths) (Trust, error) {
	if p.State == "" {
		return Trust{}, nil
	}
	name := p.trustFile()
	data, err := os.ReadFile(name)
	if err != nil {
		if missing(err) {
			return Trust{}, nil
		}
		return nil, &Error{File: p.Tilde(name), Text: cause(err)}
	}
	var t Trust
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err = d.Decode(&t)
	if _, more := d.Token(); err == nil && (more != io.EOF || t == nil) {
		err = errors.New("not one object")
	}
	if err != nil {
		return nil, &Error{File: p.Tilde(name), Text: fmt.Sprintf("not what tricode writes there (%v); remove it to trust nothing", err)}
	}
	return t, nil
}

// SaveTrust replaces what is trusted, all of it or nothing, so that only the person can read it.
func SaveTrust(p Paths, t Trust) error {
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.State, 0o700); err != nil {
		return err
	}
	temporary, err := writeBeside(p.trustFile(), string(text)+"\n", 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(temporary) // gone already if all went well
	return os.Rename(temporary, p.trustFile())
}
