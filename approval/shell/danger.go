package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// dangerous finds what is hard to take back in a command, from its words.
func dangerous(ws []word) (approval.Effects, string) {
	program := programName(ws[0].text)
	rest := ws[1:]
	const danger = approval.Dangerous
	switch program {
	case "rm":
		return removal(rest)
	case "rmdir", "unlink", "trash":
		return approval.Delete, ""
	case "shred", "wipe", "srm":
		return approval.Delete | danger, "destroys what files hold"
	case "git":
		return gitDanger(rest)
	case "chmod":
		return permissions(rest)
	case "chown", "chgrp", "setfacl":
		if optionIn(rest, "R", "recursive") {
			return approval.Write | danger, "changes owners recursively"
		}
	case "dd":
		return toDevice(rest)
	case "fdisk", "parted", "sgdisk", "wipefs", "blkdiscard", "mkswap", "mke2fs", "diskutil", "format", "cryptsetup":
		return danger | approval.Catastrophic, "destroys what a device holds"
	case "crontab":
		return crontab(rest)
	case "rsync":
		if wordIn(rest, "--delete", "--delete-after", "--delete-before", "--delete-during", "--delete-delay", "--delete-excluded", "--del", "--remove-source-files") {
			return approval.Delete | danger, "deletes what the source does not have"
		}
	case "dropdb", "dropuser", "mysqladmin", "pg_dropcluster":
		return danger, "drops a database"
	case "kill", "killall", "pkill", "skill":
		if program == "kill" && len(rest) > 1 && wordIn(rest[1:], "-1", "0") {
			return danger, "ends all programs"
		}
		return 0, "ends programs"
	case "curl", "wget", "http", "https", "xh":
		if wordIn(rest, "DELETE", "delete", "-XDELETE", "--request=DELETE", "--method=DELETE") {
			return danger, "removes what lives elsewhere"
		}
	case "shutdown", "reboot", "halt", "poweroff", "init", "telinit":
		return danger, "stops the machine"
	case "systemctl", "service", "launchctl":
		if wordIn(rest, "stop", "disable", "mask", "kill", "restart", "poweroff", "reboot", "halt", "unload", "remove", "bootout") {
			return danger, "stops a service"
		}
	case "userdel", "groupdel", "deluser", "delgroup":
		return danger, "removes an account"
	case "mkfs", "newfs":
		return danger | approval.Catastrophic, "makes a new file system"
	case "truncate":
		return approval.Write, ""
	case "robocopy", "del", "rd", "erase", "Remove-Item":
		return approval.Delete | danger, "removes files"
	}
	if strings.HasPrefix(program, "mkfs.") {
		return danger | approval.Catastrophic, "makes a new file system"
	}
	if statements := toDatabase(program, rest); statements != nil {
		if danger, why := lossy(statements); danger != 0 {
			return danger, why
		}
	}
	if deletion, ok := cloud[program]; ok {
		if danger, why := remote(rest, deletion); danger != 0 {
			return danger, why
		}
	}
	if options := removingOptions[program]; options != "" && optionsIn(rest, options) {
		return danger, "removes or stops something"
	}
	return removing(program, rest)
}

func wordIn(ws []word, any ...string) bool {
	for _, x := range ws {
		for _, a := range any {
			if x.text == a {
				return true
			}
		}
	}
	return false
}

// optionIn reports whether one of the letters or the long name, abbreviated perhaps, is among the options.
func optionIn(ws []word, short, long string) bool {
	p := (&grammar{}).options(ws)
	return p.like(short, long)
}

func removal(rest []word) (approval.Effects, string) {
	deep, forced := optionIn(rest, "rR", "recursive"), optionIn(rest, "f", "force")
	switch {
	case deep && forced:
		return approval.Delete | approval.Dangerous, "removes recursively, without asking"
	case deep:
		return approval.Delete | approval.Dangerous, "removes recursively"
	case forced:
		return approval.Delete | approval.Dangerous, "removes without asking"
	}
	return approval.Delete, ""
}

