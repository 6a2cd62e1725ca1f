package tools

import (
	"context"
	"path"
	"slices"
	"sync"
	"time"

	"tricode/approval"
	"tricode/workdir"
	"tricode/workdir/sandbox"
)

// Boxes knows the boxes that hold the commands of a run.
type Boxes struct {
	Config  sandbox.Config
	Box     *sandbox.Box
	Dir     *workdir.Dir
	Home    string
	Secrets []string                    // what commands cannot read outside of Dir: files and directories, absolute
	Own     []string                    // what nothing may write to, wherever it is, absolute
	Shields func(approval.Subject) bool // whether nothing may write to a path; nil for none
	Hidden  func(text string) string    // a text for a person with the secrets in it hidden; nil hides none
	Layer   string                      // where what commands change is kept until a person has seen it, absolute; empty: they change it at once

	mu      sync.Mutex
	survey  workdir.Survey[places]
	linked  []string // see secrets
	cached  []string // see outside
	listed  []string // where what the person lists was then
	seen    places
	when    time.Time
	known   []alias
	aliased time.Time // when of the places with which known was found
}

// on reports whether commands run in boxes.
func (b *Boxes) on() bool { return b != nil && b.Config.Mode != sandbox.Off && sandbox.Helpers }

// shell is the program that the person wants command lines to be run with; empty for the interpreter.
func (b *Boxes) shell() string {
	if b == nil {
		return ""
	}
	return b.Config.Shell
}

// limits are those of a command line's box: the look box if it only reads, the work box otherwise.
func (b *Boxes) limits(c *commandLine) *sandbox.Limits {
	if !b.on() {
		return nil
	}
	found := b.places()
	if c.onlyReads() {
		return lookBox(b.hidden(c), slices.DeleteFunc(slices.Clone(found.secrets), func(at string) bool {
			return c.runs("git") || c.names(at) // to git they would seem changed
		}))
	}
	kept := slices.DeleteFunc(slices.Clone(found.kept), func(at string) bool { return c.analysis.Manages() || c.changes(at) })
	if c.layer != "" {
		return &sandbox.Limits{
			Hide: b.hidden(c), Protect: slices.Concat(found.shielded, kept, b.Own), Write: []string{b.Dir.Name()}, Overlay: c.layer,
		}
	}
	l := b.workBox(b.hidden(c), b.outside(c), slices.Concat(found.shielded, kept))
	if c.analysis.Manages() {
		l.Write = append(l.Write, found.beside...)
	}
	return l
}

func lookBox(hidden, secrets []string) *sandbox.Limits {
	return &sandbox.Limits{Look: true, Hide: slices.Concat(hidden, secrets)}
}

func (b *Boxes) workBox(hidden, outside, protected []string) *sandbox.Limits {
	l := &sandbox.Limits{
		Network: !b.Config.NoNetwork, Sockets: b.Config.Sockets, Hide: hidden, Protect: slices.Concat(protected, b.Own),
		Write: slices.Concat(b.Dir.Roots(), outside),
	}
	if b.Dir.Unlimited() {
		l.Write = append(l.Write, "/")
	}
	return l
}

// scratch is where programs may write although it is outside of the directories of the run.
func (b *Boxes) scratch(c *commandLine) []string {
	places := []string{c.w.Box.Temp()}
	if !b.on() {
		return places
	}
	return slices.Concat(places, b.outside(c))
}

