package sandbox

import (
	"errors"

	"golang.org/x/sys/unix"
)

// networkAttacks reach others by sockets.
func networkAttacks() []attack {
	tcp4 := func(w world) unix.Sockaddr { return &unix.SockaddrInet4{Port: w.TCP[0], Addr: [4]byte{127, 0, 0, 1}} }
	tcp6 := func(w world) unix.Sockaddr { return &unix.SockaddrInet6{Port: w.TCP[1], Addr: [16]byte{15: 1}} }
	udp4 := func(w world) unix.Sockaddr { return &unix.SockaddrInet4{Port: w.UDP[0], Addr: [4]byte{127, 0, 0, 1}} }
	udp6 := func(w world) unix.Sockaddr { return &unix.SockaddrInet6{Port: w.UDP[1], Addr: [16]byte{15: 1}} }
	host := func(world) unix.Sockaddr { return &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}} }
	path := func(suffix string) func(world) unix.Sockaddr {
		return func(w world) unix.Sockaddr { return &unix.SockaddrUnix{Name: w.Unix + suffix} }
	}
	connects := func(family, kind, protocol int, to func(world) unix.Sockaddr) func(world) error {
		return func(w world) error {
			fd, err := unix.Socket(family, kind, protocol)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			return unix.Connect(fd, to(w))
		}
	}
	sends := func(family, kind, protocol int, text string, to func(world) unix.Sockaddr) func(world) error {
		return func(w world) error {
			fd, err := unix.Socket(family, kind, protocol)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			if text == "" {
				text = w.Attack
			}
			return unix.Sendto(fd, []byte(text), 0, to(w))
		}
	}
	// An answer from this machine is all that is asked: in a network that leads nowhere it comes from there.
	const ping = "\x08\x00\xf7\xff\x00\x00\x00\x00"
	return []attack{
		{name: "socket inet TCP", try: connects(unix.AF_INET, unix.SOCK_STREAM, 0, tcp4)},
		{name: "socket inet TCP, version 6", try: connects(unix.AF_INET6, unix.SOCK_STREAM, 0, tcp6)},
		{name: "socket inet MPTCP", try: connects(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP, tcp4)},
		{name: "socket inet UDP", visible: world.arrived, try: sends(unix.AF_INET, unix.SOCK_DGRAM, 0, "", udp4)},
		{name: "socket inet UDP, version 6", visible: world.arrived, try: sends(unix.AF_INET6, unix.SOCK_DGRAM, 0, "", udp6)},
		{name: "socket inet ping", try: outside(sends(unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP, ping, host))},
		{name: "socket raw", try: outside(sends(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP, ping, host))},
		{name: "socket packet", try: outside(func(world) error { return closes(unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0)) })},
		{name: "socket netlink", try: func(world) error {
			return closes(unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT))
		}},
		{name: "socket vsock", try: func(world) error {
			return closes(unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0))
		}},
		{name: "socket unix path", try: connects(unix.AF_UNIX, unix.SOCK_STREAM, 0, path(""))},
		{name: "socket unix path, packets", visible: world.arrived, try: sends(unix.AF_UNIX, unix.SOCK_DGRAM, 0, "", path(".gram"))},
		{name: "socket unix path, relative", try: connects(unix.AF_UNIX, unix.SOCK_STREAM, 0, func(w world) unix.Sockaddr {
			return &unix.SockaddrUnix{Name: "../outside/socket"}
		})},
		{name: "socket unix pair", try: pair(unix.SOCK_STREAM, path(""))},
		{name: "socket unix pair, packets in order", try: pair(unix.SOCK_SEQPACKET, path(""))},
		{name: "socket unix pair, packets", visible: world.arrived, try: pair(unix.SOCK_DGRAM, path(".gram"))},
		{name: "socket unix pair, raw packets", visible: world.arrived, try: pair(unix.SOCK_RAW|unix.SOCK_CLOEXEC, path(".gram"))},
		{name: "socket unix abstract", try: connects(unix.AF_UNIX, unix.SOCK_STREAM, 0, func(w world) unix.Sockaddr {
			return &unix.SockaddrUnix{Name: w.Abstract}
		})},
	}
}

// pair lets one of two sockets that are connected with each other be connected with another one instead.
func pair(kind int, to func(world) unix.Sockaddr) func(world) error {
	return func(w world) error {
		fds, err := unix.Socketpair(unix.AF_UNIX, kind, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fds[0])
		defer unix.Close(fds[1])
		if err := unix.Connect(fds[0], to(w)); err != nil {
			return err
		}
		_, err = unix.Write(fds[0], []byte(w.Attack))
		return err
	}
}

// outside makes an attempt where there is a network that leads anywhere.
func outside(try func(world) error) func(world) error {
	return func(w world) error {
		if err := try(w); err != nil {
			return err
		}
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		if unix.Connect(fd, &unix.SockaddrInet4{Port: 9, Addr: [4]byte{192, 0, 2, 1}}) == unix.ENETUNREACH {
			return errors.New("there is no network")
		}
		return nil
	}
}
