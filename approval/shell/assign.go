package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tricode/approval"
)

// assigns follows the assignments before a command, or those that are a command of their own. why says what one
// decides, plain reports whether none of them changes what the command does.
func (w *walker) assigns(list []*syntax.Assign, prefix bool) (why string, plain bool) {
	plain = true
	for _, a := range list {
		v := w.assign(a)
		if prefix && a.Name.Value == "IFS" {
			continue // only read looks at it
		}
		if reason := deciding(a.Name.Value); reason != "" {
			why = reason
		}
		if prefix && !(cosmetic(a.Name.Value) && harmlessLook(a.Name.Value, v.text) && v.known) {
			plain = false
		}
		if !prefix {
			w.assigned(a.Name.Value, v)
		}
	}
	return why, plain
}

// keep records assignments that stand alone and decide what later commands do.
func (w *walker) keep(list []*syntax.Assign) {
	for _, a := range list {
		if reason := deciding(a.Name.Value); reason != "" {
			w.opaqueNode(a, reason)
		}
	}
}

// assign evaluates one assignment.
func (w *walker) assign(a *syntax.Assign) value {
	if a.Index != nil {
		w.inner(a.Index)
		if index, ok := a.Index.(*syntax.Word); !ok || !numbered(index) {
			w.opaqueNode(a, "a subscript can evaluate what a variable holds")
		}
	}
	if a.Array != nil {
		for _, elem := range a.Array.Elems {
			if elem.Index != nil {
				w.opaqueNode(a, "a subscript can evaluate what a variable holds")
			}
			if elem.Value != nil {
				w.fields([]*syntax.Word{elem.Value})
			}
		}
		return value{}
	}
	x := w.single(a.Value)
	v := value{text: x.text, known: x.known, tame: x.tame}
	switch {
	case a.Index != nil:
		return value{}
	case a.Append:
		old := w.lookup(a.Name.Value)
		v = value{text: old.text + v.text, known: old.known && v.known && len(old.text)+len(v.text) <= MaxText, tame: numeric(old) && numeric(v)}
	}
	if !v.known {
		v.text = ""
	}
	return v
}

// numbered reports whether a subscript is a number as it is written: Lit is empty for whatever is not literal.
func numbered(index *syntax.Word) bool {
	return index.Lit() != "" && strings.Trim(index.Lit(), "0123456789") == "" && number(index.Lit())
}

// assigned notes what a variable holds from here on, and whether that decides what later commands do.
func (w *walker) assigned(name string, v value) {
	if reason := deciding(name); reason != "" {
		w.state.taint = reason
	}
	switch {
	case w.state.vars[name].fixed:
		w.opaque([]string{name}, name+" is readonly, so that what follows may be skipped")
		v = value{fixed: true}
	case listed(shellsNames, name):
		v = value{}
	}
	w.state.set(name, v)
}

// shellsNames are variables that the shell sets by itself.
const shellsNames = " _ REPLY MAPFILE BASH_REMATCH BASH_COMMAND BASH_ARGV0 BASH_LINENO BASH_SOURCE BASH_SUBSHELL BASH_ALIASES BASH_CMDS BASH_ARGC BASH_ARGV COPROC COMP_LINE COMP_WORDS COMPREPLY DIRSTACK FUNCNAME GROUPS OPTARG PIPESTATUS READLINE_LINE "

// declare follows export, declare, local, readonly and typeset.
func (w *walker) declare(c *syntax.DeclClause) {
	e, why := approval.Effects(approval.Read), ""
	args := []string{c.Variant.Value}
	if !slices.ContainsFunc(c.Args, func(a *syntax.Assign) bool { return a.Name != nil }) || optioned(c.Args, "p") {
		e = approval.Exec // it prints variables, those of the environment too
	}
	exported := c.Variant.Value == "export" || optioned(c.Args, "x")
	fixed := c.Variant.Value == "readonly" || optioned(c.Args, "r")
	own := w.state.depth > 0 && c.Variant.Value != "export" && c.Variant.Value != "readonly" && !optioned(c.Args, "g")
	for _, a := range c.Args {
		args = append(args, w.slice(a))
		if a.Name != nil && exported && !cosmetic(a.Name.Value) && e == approval.Read {
			e = approval.Exec // programs see it
		}
		if a.Name != nil && own && syntax.ValidName(a.Name.Value) {
			w.local(a.Name.Value)
		}
		if a.Name == nil || a.Naked {
			plain := a.Index == nil
			if !plain {
				w.inner(a)
			}
			if plain && a.Value != nil {
				plain = plainDeclaration(w.single(a.Value))
			}
			if !plain {
				e, why = approval.Exec|approval.ExecOpaque, "a declaration can evaluate what it is given"
				w.lose()
			}
			if a.Name != nil {
				w.fix(a.Name.Value, fixed)
			}
			continue
		}
		v := w.assign(a)
		if braced(a.Value) {
			v = value{} // bash assigns one alternative after the other
		}
		if c.Variant.Value != "local" || w.state.depth > 0 { // elsewhere it fails
			w.assigned(a.Name.Value, v)
			w.fix(a.Name.Value, fixed)
		}
	}
	w.emit(run{words: words(args)}, e, why)
}

