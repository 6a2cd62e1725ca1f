package agent

import "tricode/providers"

// meter estimates how many tokens a conversation has: it weighs text, and learns from what the server counted what
// the weight of this model's tokens is. The zero meter has nothing on it and takes a unit of weight for a token.
type meter struct {
	weight  int // of all that would be sent now
	sent    int // the weight of the latest request that the server counted; 0 before
	counted int // how many tokens that had
}

// add puts a message on the meter.
func (m *meter) add(msg providers.Message) { m.weight += weigh(msg) }

// tokens is the estimate for all that is on the meter. What came since the server last counted may be of another kind,
// so it is not taken for lighter than it looks.
func (m *meter) tokens() int {
	if m.sent == 0 {
		return m.weight
	}
	since := m.weight - m.sent
	if since < 0 {
		return int(float64(m.counted) / float64(m.sent) * float64(m.weight))
	}
	return m.counted + since*max(m.counted, m.sent)/m.sent
}

// learn takes what the server counted for what is on the meter now. Some leave out what they had cached, some count
// something else, so what cannot be right is bounded.
func (m *meter) learn(counted int) {
	if counted <= 0 || m.weight == 0 {
		return
	}
	m.sent, m.counted = m.weight, min(max(counted, m.weight/2), 4*m.weight)
}

// What a message weighs beside its text, and a call beside its arguments: names, roles, brackets.
const (
	messageWeight = 8
	callWeight    = 16
)

func weigh(m providers.Message) int {
	n := messageWeight + weighText(m.Text)
	for _, c := range m.Calls {
		n += callWeight + weighText(c.Name) + weighText(c.Arguments)
		for _, raw := range c.Extra {
			n += weighText(string(raw))
		}
	}
	for _, raw := range m.Extra {
		n += weighText(string(raw))
	}
	return n
}

// weighText takes three bytes of ASCII for a token, and two of anything else: rather too many than too few. English
// and code have about four, digits and symbols two to three, Chinese about three of them for a character.
func weighText(s string) int {
	other := 0
	for i := range len(s) {
		other += int(s[i] >> 7)
	}
	return (len(s)-other)/3 + other/2
}
