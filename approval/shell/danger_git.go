package shell

import (
	"slices"
	"strings"

	"tricode/approval"
)

// gitDanger finds what loses work or history in a git command.
func gitDanger(rest []word) (approval.Effects, string) {
	_, sub, ws := gitSplit(rest)
	const danger, history = approval.Dangerous, approval.Dangerous | approval.History
	switch sub {
	case "reset":
		if optionIn(ws, "", "hard merge keep") {
			return danger, "discards changes"
		}
		if slices.ContainsFunc(ws, func(x word) bool { return strings.ContainsAny(x.text, "~^") || strings.Contains(x.text, "@{") }) {
			return history, "drops commits from the branch"
		}
	case "read-tree":
		if optionIn(ws, "", "reset") {
			return danger, "discards changes"
		}
	case "pull", "fetch":
		if optionIn(ws, "f", "force") || slices.ContainsFunc(ws, func(x word) bool { return strings.HasPrefix(x.text, "+") }) {
			return history, "moves a branch by force"
		}
		if sub == "pull" && optionIn(ws, "r", "rebase") {
			return history, "rewrites history"
		}
	case "merge", "cherry-pick", "revert", "am":
		if wordIn(ws, "--abort", "--skip") {
			return danger, "discards changes"
		}
	case "mv":
		if optionIn(ws, "f", "force") {
			return danger, "overwrites an existing file"
		}
	case "clean":
		if !optionIn(ws, "n", "dry-run") {
			return approval.Delete | danger, "removes files that git does not track"
		}
	case "checkout", "restore", "switch":
		return gitDiscard(sub, ws)
	case "push", "send-pack", "http-push":
		return gitPush(ws)
	case "subtree", "lfs":
		if wordIn(ws, "prune") {
			return danger, "removes a part of the repository"
		}
		if i := slices.IndexFunc(ws, func(x word) bool { return x.text == "push" }); i >= 0 {
			return gitPush(ws[i+1:])
		}
	case "branch":
		if optionIn(ws, "dD", "delete") {
			return history, "deletes a branch"
		}
		if optionIn(ws, "fMC", "force") {
			return history, "moves a branch by force"
		}
	case "tag":
		if optionIn(ws, "d", "delete") {
			return history, "deletes a tag"
		}
		if optionIn(ws, "f", "force") {
			return history, "moves a tag by force"
		}
	case "stash":
		if wordIn(ws, "drop", "clear") {
			return history, "deletes stashed changes"
		}
	case "rm":
		return removal(ws)
	case "rebase":
		if !wordIn(ws, "--abort", "--continue", "--skip", "--quit") {
			return history, "rewrites history"
		}
		return approval.History, ""
	case "commit":
		if optionIn(ws, "", "amend") {
			return history, "rewrites the last commit"
		}
	case "filter-branch", "filter-repo", "replace", "fast-import", "reflog", "update-ref", "prune", "gc", "repack", "symbolic-ref":
		return gitStore(sub, ws)
	case "worktree", "remote", "submodule", "notes", "rerere":
		if sub == "submodule" && optionIn(ws, "f", "force") {
			return danger, "discards changes"
		}
		if wordIn(ws, "remove", "rm", "prune", "deinit", "delete", "clear", "forget") {
			return danger, "removes a part of the repository"
		}
	case "":
	default:
		if !approval.GitCommand(sub) {
			return danger, "git " + sub + " may be an alias of anything"
		}
	}
	return 0, ""
}

func gitDiscard(sub string, ws []word) (approval.Effects, string) {
	p := (&grammar{values: "bBcCs", long: "source= conflict= pathspec-from-file= orphan="}).options(ws)
	switch {
	case p.like("f", "force discard-changes"):
		return approval.Dangerous, "discards changes"
	case sub == "restore" && !p.has("S", "staged"), sub == "restore" && p.has("W", "worktree"):
		return approval.Write | approval.Dangerous, "discards changes"
	case sub == "checkout" && (p.ended && !p.has("bB", "") || wordIn(p.operands, ".", ":/")):
		return approval.Write | approval.Dangerous, "discards changes"
	case p.has("B", "") || sub == "switch" && p.has("C", "force-create"):
		return approval.Dangerous | approval.History, "moves a branch by force"
	}
	return 0, ""
}

// gitPush finds forced pushes and deletions in every spelling: -f, +branch, --force-with-lease, --mirror, :branch.
func gitPush(ws []word) (approval.Effects, string) {
	const history = approval.Dangerous | approval.History
	p := (&grammar{values: "o", long: "push-option= repo= receive-pack= exec="}).options(ws)
	switch {
	case p.like("f", "force force-with-lease force-if-includes mirror"):
		return history, "forces a push"
	case p.like("d", "delete prune"):
		return history, "deletes on the remote side"
	}
	for _, x := range p.operands[min(1, len(p.operands)):] {
		switch {
		case strings.HasPrefix(x.text, "+"):
			return history, "forces a push"
		case strings.HasPrefix(x.text, ":"):
			return history, "deletes on the remote side"
		}
	}
	return 0, ""
}

func gitStore(sub string, ws []word) (approval.Effects, string) {
	switch sub {
	case "reflog":
		if !wordIn(ws, "expire", "delete", "drop") {
			return 0, ""
		}
	case "gc", "repack":
		if !optionIn(ws, "ad", "prune aggressive") {
			return 0, ""
		}
	case "symbolic-ref":
		if !optionIn(ws, "d", "delete") {
			return approval.History, ""
		}
	}
	return approval.Dangerous | approval.History, "rewrites or drops history"
}
