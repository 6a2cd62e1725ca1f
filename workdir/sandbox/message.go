package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// maxMessage bounds what a helper and who started it say at once, in bytes: a command line, its environment, the
// arguments of a program.
const maxMessage = 16 << 20

var (
	errMessage = errors.New("a message is too long")
	errGarbled = errors.New("a message cannot be understood")
)

// send writes a message: its length in four bytes, then what it holds.
func send(w io.Writer, message any) error {
	text := put(make([]byte, 4), reflect.ValueOf(message))
	if len(text)-4 > maxMessage {
		return errMessage
	}
	binary.BigEndian.PutUint32(text, uint32(len(text)-4))
	_, err := w.Write(text)
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
	u := unread{text: text}
	if u.take(reflect.ValueOf(message).Elem()); u.bad || len(u.text) > 0 {
		return errGarbled
	}
	return nil
}

// put appends a value. Both sides are the same program, so that nothing needs a name; and strings stay what they are to the
// byte, which JSON would not let them: paths, arguments and variables need not be text.
func put(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			b = put(b, v.Field(i))
		}
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		for i := range v.Len() {
			b = put(b, v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		b = put(append(b, 1), v.Elem())
	case reflect.String:
		b = append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		b = append(b, 0)
	case reflect.Int:
		b = binary.AppendVarint(b, v.Int())
	case reflect.Uint8:
		b = append(b, byte(v.Uint()))
	default:
		panic(fmt.Sprintf("no message has a %v", v.Type()))
	}
	return b
}

// unread is what was not yet taken of a message.
type unread struct {
	text []byte
	bad  bool // it ended too early, or says of something that it is longer than all
}

// take takes what put appended, for a value that is zero.
func (u *unread) take(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			u.take(v.Field(i))
		}
	case reflect.Slice:
		n := u.count()
		if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range n {
			u.take(v.Index(i))
		}
	case reflect.Pointer:
		if u.byte() != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			u.take(v.Elem())
		}
	case reflect.String:
		n := u.count()
		v.SetString(string(u.text[:n]))
		u.text = u.text[n:]
	case reflect.Bool:
		v.SetBool(u.byte() != 0)
	case reflect.Int:
		n, size := binary.Varint(u.text)
		u.skip(size)
		v.SetInt(n)
	case reflect.Uint8:
		v.SetUint(uint64(u.byte()))
	}
}

// count is the length of what follows, of which each part has a byte at least.
func (u *unread) count() int {
	n, size := binary.Uvarint(u.text)
	u.skip(size)
	if n > uint64(len(u.text)) {
		u.bad, u.text, n = true, nil, 0
	}
	return int(n)
}

func (u *unread) byte() (b byte) {
	if len(u.text) > 0 {
		b = u.text[0]
	}
	u.skip(min(1, len(u.text)))
	return b
}

// skip leaves out so many bytes, which were not there if they are none.
func (u *unread) skip(size int) {
	if size <= 0 {
		u.bad, u.text = true, nil
		return
	}
	u.text = u.text[size:]
}
