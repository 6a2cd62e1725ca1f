package approval

import (
	"cmp"
	"fmt"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// systemDirs belong to the operating system; /lib stands for /lib64 and its like too.
var systemDirs = [...]string{"/etc", "/usr", "/bin", "/sbin", "/boot", "/sys", "/proc", "/dev"}

// harmlessDevices take writes without harm.
var harmlessDevices = [...]string{
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
	"/dev/stdin", "/dev/stdout", "/dev/stderr",
}

// HarmlessDevice reports whether writing to the device at this path changes nothing.
func HarmlessDevice(p string) bool {
	for _, d := range harmlessDevices {
		if p == d {
			return true
		}
	}
	return strings.HasPrefix(p, "/dev/fd/")
}

// consequences are the effects that follow from where a subject of a call lies.
func (p *Policy) consequences(c *call, s Subject) Effects {
	if s.Path == "" {
		return 0
	}
	var e Effects
	if s.Rel == "" {
		e |= Outside
	}
	removes := s.Effects.Only(Delete|Dangerous) && c.command()
	switch {
	case !s.Effects.Has(Write | Delete):
	case removes && !p.isProtected(s, modules) && p.isProtected(s, ""):
		e |= Dangerous // a command may remove node_modules: it can be had again
	case p.isProtected(s, ""):
		e |= Protected
	}
	if s.Effects.Has(Read) && (IsSecret(s.Path, p.Home) || s.Via != "" && IsSecret(s.Via, p.Home) || p.isPrivate(s)) {
		e |= Secret
	}
	if s.Effects.Has(Write|Delete) && p.everything(s) {
		e |= Catastrophic
	}
	return e
}

// tooMany is Catastrophic if the subjects together would delete more untracked files than one action may.
func (p *Policy) tooMany(subjects []Subject) Effects {
	n := 0
	for _, s := range subjects {
		n += s.Untracked
	}
	if n > cmp.Or(p.MaxUntracked, DefaultMaxUntracked) {
		return Catastrophic
	}
	return 0
}

// modules is the directory of packages that a package manager fetches.
const modules = "node_modules"

// everything reports whether the subject is the work directory, an additional one, the home directory, the root or
// a directory around one of them. What is only written to in a directory of the run is not lost.
func (p *Policy) everything(s Subject) bool {
	if s.Rel != "" && !s.Effects.Has(Delete) {
		return false
	}
	return s.Rel == "." || s.Path == "/" || Within(p.WorkDir, s.Path) || Within(p.Home, s.Path)
}

// isPrivate reports whether reading a subject reads tricode's own configuration or state.
func (p *Policy) isPrivate(s Subject) bool {
	return slices.ContainsFunc(p.Private, func(own string) bool {
		return Within(s.Path, own) || s.Via != "" && Within(s.Via, own) || s.Tree && Within(own, s.Path)
	})
}

// Protects reports whether nothing may write to a subject, in any mode.
func (p *Policy) Protects(s Subject) bool { return p.isProtected(s, "") }

// isProtected reports whether nothing may write to a subject; components of its path that are called but do not count.
func (p *Policy) isProtected(s Subject, but string) bool {
	names := s.Rel
	if names == "" {
		names = s.Path
		if isSystem(s.Path) {
			return true
		}
	}
	if !s.Kept && hasProtectedName(names, but) || s.Via != "" && hasProtectedName(strings.TrimPrefix(s.Via, p.WorkDir), but) {
		return true
	}
	if p.matchesProtected(s, s.Rel) || p.matchesProtected(s, s.Path) {
		return true
	}
	for _, own := range p.Own {
		if Within(s.Path, own) || s.Effects.Has(Delete) && Within(own, s.Path) {
			return true
		}
	}
	return false
}

// matchesProtected holds a path, relative or absolute, against the globs of the configuration, ignoring case. What
// holds a protected path is protected from deletion.
func (p *Policy) matchesProtected(s Subject, name string) bool {
	name = strings.ToLower(name)
	for _, glob := range p.Protected {
		glob = strings.ToLower(glob)
		if ok, _ := doublestar.Match(glob, name); ok {
			return true
		}
		if base, _ := doublestar.SplitPattern(glob); s.Effects.Has(Delete) && Within(base, name) {
			return true
		}
	}
	return false
}

// mayHitProtected reports whether a subject writes files, which it does not name, where the configuration protects some.
func (p *Policy) mayHitProtected(s Subject) bool {
	return s.Tree && s.Effects.Has(Write) && slices.ContainsFunc(p.Protected, func(glob string) bool {
		base, name := literalBase(strings.ToLower(glob)), strings.ToLower(s.Rel)
		if path.IsAbs(base) {
			name = strings.ToLower(s.Path)
		}
		return base == "" || name == "." || Within(base, name) || Within(name, base)
	})
}

// CheckGlob returns an error if a glob of paths cannot be understood. ** stands for any directories, as a whole
// component; *, ?, [a-z] and {a,b} do not cross one.
func CheckGlob(glob string) error {
	if glob == "" || !doublestar.ValidatePattern(glob) {
		return fmt.Errorf("%q is not a glob of paths", glob)
	}
	if !wholeStars(glob) {
		return fmt.Errorf("%q is not a glob of paths: ** is a component of its own, as in src/**/*.go", glob)
	}
	if len(glob) > maxGlob || alternatives(glob) > maxAlternatives {
		return fmt.Errorf("the glob %.40q… is too long or has too many alternatives", glob)
	}
	return nil
}

// wholeStars reports whether every ** of a glob stands for directories: elsewhere it would be one *, and a rule would
// speak of less than it seems to.
func wholeStars(glob string) bool {
	for rest := "/" + glob; ; {
		i := strings.Index(rest, "**")
		if i < 0 {
			return true
		}
		before, behind := rest[i-1], rest[i+2:]
		if strings.IndexByte("/{,", before) < 0 || behind != "" && strings.IndexByte("/},", behind[0]) < 0 {
			return false
		}
		rest = "/" + strings.TrimPrefix(behind, "/")
	}
}

// What a glob may cost: matching tries every combination of the alternatives in braces, and a project that nobody trusts
// may bring globs.
const (
	maxGlob         = 1024 // bytes
	maxAlternatives = 256
)

// alternatives counts the paths that braces make of a glob, up to a little more than maxAlternatives. Braces and commas
// within brackets count as too many: whether they are literal there is not for everybody the same.
func alternatives(glob string) int {
	type group struct{ before, now int } // alternatives that are complete, combinations in the present one
	open := []group{{0, 1}}
	for i := 0; i < len(glob); i++ {
		top := &open[len(open)-1]
		switch c := glob[i]; {
		case c == '\\':
			i++
		case c == '[' && strings.Contains(glob, "{") && strings.ContainsAny(glob[i:i+max(0, strings.IndexByte(glob[i:], ']'))], "{},"):
			return maxAlternatives + 1
		case c == '{':
			open = append(open, group{0, 1})
		case c == ',' && len(open) > 1:
			top.before, top.now = top.before+top.now, 1
		case c == '}' && len(open) > 1:
			open = open[:len(open)-1]
			outer := &open[len(open)-1]
			outer.now = min(outer.now*(top.before+top.now), maxAlternatives+1)
		}
	}
	return open[0].now
}

func isSystem(p string) bool {
	if HarmlessDevice(p) {
		return false
	}
	for _, dir := range systemDirs {
		if Within(p, dir) {
			return true
		}
	}
	return strings.HasPrefix(p, "/lib")
}

// Within reports whether a path is a directory or lies below it, both absolute or both relative to the same place; nothing is within the
// empty path, nor it in anything.
func Within(p, dir string) bool {
	if p == "" || dir == "" {
		return false
	}
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, "/"))
	return ok && (rest == "" || rest[0] == '/')
}

