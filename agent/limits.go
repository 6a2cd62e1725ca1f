package agent

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"tricode/providers"
)

// Limits bound a run. Zero means no limit.
type Limits struct {
	Turns  int           // how often the model is asked
	Tokens int           // sent and received together, as the server counts them
	Cost   float64       // in US dollars, as far as prices are known
	Time   time.Duration // by the clock on the wall, waiting for a person included
}

// And is what both allow.
func (l Limits) And(other Limits) Limits {
	return Limits{
		Turns: stricter(l.Turns, other.Turns), Tokens: stricter(l.Tokens, other.Tokens),
		Cost: stricter(l.Cost, other.Cost), Time: stricter(l.Time, other.Time),
	}
}

// Or is l, and other where l says nothing.
func (l Limits) Or(other Limits) Limits {
	return Limits{
		Turns: cmp.Or(l.Turns, other.Turns), Tokens: cmp.Or(l.Tokens, other.Tokens),
		Cost: cmp.Or(l.Cost, other.Cost), Time: cmp.Or(l.Time, other.Time),
	}
}

func stricter[N cmp.Ordered](a, b N) N {
	var none N
	if a == none || b != none && b < a {
		return b
	}
	return a
}

// LimitError says that a run was ended because it reached a limit.
type LimitError struct {
	What string // "2 turns"
	Flag string // what raises it: "--max-turns"
}

func (e *LimitError) Error() string { return "the limit of " + e.What + " is reached" }

// within returns a context that ends when the time since the beginning is up, with a *LimitError as its cause.
func (l Limits) within(ctx context.Context, began time.Time) (context.Context, context.CancelFunc) {
	if l.Time <= 0 {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, began.Add(l.Time), &LimitError{l.Time.String(), "--max-time"})
}

// reached returns a *LimitError if what was spent is all that may be.
func (l Limits) reached(spent Spent) error {
	switch {
	case l.Tokens > 0 && spent.Input+spent.Output >= l.Tokens:
		return &LimitError{count(l.Tokens, "token"), "--max-tokens"}
	case l.Cost > 0 && spent.Cost >= l.Cost:
		return &LimitError{Dollars(l.Cost), "--max-cost"}
	}
	return nil
}

// Spent is what a run took so far.
type Spent struct {
	providers.Usage
	Cost float64 // in US dollars; 0 where prices are not known
}

// Dollars writes an amount as exactly as it takes to see something of it: $1.25, $0.0031.
func Dollars(amount float64) string {
	if amount == 0 || amount >= 0.1 {
		return "$" + strconv.FormatFloat(amount, 'f', 2, 64)
	}
	return fmt.Sprintf("$%.4f", amount)
}
