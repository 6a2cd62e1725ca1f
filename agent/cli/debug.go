package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"tricode/agent/config"
)

// debugFlag is --debug, which may name a file: --debug=FILE.
type debugFlag struct {
	on   bool
	file string
}

// Decode implements kong.BoolMapperValue.
func (d *debugFlag) Decode(ctx *kong.DecodeContext) error {
	d.on = true
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		d.file = ctx.Scan.Pop().String()
		if d.file == "" {
			return errors.New("--debug= needs the name of a file")
		}
	}
	return nil
}

// IsBool says that it needs no value.
func (*debugFlag) IsBool() bool { return true }

// wire is the file that requests and responses are written to, with secrets hidden. The zero wire has none.
type wire struct {
	mu     sync.Mutex // a request may still be sent when its answer is there
	file   *os.File
	hiding io.WriteCloser
}

// Write writes to the file; what cannot be written is reported by close.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hiding.Write(p)
}

// close gives out what was held back.
func (w *wire) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	return errors.Join(w.hiding.Close(), w.file.Sync(), w.file.Close())
}

// openWire opens the file of --debug when the first client is made, and says where it is.
func (c *commandLine) openWire() error {
	if !c.Debug.on || c.wire.file != nil {
		return nil
	}
	name, how := c.Debug.file, os.O_APPEND
	if name == "" {
		paths, err := config.Locate(c.Config, os.Getenv)
		if err != nil {
			return &usageError{err.Error()}
		}
		dir := filepath.Join(paths.State, "debug")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		name, how = filepath.Join(dir, time.Now().Format("20060102-150405.000-")+randomHex(3)+".log"), os.O_EXCL
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|how, 0o600)
	if err == nil {
		err = onlyMine(f)
	}
	if err != nil {
		return &usageError{fmt.Sprintf("--debug: %v", err)}
	}
	c.wire.file, c.wire.hiding = f, c.secrets.Live(f)
	c.notice("requests and responses are written to " + name)
	return nil
}

// onlyMine makes sure that a file is one that nobody else can read.
func onlyMine(f *os.File) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", f.Name())
	}
	return f.Chmod(0o600)
}
