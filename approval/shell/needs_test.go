package shell

import (
	"slices"
	"strings"
	"testing"

	"tricode/approval"
)

func TestNeeds(t *testing.T) {
	const git = ".ssh .git-credentials .config/git/credentials .netrc .config/gh"
	d := project(t)
	for text, want := range map[string]string{
		"ssh host ls": ".ssh", "scp a.txt host:": ".ssh", "sudo ssh host": ".ssh", "sh -c 'ssh host'": ".ssh", "rsync a.txt host:b": ".ssh", "rsync -a src/ docs/": "", "rsync a.txt -e ssh ./a:b": "",
		"git push": git, "git -C src fetch": git, "git clone https://x y": git, "git commit -m push": "", "git status": "", "git $g": "", "git commit -S -m x": ".gnupg .ssh", "git tag -s v1": ".gnupg .ssh", "git tag -l 'v*'": "",
		"gh issue list": ".config/gh", "gh pr create": ".config/gh .ssh", "aws s3 ls": ".aws", "kubectl get pods": ".kube", "helm list": ".kube", "gcloud info": ".config/gcloud", "az login": ".azure",
		"docker ps": "", "docker compose up": ".docker/config.json", "docker --debug pull x": ".docker/config.json", "git remote add o x": "", "git remote update": git, "git submodule update --init": git, "git archive HEAD": "", "git archive --remote=x HEAD": git,
		"podman ps": "", "podman pull x": ".docker/config.json", "npm ci": ".npmrc", "npm --silent install x": ".npmrc", "npm test": "", "npx x": ".npmrc", "yarn add x": ".npmrc", "pnpm publish": ".npmrc",
		"twine upload dist/x": ".pypirc", "cargo publish": ".cargo/credentials .cargo/credentials.toml", "cargo build": "", "gpg -d a.txt": ".gnupg", "pass show x": ".password-store .gnupg",
		"curl https://x": "", "curl -sn https://x": ".netrc", "curl --netrc https://x": ".netrc", "curl --netr https://x": ".netrc", "psql -c 'select 1'": ".pgpass", "mysql x": ".my.cnf",
		"terraform validate": "", "terraform plan": ".aws .config/gcloud .azure .terraform.d/credentials.tfrc.json", "ssh": ".ssh", "nosuchprogram": "", "echo ssh": "", "./ssh host": ".ssh", "ssh --version": "",
	} {
		var got []string
		for _, c := range Analyze(text, d).Commands {
			for _, path := range c.Needs {
				got = append(got, strings.TrimPrefix(path, d.home+"/"))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	d.home = ""
	if a := Analyze("ssh host", d); a.Commands[0].Needs != nil {
		t.Errorf("without a home directory: %q", a.Commands[0].Needs)
	}
}

// Whatever a program may need is what a box hides.
func TestNeedsAreSecrets(t *testing.T) {
	secrets := approval.HomeSecrets("/home/u", nil)
	for program, list := range needs() {
		for _, n := range list {
			for path := range strings.FieldsSeq(n.paths) {
				if full := "/home/u/" + path; !slices.Contains(secrets, full) || !approval.IsSecret(full, "/home/u") {
					t.Errorf("%s needs %s, which is no secret", program, path)
				}
			}
		}
	}
}

func TestManages(t *testing.T) {
	d := project(t)
	for text, want := range map[string]bool{
		"git commit -m x": true, "make && git add .": true, "gh pr create": true, "npm ci": true, "sudo npm i": true, "sh -c 'cd x; yarn'": true, "git-lfs pull": true, "find . -exec git add {} +": true,
		"make": false, "echo git": false, "$X": false, "g=git; $g add .": true, "touch .git/x": false, "": false, "./npm": true,
	} {
		if a := Analyze(text, d); a.Manages() != want {
			t.Errorf("%q: %v, want %v", text, !want, want)
		}
	}
}
