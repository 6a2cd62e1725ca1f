package approval

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Imported is the policy of another agent in tricode's form. It never allows what the original would not: what has no
// exact counterpart is stricter here, and a warning says so.
type Imported struct {
	Format      string // whose it was, by the name that Import takes
	Mode        Mode   // never bypass
	Default     Verdict
	Directories []string // additional directories, as written
	Rules       []Rule
	Warnings    []string
}

// Foreign is a file of another agent.
type Foreign struct {
	Name string // its path, which may tell formats apart that look the same
	Own  bool   // it is the person's own and no project's, where the format tells the two apart
	Data []byte
	TOML func([]byte) (map[string]any, error) // decodes TOML; other formats do not need it
}

// formats are the agents whose rules can be read. Each says by the content whether a file is its own; the first that
// does reads it.
var formats = [...]struct {
	name  string
	is    func(*foreign) bool
	reads func(*importer, *foreign) error
}{
	{"codex", isCodex, importCodex},
	{"opencode", isOpencode, importOpencode},
	{"letta-code", isLetta, importLetta},
	{"claude-code", isClaude, importClaude},
	{"gemini", isGemini, importGemini},
	{"packetcode", isPacketcode, importPacketcode},
	{"agent-code", isAgentCode, importAgentCode},
}

// ImportFormats are the names of formats that Import accepts, in the order of the alphabet.
func ImportFormats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	slices.Sort(names)
	return names
}

// foreign is a file and what it turned out to be. Its members are nil where it is not of that kind.
type foreign struct {
	Foreign
	json  object
	toml  map[string]any
	wrong error // why it is neither
}

// Import reads the rules of another agent. from names the format; empty finds it by the content. Whatever could be a
// rule and is not understood is an error, because a rule that is left out may be the one that denies.
func Import(from string, file Foreign) (*Imported, error) {
	f := &foreign{Foreign: file}
	if text := strings.TrimSpace(strings.TrimPrefix(string(file.Data), "\uFEFF")); strings.HasPrefix(text, "{") {
		f.json, f.wrong = parseJSON(text)
	} else if !isCodex(f) && file.TOML != nil {
		f.toml, f.wrong = file.TOML(file.Data)
	}
	for _, format := range formats {
		if format.name != from && (from != "" || f.wrong != nil || !format.is(f)) {
			continue
		}
		if f.wrong != nil && format.name != "codex" {
			return nil, f.wrong
		}
		m := &importer{out: Imported{Format: format.name}, own: file.Own, closed: map[string]bool{}}
		if err := format.reads(m, f); err != nil {
			return nil, fmt.Errorf("as rules of %s: %w", format.name, err)
		}
		return &m.out, nil
	}
	if slices.Contains(ImportFormats(), from) || from == "" {
		return nil, cmp.Or(f.wrong, fmt.Errorf("its format is not one of %s", strings.Join(ImportFormats(), ", ")))
	}
	return nil, fmt.Errorf("format %q is not one of %s", from, strings.Join(ImportFormats(), ", "))
}

// maxImported bounds the rules of one import.
const maxImported = 10_000

var errTooManyRules = errors.New("it has too many rules")

// importer collects the rules of a file in the order in which they count for the other agent, first match first.
type importer struct {
	out    Imported
	own    bool            // it is the person's own file
	closed map[string]bool // families about which a rule for the whole tool was read: what follows never counts
	softer []ground        // what ask and allow rules so far speak of
}

func (m *importer) warn(format string, args ...any) {
	m.out.Warnings = append(m.out.Warnings, fmt.Sprintf(format, args...))
}

// mode sets the mode by the word of another agent. Bypass stays on the command line.
func (m *importer) mode(word string, modes map[string]Mode) {
	mode, ok := modes[strings.ReplaceAll(strings.ToLower(word), "-", "_")]
	switch {
	case !ok:
		m.warn("mode %q has no counterpart; the mode is ask", word)
	case mode == ModeBypass:
		m.bypass(fmt.Sprintf("mode %q", word))
	default:
		m.out.Mode = mode
	}
}

func (m *importer) bypass(what string) {
	m.warn("%s allows everything and is not imported; such runs are started with --bypass-permission", what)
}

// directories adds additional directories.
func (m *importer) directories(dirs []string) {
	for _, dir := range dirs {
		if !strings.HasPrefix(dir, "/") && !strings.HasPrefix(dir, "~/") {
			m.warn("additional directory %q is relative to the directory of the file that this is put into", dir)
		}
		m.out.Directories = append(m.out.Directories, dir)
	}
}
