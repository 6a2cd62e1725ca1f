package shell

import (
	"strings"

	"tricode/approval"
)

// wrapper is a program that runs the command in its words.
type wrapper struct {
	grammar
	before  int              // operands before the command: 1 for timeout's duration
	assigns bool             // NAME=VALUE may stand before the command
	effects approval.Effects // what it does itself; Read if that is nothing
	why     string
	text    string // the one-letter option whose value is a command line: su -c
	joined  bool   // its words make a command line: watch
}

// wrappers is what the analysis looks through. Options are those of the manual pages named; an option that is not listed makes the command opaque.
var wrappers = map[string]wrapper{
	// coreutils 9.1
	"env":     {grammar: grammar{flags: "i0v", values: "uCS", long: "ignore-environment null unset= chdir= split-string= debug"}, assigns: true, effects: approval.Read},
	"nice":    {grammar: grammar{flags: "#", values: "n", long: "adjustment="}, effects: approval.Read},
	"nohup":   {effects: approval.Exec},
	"timeout": {grammar: grammar{flags: "vfp", values: "ks", long: "foreground preserve-status kill-after= signal= verbose"}, before: 1, effects: approval.Read},
	"stdbuf":  {grammar: grammar{values: "ioe", long: "input= output= error="}, effects: approval.Read},
	"chroot":  {grammar: grammar{long: "groups= userspec= skip-chdir"}, before: 1, effects: approval.Exec},
	"time":    {grammar: grammar{flags: "apqv", values: "fo", long: "append format= output= portability quiet verbose"}, effects: approval.Read},
	// util-linux 2.38
	"setsid":    {grammar: grammar{flags: "cfw", long: "ctty fork wait"}, effects: approval.Exec},
	"ionice":    {grammar: grammar{flags: "t", values: "cnpPu", long: "class= classdata= pid= pgid= uid= ignore"}, effects: approval.Exec},
	"chrt":      {grammar: grammar{flags: "abdfimoprRv", values: "DPT", long: "batch deadline fifo idle other rr reset-on-fork all-tasks verbose"}, before: 1, effects: approval.Exec},
	"taskset":   {grammar: grammar{flags: "acp", long: "all-tasks cpu-list pid"}, before: 1, effects: approval.Exec},
	"flock":     {grammar: grammar{flags: "eFnosux", values: "Ewc", long: "exclusive nonblock nb shared unlock close timeout= wait= no-fork conflict-exit-code= command="}, before: 1, effects: approval.Exec, text: "c"},
	"unshare":   {grammar: grammar{flags: "mipnUCTurfc", values: "RwSG", long: "mount uts ipc net pid user cgroup time fork map-root-user map-current-user keep-caps mount-proc?"}, effects: approval.Exec},
	"nsenter":   {grammar: grammar{flags: "amuipnUCTFZ", values: "tSG", long: "target= all mount? uts? ipc? net? pid? user? no-fork"}, effects: approval.Exec},
	"setpriv":   {grammar: grammar{long: "clear-groups groups= inh-caps= keep-groups no-new-privs reuid= regid= reset-env ruid= rgid= securebits= init-groups"}, effects: approval.Exec},
	"runuser":   {grammar: grammar{flags: "lfmpP", values: "cuggsw", long: "command= user= group= shell= login fast preserve-environment pty"}, effects: approval.Exec, text: "c", why: "runs as another user"},
	"su":        {grammar: grammar{flags: "lfmpP", values: "cgGsw", long: "command= group= shell= login fast preserve-environment pty"}, effects: approval.Exec, text: "c", why: "runs as another user"},
	"script":    {grammar: grammar{flags: "aefq", values: "cEImoOTB", long: "append command= return flush quiet"}, effects: approval.Exec, text: "c"},
	"setarch":   {grammar: grammar{flags: "BFILRSTXZ3v"}, before: 1, effects: approval.Exec},
	"linux32":   {effects: approval.Exec},
	"linux64":   {effects: approval.Exec},
	"prlimit":   {grammar: grammar{flags: "cdefilmnpqrstuvxy", values: "o", long: "core? nofile? nproc? as? cpu?"}, effects: approval.Exec},
	"choom":     {grammar: grammar{values: "np"}, effects: approval.Exec},
	"uclampset": {grammar: grammar{flags: "asR", values: "mMp"}, effects: approval.Exec},
	// sudo 1.9, doas 6.8, polkit
	"sudo":   {grammar: grammar{flags: "ABbEHnPSisKkv", values: "CDghpRrTtUu", long: "askpass background preserve-env? set-home non-interactive stdin user= group= host= prompt= chdir= login shell close-from= command-timeout= chroot="}, assigns: true, effects: approval.Exec, why: "runs as another user"},
	"doas":   {grammar: grammar{flags: "Lns", values: "aCu"}, effects: approval.Exec, why: "runs as another user"},
	"pkexec": {grammar: grammar{long: "user= disable-internal-agent keep-cwd"}, effects: approval.Exec, why: "runs as another user"},
	// findutils 4.9, moreutils, GNU parallel, entr, watch (procps 4.0)
	"xargs":    {grammar: grammar{flags: "0prtx", values: "aEIiLlndPs", long: "null arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= max-chars= interactive no-run-if-empty verbose exit open-tty process-slot-var= show-limits"}, effects: approval.Read},
	"parallel": {grammar: grammar{flags: "0kmXqurtv", values: "jnNIPaS", long: "null keep-order jobs= max-args= dry-run bar eta halt= will-cite colsep="}, effects: approval.Exec, joined: true},
	"entr":     {grammar: grammar{flags: "acdnprsz"}, effects: approval.Exec},
	"watch":    {grammar: grammar{flags: "bceghprtwx", values: "nq", long: "beep color differences? errexit chgexit interval= no-title exec no-wrap precise"}, effects: approval.Read, joined: true},
	"ifne":     {grammar: grammar{flags: "n"}, effects: approval.Exec},
	"chronic":  {grammar: grammar{flags: "ve"}, effects: approval.Exec},
	// debuggers and measuring: strace(1), ltrace(1), valgrind(1), perf-stat(1)
	"strace":    {grammar: grammar{flags: "cCdfFhiknqrtTvwxyYzZ", values: "abeEIoOpPsSuUX"}, effects: approval.Exec},
	"ltrace":    {grammar: grammar{flags: "bcCfhiLrStT", values: "aAeDFlnopsuwx"}, effects: approval.Exec},
	"valgrind":  {grammar: grammar{flags: "qv", long: "tool= leak-check= log-file= error-exitcode= quiet verbose"}, effects: approval.Exec},
	"hyperfine": {grammar: grammar{flags: "Ni", values: "wmMrpcnSu"}, effects: approval.Exec, joined: true},
	"gdb":       {grammar: grammar{flags: "qnb", long: "args batch quiet"}, effects: approval.Exec | approval.ExecOpaque, why: "can run anything"},
	// sessions, limits, other worlds
	"busybox":          {effects: approval.Read},
	"toybox":           {effects: approval.Read},
	"xvfb-run":         {grammar: grammar{flags: "al", values: "efnpsw", long: "auto-servernum server-args= server-num="}, effects: approval.Exec},
	"dbus-run-session": {grammar: grammar{long: "config-file= dbus-daemon="}, effects: approval.Exec},
	"dbus-launch":      {grammar: grammar{long: "exit-with-session autolaunch= sh-syntax csh-syntax"}, effects: approval.Exec},
	"cpulimit":         {grammar: grammar{flags: "zvbfik", values: "lcpe", long: "limit= cpu= lazy verbose foreground"}, effects: approval.Exec},
	"systemd-run":      {grammar: grammar{flags: "dGPqrt", values: "EHMpu", long: "user scope pty pipe wait collect unit= property= quiet setenv="}, effects: approval.Exec},
	"systemd-inhibit":  {grammar: grammar{long: "what= who= why= mode="}, effects: approval.Exec},
	"ssh-agent":        {grammar: grammar{flags: "cDdks", values: "aEOPt"}, effects: approval.Exec},
	"fakeroot":         {grammar: grammar{flags: "uv", values: "bils"}, effects: approval.Exec},
	"eatmydata":        {effects: approval.Exec},
	"unbuffer":         {grammar: grammar{flags: "p"}, effects: approval.Exec},
	"rlwrap":           {grammar: grammar{flags: "aAcDinrsz", values: "bCfHlPqStwz"}, effects: approval.Exec},
	"caffeinate":       {grammar: grammar{flags: "dimsu", values: "tw"}, effects: approval.Exec},
	"proxychains":      {grammar: grammar{flags: "q", values: "f"}, effects: approval.Exec},
	"proxychains4":     {grammar: grammar{flags: "q", values: "f"}, effects: approval.Exec},
	"torsocks":         {effects: approval.Exec},
	"torify":           {effects: approval.Exec},
	"firejail":         {grammar: grammar{long: "quiet net= noprofile private private="}, effects: approval.Exec},
	"bwrap":            {effects: approval.Exec | approval.ExecOpaque, why: "it is not known what it runs"},
	"numactl":          {grammar: grammar{values: "iNCmlp", long: "interleave= cpunodebind= physcpubind= membind= localalloc"}, effects: approval.Exec},
	"winpty":           {effects: approval.Exec},
	"faketime":         {grammar: grammar{flags: "m", values: "f"}, before: 1, effects: approval.Exec},
	"direnv":           {before: 2, effects: approval.Exec | approval.ExecProject},
	"dotenv":           {grammar: grammar{values: "ef"}, effects: approval.Exec},
	"cross-env":        {assigns: true, effects: approval.Exec},
}

