//go:build unix

package examples

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows is the house's table: which of our packages each package may import. A failure here is a question about the
// design, not a list to extend.
var arrows = map[string]string{
	"tricode":                        "agent/cli",
	"tricode/agent":                  "approval providers tools",
	"tricode/agent/cli":              "*",
	"tricode/agent/config":           "agent approval approval/hook providers tools/mcp workdir/sandbox",
	"tricode/agent/redact":           "", // how secrets look is no business of the agent, which only hides them
	"tricode/agent/render":           "agent approval approval/plain providers",
	"tricode/agent/transcript":       "agent providers",
	"tricode/approval":               "",
	"tricode/approval/ask":           "approval approval/plain",
	"tricode/approval/hook":          "approval",
	"tricode/approval/plain":         "",
	"tricode/approval/shell":         "approval", // the analysis speaks in the subjects that rules match
	"tricode/examples":               "agent/cli providers/scripted",
	"tricode/examples/bench":         "",                          // holds the built program against the minimal one below it
	"tricode/examples/bench/boxed":   "agent/cli workdir/sandbox", // tricode but for what it is told
	"tricode/examples/bench/minimal": "",
	"tricode/providers":              "",
	"tricode/providers/scripted":     "providers",
	"tricode/tools/runner":           "approval approval/shell workdir workdir/sandbox",
	"tricode/tools":                  "approval approval/shell workdir workdir/sandbox",
	"tricode/workdir":                "",
	"tricode/workdir/sandbox":        "workdir",
}

// owners says which packages may import a library; the rest of the world has to ask them.
var owners = map[string]string{
	"github.com/AlecAivazis/survey/v2":                "approval/ask",
	"github.com/alecthomas/kong":                      "agent/cli",
	"github.com/fatih/color":                          "agent/render approval/ask",
	"github.com/sashabaranov/go-openai":               "providers",
	"github.com/pelletier/go-toml/v2":                 "agent/config providers/scripted",
	"github.com/aymanbagabas/go-udiff":                "tools",
	"github.com/JohannesKaufmann/html-to-markdown/v2": "tools",
	"github.com/creack/pty":                           "workdir/sandbox",
	"github.com/rivo/uniseg":                          "approval/plain",
	"mvdan.cc/sh/v3/syntax":                           "approval/shell tools/runner",
	"mvdan.cc/sh/v3/interp":                           "tools/runner",
	"mvdan.cc/sh/v3/expand":                           "tools/runner",
	"github.com/landlock-lsm/go-landlock":             "workdir/sandbox",
	"kernel.org/pub/linux/libs/security/libcap/psx":   "workdir/sandbox",
}

// forbidden are packages of the standard library that a package must not reach the world through.
var forbidden = map[string]string{
	"tricode/agent":    "os os/exec net/http",
	"tricode/approval": "os os/exec net/http",
	"tricode/tools":    "os os/exec",
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestLayers(t *testing.T) {
	for _, p := range packages(t) {
		allowed, known := arrows[p.ImportPath]
		if !known {
			t.Errorf("%s has no place in the house", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, "tricode/"); ok && allowed != "*" && !has(allowed, ours) {
				t.Errorf("%s must not import %s", p.ImportPath, imported)
			}
			if has(forbidden[p.ImportPath], imported) {
				t.Errorf("%s must not import %s", p.ImportPath, imported)
			}
			for library, owner := range owners {
				if (imported == library || strings.HasPrefix(imported, library+"/")) && !has(owner, strings.TrimPrefix(p.ImportPath, "tricode/")) {
					t.Errorf("%s must not import %s, which belongs to %s", p.ImportPath, imported, owner)
				}
			}
		}
	}
}

func has(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// packages asks go for every package of the module and what its code, not its tests, imports.
func packages(t *testing.T) []listed {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "tricode/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
