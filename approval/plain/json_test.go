package plain

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"a":[1,"b"]}` + "\n", `{"a":[1,"b"]}` + "\n"},
		{"\"Grüße, 世界 👩\"", "\"Grüße, 世界 👩\""},
		{"\"\u009b31m \u202eabc\u202c \u200b\ufeff \x7f\"", `"\u009b31m \u202eabc\u202c \u200b\ufeff \u007f"`},
		{"\"\U000e0041\"", `"\udb40\udc41"`},
	} {
		if got := string(JSON([]byte(tt.in))); got != tt.want {
			t.Errorf("JSON(%s) = %s; want %s", tt.in, got, tt.want)
		}
	}
}

// Whatever a text is, it comes out of the JSON as it went in, and nothing in that acts on a terminal.
func TestJSONKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		safe := JSON(encoded)
		var back string
		if err := json.Unmarshal(safe, &back); err != nil || back != text {
			t.Errorf("%q is %q, %v as %s", text, back, err, safe)
		}
		if i := strings.IndexFunc(string(safe), spelt); i >= 0 {
			t.Errorf("%q is in %s", safe[i:], safe)
		}
	})
}
