//go:build unix

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestMessages holds that what a helper and who started it say arrives to the byte: names of files need not be text.
func TestMessages(t *testing.T) {
	status := 0
	for _, message := range []any{
		said{}, said{Held: 255, Lost: 1, Error: "a\xffb", Ended: &status},
		said{Ask: &Step{Dir: "\xff", Program: "/bin/\x80\xe9", Args: []string{"", "\xc3", "\ufffd", strings.Repeat("x", 300)}, Set: []string{"A=\xff"}, Path: "<&>\u2028", Write: true}},
		told{Refused: true, Reason: "\x1b[31m"}, job{Text: ":", Env: []string{"HOME=/home/jos\xe9"}, Checked: true},
		enclosure{Dir: "/\xe9", Limits: &Limits{Look: true, Hide: []string{"/a\xff"}, Without: Landlock}},
	} {
		var sent bytes.Buffer
		if err := send(&sent, message); err != nil {
			t.Fatal(err)
		}
		whole := bytes.Clone(sent.Bytes())
		got := reflect.New(reflect.TypeOf(message))
		if err := receive(&sent, got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), message) {
			t.Errorf("%+v: %+v, %v", message, got.Elem(), err)
		}
		for n := range len(whole) {
			broken := bytes.Clone(whole[:n])
			if n > 4 { // as if that were all of it
				broken[2], broken[3] = byte((n-4)>>8), byte(n-4)
			}
			if err := receive(bytes.NewReader(broken), reflect.New(reflect.TypeOf(message)).Interface()); err == nil {
				t.Errorf("%+v: understood from %d of %d bytes", message, n, len(whole))
			}
		}
	}
	if err := send(&bytes.Buffer{}, told{Reason: strings.Repeat("x", maxMessage)}); !errors.Is(err, errMessage) {
		t.Errorf("too long: %v", err)
	}
	if err := receive(strings.NewReader("\xff\xff\xff\xff"), &told{}); !errors.Is(err, errMessage) {
		t.Errorf("too long: %v", err)
	}
}

// TestNamesThatAreNoText runs where directories and variables have names and values in some old encoding.
func TestNamesThatAreNoText(t *testing.T) {
	top := t.TempDir()
	dir, hidden := filepath.Join(top, "jos\xe9"), filepath.Join(top, "\xff")
	for _, at := range []string{dir, hidden} {
		if err := os.Mkdir(at, 0o755); err != nil {
			t.Skip("not run: ", err) // macOS takes no such names
		}
	}
	b := box(t, dir)
	l := &Limits{Write: []string{dir}, Hide: []string{hidden}}
	var out bytes.Buffer
	_, err := b.Run(context.Background(), Cmd{Text: `echo "$X" >f; cat f; ls -A ../$Y`, Env: []string{"X=\xe9", "Y=\xff"}, Limits: l, Stdout: &out, Stderr: &out})
	if _, lost := os.Stat(filepath.Join(dir, "f")); err != nil || lost != nil || out.String() != "\xe9\n" {
		t.Errorf("%q, %v, %v", &out, err, lost)
	}
}
