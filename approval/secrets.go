package approval

import (
	"path"
	"slices"
	"strings"
)

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
			if len(rest) >= len(rel) && strings.EqualFold(rest[:len(rel)], rel) && Within(rest, rest[:len(rel)]) {
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
