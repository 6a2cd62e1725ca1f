package shell

import "sync"

// need is a credential that a program reads.
type need struct {
	by    string // the subcommands or words that make the program read it; empty for any
	paths string // below the home directory
}

// The credentials of what more than one program uses.
const (
	gitCredentials   = ".ssh .git-credentials .config/git/credentials .netrc .config/gh" // gitcredentials(7), git-credential-store(1); gh auth setup-git
	cloudCredentials = ".aws .config/gcloud .azure"
	registry         = "login logout pull push build buildx compose up run create search manifest scout"
	npmNetwork       = "install i in isntall ci add update up upgrade publish unpublish login logout adduser audit outdated view info show search whoami access owner team token dist-tag deprecate star exec x dlx create init stage"
)

// needs are the programs that are known to read a credential of the home directory, and which. What a program may be told to read by
// a configuration is not here.
var needs = sync.OnceValue(func() map[string][]need {
	return map[string][]need{
		// ssh(1) "FILES" and what starts it: scp(1), sftp(1), sshfs(1), mosh(1), ssh-add(1), ssh-copy-id(1), ansible-playbook(1)
		"ssh": {{paths: ".ssh"}}, "scp": {{paths: ".ssh"}}, "sftp": {{paths: ".ssh"}}, "sshfs": {{paths: ".ssh"}}, "mosh": {{paths: ".ssh"}}, "autossh": {{paths: ".ssh"}},
		"sshpass": {{paths: ".ssh"}}, "ssh-add": {{paths: ".ssh"}}, "ssh-copy-id": {{paths: ".ssh"}}, "ansible": {{paths: ".ssh"}}, "ansible-playbook": {{paths: ".ssh"}},
		// a subcommand of a subcommand has a hyphen between them; what is on disk already needs none
		"git": {{"push pull fetch clone ls-remote remote-update remote-show remote-prune remote-set-head submodule-add submodule-update submodule-sync send-email fetch-pack send-pack svn p4 lfs annex", gitCredentials}},
		// docs of GitHub CLI and GitLab CLI: GH_CONFIG_DIR, GLAB_CONFIG_DIR; hub(1) "CONFIGURATION". They start git.
		"gh":   {{paths: ".config/gh"}, {"repo pr gist co", ".ssh"}},
		"glab": {{paths: ".config/glab-cli"}, {"repo mr", ".ssh"}},
		"hub":  {{paths: ".config/hub"}, {"push pull fetch clone", gitCredentials}},
		// AWS CLI user guide "Configuration and credential file settings"; gcloud topic configurations; Azure CLI "configuration"
		"aws": {{paths: ".aws"}}, "sam": {{paths: ".aws"}}, "cdk": {{paths: ".aws"}}, "eksctl": {{paths: ".aws .kube"}},
		"gcloud": {{paths: ".config/gcloud"}}, "gsutil": {{paths: ".config/gcloud"}}, "bq": {{paths: ".config/gcloud"}}, "az": {{paths: ".azure"}},
		// Terraform "CLI Configuration File", "Backend Configuration"; Pulumi "Clouds"
		"terraform": {{"init plan apply destroy import refresh login logout", cloudCredentials + " .terraform.d/credentials.tfrc.json"}}, "tofu": {{"init plan apply destroy import refresh login logout", cloudCredentials + " .terraform.d/credentials.tfrc.json"}},
		"pulumi": {{"up preview destroy refresh import", cloudCredentials}},
		// Kubernetes "Organizing Cluster Access Using kubeconfig Files"; helm(1)
		"kubectl": {{paths: ".kube"}}, "helm": {{paths: ".kube"}}, "k9s": {{paths: ".kube"}}, "oc": {{paths: ".kube"}}, "stern": {{paths: ".kube"}}, "kubens": {{paths: ".kube"}}, "kubectx": {{paths: ".kube"}},
		// docker(1) "Configuration files", containers-auth.json(5): for registries
		"docker": {{registry, ".docker/config.json"}}, "docker-compose": {{registry, ".docker/config.json"}}, "nerdctl": {{registry, ".docker/config.json"}}, "podman": {{registry, ".docker/config.json"}},
		"buildah": {{registry + " from bud", ".docker/config.json"}}, "skopeo": {{paths: ".docker/config.json"}},
		// npmrc(5), npm-registry(7); pnpm and Yarn 1 read the same file
		"npm": {{npmNetwork, ".npmrc"}}, "pnpm": {{npmNetwork, ".npmrc"}}, "yarn": {{npmNetwork + " npm", ".npmrc"}}, "bun": {{npmNetwork, ".npmrc"}}, "npx": {{paths: ".npmrc"}}, "pnpx": {{paths: ".npmrc"}}, "bunx": {{paths: ".npmrc"}},
		// The Python Packaging User Guide "The .pypirc file"
		"twine": {{"upload register", ".pypirc"}}, "flit": {{"publish", ".pypirc"}},
		// The Cargo Book "Credentials"
		"cargo": {{"publish yank owner login logout", ".cargo/credentials .cargo/credentials.toml"}},
		"gem":   {{"push yank owner signin signout", ".gem/credentials"}}, // gem help environment
		// gpg(1) "FILES", pass(1)
		"gpg": {{paths: ".gnupg"}}, "gpg2": {{paths: ".gnupg"}}, "gpgsm": {{paths: ".gnupg"}}, "gpgconf": {{paths: ".gnupg"}}, "gpg-connect-agent": {{paths: ".gnupg"}},
		"pass": {{paths: ".password-store .gnupg"}}, "gopass": {{paths: ".password-store .gnupg"}},
		// PostgreSQL "The Password File"; MySQL "Using Option Files"
		"psql": {{paths: ".pgpass"}}, "pg_dump": {{paths: ".pgpass"}}, "pg_dumpall": {{paths: ".pgpass"}}, "pg_restore": {{paths: ".pgpass"}}, "createdb": {{paths: ".pgpass"}}, "dropdb": {{paths: ".pgpass"}}, "pgbench": {{paths: ".pgpass"}}, "vacuumdb": {{paths: ".pgpass"}},
		"mysql": {{paths: ".my.cnf"}}, "mysqldump": {{paths: ".my.cnf"}}, "mysqladmin": {{paths: ".my.cnf"}}, "mariadb": {{paths: ".my.cnf"}}, "mariadb-dump": {{paths: ".my.cnf"}},
		// ftp(1), heroku help auth, op(1)
		"ftp": {{paths: ".netrc"}}, "heroku": {{paths: ".netrc"}}, "op": {{paths: ".config/op"}},
	}
})

// managers are programs that write into .git and node_modules themselves: git and what starts it, and package managers.
const managers = " git gh glab hub jj tig lazygit gitui git-lfs lefthook husky pre-commit" +
	" npm npx yarn yarnpkg pnpm pnpx bun bunx corepack deno lerna rush" +
	" pip pip3 pipx uv uvx poetry pdm hatch pipenv conda mamba micromamba cargo go bundle bundler gem composer pod carthage swift mix rebar3 stack cabal opam dub nimble conan vcpkg terraform tofu repo west brew "
