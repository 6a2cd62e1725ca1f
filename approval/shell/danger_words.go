package shell

import (
	"strings"

	"tricode/approval"
)

// removingWords are subcommands by which programs of all kinds remove things for good, alone or as a part: delete-stack, db:drop.
const removingWords = "delete destroy remove rm rb purge prune drop terminate uninstall undefine unregister wipe drain flush erase obliterate unpublish yank revoke deregister reset reset_db"

// restoringWords are those that do so as a part of a name only: db:reset, migrate:fresh.
const restoringWords = "reset fresh rollback wipe drop drop_all clean downgrade"

// removingOptions are the options by which programs remove or stop something. Sources: their manuals.
var removingOptions = map[string]string{
	"dpkg": "-r -P --remove --purge", "rpm": "-e --erase", "nix-env": "-e --uninstall", "nix-collect-garbage": "-d", "pg_restore": "-c --clean", "VBoxManage": "--delete",
	"iptables": "-F -X -D --flush", "ip6tables": "-F -X -D --flush", "modprobe": "-r", "swapoff": "-a", "passwd": "-d -l", "usermod": "-L", "hdparm": "--security-erase --trim-sector-ranges", "mdadm": "--stop --zero-superblock -S",
	"kubectl": "--prune --replicas=0", "docker": "--volumes", "prisma": "--force-reset", "sysctl": "-w", "firewall-cmd": "--panic-on",
}

// removers are programs that only remove or stop something.
const removers = " lvremove vgremove pvremove rmmod umount visudo "

func optionsIn(ws []word, options string) bool {
	for _, x := range ws {
		if x.known && listed(options, x.text) {
			return true
		}
	}
	return false
}

// removing finds a word that removes something among the subcommands of a program that no other table knows; package scripts and targets
// are the project's own, of them only names such as db:drop count.
func removing(program string, rest []word) (approval.Effects, string) {
	if strings.Contains(removers, " "+program+" ") {
		return approval.Dangerous, "removes or stops something"
	}
	_, reads := readers()[program]
	_, writes := writers()[program]
	if reads || writes && writers()[program].role != optionOnly || program == "git" || interpreter(program) && program != "php" && !strings.HasPrefix(program, "python") {
		return 0, ""
	}
	own := (strings.Contains(projectPrograms, " "+program+" ") || interpreter(program)) && !wordIn(rest, "manage.py", "./manage.py")
	seen := 0
	for _, x := range rest {
		if !x.known || x.text == "" || x.text[0] == '-' {
			continue
		}
		if seen++; seen > 4 {
			break
		}
		if saysRemoval(x.text, own) {
			return approval.Dangerous, "removes something (" + x.text + ")"
		}
	}
	return 0, ""
}

// saysRemoval reports whether a subcommand removes something by its name.
func saysRemoval(sub string, own bool) bool {
	if strings.ContainsAny(sub, "/=@ ") || strings.HasSuffix(sub, ".py") || strings.HasSuffix(sub, ".js") || strings.HasSuffix(sub, ".sh") {
		return false
	}
	parts := strings.FieldsFunc(sub, func(c rune) bool { return c == ':' || c == '.' || c == '-' && !own })
	if len(parts) == 1 {
		return !own && listed(removingWords, parts[0])
	}
	for _, part := range parts {
		if listed(removingWords, part) || listed(restoringWords, part) && strings.ContainsAny(sub, ":.") {
			return true
		}
	}
	return false
}
