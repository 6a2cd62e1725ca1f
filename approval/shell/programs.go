package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// networkPrograms reach other machines.
const networkPrograms = " curl wget aria2c axel lwp-request lwp-download lynx w3m links elinks xh ssh scp sftp rsync ftp lftp nc ncat netcat socat telnet ping ping6 dig host nslookup drill whois traceroute tracepath mtr nmap getent" +
	" aws gcloud gsutil bq az doctl heroku flyctl fly vercel netlify wrangler firebase gh glab hub docker podman nerdctl kubectl helm terraform tofu pulumi ansible ansible-playbook" +
	" psql mysql mariadb mongo mongosh redis-cli sqlcmd sqlplus apt apt-get apt-cache aptitude dnf yum zypper pacman apk brew port snap flatpak pip pip3 pipx uv poetry conda mamba gem cpan cpanm luarocks" +
	" http https xh websocat mosh rclone restic borg s3cmd mc vault consul nomad twine svn hg cvs "

// projectPrograms run code of the project.
const projectPrograms = " make gmake bmake cmake ctest ninja meson scons bazel bazelisk buck buck2 pants just task mage tup redo ant mvn mvnw gradle gradlew sbt lein mill" +
	" npm npx yarn pnpm pnpx bun bunx deno tsc ts-node tsx jest vitest mocha ava karma cypress playwright eslint prettier stylelint webpack vite rollup esbuild turbo nx lerna gulp grunt parcel next nuxt" +
	" go gotestsum golangci-lint staticcheck air ko goreleaser cargo rustup cross wasm-pack pytest tox nox hatch pdm flit invoke pre-commit mypy ruff black isort flake8 pylint coverage" +
	" rake rails bundle bundler rspec rubocop jekyll dotnet msbuild nuget swift xcodebuild pod fastlane composer phpunit artisan mix iex rebar3 stack cabal dune opam zig nim crystal" +
	" docker-compose vagrant packer skaffold tilt act direnv sphinx-build mkdocs hugo latexmk pdflatex xelatex lualatex protoc buf "

// interpreters run program text: from an option, from a file, or from standard input.
const interpreters = " python python2 python3 pypy pypy3 ipython ruby irb perl node nodejs php lua luajit tclsh wish expect Rscript R julia octave groovy scala kotlin ghci guile racket sbcl clisp awk gawk mawk nawk sed jq m4 bc dc gdb lldb osascript ex ed vi vim nvim emacs java jshell elixir erl escript swipl "

// textOptions are the options by which interpreters take program text.
const textOptions = " -c -e -E -r -m4 -p --eval --print --execute -es -ex -pe -ne -ie --batch --command -S "

// classify tells what a program that is not known to only read does.
func classify(ws []word, behind bool) (approval.Effects, string) {
	program := programName(ws[0].text)
	e, why := approval.Exec, ""
	if strings.Contains(networkPrograms, " "+program+" ") {
		e |= approval.Network
	}
	if strings.Contains(projectPrograms, " "+program+" ") {
		e |= approval.ExecProject
	}
	if reaches(ws) {
		e |= approval.Network
	}
	if interpreter(program) {
		more, reason := interprets(program, ws[1:], behind)
		e, why = e|more, reason
	}
	if more, reason := defers(program, ws[1:], behind); more != 0 {
		e, why = e|more, reason
	}
	if strings.Contains(ws[0].text, "/") && !systemProgram(ws[0].text) {
		e |= approval.ExecProject
	}
	if program == "git" {
		more, reason := gitRuns(ws[1:])
		e |= more
		if reason != "" {
			why = reason
		}
	}
	if runsMore(program, ws[1:]) {
		e, why = e|approval.ExecOpaque, "an option makes it start another program"
	}
	return e, why
}

