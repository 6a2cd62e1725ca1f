package shell

import (
	"sync"
	"tricode/approval"
)

// wrappers is what the analysis looks through. Options are those of the manual pages named; an option that is not listed makes the command opaque.
var wrappers = sync.OnceValue(func() map[string]wrapper {
	return map[string]wrapper{
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
		"setarch":   {grammar: grammar{flags: "BFILRSTXZ3v"}, effects: approval.Exec}, // the name of a machine, which may come first, is such a program too
		"linux32":   {grammar: grammar{flags: "BFILRSTXZ3v"}, effects: approval.Exec},
		"linux64":   {grammar: grammar{flags: "BFILRSTXZ3v"}, effects: approval.Exec},
		"i386":      {grammar: grammar{flags: "BFILRSTXZ3v"}, effects: approval.Exec},
		"i686":      {grammar: grammar{flags: "BFILRSTXZ3v"}, effects: approval.Exec},
		"x86_64":    {grammar: grammar{flags: "BFILRSTXZ3v"}, effects: approval.Exec},
		"aarch64":   {grammar: grammar{flags: "BFILRSTXZ3v"}, effects: approval.Exec},
		"uname26":   {grammar: grammar{flags: "BFILRSTXZ3v"}, effects: approval.Exec},
		"prlimit":   {grammar: grammar{flags: "cdefilmnpqrstuvxy", values: "o", long: "core? nofile? nproc? as? cpu?"}, effects: approval.Exec},
		"choom":     {grammar: grammar{values: "np"}, effects: approval.Exec},
		"uclampset": {grammar: grammar{flags: "asR", values: "mMp"}, effects: approval.Exec},
		// sudo 1.9, doas 6.8, polkit
		"sudo":   {grammar: grammar{flags: "ABbEHnPSisKkv", values: "CDghpRrTtUu", long: "askpass background preserve-env? set-home non-interactive stdin user= group= host= prompt= chdir= login shell close-from= command-timeout= chroot="}, assigns: true, effects: approval.Exec, why: "runs as another user"},
		"doas":   {grammar: grammar{flags: "Lns", values: "aCu"}, effects: approval.Exec, why: "runs as another user"},
		"pkexec": {grammar: grammar{long: "user= disable-internal-agent keep-cwd"}, effects: approval.Exec, why: "runs as another user"},
		// findutils 4.9, moreutils, GNU parallel, entr, watch (procps 4.0)
		"xargs":    {grammar: grammar{flags: "0prtx", values: "aEILndPs", attached: "eil", long: "null arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= max-chars= interactive no-run-if-empty verbose exit open-tty process-slot-var= show-limits"}, effects: approval.Read},
		"parallel": {grammar: grammar{flags: "0kmXqurtv", values: "jnNIPaS", long: "null keep-order jobs= max-args= dry-run bar eta halt= will-cite colsep="}, effects: approval.Exec, joined: true},
		"entr":     {grammar: grammar{flags: "acdnprsz"}, effects: approval.Exec},
		"watch":    {grammar: grammar{flags: "bceghprtwx", values: "nq", long: "beep color differences? errexit chgexit interval= no-title exec no-wrap precise"}, effects: approval.Read, joined: true},
		"ifne":     {grammar: grammar{flags: "n"}, effects: approval.Exec},
		"chronic":  {grammar: grammar{flags: "ve"}, effects: approval.Exec},
		// debuggers and measuring: strace(1), ltrace(1), valgrind(1), perf-stat(1)
		"strace":    {grammar: grammar{flags: "cCdfFhiknqrtTvwxyYzZ", values: "abeEIoOpPsSuUX"}, effects: approval.Exec},
		"ltrace":    {grammar: grammar{flags: "bcCfhiLrStT", values: "aAeDFlnopsuwx"}, effects: approval.Exec},
		"valgrind":  {grammar: grammar{flags: "qv", long: "tool= leak-check= log-file= xml= xml-file= error-exitcode= quiet verbose"}, effects: approval.Exec},
		"hyperfine": {grammar: grammar{flags: "Ni", values: "wmMrspcnSu", long: "warmup= runs= prepare= setup= cleanup= conclude= ignore-failure"}, effects: approval.Exec, joined: true, beside: "spc", besideL: "setup prepare cleanup conclude"},
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
		"faketime":         {grammar: grammar{flags: "mf"}, before: 1, effects: approval.Exec},
		"direnv":           {before: 2, effects: approval.Exec | approval.ExecProject},
		"dotenv":           {grammar: grammar{values: "ef"}, effects: approval.Exec},
		"cross-env":        {assigns: true, effects: approval.Exec},
	}
})