// wrapper follows a program that runs the command in its words.
func (w *walker) wrapper(c run, wr wrapper) {
	rest := c.words[1:]
	n, ok := wr.leading(rest)
	p := wr.options(rest[:n])
	e, why := wr.effects, wr.why
	where, foreign := w.own(c.words[0].text)
	if foreign {
		e |= approval.Exec
	}
	inner := rest[n:]
	set := c.set
	assigned, decides := c.assigned, c.why
	for wr.assigns && len(inner) > 0 && assignment(inner[0]) {
		name, _, _ := strings.Cut(inner[0].text, "=")
		set, assigned = true, assigned || !cosmetic(name)
		if reason := deciding(name); reason != "" {
			decides = reason
		}
		inner = inner[1:]
	}
	if wr.before <= len(inner) {
		inner = inner[wr.before:]
	} else {
		inner = nil
	}
	if !ok {
		e, why = e|approval.Exec|approval.ExecOpaque, "it is not known what it runs"
	}
	if len(inner) == 0 && c.words[0].text == "env" { // prints the environment
		e |= approval.Exec
	}
	cmd := w.emit(c, e, why)
	cmd.Program, cmd.Foreign, cmd.Runs = where, foreign, len(inner) > 0
	w.wrapperOptions(c, wr, &p, inner)
	next := run{words: inner, external: true, set: set, assigned: assigned, why: decides}
	switch {
	case wr.joined && !p.has("x", "exec"):
		w.within(inner, func(ws []word) { w.line(c, ws) })
	case base1(c.words[0].text) == "xargs":
		w.within(inner, func(ws []word) { w.xargs(next, &p) })
	default:
		w.within(inner, func([]word) { w.run(next) })
	}
}