func permissions(rest []word) (approval.Effects, string) {
	open := slices.ContainsFunc(rest, func(x word) bool { return opens(x.text) })
	switch {
	case open && optionIn(rest, "R", "recursive"):
		return approval.Write | approval.Dangerous, "opens files to everybody, recursively"
	case open:
		return approval.Write | approval.Dangerous, "opens files to everybody"
	}
	return approval.Write, ""
}

// opens reports whether a mode lets everybody write: in octal, or in clauses as u=rwx,o+w. Source: chmod(1).
func opens(mode string) bool {
	if len(mode) >= 3 && digits(mode) {
		return strings.ContainsAny(mode[len(mode)-1:], "2367")
	}
	for clause := range strings.SplitSeq(mode, ",") {
		if at := strings.IndexAny(clause, "+="); at >= 0 && strings.Trim(clause[:at], "ugoa") == "" && strings.Contains(clause[at:], "w") && (at == 0 && strings.Contains(clause, "x") || strings.ContainsAny(clause[:at], "oa")) {
			return true
		}
	}
	return false
}

func toDevice(rest []word) (approval.Effects, string) {
	for _, x := range rest {
		if of, ok := strings.CutPrefix(x.text, "of="); ok && strings.HasPrefix(of, "/dev/") && !approval.HarmlessDevice(of) {
			return approval.Write | approval.Dangerous | approval.Catastrophic, "overwrites a device"
		}
	}
	return approval.Write, ""
}

func crontab(rest []word) (approval.Effects, string) {
	if optionIn(rest, "r", "") {
		return approval.Dangerous, "removes the table of timed commands"
	}
	return approval.Write, ""
}

// cloud are clients of things that live elsewhere, with the words that remove them.
var cloud = map[string]string{
	"docker": "rm rmi prune kill down leave", "podman": "rm rmi prune kill down", "nerdctl": "rm rmi prune kill down", "docker-compose": "down rm kill",
	"kubectl": "delete drain cordon replace", "oc": "delete", "helm": "uninstall delete rollback", "k9s": "",
	"terraform": "destroy apply taint", "tofu": "destroy apply taint", "pulumi": "destroy up", "vagrant": "destroy", "ansible": "", "nomad": "stop",
	"bq": "rm", "oci": "delete delete-*", "ibmcloud": "*-delete delete", "linode-cli": "delete", "hcloud": "delete", "wrangler": "delete", "supabase": "delete reset",
	"aws": "rm rb delete --delete terminate delete-* terminate-* remove-* deregister-* purge-*", "gcloud": "delete remove rm", "gsutil": "rm rb", "az": "delete delete-* purge", "doctl": "delete", "s3cmd": "del rb", "rclone": "delete purge sync deletefile",
	"gh": "delete close archive", "glab": "delete close", "heroku": "destroy apps:destroy pg:reset", "fly": "destroy", "flyctl": "destroy", "vercel": "remove rm", "netlify": "sites:delete", "firebase": "firestore:delete",
	"npm": "unpublish deprecate revoke", "ufw": "disable", "yarn": "unpublish", "gem": "yank", "cargo": "yank", "apt": "remove purge autoremove", "apt-get": "remove purge autoremove", "dnf": "remove erase", "yum": "remove erase", "pacman": "-R*", "brew": "uninstall remove", "pip": "uninstall", "pip3": "uninstall",
	"zfs": "destroy", "zpool": "destroy", "lvremove": "", "btrfs": "delete",
}

// remote finds a removing word among those of a client.
func remote(rest []word, deletion string) (approval.Effects, string) {
	for _, x := range rest {
		if x.known && matchesName(deletion, x.text) {
			return approval.Dangerous, "removes what lives elsewhere (" + x.text + ")"
		}
		if x.text == "-X" || x.text == "--method" || x.text == "DELETE" {
			return approval.Dangerous, "changes what lives elsewhere"
		}
	}
	return 0, ""
}
