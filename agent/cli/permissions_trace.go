package cli

import (
	"fmt"
	"os"
	"strings"

	"tricode/approval"
	"tricode/approval/plain"
)

// traceVariable makes a run print how it decided.
const traceVariable = "TRICODE_PERMISSION_TRACE"

// tracing reports which decisions are printed: none, asks and denies, or all.
func tracing() (some, all bool, err error) {
	switch value := os.Getenv(traceVariable); value {
	case "", "0":
		return false, false, nil
	case "1":
		return true, false, nil
	case "all":
		return true, true, nil
	default:
		return false, false, &usageError{fmt.Sprintf("%s=%s is not one of 1, all", traceVariable, value)}
	}
}

// trace is a decision with every layer that was consulted, as it is printed during a run.
func trace(a *approval.Action, d approval.Decision) string {
	var b strings.Builder
	fmt.Fprintf(&b, "tricode: %s: %s by layer %d, %s: %s\n", plain.Line(a.Summary), d.Verdict, int(d.Layer), d.Layer, plain.Line(d.Reason))
	writeTrace(&b, d.Trace)
	return b.String()
}

// questioned reports whether a decision was to ask or to deny, whatever was answered.
func questioned(d approval.Decision) bool {
	for _, s := range d.Trace {
		if s.Verdict == approval.Ask.String() {
			return true
		}
	}
	return d.Verdict == approval.Deny
}