// assignment reports whether a word is NAME=VALUE.
func assignment(x word) bool {
	name, _, ok := strings.Cut(x.text, "=")
	return ok && name != "" && !strings.HasPrefix(name, "-") && !strings.Contains(name, "/")
}

// line follows words that together are a command line.
func (w *walker) line(c run, ws []word) {
	var texts []string
	for _, x := range ws {
		if !x.known {
			w.emit(c, approval.Exec|approval.ExecOpaque, "its words are not known before it runs")
			return
		}
		texts = append(texts, x.text)
	}
	w.apart(func() { w.nested(strings.Join(texts, " ")) })
}

// apart follows something that runs in a shell of its own.
func (w *walker) apart(follow func()) {
	before := w.enter()
	w.state.funcs = nil
	follow()
	w.leave(before)
}

// wrapperOptions follows what options of a wrapper write or run.
func (w *walker) wrapperOptions(c run, wr wrapper, p *parsed, inner []word) {
	program := base1(c.words[0].text)
	for _, o := range p.options {
		switch {
		case !o.valued:
		case !o.value.known:
			w.opaque(c.args(), "its words are not known before it runs")
		case wr.text != "" && o.is(wr.text, "command"):
			w.within([]word{o.value}, func(ws []word) { w.line(c, ws) })
		case program == "env" && o.is("S", "split-string"):
			w.splitString(c, o.value.text, inner)
		case program == "env" && o.is("C", "chdir"), program == "sudo" && o.is("D", "chdir"):
			w.opaque(c.args(), "it runs in another directory")
		case (program == "time" || program == "strace" || program == "ltrace") && o.is("o", "output"):
			w.path(approval.Write, o.value.text, "empties an existing file")
		case program == "xargs" && o.is("a", "arg-file"):
			w.read(o.value.text)
		}
	}
	if (program == "sudo" || program == "su") && len(inner) == 0 && !p.has("vKkc", "command") {
		w.opaque(c.args(), "starts a shell")
	}
	if program == "script" || program == "flock" {
		w.outputs(program, c.words)
	}
}

// splitString follows env -S, whose value is split into words like a command line.
func (w *walker) splitString(c run, text string, inner []word) {
	w.opaque(c.args(), "it is not known how env splits its words")
	file, why := parse(text)
	if why != "" || len(file.Stmts) != 1 {
		return
	}
	for _, x := range inner {
		if !x.known {
			return
		}
		text += " '" + strings.ReplaceAll(x.text, "'", `'\''`) + "'"
	}
	w.within([]word{literal(text)}, func(ws []word) { w.line(c, ws) })
}

// xargs follows the command that xargs runs, with words that are read from elsewhere at its end.
func (w *walker) xargs(c run, p *parsed) {
	added := word{text: "…", tame: true}
	program := base1(c.words[0].text)
	spec, reading := readers[program]
	safe := w.lister != nil && !p.has("aIi", "arg-file replace") && reading && spec.takesFiles(c.words)
	if !safe {
		if text := reading && spec.operands == anything; !text {
			added.tame = false
		}
		c.words = append(c.words[:len(c.words):len(c.words)], added)
		w.run(c)
		return
	}
	w.run(c)
	if spec.operands != names {
		for _, root := range w.lister.roots {
			w.tree(root, sweep{hidden: true, links: true, name: w.lister.name})
		}
	}
	if w.dashes(".") {
		w.opaque(c.args(), "a file name looks like an option")
	}
}

// takesFiles reports whether words added to a reading program are files.
func (spec *reader) takesFiles(ws []word) bool {
	if spec.operands != matching {
		return spec.operands == contents || spec.operands == names
	}
	p := spec.options(ws[1:])
	return len(p.operands) > 0 || p.has(spec.given, spec.long)
}

// dashes reports whether a directory holds a name that looks like an option.
func (w *walker) dashes(dir string) bool {
	for _, e := range w.list(dir) {
		if strings.HasPrefix(e.Name(), "-") {
			return true
		}
	}
	return false
}