// secretNames are base names of files that hold credentials wherever they lie; an asterisk stands for anything.
var secretNames = [...]string{
	".netrc", "_netrc", ".git-credentials", ".npmrc", ".pypirc", ".pgpass", ".my.cnf",
	"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk",
	"*.pem", "*.key", "*.ppk", "*.p8", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.keychain", "*.keychain-db",
	".*_history", ".zhistory",
}

// secretHome are files and directories of the home directory that hold credentials.
var secretHome = [...]string{
	".ssh", ".aws", ".gnupg", ".kube", ".azure", ".docker/config.json", ".config/gh", ".config/gcloud", ".config/op",
	".config/git/credentials", ".config/glab-cli", ".config/hub", ".gem/credentials", ".terraform.d/credentials.tfrc.json",
	".cargo/credentials", ".cargo/credentials.toml", ".password-store", ".local/share/keyrings", ".local/share/fish/fish_history",
	".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera",
	"snap/firefox", "snap/chromium", ".var/app", ".local/share/kwalletd",
	"Library/Keychains", "Library/Application Support", "Library/Safari", "Library/Cookies",
	".config/tricode", ".local/state/tricode",
}

// envTemplates are the endings of .env files that are meant to be read.
var envTemplates = [...]string{".example", ".sample", ".template"}

