package runner

import (
	"errors"
	"os"
	"os/exec"
)

func group(cmd *exec.Cmd, _ *thread) { cmd.WaitDelay = grace }

func kill(int) {}

func signal(pid, _ int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return errors.Join(p.Kill(), p.Release())
}

func exitCode(state *os.ProcessState) int {
	if state == nil {
		return 1
	}
	return state.ExitCode()
}

const nonblocking = 0

const sigUser1, sigUser2 = -1, -1

var systemSignals = map[string]int{}

func duplicate(*os.File) (*os.File, error) { return nil, errors.ErrUnsupported }

func blocking(*os.File) {}
