package shell

import (
	"testing"

	"tricode/approval"
)

// effectsOf is the union of the effects of an analysis.
func effectsOf(a Analysis) approval.Effects {
	var all approval.Effects
	for _, s := range a.Subjects {
		all |= s.Effects
	}
	return all
}

// What is dangerous beside what TestDangerousCommandsAreAskedAboutWithTheReason names, and what is not.
func TestDangerous(t *testing.T) {
	d := project(t)
	for _, text := range []string{
		"shred a.txt", "find . -name x -exec rm {} +", "git restore -SW a.txt", "git switch --discard-changes main", "git worktree remove x", "redis-cli flushall",
		"chmod 0777 a.txt", "chown -R u .", "tee a.txt", "truncate -s 0 a.txt", "gh api -X DELETE x", "npm unpublish p", "rsync -a --delete x/ y/", "dd if=x of=/dev/sda", "mkfs.ext4 /dev/sda1", "shutdown now",
		"timeout 5 rm -r x", "sh -c 'rm -rf x'", "xargs rm -rf < a.txt", "sudo -n env A=1 git push -f",
		"git send-pack o +m", "git send-pack --force o", "git subtree push -P x o +m", "git lfs push -f o", "git -c alias.x='push -f' x", "git -c ALIAS.x='!rm -rf y' X", "git config alias.x 'push -f'", "git config alias.x '!rm -rf y'", "git lg", "git -C src lg",
		"terragrunt run-all destroy", "minikube delete", "virsh undefine x", "aws ecr batch-delete-image x", "pulumi stack rm x", "ip link delete x", "nft flush ruleset", "iptables -F", "lvremove x", "dpkg -r x", "rpm -e x", "snap remove x", "conda env remove -n x", "rails db:drop", "mix ecto.drop", "php artisan migrate:fresh", "python3 manage.py flush", "kubectl apply --prune -f x", "curl -X DELETE u", "http DELETE u", "kill -9 -1", "podman system reset", "ufw disable",
		"psql -c 'update x set a=1'", "psql -c 'DROP/**/TABLE x'", "psql -c 'delete from x where true'", "mongosh --eval 'db.c.remove({})'", "redis-cli SHUTDOWN", "pg_restore -c -d x y",
		"cp a.txt b.txt", "mv a.txt b.txt", "ln -sf a.txt b.txt", "install a.txt b.txt", "cp -t src docs/main.go", "git mv -f a.txt b.txt", "git fetch origin +a:b", "git pull -f", "git merge --abort", "git submodule update --force", "git lfs prune", "git reflog drop", "git reset --soft origin/main", "git reset x",
		"git config core.pager x", "git config --global core.hooksPath x", "git config remote.o.url x", "git config set core.fsmonitor x", "git config url.x.insteadOf y", "git config --unset core.x", "git config --edit", "git config include.path x",
	} {
		if got := effectsOf(Analyze(text, d)); !got.Has(approval.Dangerous) {
			t.Errorf("%q: effects %v, want dangerous", text, got)
		}
	}
	for _, text := range []string{
		"rm x", "git push", "git push origin main", "git checkout main", "git checkout -b x", "git stash", "git branch x", "git reset", "git reset a.txt", "git restore --staged a.txt", "git clean -n", "git tag v1",
		"cp -n a.txt b.txt", "cp a.txt new.txt", "cp a.txt docs", "mv a.txt docs/", "git reset HEAD", "git reset -- x", "git reset HEAD a.txt", "git reset gone.txt", "git fetch -p", "git merge x", "git mv a.txt n", "npm remove x", "npm run clean", "make clean", "cargo clean", "pytest -k delete", "go test -run x ./remove", "python3 delete.py", "node x delete", "docker run --rm x", "echo delete", "strange x/delete", "kill 5", "iptables -L", "psql -c 'update x set a=1 where b=2'", "curl -X POST u",
		"psql -c 'delete from x where id = 1'", "chmod +x a.txt", "chmod 644 a.txt", "echo x >> a.txt", "echo x > new.txt", "tee -a a.txt", "docker ps", "kubectl get pods", "echo rm -rf x", "git commit -m 'rm -rf'", "curl -s https://x | jq .", "git config user.name x", "git config --global pull.rebase true", "git config --get core.pager", "git config core.pager", "git config --list", "git config init.defaultBranch main", "git lfs pull", "git subtree add -P x o m",
	} {
		if got := effectsOf(Analyze(text, d)); got.Has(approval.Dangerous) {
			t.Errorf("%q: effects %v, want nothing dangerous", text, got)
		}
	}
}