// IsSecret reports whether the file at the absolute path is known to hold credentials; home may be empty.
func IsSecret(p, home string) bool {
	base := strings.ToLower(path.Base(p))
	if secretName(base) {
		return true
	}
	if folded := foldName(base); folded != base && secretName(folded) {
		return true
	}
	if rest := strings.ToLower(below(p, home)); rest != "" {
		for _, rel := range secretHome {
			if Within(rest, strings.ToLower(rel)) {
				return true
			}
		}
	}
	return strings.HasPrefix(p, "/proc/") && base == "environ"
}

// HomeSecrets lists, as absolute paths, what in a home directory is known to hold credentials, whether it is there or not. names are those
// of what is directly in it, some of which may be secret by their names alone.
func HomeSecrets(home string, names []string) []string {
	if home == "" {
		return nil
	}
	home = strings.TrimSuffix(home, "/")
	var all []string
	for _, rel := range secretHome {
		all = append(all, home+"/"+rel)
	}
	for _, name := range secretNames {
		if !strings.ContainsAny(name, "*") && !slices.Contains(names, name) {
			all = append(all, home+"/"+name)
		}
	}
	for _, name := range names {
		if secretName(strings.ToLower(name)) || secretName(foldName(strings.ToLower(name))) {
			all = append(all, home+"/"+name)
		}
	}
	return all
}

// secretName reports whether a file of this name, in lower case, is known to hold credentials wherever it lies.
func secretName(name string) bool {
	if strings.HasPrefix(name, ".env") {
		return !slices.ContainsFunc(envTemplates[:], func(t string) bool { return strings.HasSuffix(name, t) })
	}
	return slices.ContainsFunc(secretNames[:], func(known string) bool {
		head, tail, open := strings.Cut(known, "*")
		return name == known || open && len(name) >= len(head)+len(tail) && strings.HasPrefix(name, head) && strings.HasSuffix(name, tail)
	})
}

// privateHost reports whether a host of a URL is written so that it can only mean this machine or its network. The
// addresses that names resolve to are checked when the connection is made.
func privateHost(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return !PublicAddress(ip)
	}
	// Resolvers read 0x7f.1, 2130706433 and 0177.0.0.1 as addresses too: no name ends in a number.
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && last[0] >= '0' && last[0] <= '9'
}

// PublicAddress reports whether an address is one of the public internet: not loopback, private, link-local,
// multicast, unspecified or reserved for such use (RFC 6890).
func PublicAddress(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
		return false
	}
	for _, net := range reservedNets {
		if net.Contains(ip) {
			return false
		}
	}
	return true
}

// reservedNets are special-purpose networks that net/netip counts as global unicast (RFC 6890, RFC 6598, RFC 6052).
var reservedNets = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
}
