package cli

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"tricode/agent"
	"tricode/approval/plain"
	"tricode/providers"
	"tricode/workdir/sandbox"
)

func sizeText(width, height int) string { return fmt.Sprintf(", %d columns, %d lines", width, height) }

// named are the providers of the configuration, in order.
func (d *doctor) named() []providers.Config {
	var list []providers.Config
	for _, name := range slices.Sorted(maps.Keys(d.cfg.Providers)) {
		list = append(list, d.cfg.Providers[name])
	}
	return list
}

// resolved is a provider with its key, or why it has none.
type resolved struct {
	providers.Config
	err    error
	models func() ([]string, error) // those that it lists; it is asked once, for no longer than a check may take
}

// resolve finds the key of a provider, once: it may be a person who is asked for it.
func (d *doctor) resolve(ctx context.Context, p providers.Config) resolved {
	if r, ok := d.resolves[p.Name]; ok {
		return r
	}
	with, err := p.Resolve(ctx, os.LookupEnv, runKeyCommand)
	if d.resolves == nil {
		d.resolves = map[string]resolved{}
	}
	d.resolves[p.Name] = resolved{with, err, sync.OnceValues(func() ([]string, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, checkTime, fmt.Errorf("%s: no answer within %v", p.Name, checkTime))
		defer cancel()
		return listModels(ctx, with)
	})}
	return d.resolves[p.Name]
}

// keys says where each key is found, and never what it is.
func (d *doctor) keys(ctx context.Context) {
	const name = "keys"
	if len(d.cfg.Providers) == 0 {
		d.add(name, skipped, "", "there is no provider")
	}
	for _, p := range d.named() {
		r := d.resolve(ctx, p)
		if r.err != nil {
			d.add(name, broken, fmt.Sprintf("set api_key_env, keyring, api_key_command or api_key in [providers.%s], or run tricode init", p.Name), "%s: %v", p.Name, r.err)
			continue
		}
		if missing := r.Missing(); missing != "" {
			d.add(name, ailing, fmt.Sprintf("set it, or take api_key_env out of [providers.%s]", p.Name),
				"%s: environment variable %s is not set; it is asked %s", p.Name, missing, insteadOf(r.Config))
			continue
		}
		d.add(name, healthy, "", "%s: %s", p.Name, keyOf(p, os.Getenv))
	}
}

// providers asks each provider for its models, which needs the network and the key but costs nothing.
func (d *doctor) providers(ctx context.Context) {
	if len(d.cfg.Providers) == 0 {
		d.add("providers", broken, "tricode init sets one up", "there is none")
	}
	all := d.named()
	found := make([]finding, len(all))
	var asked sync.WaitGroup
	for i, p := range all {
		r := d.resolve(ctx, p)
		asked.Go(func() { found[i] = reach(r) })
	}
	asked.Wait()
	d.found = append(d.found, found...)
}

// reach asks a provider for its models.
func reach(r resolved) finding {
	as := func(h health, fix, format string, args ...any) finding {
		return finding{"providers", h, fmt.Sprintf(format, args...), fix}
	}
	where, err := r.Address()
	if err != nil {
		return as(broken, fmt.Sprintf("correct base_url in [providers.%s]", r.Name), "%v", err)
	}
	if r.err != nil {
		return as(skipped, "", "%s: there is no key to ask with", r.Name)
	}
	start := time.Now()
	list, err := r.models()
	switch {
	case refusesKey(err):
		return as(broken, "tricode init, or another key; tricode doctor --check keys says where it comes from", "%v", err)
	case err != nil && cannotConnect(err):
		return as(broken, "look at base_url, at proxy and HTTPS_PROXY, and whether the server runs", "%v", err)
	case err != nil:
		return as(ailing, "tricode providers test "+r.Name+" tries it for real", "%s answers at %s, but lists no models: %v", r.Name, where, err)
	}
	return as(healthy, "", "%s answers at %s in %v, models: %d", r.Name, where, time.Since(start).Round(time.Millisecond), len(list))
}

// models looks whether there is a model to run with, and whether its server knows it.
func (d *doctor) models(ctx context.Context) {
	const name = "models"
	p, err := d.cfg.Choose(d.c.Provider, d.c.Model)
	if err != nil {
		d.add(name, broken, hintFor(err), "%v", err)
		return
	}
	r := d.resolve(ctx, p)
	var list []string
	if err = r.err; err == nil {
		list, err = r.models()
	}
	switch {
	case err != nil:
		d.add(name, skipped, "", "%s does not say which models it has", p.Name)
	case !slices.Contains(list, p.Model):
		d.add(name, ailing, "tricode models "+p.Name+" lists those that it has", "%s does not list %q", p.Name, p.Model)
	default:
		d.window(ctx, r.Config)
	}
}

// window says how many tokens a model takes, which decides how much of a conversation it is sent.
func (d *doctor) window(ctx context.Context, p providers.Config) {
	const name = "models"
	client, err := providers.New(p)
	if err != nil {
		d.add(name, broken, "", "%v", err)
		return
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	switch n := client.Window(ctx, math.MaxInt); {
	case n == 0:
		d.add(name, healthy, "", "%s of %s; neither its context_window nor its server says how many tokens it takes, so what most take is assumed", p.Model, p.Name)
	case n < agent.SmallWindow:
		d.add(name, ailing, "let its server give it more: Ollama by OLLAMA_CONTEXT_LENGTH=32768, llama.cpp by --ctx-size",
			"%s of %s takes only %s tokens at a time", p.Model, p.Name, plain.Count(n))
	default:
		d.add(name, healthy, "", "%s of %s, which takes %s tokens", p.Model, p.Name, plain.Count(n))
	}
}

// sandbox says what holds the programs that the model starts.
func (d *doctor) sandbox(ctx context.Context) {
	const name = "sandbox"
	confined, err := d.c.sandboxBy(&d.cfg)
	if err != nil {
		d.add(name, broken, "", "%v", err)
		return
	}
	if confined.Mode == sandbox.Off {
		d.add(name, ailing, `[sandbox] mode = "auto"`, "off: the system holds programs to nothing")
		return
	}
	weak := ailing
	if confined.Mode == sandbox.Require {
		weak = broken
	}
	held, err := d.box.Holds(ctx, &sandbox.Limits{Look: true})
	switch gaps := held.Gaps(); {
	case err != nil:
		d.add(name, weak, "--sandbox=off does without", "%v", err)
	case len(gaps) > 0:
		d.add(name, weak, "a newer kernel, or user namespaces, hold more", "%s; the system does not enforce %s", held, strings.Join(gaps, ", "))
	default:
		d.add(name, healthy, "", "%s", held)
	}
}

func (d *doctor) git(ctx context.Context) {
	d.program(ctx, "git", "git", "install git, so that what is tracked and what is not can be told apart")
}

func (d *doctor) ripgrep(ctx context.Context) {
	d.program(ctx, "ripgrep", "rg", "install ripgrep (rg), which makes searches in large trees faster")
}

// program looks for a program that tricode uses and can do without.
func (d *doctor) program(ctx context.Context, check, name, fix string) {
	path, err := d.box.LookPath(name)
	if err != nil {
		d.add(check, ailing, fix, "%s is not installed", name)
		return
	}
	out := &bounded{limit: 1 << 10}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	status, err := d.box.Run(ctx, sandbox.Cmd{Args: []string{path, "--version"}, Stdout: out})
	version, _, _ := strings.Cut(out.String(), "\n")
	if err != nil || status != 0 {
		d.add(check, ailing, fix, "%s does not run (status %d)", path, status)
		return
	}
	d.add(check, healthy, "", "%s, %s", version, path)
}