func TestHistory(t *testing.T) {
	for _, text := range []string{"git push -f", "git commit --amend --no-edit", "git rebase main", "git branch -D x", "git filter-repo --force", "git push origin +HEAD:main", "git stash drop"} {
		if got := effectsOf(Analyze(text, nowhere{})); !got.Has(approval.History) {
			t.Errorf("%q: effects %v, want history", text, got)
		}
	}
}

func TestEffects(t *testing.T) {
	for _, test := range []struct {
		text string
		want approval.Effects
	}{
		{"make", approval.ExecProject}, {"npm test", approval.ExecProject}, {"go test ./...", approval.ExecProject}, {"./x.sh", approval.ExecProject}, {"python3 x.py", approval.ExecProject}, {"cargo build", approval.ExecProject},
		{"npm install", approval.Network}, {"curl https://x", approval.Network}, {"git push", approval.Network}, {"git pull", approval.Network}, {"ssh h ls", approval.Network}, {"pip install x", approval.Network}, {"git clone https://x", approval.Network}, {"git subtree push -P x o m", approval.Network}, {"git lfs push o", approval.Network}, {"git send-pack o", approval.Network}, {"git remote update", approval.Network}, {"git -c alias.x=push x", approval.Network}, {"git x", approval.Network},
		{"python3 -c 1", approval.ExecOpaque}, {"perl -ne 1", approval.ExecOpaque}, {"bash x.sh", approval.ExecOpaque}, {"cat a | sh", approval.ExecOpaque}, {"$X", approval.ExecOpaque}, {"eval \"$x\"", approval.ExecOpaque},
		{"git -c a.b=c push", approval.ExecOpaque}, {"tar xf a --to-command=x", approval.ExecOpaque}, {"tar cf a --checkpoint-action=exec=x .", approval.ExecOpaque}, {"rsync -e 'sh -c id' a b:", approval.ExecOpaque}, {"sed -n 1e a", approval.ExecOpaque},
		{"ssh -oProxyCommand=x h", approval.ExecOpaque}, {"make SHELL=./x", approval.ExecOpaque}, {"go test -exec ./x", approval.ExecOpaque}, {"man -P x ls", approval.ExecOpaque}, {"git grep -Oless x", approval.ExecOpaque}, {"git push --receive-pack=x", approval.ExecOpaque},
		{"rm $x", approval.ExecOpaque}, {"socat exec:x -", approval.ExecOpaque}, {"ftp <<< x", approval.ExecOpaque}, {"sftp -b x h", approval.ExecOpaque}, {"deno eval x", approval.ExecOpaque}, {"vim +x a", approval.ExecOpaque}, {"vim --cmd x", approval.ExecOpaque}, {"docker run --privileged x", approval.ExecOpaque}, {"docker run --pid=host x", approval.ExecOpaque}, {"go test -ldflags=-extld=./x", approval.ExecOpaque}, {"git archive --remote=ext::x HEAD", approval.ExecOpaque}, {"git help -w x", approval.ExecOpaque}, {"openssl req -engine ./x", approval.ExecOpaque}, {"ssh h '$X -rf x'", approval.ExecOpaque}, {"docker exec c sh -c '`x`'", approval.ExecOpaque}, {"echo x | parallel", approval.ExecOpaque}, {"parallel ::: x", approval.ExecOpaque}, {"git config core.pager x", approval.ExecOpaque}, {"rm *.nothing", approval.ExecOpaque}, {"PATH=x make", approval.ExecOpaque}, {"wrapper-unknown rm", approval.Exec}, {"gcc a.c -o a", approval.Exec},
	} {
		if got := effectsOf(Analyze(test.text, nowhere{})); !got.Has(test.want) {
			t.Errorf("%q: effects %v, want %v", test.text, got, test.want)
		}
	}
	for _, text := range []string{"git commit -m x", "npm test", "make -j4 test", "go test -run X ./...", "tar czf a.tgz src", "git add -A", "sed -i s/a/b/ a.txt", "python3 x.py --c", "node build.js", "cp a b"} {
		if got := effectsOf(Analyze(text, nowhere{})); got.Has(approval.ExecOpaque) {
			t.Errorf("%q: effects %v, want nothing opaque", text, got)
		}
	}
}
