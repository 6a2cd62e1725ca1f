package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tricode/approval"
)

// maxOutput bounds what a hook may print, in bytes; more is a denial.
const maxOutput = 64 << 10

var (
	errTimeout = errors.New("it took too long")
	errOutput  = fmt.Errorf("it printed more than %d bytes", maxOutput)
)

// denies is the exit status by which a hook denies with standard error as the reason.
const denies = 2

// ask runs a hook and makes an opinion of what became of it.
func (hs *Hooks) ask(ctx context.Context, h *Hook, c call) approval.Opinion {
	stdout, stderr, status, err := hs.start(ctx, h, c)
	if err != nil {
		return h.failed(err)
	}
	switch status {
	case 0:
		o, err := h.answer(stdout)
		if err != nil {
			return h.failed(err)
		}
		return o
	case denies:
		return h.says(approval.Deny, string(stderr))
	}
	err = fmt.Errorf("it ended with status %d", status)
	if text := oneLine(string(stderr), maxReason); text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return h.failed(err)
}

// start runs the program of a hook within its time.
func (hs *Hooks) start(ctx context.Context, h *Hook, c call) (stdout, stderr []byte, status int, err error) {
	if hs.setting.Intact != nil {
		if err := hs.setting.Intact(h); err != nil {
			return nil, nil, 0, err
		}
	}
	told, err := json.Marshal(c)
	if err != nil {
		return nil, nil, 0, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, h.Timeout, fmt.Errorf("%w (%v)", errTimeout, h.Timeout))
	defer cancel()
	var out, errs bounded
	status, err = hs.run(ctx, h.Command, bytes.NewReader(append(told, '\n')), &out, &errs)
	return out, errs, status, err
}

// answer reads what a hook printed; nothing is no opinion.
func (h *Hook) answer(stdout []byte) (approval.Opinion, error) {
	if len(bytes.TrimSpace(stdout)) == 0 {
		return approval.Opinion{}, nil
	}
	var said struct {
		Decision *approval.Verdict `json:"decision"`
		Reason   string            `json:"reason"`
	}
	d := json.NewDecoder(bytes.NewReader(stdout))
	d.DisallowUnknownFields()
	err := d.Decode(&said)
	if err == nil && said.Decision == nil {
		err = errors.New("there is no decision in it")
	}
	if _, more := d.Token(); err == nil && more != io.EOF {
		err = errors.New("something follows the answer")
	}
	if err != nil {
		return approval.Opinion{}, fmt.Errorf("its answer makes no sense: %w", err)
	}
	return h.says(*said.Decision, said.Reason), nil
}

// says is an opinion under the name of the hook.
func (h *Hook) says(v approval.Verdict, reason string) approval.Opinion {
	text := h.String() + ": " + v.String()
	if reason = oneLine(reason, maxReason); reason != "" {
		text = h.String() + ": " + reason
	}
	return approval.Opinion{Given: true, Verdict: v, Reason: text}
}

// failed is the denial of a hook that did not work.
func (h *Hook) failed(err error) approval.Opinion {
	return approval.Opinion{Given: true, Verdict: approval.Deny, Reason: h.String() + " failed: " + oneLine(err.Error(), maxReason)}
}

// bounded keeps what is written to it, up to maxOutput bytes.
type bounded []byte

func (b *bounded) Write(p []byte) (int, error) {
	if len(*b)+len(p) > maxOutput {
		return 0, errOutput
	}
	*b = append(*b, p...)
	return len(p), nil
}
