package sandbox

import "testing"

func TestProfile(t *testing.T) {
	got := profile(&Limits{Write: []string{`/work "x"`}, Protect: []string{"/work/.git"}, Hide: []string{"/home/.ssh"}}, "/tmp/t")
	want := `(version 1)
(allow default)
(deny file-write*)
(allow file-write*
  (subpath "/work \"x\"")
  (subpath "/tmp/t"))
(allow file-write*
  (literal "/dev/null")
  (literal "/dev/zero")
  (literal "/dev/tty")
  (literal "/dev/ptmx")
  (literal "/dev/dtracehelper"))
(allow file-write* file-ioctl
  (regex #"^/dev/ttys[0-9]+$"))
(deny file-write*
  (subpath "/work/.git"))
(deny file-read* file-write*
  (subpath "/home/.ssh"))
(deny network-outbound
  (remote unix-socket))
(deny network*)
(deny signal
  (target others))
(allow signal
  (target same-sandbox))
`
	if got != want {
		t.Errorf("%s", got)
	}
}
