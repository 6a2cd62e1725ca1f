package tools

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"tricode/approval"
)

// sample has every kind of parameter there is.
type sample struct {
	Path  string   `json:"path" doc:"file to \"read\""`
	Line  int      `json:"line,omitempty"`
	Quick bool     `json:"quick,omitempty" default:"true"`
	Mode  string   `json:"mode,omitempty" enum:"fast,slow" default:"fast"`
	Count *int     `json:"count"`
	Words []string `json:"words,omitempty"`
	Hunks []hunk   `json:"hunks,omitempty"`
	If    *struct {
		SHA256 string `json:"sha256"`
	} `json:"if,omitempty"`
}

type hunk struct {
	Op   string `json:"op" enum:"add,cut"`
	Line int    `json:"line,omitempty" default:"1"`
}

func TestSchemaText(t *testing.T) {
	const want = `{"type":"object","properties":{` +
		`"path":{"type":"string","description":"file to \"read\""},` +
		`"line":{"type":"integer"},` +
		`"quick":{"type":"boolean","default":true},` +
		`"mode":{"type":"string","enum":["fast","slow"],"default":"fast"},` +
		`"count":{"type":"integer"},` +
		`"words":{"type":"array","items":{"type":"string"}},` +
		`"hunks":{"type":"array","items":{"type":"object","properties":{"op":{"type":"string","enum":["add","cut"]},` +
		`"line":{"type":"integer","default":1}},"required":["op"]}},` +
		`"if":{"type":"object","properties":{"sha256":{"type":"string"}},"required":["sha256"]}` +
		`},"required":["path"]}`
	if got := string(schemaOf[sample]().text); got != want {
		t.Errorf("schema is\n%s\nwant\n%s", got, want)
	}
	if got := string(schemaOf[struct{}]().text); got != `{"type":"object","properties":{}}` {
		t.Errorf("schema without parameters is %s", got)
	}
	if !json.Valid(schemaOf[sample]().text) {
		t.Error("schema is not JSON")
	}
}

func TestDecode(t *testing.T) {
	three := 3
	sum := &struct {
		SHA256 string `json:"sha256"`
	}{"ab"}
	for _, test := range []struct {
		args string
		want sample
		list []approval.Argument
	}{
		{`{"path":"a"}`, sample{Path: "a", Quick: true, Mode: "fast"}, []approval.Argument{{Name: "path", Value: "a"}}},
		{`{"path":"a","count":null,"quick":null,"words":null,"if":null}`, sample{Path: "a", Quick: true, Mode: "fast"}, []approval.Argument{{Name: "path", Value: "a"}}},
		{` {"mode" : "slow", "quick":false, "path":"" } `, sample{Mode: "slow"},
			[]approval.Argument{{Name: "path", Value: ""}, {Name: "quick", Value: "false"}, {Name: "mode", Value: "slow"}}},
		{`{"path":"a\n<b>","line":-2,"count":3.0}`, sample{Path: "a\n<b>", Line: -2, Count: &three, Quick: true, Mode: "fast"},
			[]approval.Argument{{Name: "path", Value: "a\n<b>"}, {Name: "line", Value: "-2"}, {Name: "count", Value: "3"}}},
		{`{"path":"a","words":["<x>",""],"hunks":[{"op":"add"},{"line":7,"op":"cut"}],"if":{"sha256":"ab"}}`,
			sample{Path: "a", Quick: true, Mode: "fast", Words: []string{"<x>", ""}, Hunks: []hunk{{"add", 1}, {"cut", 7}}, If: sum},
			[]approval.Argument{{Name: "path", Value: "a"}, {Name: "words", Value: `["<x>",""]`},
				{Name: "hunks", Value: `[{"op":"add","line":1},{"op":"cut","line":7}]`}, {Name: "if", Value: `{"sha256":"ab"}`}}},
	} {
		var got sample
		list, err := schemaOf[sample]().decode(json.RawMessage(test.args), &got)
		if err != nil || !reflect.DeepEqual(got, test.want) || !reflect.DeepEqual(list, test.list) {
			t.Errorf("decode(%s) = %+v, %q, %v; want %+v, %q", test.args, got, list, err, test.want, test.list)
		}
	}
}

func TestDecodeNothing(t *testing.T) {
	for _, args := range []string{"", " \n", "{}"} {
		if _, err := schemaOf[struct{}]().decode(json.RawMessage(args), &struct{}{}); err != nil {
			t.Errorf("decode(%q): %v", args, err)
		}
		if _, err := schemaOf[sample]().decode(json.RawMessage(args), &sample{}); err == nil || err.Error() != "path: missing" {
			t.Errorf("decode(%q) of a required field: %v", args, err)
		}
	}
}