// defers finds programs that run text later, from a file or from standard input, and tests that evaluate it.
func defers(program string, rest []word, behind bool) (approval.Effects, string) {
	switch program {
	case "go", "npm", "pnpm", "yarn":
		if len(rest) > 1 && (rest[0].text == "env" && wordIn(rest, "-w", "-u") || rest[0].text == "config" && wordIn(rest, "set", "edit")) {
			return approval.ExecOpaque, "changes what later commands run"
		}
	case "ssh", "mosh", "docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc":
		if slices.ContainsFunc(rest, func(x word) bool { return x.known && strings.ContainsAny(x.text, "$`") }) {
			return approval.ExecOpaque, "it is not known what a shell elsewhere makes of it"
		}
	case "at", "batch":
		return approval.ExecOpaque, "runs later what it is given"
	case "crontab":
		if !optionIn(rest, "lr", "") {
			return approval.ExecOpaque, "runs later what it is given"
		}
	case "psql", "mysql", "mariadb", "sqlite3", "duckdb":
		if slices.ContainsFunc(rest, func(x word) bool { return leavesDatabase(program, x.text) }) {
			return approval.ExecOpaque, "its text can start programs, read and write files"
		}
	case "socat":
		for _, x := range rest {
			if kind := strings.ToUpper(x.text); strings.Contains(kind, "EXEC") || strings.Contains(kind, "SYSTEM") || strings.Contains(kind, "SHELL") {
				return approval.ExecOpaque, "an option makes it start another program"
			}
		}
	case "ftp", "sftp", "lftp", "telnet": // they have commands that run others
		if behind || optionIn(rest, "bce", "") {
			return approval.ExecOpaque, "runs the commands it is given"
		}
	case "deno", "bun":
		if wordIn(rest, "eval", "repl", "-e", "-p", "--eval", "--print") {
			return approval.ExecOpaque, "runs the program text that it is given"
		}
	case "test", "[":
		if wordIn(rest, "-v", "-R") {
			return approval.ExecOpaque, "a test can evaluate what a variable holds"
		}
	}
	return 0, ""
}

// interpreter reports whether a program is one, in any version: python3.12.
func interpreter(program string) bool {
	return strings.Contains(interpreters, " "+program+" ") || strings.Contains(interpreters, " "+strings.TrimRight(program, "0123456789.")+" ") && program != ""
}

// interprets tells where an interpreter takes its program from.
func interprets(program string, rest []word, behind bool) (approval.Effects, string) {
	switch program {
	case "sed", "jq", "awk", "gawk", "mawk", "nawk":
		return scripted(program, rest)
	}
	for i, x := range rest {
		switch {
		case !x.known:
			return approval.ExecOpaque, "its words are not known before it runs"
		case x.text == "-m" && strings.HasPrefix(program, "py"):
			return approval.ExecProject, ""
		case !strings.HasPrefix(x.text, "-"):
			return approval.ExecProject, ""
		case x.text == "-", textOption(x.text):
			return approval.ExecOpaque, "runs the program text that it is given"
		case x.text == "--":
			if i+1 < len(rest) {
				return approval.ExecProject, ""
			}
		}
	}
	if behind {
		return approval.ExecOpaque, "runs the program text that it is given"
	}
	return approval.ExecOpaque, "starts an interpreter"
}

// textOption reports whether an option brings program text: -c, -e, and clusters that end in one of them.
func textOption(o string) bool {
	if strings.HasPrefix(o, "--") {
		name, _, _ := strings.Cut(o, "=")
		return strings.Contains(textOptions, " "+name+" ")
	}
	return len(o) > 1 && strings.ContainsAny(o[1:], "ceErpx")
}

// scripted is for programs whose text the table of readers has looked at: it is opaque unless that found it harmless.
func scripted(program string, rest []word) (approval.Effects, string) {
	spec := readers()[program]
	p := spec.options(rest)
	harmless := false
	switch program {
	case "sed":
		harmless = scripts(&p, "e", "expression", sedReads) && !p.like("f", "file")
	case "jq":
		harmless = scripts(&p, "", "", jqReads)
	default:
		harmless = scripts(&p, "", "", awkReads)
	}
	if harmless && p.strange == "" {
		return 0, ""
	}
	if program == "sed" && harmless && !p.like("f", "file") && p.like("iI", "in-place") {
		return 0, ""
	}
	return approval.ExecOpaque, "its script can run, read or write anything"
}

// reaches reports whether an operand names another machine: a URL, or HOST:PATH for programs that copy.
func reaches(ws []word) bool {
	program := programName(ws[0].text)
	if program == "git" {
		_, sub, _ := gitSplit(ws[1:])
		switch sub {
		case "push", "pull", "fetch", "clone", "ls-remote", "remote", "submodule", "archive", "send-email", "request-pull", "svn", "p4", "lfs", "subtree",
			"send-pack", "http-push", "http-fetch", "fetch-pack", "imap-send", "cvsimport", "daemon", "instaweb":
			return true
		}
		return sub != "" && !approval.GitCommand(sub)
	}
	sub := ""
	if len(ws) > 1 && ws[1].known {
		sub = ws[1].text
	}
	switch program {
	case "npm", "yarn", "pnpm", "bun", "cargo", "go", "bundle", "composer", "dotnet", "mix", "deno":
		switch sub {
		case "install", "i", "ci", "add", "update", "upgrade", "publish", "get", "mod", "fetch", "audit", "login", "outdated", "dlx", "create", "init", "restore", "unpublish", "search", "view", "info":
			return true
		}
	case "npx", "pnpx", "bunx":
		return true
	}
	for _, x := range ws[1:] {
		if strings.Contains(x.text, "://") {
			return true
		}
	}
	return false
}
