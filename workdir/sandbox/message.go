package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
)

// maxMessage bounds what a helper and who started it say at once, in bytes: a command line, its environment, the
// arguments of a program.
const maxMessage = 16 << 20

var errMessage = errors.New("a message is too long")

// send writes a message: its length in four bytes, then JSON.
func send(w io.Writer, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if len(text) > maxMessage {
		return errMessage
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

// receive reads a message and nothing behind it.
func receive(r io.Reader, message any) error {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxMessage {
		return errMessage
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	return json.Unmarshal(text, message)
}
