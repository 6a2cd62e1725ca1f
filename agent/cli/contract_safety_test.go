//go:build unix

package cli

import (
	"strings"
	"testing"
)

// unlimited are the flags that lift all that flags can.
const unlimited = "--dangerously-skip-permissions --bypass-work-directory-limit"

func TestPolicySection6Protected(t *testing.T) {
	all := []statement{
		{says: ".git to tools", flags: unlimited, want: `
			deny/3 create_file .git/x
			deny/3 edit_file .git/config
			deny/3 mkdir .git/x
			deny/3 delete_file .git/x
			deny/3 delete_path .git
			deny/3 move_path {"source":"old.txt","destination":".git/x"}`},
		{says: ".git to redirects", flags: unlimited, want: each("deny/3", `ls > .git/x|ls >> .git/x|ls 2>.git/x|ls &> .git/x|exec > .git/x|{ ls; } > .git/x`)},
		{says: ".git to known writers in commands", flags: unlimited, want: each("deny/3",
			`touch .git/x|tee .git/x|cp old.txt .git/x|mv old.txt .git|ln old.txt .git/x|sed -i s/a/b/ .git/x|dd of=.git/x|install old.txt .git|rm -rf .git|sort -o .git/x old.txt`)},
		{says: ".git may be a file", flags: unlimited, want: each("deny/3", `create_file src/.git|mkdir src/.git|echo gitdir: x > src/.git`)},
		{says: ".husky/", flags: unlimited, want: each("deny/3", `create_file .husky/pre-commit|touch .husky/x|mkdir .husky`)},
		{says: "node_modules/", flags: unlimited, want: each("deny/3", `create_file node_modules/y|edit_file node_modules/x|touch node_modules/y|delete_path node_modules`)},
		{says: ".tricode/ below the work directory", flags: unlimited, want: each("deny/3", `create_file .tricode/config.toml|touch src/.tricode/x|mkdir .tricode`)},
		{says: "what protected adds", flags: unlimited, config: `permissions.protected = ["secrets/**", "/opt/x/**"]`, want: each("deny/3", `edit_file secrets/key|touch secrets/new|rm -r secrets|touch /opt/x/y`)},
		{says: "programs that trusted hooks name", flags: unlimited, config: `hooks = [{event = "after_tool", command = ["./ours"]}, {event = "after_tool", command = ["sh", "bin/nearby"]}]`,
			want: each("deny/3", `edit_file ours|touch ours|edit_file bin/nearby|chmod -x bin/nearby|rm -r bin|mv ours x`)},
		{says: "tricode's own configuration anywhere", flags: unlimited + " --config @ROOT@/work/mine.toml", want: each("deny/3",
			`edit_file mine.toml|touch mine.toml|create_file @HOME@/.config/tricode/x|touch ~/.config/tricode/config.toml|rm -r ~/.config`)},
		{says: "tricode's own configuration through links", flags: unlimited + " --config @ROOT@/work/linked.toml", want: each("deny/3", `edit_file linked.toml|edit_file mine.toml|touch mine.toml`)},
		{says: "tricode's own state anywhere", flags: unlimited, want: each("deny/3", `create_file @HOME@/.local/state/tricode/x|touch ~/.local/state/tricode/trust.json|rm -r ~/.local`)},
		{says: "by path component", flags: unlimited, want: `
			deny/3 create_file a/b/.git/c/d
			deny/3 touch a/node_modules/b
			allow/7 create_file x.git/a
			allow/7 touch .gitignore my_node_modules/a`},
		{says: "ignoring case", flags: unlimited, want: each("deny/3", `create_file .GIT/x|touch .Husky/x|mkdir Node_Modules/y|touch .TriCode/x`)},
		{says: "ignoring case: what protected adds", flags: unlimited, config: `permissions.protected = ["Infra/**"]`, want: each("deny/3", `create_file infra/x|touch INFRA/x`)},
		{says: "through links", flags: unlimited, want: each("deny/3", `create_file hooks/pre-commit|touch hooks/x|ls > hooks/x`)},
		{says: "through links that are called so", flags: unlimited, want: each("deny/3", `create_file ../beside/.husky/new|edit_file ../beside/.husky/x|touch ../beside/.husky/new`)},
		{says: "also when nothing is there yet", flags: unlimited, want: each("deny/3", `create_file later/.git/x|mkdir later/.husky|touch later/node_modules`)},
		{says: "git, npm and friends write their own directories when the command itself was allowed", flags: "--allow 'Bash(git *)' --allow 'Bash(npm *)'", want: `
			allow/8 git add old.txt
			allow/8 git commit -m x
			allow/8 npm install
			ask/11 yarn install
			1 pnpm install`},
		{says: "removing node_modules by a command is dangerous, not denied", want: each("ask/11:dangerous", `rm -rf node_modules|rm node_modules/x`)},
	}
	for _, mode := range []string{"ask", "accept_edits", "plan", "read_only", "bypass"} {
		all = append(all, statement{says: "in mode " + mode, flags: "--allow '*' --permission-mode " + mode, want: each("deny", `create_file .git/x|touch .git/x|ls > .git/x`)})
	}
	holds(t, all)
}

