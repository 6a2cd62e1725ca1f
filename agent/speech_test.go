package agent

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tricode/approval"
	"tricode/providers"
	"tricode/tools"
)

// kept is a file that is only here.
type kept struct {
	strings.Builder
	broken  bool
	dropped int
}

func (k *kept) Close() (file, where string) {
	if k.broken {
		return "", "kept in part"
	}
	return "/out/1", "all of it is in /out/1"
}

func (k *kept) Drop() { k.dropped++; k.Reset() }

// talker says a text in pieces, which may be in vain first, and then calls a tool.
type talker struct {
	piece  string
	pieces int
	vain   int
	asked  [][]providers.Message
}

func (m *talker) Complete(_ context.Context, req providers.Request, onText func(string) error) (providers.Message, error) {
	if m.asked = append(m.asked, req.Messages); len(m.asked) > 1 {
		return providers.Message{Role: providers.Assistant, Text: "done"}, onText("done")
	}
	for try := range m.vain + 1 {
		for range m.pieces {
			if err := onText(m.piece); err != nil {
				return providers.Message{}, err
			}
		}
		if try < m.vain {
			if err := req.OnRetry(providers.Retry{Err: errors.New("cut off"), Void: true}); err != nil {
				return providers.Message{}, err
			}
		}
	}
	text := strings.Repeat(m.piece, m.pieces)
	return providers.Message{Role: providers.Assistant, Text: text[:min(len(text), providers.MaxText)], Calls: []providers.Call{{ID: "c", Name: "t"}}}, nil
}

// An answer that is longer than a message can be is passed on whole, kept, and its beginning and end are gone on with.
func TestLongSpeech(t *testing.T) {
	for _, tt := range []struct {
		name   string
		pieces int
		vain   int
		broken bool
		long   bool
	}{
		{"short", 10, 1, false, false},
		{"as long as can be", providers.MaxText / 16, 1, false, false},
		{"long", providers.MaxText/16 + 1, 0, false, true},
		{"long and in vain before", providers.MaxText / 4, 2, false, true},
		{"not kept", providers.MaxText / 4, 0, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &talker{piece: "0123456789abcdé", pieces: tt.pieces, vain: tt.vain}
			all := kept{broken: tt.broken}
			heard, file, largest := 0, "", 0
			a := &Agent{
				Model: m, Gate: bypass(), Window: 1 << 30, Tools: []tools.Tool{tool("t", approval.Read, says("x"))}, Keep: func() Keeper { return &all },
				Emit: func(e Event) error {
					switch e := e.(type) {
					case Text:
						heard += len(e.Text)
					case Retry:
						heard = 0
					case Said:
						file += e.File
						largest = max(largest, len(e.Message.Text))
					}
					return nil
				},
			}
			_, err := a.Run(t.Context(), []providers.Message{{Role: providers.User, Text: "task"}})
			if tt.broken {
				if !is[*approval.RecordError](err) || !strings.Contains(err.Error(), "bytes is kept in part") {
					t.Errorf("Run = %v", err)
				}
				return
			}
			size := tt.pieces * len(m.piece)
			if err != nil || heard != size+len("done") {
				t.Fatalf("Run = %v, heard %d bytes of %d", err, heard, size)
			}
			if !tt.long {
				if file != "" || largest != size || all.Len() > 0 {
					t.Errorf("kept %d bytes in %q", all.Len(), file)
				}
				return
			}
			told := m.asked[1][1].Text
			if file != "/out/1" || all.Len() != size || all.dropped != tt.vain || largest > 2000 {
				t.Errorf("kept %d bytes of %d in %q, dropped %d, said %d", all.Len(), size, file, all.dropped, largest)
			}
			if !strings.HasPrefix(told, m.piece) || !strings.HasSuffix(told, m.piece) || strings.Contains(told, "\ufffd") ||
				!strings.Contains(told, " bytes left out to make room; all of it is in /out/1 ...]") {
				t.Errorf("told %q", told)
			}
		})
	}
}

// What the model itself said and called is no reason to be refused for ever.
func TestOwnWordsTooLong(t *testing.T) {
	long := strings.Repeat("word ", 20_000)
	for _, m := range []providers.Message{
		{Role: providers.Assistant, Text: long},
		{Role: providers.Assistant, Calls: []providers.Call{{ID: "1", Name: "t", Arguments: `{"x":"` + long + `"}`}}},
	} {
		history := []providers.Message{{Role: providers.User, Text: "task"}, m}
		for _, c := range m.Calls {
			history = append(history, providers.Message{Role: providers.ToolRole, CallID: c.ID, Text: "fine"})
		}
		history = append(history, providers.Message{Role: providers.User, Text: "go on"})
		model := &small{window: 4000, price: 4}
		a := &Agent{Model: model, Gate: bypass(), Window: 4000, Keep: func() Keeper { return new(kept) }}
		if _, err := a.Run(t.Context(), history); err != nil || model.refused > 0 {
			t.Errorf("Run = %v, refused %d times", err, model.refused)
		}
		for _, body := range model.bodies {
			wellFormed(t, body)
		}
		if len(m.Text)+len(m.Calls) == 0 || m.Text != "" && m.Text != long {
			t.Error("the history was changed")
		}
	}
}