func TestDecodeMistakes(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{`{"pth":"x"}`, `arguments: unknown field "pth" (did you mean "path"?)`},
		{`{"file_path":"x"}`, `arguments: unknown field "file_path" (did you mean "path"?)`},
		{`{"Path":"x"}`, `arguments: unknown field "Path" (did you mean "path"?)`},
		{`{"path":"x","PATH":"y"}`, `arguments: unknown field "PATH" (did you mean "path"?)`},
		{`{"colour":1}`, `arguments: unknown field "colour" (there are path, line, quick, mode, count, words, hunks, if)`},
		{`{"path":"x","path":"y"}`, `path: given twice`},
		{`{"line":1}`, `path: missing`},
		{`{"path":null}`, `path: want a string, got null`},
		{`{"path":"a","words":["x",null]}`, `words[1]: want a string, got null`},
		{`{"path":["x"]}`, `path: want a string, got a list`},
		{`{"path":{"a":1}}`, `path: want a string, got an object`},
		{`{"path":"x","line":"x"}`, `line: want an integer, got "x"`},
		{`{"path":"x","line":1.5}`, `line: want an integer, got 1.5`},
		{`{"path":"x","line":1e99}`, `line: want an integer, got 1e99`},
		{`{"path":"x","line":99999999999999999999}`, `line: want an integer, got 99999999999999999999`},
		{`{"path":"x","quick":"true"}`, `quick: want true or false, got "true"`},
		{`{"path":"x","quick":1}`, `quick: want true or false, got 1`},
		{`{"path":"x","mode":"medium"}`, `mode: "medium" is not one of fast, slow`},
		{`{"path":"x","words":"w"}`, `words: want a list, got "w"`},
		{`{"path":"x","words":["w",1]}`, `words[1]: want a string, got 1`},
		{`{"path":"x","hunks":{}}`, `hunks: want a list, got an object`},
		{`{"path":"x","hunks":["w"]}`, `hunks[0]: want an object, got "w"`},
		{`{"path":"x","hunks":[{"op":"add"},{"line":1}]}`, `hunks[1].op: missing`},
		{`{"path":"x","hunks":[{"op":"sub"}]}`, `hunks[0].op: "sub" is not one of add, cut`},
		{`{"path":"x","hunks":[{"opp":"add"}]}`, `hunks[0]: unknown field "opp" (did you mean "op"?)`},
		{`{"path":"x","hunks":[{"op":"add","op":"add"}]}`, `hunks[0].op: given twice`},
		{`{"path":"x","if":{}}`, `if.sha256: missing`},
		{`{"path":"` + strings.Repeat("é", 99), `arguments: not JSON: the end is missing`},
		{`{"path":"x","line":"` + strings.Repeat("é", 99) + `"}`, `line: want an integer, got "` + strings.Repeat("é", 30) + `..."`},
		{`{"path":"x"}}`, `arguments: something follows the object`},
		{`{"path":"x"} {}`, `arguments: something follows the object`},
		{`[]`, `arguments: want an object, got a list`},
		{`null`, `arguments: want an object, got null`},
		{`"{}"`, `arguments: want an object, got "{}"`},
		{`ls -l`, `arguments: not JSON: invalid character 'l' looking for beginning of value (byte 1)`},
		{`{"path"`, `arguments: not JSON: the end is missing`},
		{`{"path":"x",}`, `arguments: not JSON: invalid character '}' looking for beginning of object key string (byte 12)`},
		{"{\"path\":\"\xff\"}", `arguments: not valid UTF-8`},
	} {
		_, err := schemaOf[sample]().decode(json.RawMessage(test.args), &sample{})
		if err == nil || err.Error() != test.want {
			t.Errorf("decode(%s): %v\nwant %s", test.args, err, test.want)
		}
	}
}

// What is accepted is JSON and means what encoding/json says it means.
func FuzzDecode(f *testing.F) {
	f.Add(`{"path":"a","line":1.0,"quick":false,"mode":"slow","count":1e2,"words":["x"],"hunks":[{"op":"add"}],"if":{"sha256":""}}`)
	f.Add(`{"path":"\ud800\u0000","Path":"b"}`)
	f.Add(`{"path":"a","path":"b"} trailing`)
	f.Add(`[[[[{"path":null`)
	f.Fuzz(func(t *testing.T, args string) {
		var got sample
		list, err := schemaOf[sample]().decode(json.RawMessage(args), &got)
		if err != nil {
			if len(err.Error()) > 400 {
				t.Errorf("decode(%q): the error has %d bytes", args, len(err.Error()))
			}
			return
		}
		if len(list) == 0 || list[0].Name != "path" || list[0].Value != got.Path {
			t.Errorf("decode(%q) lists %q", args, list)
		}
		var names map[string]any
		if err := json.Unmarshal([]byte(args), &names); err != nil || len(names) != len(list) {
			t.Fatalf("decode(%q) takes what encoding/json reads as %v, %v", args, names, err)
		}
		again := sample{Quick: true, Mode: "fast"}
		d := json.NewDecoder(bytes.NewReader([]byte(args)))
		d.DisallowUnknownFields()
		if err := d.Decode(&again); err != nil && !strings.Contains(err.Error(), "cannot unmarshal number") {
			t.Errorf("decode(%q) takes what encoding/json refuses: %v", args, err)
		}
		if again.Path != got.Path || again.Quick != got.Quick || again.Mode != got.Mode || !reflect.DeepEqual(again.Words, got.Words) && len(got.Words) > 0 {
			t.Errorf("decode(%q) = %+v; encoding/json reads %+v", args, got, again)
		}
	})
}

// All tools are made at every start.
func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		All(World{})
	}
}

func BenchmarkDecode(b *testing.B) {
	s := schemaOf[sample]()
	args := json.RawMessage(`{"path":"a","line":1,"quick":false,"hunks":[{"op":"add"}]}`)
	for b.Loop() {
		var in sample
		if _, err := s.decode(args, &in); err != nil {
			b.Fatal(err)
		}
	}
}