func TestPolicySection6SystemPaths(t *testing.T) {
	var all []statement
	for dir := range strings.FieldsSeq("/etc /usr /bin /sbin /lib /lib64 /libx32 /boot /sys /proc /dev") {
		all = append(all, statement{says: dir, flags: unlimited, want: strings.ReplaceAll(each("deny/3", `touch @/x|echo x > @/x|rm -r @/x|cp old.txt @|create_file @/x`), "@", dir)})
	}
	holds(t, append(all, []statement{
		{says: "except the harmless devices", flags: "--allow Bash", want: each("allow", `make > /dev/null|make 2> /dev/null|tee /dev/stderr|dd of=/dev/null|make > /dev/tty`)},
		{says: "the work-directory limit comes first", flags: "--trust", want: "deny/2 touch /etc/x"},
		{says: "behind sudo tee", flags: unlimited, want: each("deny/3", `sudo tee /etc/x|sudo -u root tee -a /etc/x|doas tee /etc/x`)},
		{says: "behind -o FILE", flags: unlimited, want: each("deny/3", `curl -o /etc/x https://example.com|sort -o /etc/x old.txt|gcc -o /usr/x x.c|curl --output=/etc/x https://example.com`)},
		{says: "behind -C DIR", flags: unlimited, want: each("deny/3", `tar xf x.tar -C /etc|tar -C /usr -xf x.tar|tar xfC x.tar /etc`)},
		{says: "behind -t DIR", flags: unlimited, want: each("deny/3", `cp -t /etc old.txt|install -t /usr/bin old.txt|mv -t /etc old.txt|cp --target-directory=/etc old.txt`)},
		{says: "an additional directory that lies there is exempt", flags: "--trust", config: `permissions.additional_directories = ["/usr/share"]`, want: `
			allow/7 touch /usr/share/x
			deny touch /usr/lib/x`},
	}...))
}

func TestPolicySection6Catastrophic(t *testing.T) {
	holds(t, []statement{
		{says: "removing the work directory itself", flags: "--trust", want: each("ask:catastrophic", `rm -rf .|delete_path .|rm -rf "$PWD"|rm -rf @ROOT@/work|find . -delete|cd src && rm -rf ..|rm -rf *`)},
		{says: "overwriting the work directory itself", flags: "--trust --bypass-work-directory-limit", want: each("ask:catastrophic", `mv . ../x|rsync -a --delete src/ .`)},
		{says: "an additional directory", flags: "--trust", config: `permissions.additional_directories = ["../../../lib"]`, want: each("ask:catastrophic", `rm -rf ../lib|delete_path ../lib|mv ../lib moved`)},
		{says: "home where the limit was lifted", env: "XDG_CONFIG_HOME=@ROOT@/etc XDG_STATE_HOME=@ROOT@/state", flags: "--trust --bypass-work-directory-limit",
			want: each("ask:catastrophic", `rm -rf ~|rm -rf "$HOME"|delete_path @HOME@|find ~ -delete`)},
		{says: "/ and a home with tricode's own files are left by no layer", flags: unlimited, want: each("deny/3", `rm -rf /|delete_path /|find / -delete|rm -rf ~`)},
		{says: "home or / where the limit holds", flags: "--trust", want: each("deny/2", `rm -rf ~|rm -rf /|delete_path /`)},
		{says: "a device", flags: "--trust", want: `
			ask:catastrophic mkfs.ext4 disk.img
			ask:catastrophic mkfs -t ext4 disk.img
			deny dd of=/dev/sda
			deny mkfs /dev/sda`},
		{says: "a device is no less than a system path", flags: unlimited, want: each("deny/3", `dd of=/dev/sda|mkfs /dev/sda|cat old.txt > /dev/sda`)},
		{says: "one action that would delete more than max_untracked_deletes files not tracked by git", flags: "--trust", want: `
			ask:catastrophic rm -r many
			ask:catastrophic delete_path many
			ask:catastrophic find many -delete
			allow rm -r src`},
		{says: "in parts, too", flags: "--trust", config: `permissions.max_untracked_deletes = 1`, want: `
			ask:catastrophic rm old.txt src/main.go
			allow rm old.txt`},
		{says: "files that git tracks do not count", flags: "--trust", done: true, want: `
			allow git init -q
			allow git add many
			allow rm -r many`},
	})
}