// local notes that a function has a variable of its own from here on.
func (w *walker) local(name string) {
	if _, again := w.state.locals[name]; again {
		return
	}
	v, set := w.state.vars[name]
	w.state.shadow(name, shadow{v, set})
}

// fix makes a variable readonly.
func (w *walker) fix(name string, fixed bool) {
	if v := w.lookup(name); fixed {
		v.fixed = true
		w.state.set(name, v)
	}
}

// optioned reports whether a declaration has an option of one letter.
func optioned(args []*syntax.Assign, letter string) bool {
	return slices.ContainsFunc(args, func(a *syntax.Assign) bool {
		if a.Name != nil || a.Value == nil {
			return false
		}
		option, _ := plainText(a.Value.Parts)
		return strings.HasPrefix(option, "-") && strings.Contains(option, letter)
	})
}

// plainDeclaration reports whether a word of a declaration is an option without further meaning or a name.
func plainDeclaration(x word) bool {
	if !x.known {
		return false
	}
	if flags, ok := strings.CutPrefix(x.text, "-"); ok {
		return strings.Trim(flags, "xrgpfF") == ""
	}
	return syntax.ValidName(x.text)
}

func words(texts []string) []word {
	all := make([]word, len(texts))
	for i, t := range texts {
		all[i] = literal(t)
	}
	return all
}

// decidingNames are variables that decide which program runs or what it loads; "*" at an end stands for anything.
// From bash(1), ld.so(8), git(1), and the programs' own manuals.
const decidingNames = " PATH LD_* DYLD_* GIT_* BASH_ENV ENV BASH_FUNC_* SHELLOPTS BASHOPTS PROMPT_COMMAND PS0 PS1 PS4 IFS CDPATH GLOBIGNORE EXECIGNORE" +
	" SHELL EDITOR VISUAL BROWSER *PAGER LESS* MANOPT MANPATH RIPGREP_CONFIG_PATH GREP_OPTIONS TERMINFO* HOME XDG_CONFIG_HOME" +
	" NODE_OPTIONS NODE_PATH npm_config_* NPM_CONFIG_* PYTHON* PERL* RUBY* GEM_* BUNDLE_* LUA_* PHPRC PHP_INI_SCAN_DIR" +
	" GOFLAGS GOROOT GOTOOL* GOPATH GOPROXY GOENV CC CXX LD AR CGO_* RUSTC* CARGO_* RUSTFLAGS JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_* MAVEN_OPTS CLASSPATH" +
	" MAKEFLAGS MAKEFILES GNUMAKEFLAGS SSH_ASKPASS* SUDO_* DISPLAY *_proxy *_PROXY SSL_CERT_* CURL_* WGETRC TAR_OPTIONS GZIP ZIPOPT UNZIP JQ_* RSYNC_* GCONV_PATH LOCPATH NLSPATH HOSTALIASES" +
	" DOCKER_* KUBECONFIG AWS_* GH_* EMACS* VIM* TMPDIR OLDPWD PWD POSIXLY_CORRECT FPATH ZDOTDIR HISTFILE INPUTRC AWKPATH AWKLIBPATH MAGIC GROFF* "

// integerNames are variables of bash that evaluate what is assigned to them.
const integerNames = " RANDOM SRANDOM SECONDS OPTIND OPTERR LINENO HISTCMD EPOCHSECONDS BASHPID PPID UID EUID BASH_VERSINFO "

// deciding says why an assignment to a variable makes it, or what follows, unknown, or nothing.
func deciding(name string) string {
	switch {
	case matchesName(decidingNames, name):
		return name + " decides what runs"
	case listed(integerNames, name):
		return name + " evaluates what it is given"
	}
	return ""
}

// cosmeticNames change how output looks and nothing else.
const cosmeticNames = " LC_* LANG LANGUAGE TZ TERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES "

func cosmetic(name string) bool { return matchesName(cosmeticNames, name) }

// harmlessLook reports whether the value of such a variable names no file: a catalogue of messages, the description of a terminal, a
// time zone. Sources: setlocale(3), terminfo(5), tzset(3).
func harmlessLook(name, v string) bool {
	return !strings.Contains(v, "/") || name == "TZ" && v[0] != '/' && v[0] != ':' && !strings.Contains(v, "..")
}

func matchesName(list, name string) bool {
	for known := range strings.FieldsSeq(list) {
		prefix, isPrefix := strings.CutSuffix(known, "*")
		suffix, isSuffix := strings.CutPrefix(known, "*")
		switch {
		case known == name, isPrefix && strings.HasPrefix(name, prefix), isSuffix && strings.HasSuffix(name, suffix):
			return true
		}
	}
	return false
}
