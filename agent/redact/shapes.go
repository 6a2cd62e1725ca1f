package redact

import "strings"

// shape is how a kind of secret looks: a prefix, at the beginning of a word, and so many characters behind it.
type shape struct {
	prefix      string
	least, most int // characters behind the prefix; most 0: as many as there are
	of          class
}

// class is a set of characters.
type class uint8

const (
	word  class = 1 << iota // letters, digits, _ and -
	alnum                   // letters and digits
	upper                   // capital letters and digits
	hex                     // digits and a to f
)

// classes tells for each byte what it belongs to.
var classes = func() (t [256]class) {
	for c := range t {
		switch {
		case c >= '0' && c <= '9':
			t[c] = word | alnum | upper | hex
		case c >= 'a' && c <= 'f':
			t[c] = word | alnum | hex
		case c >= 'g' && c <= 'z':
			t[c] = word | alnum
		case c >= 'A' && c <= 'Z':
			t[c] = word | alnum | upper
		case c == '_' || c == '-':
			t[c] = word
		}
	}
	return t
}()

// shapes are the secrets that are known by their prefix, as those who issue them describe them. Where a prefix says enough, a
// part of one counts too, for texts are cut.
var shapes = [...]shape{
	// https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats
	{"ghp_", 16, 0, word}, {"gho_", 16, 0, word}, {"ghu_", 16, 0, word}, {"ghs_", 16, 0, word}, {"ghr_", 16, 0, word},
	{"github_pat_", 16, 0, word},
	// https://docs.gitlab.com/security/tokens/#token-prefixes
	{"glpat-", 16, 0, word}, {"gldt-", 16, 0, word}, {"glrt-", 16, 0, word}, {"glptt-", 16, 0, word}, {"glcbt-", 16, 0, word}, {"glsoat-", 16, 0, word},
	// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
	{"AKIA", 16, 16, upper}, {"ASIA", 16, 16, upper},
	// https://docs.slack.dev/authentication/tokens
	{"xoxb-", 16, 0, word}, {"xoxp-", 16, 0, word}, {"xoxa-", 16, 0, word}, {"xoxr-", 16, 0, word}, {"xoxs-", 16, 0, word}, {"xapp-", 16, 0, word},
	// https://cloud.google.com/docs/authentication/api-keys and https://developers.google.com/identity/protocols/oauth2
	{"AIza", 20, 35, word}, {"GOCSPX-", 16, 0, word},
	// https://docs.npmjs.com/about-access-tokens, https://pypi.org/help/#apitoken, https://docs.docker.com/security/access-tokens
	{"npm_", 16, 36, alnum}, {"pypi-AgE", 16, 0, word}, {"dckr_pat_", 16, 0, word},
	// OpenAI, Anthropic, OpenRouter, DeepSeek and others: sk-, sk-proj-, sk-ant-api03-, sk-or-v1-
	{"sk-", 20, 0, word},
	// https://console.groq.com/docs/quickstart, https://docs.x.ai/docs/overview, https://huggingface.co/docs/hub/security-tokens, https://docs.perplexity.ai
	{"gsk_", 20, 0, alnum}, {"xai-", 20, 0, alnum}, {"hf_", 20, 0, alnum}, {"pplx-", 20, 0, alnum},
	// https://docs.stripe.com/keys
	{"sk_live_", 20, 0, alnum}, {"rk_live_", 20, 0, alnum}, {"sk_test_", 20, 0, alnum}, {"rk_test_", 20, 0, alnum}, {"whsec_", 24, 0, alnum},
	// https://docs.digitalocean.com/reference/api/create-personal-access-token, https://tailscale.com/kb/1277/key-prefixes
	{"dop_v1_", 64, 64, hex}, {"doo_v1_", 64, 64, hex}, {"tskey-", 16, 0, word},
	// https://shopify.dev/docs/apps/build/authentication-authorization, https://github.com/FiloSottile/age
	{"shpat_", 32, 32, hex}, {"shpss_", 32, 32, hex}, {"AGE-SECRET-KEY-1", 20, 0, upper},
}

// dotted are secrets of which a dot parts the prefix: SendGrid (https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys),
// Google's OAuth, Vault (https://developer.hashicorp.com/vault/docs/concepts/tokens).
var dotted = [...]shape{{"SG.", 16, 0, word}, {"ya29.", 16, 0, word}, {"hvs.", 16, 0, word}}

// byFirst are the shapes by the first byte of their prefix.
var byFirst = func() (t [256][]shape) {
	for _, s := range shapes {
		t[s.prefix[0]] = append(t[s.prefix[0]], s)
	}
	return t
}()

// awsSecret is what the one key is called that has no shape of its own; it is known where it is given its name.
const awsSecret = "aws_secret_access_key"

// minRun is the least number of word characters in a row that any secret has.
const minRun = 16

// fits reports whether the characters behind the prefix, to the end of the word, may be a secret: there are enough, of
// the right kind, and they look made by chance.
func (s shape) fits(body []byte) bool {
	if len(body) < s.least || s.most > 0 && len(body) > s.most {
		return false
	}
	for _, c := range body {
		if classes[c]&s.of == 0 {
			return false
		}
	}
	return random(body)
}

// random reports whether letters and digits are mixed as they are in no name of something: in a stretch of them with
// nothing between, and without being the same over and over.
func random(body []byte) bool {
	stretch, digits, letters := 0, 0, 0
	var seen [256]bool
	different := 0
	for _, c := range body {
		if !seen[c] {
			seen[c] = true
			different++
		}
		if classes[c]&alnum == 0 {
			stretch, digits, letters = 0, 0, 0
			continue
		}
		stretch++
		if c <= '9' {
			digits++
		} else {
			letters++
		}
		if stretch >= 10 && digits > 0 && letters > 0 && different >= 6 {
			return !strings.Contains(string(body), "EXAMPLE") // as documentation of AWS marks its own
		}
	}
	return false
}