// outside are the places that a line's programs may write to beside the directories of the run: those that the person lists, and
// caches. For a line that starts nothing that has a cache they are looked for once, until a command changed something.
func (b *Boxes) outside(c *commandLine) []string {
	if b.Config.NoCaches {
		return sandbox.Apart(b.Config.Writable, b.Dir.Roots())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if sandbox.Caching(c.mayStart) {
		b.cached = nil // one may be made
		return sandbox.Writable(b.Home, b.Config.Writable, b.Dir.Roots(), c.mayStart)
	}
	if listed := sandbox.Standing(b.Config.Writable); b.cached == nil || !slices.Equal(listed, b.listed) {
		found := sandbox.Writable(b.Home, b.Config.Writable, b.Dir.Roots(), func(string) bool { return false })
		b.listed, b.cached = listed, append([]string{}, found...)
	}
	return b.cached
}

// opened are the secrets that the person lists or that a line's programs need, and where those lead that are links, unless a program may
// have made them.
func (b *Boxes) opened(c *commandLine) []string {
	open := slices.Clone(b.Config.Readable)
	for _, command := range c.analysis.Commands {
		open = append(open, command.Needs...)
	}
	if len(open) == 0 {
		return nil
	}
	return append(open, sandbox.Followed(open, slices.Concat(b.Dir.Roots(), b.outside(&commandLine{})))...)
}

// mayStart reports whether a line may start a program: it names it, or runs code of the project.
func (c *commandLine) mayStart(program string) bool {
	return slices.ContainsFunc(c.subjects(), func(s approval.Subject) bool {
		return s.Effects.Has(approval.ExecProject) || len(s.Args) > 0 && path.Base(s.Args[0]) == program
	})
}

// hidden are the secrets that a command line neither needs nor was seen to read. Of one that is a directory, what lies beside that.
func (b *Boxes) hidden(c *commandLine) (hidden []string) {
	open := b.opened(c)
	for _, secret := range b.secrets() {
		seen := slices.DeleteFunc(slices.Clone(open), func(at string) bool { return !approval.Within(at, secret) })
		whole := slices.ContainsFunc(open, func(at string) bool { return approval.Within(secret, at) })
		for _, s := range c.subjects() {
			switch {
			case s.Path == "" || !s.Effects.Has(approval.Read):
			case s.Path == secret, s.Tree && approval.Within(secret, s.Path):
				whole = true
			case approval.Within(s.Path, secret):
				seen = append(seen, s.Path)
			}
		}
		switch {
		case whole:
		case len(seen) > 0:
			hidden = append(hidden, sandbox.Beside(secret, seen)...)
		default:
			hidden = append(hidden, secret)
		}
	}
	return hidden
}

// secrets are Secrets, and where those of them lead that are links, as where dotfiles are kept elsewhere; but not into the
// directories of the run, where to git they would seem gone.
func (b *Boxes) secrets() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.linked == nil {
		all := slices.DeleteFunc(sandbox.Standing(b.Secrets), func(at string) bool {
			return slices.ContainsFunc(b.Dir.Roots(), func(root string) bool { return approval.Within(at, root) })
		})
		all = append(all, b.Secrets...)
		slices.Sort(all)
		b.linked = slices.Compact(all)
	}
	return b.linked
}

// names reports whether a line was seen to look at a path itself, or at something in it.
func (c *commandLine) names(at string) bool {
	return slices.ContainsFunc(c.subjects(), func(s approval.Subject) bool {
		return s.Path != "" && s.Effects.Has(approval.Read) && approval.Within(s.Path, at)
	})
}

// changes reports whether a line was seen to remove or write what is at a path or around it.
func (c *commandLine) changes(at string) bool {
	return slices.ContainsFunc(c.subjects(), func(s approval.Subject) bool {
		return s.Path != "" && (s.Effects.Has(approval.Delete) && approval.Within(at, s.Path) || s.Effects.Has(approval.Write|approval.Delete) && approval.Within(s.Path, at))
	})
}

// Warm lets helpers for the next commands start. It returns at once.
func (b *Boxes) Warm() {
	if !b.on() {
		b.Box.Warm(nil)
		return
	}
	go func() { // for lines that do nothing unusual
		look, work := b.usual()
		b.Box.Warm(look)
		b.Box.Warm(work)
	}()
}

// usual are the limits of lines that name nothing which is treated otherwise.
func (b *Boxes) usual() (look, work *sandbox.Limits) {
	found, line := b.places(), &commandLine{}
	return lookBox(b.hidden(line), found.secrets), b.workBox(b.hidden(line), b.outside(line), slices.Concat(found.shielded, found.kept))
}

// glance are the limits of programs that find something out for a tool.
func (b *Boxes) glance() *sandbox.Limits {
	if !b.on() {
		return nil
	}
	look, _ := b.usual()
	return look
}

// Gaps says what the system does not enforce for commands, in words for a person; nothing if it holds them.
func (b *Boxes) Gaps(ctx context.Context, look bool) []string {
	if !b.on() {
		return []string{"anything"}
	}
	held, err := b.Box.Holds(ctx, &sandbox.Limits{Look: look, Network: !look && !b.Config.NoNetwork})
	if err != nil {
		return []string{"anything: " + err.Error()}
	}
	return held.Gaps()
}

// enforced tells a person what the system holds the line to.
func (c *commandLine) enforced(ctx context.Context) approval.Section {
	s := approval.Section{Title: "Enforced by the system"}
	if gaps := c.w.Boxes.Gaps(ctx, false); len(gaps) > 0 {
		s.Title = "Not enforced by the system"
		s.Lines = gaps
		return s
	}
	if c.previewed() {
		s.Lines = []string{"nothing stays changed before you have seen it; no network"}
		return s
	}
	network := "the network can be reached"
	if c.w.Boxes.Config.NoNetwork {
		network = "no network"
	}
	s.Lines = []string{"writes only to the work directory, caches and temporary files; " + network}
	return s
}
