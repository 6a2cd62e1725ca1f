package sandbox

import "golang.org/x/sys/unix"

// filterSockets allows the sockets that a box may have: those of the network where it is given or leads nowhere. Unix
// sockets lead to every service of this machine, so there are none unless mounts hide all that are not listed, but
// pairs of them that lead nowhere, see filterPairs.
func filterSockets(p *program, l *Limits, held Mechanisms) {
	p.load(callArgs)
	if l.reaches(held) {
		p.when(unix.BPF_JEQ, unix.AF_UNIX, unix.SECCOMP_RET_ALLOW)
	}
	if l.Look || !l.Network && !held.Has(Networks) {
		p.only()
		return
	}
	p.when(unix.BPF_JEQ, unix.AF_INET, unix.SECCOMP_RET_ALLOW)
	p.when(unix.BPF_JEQ, unix.AF_INET6, unix.SECCOMP_RET_ALLOW)
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.AF_NETLINK, Jt: 1})
	p.answer(refuse(unix.EPERM))
	p.load(callArgs + 16)
	p.only(unix.NETLINK_ROUTE) // which addresses this machine has
}

// reaches reports whether programs may have unix sockets: mounts hide all but the listed ones, and abstract ones, which are
// no files, are those of another network, or refused by Landlock.
func (l *Limits) reaches(held Mechanisms) bool {
	return len(l.Sockets) > 0 && !l.Look && held.Has(Mounts) && (held.Has(Networks) || held.Has(Landlock) && landlockABI() >= landlockScopes)
}

// filterPairs allows pairs of unix sockets that stay connected with each other. Each of a pair for packets can be connected
// with any other socket of this machine instead, or send to it (unix(7)).
func filterPairs(p *program, l *Limits, held Mechanisms) {
	p.load(callArgs)
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.AF_UNIX, Jt: 1})
	p.answer(refuse(unix.EPERM))
	if l.reaches(held) {
		p.answer(unix.SECCOMP_RET_ALLOW)
		return
	}
	p.load(callArgs + 8)
	p.add(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, socketKind)
	p.only(unix.SOCK_STREAM, unix.SOCK_SEQPACKET)
}

// socketKind are the bits in which socket(2) is told the kind of a socket, beside flags.
const socketKind = 0xf
