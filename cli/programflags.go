package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/internal/fileio"
	"treesplit/worker"
)

// programFlags are the flags that describe the program of a worker and its problem.
type programFlags struct {
	problemFile, problemJSON string
	timeout                  time.Duration
	retries                  int
	memory                   int // MiB
}

// Bounds of flags.
const (
	maxRetries = 1000
	maxMemory  = 1 << 30 // MiB
)

// addProblemFlags defines the flags of the problem.
func (f *programFlags) addProblemFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.problemFile, "problem", "", "JSON `file` whose value every worker receives in its first line")
	flags.StringVar(&f.problemJSON, "problem-json", "", "JSON `value` that every worker receives in its first line")
}

// addFaultFlags defines what happens to a worker that fails, and the limits of a worker.
func (f *programFlags) addFaultFlags(flags *pflag.FlagSet) {
	flags.IntVar(&f.retries, "worker-retries", 2, "`number` of times that a request is sent again, each time to a new worker")
	f.addLimitFlags(flags)
	help.SetRest(flags, help.Run)
}

// addLimitFlags defines the limits of each process of a worker.
func (f *programFlags) addLimitFlags(flags *pflag.FlagSet) {
	flags.DurationVar(&f.timeout, "worker-timeout", time.Minute, "`time` in which a worker must answer a request, or it has failed; 0: no limit")
	flags.IntVar(&f.memory, "worker-memory", 0, "`MiB` of address space of each process of a worker; 0: no limit")
}

// checkJSON checks the value of --problem-json.
func (f *programFlags) checkJSON() error {
	if f.problemJSON == "" {
		return nil
	}
	if _, err := compactProblem([]byte(f.problemJSON)); err != nil {
		return flagError("problem-json", err)
	}
	return nil
}

// readProblem returns the problem on one line; nil if there is none.
func (f *programFlags) readProblem() ([]byte, error) {
	if f.problemJSON != "" {
		return compactProblem([]byte(f.problemJSON))
	}
	if f.problemFile == "" {
		return nil, nil
	}
	text, err := fileio.ReadTextFile(f.problemFile, fileio.Limit{Bytes: worker.MaxNode, What: "a problem"})
	if err != nil {
		return nil, flagError("problem", err)
	}
	data, err := compactProblem(text)
	if err != nil {
		return nil, flagError("problem", fmt.Errorf("%s:%w", f.problemFile, err))
	}
	return data, nil
}

// compactProblem returns a JSON value without the white space between its tokens. The error begins
// with the line of the text.
func compactProblem(text []byte) ([]byte, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("1: the text is not UTF-8 (expected a JSON value)")
	}
	var value json.RawMessage
	if err := json.Unmarshal(text, &value); err != nil { // json.Compact knows no offset
		line := 1
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line += bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
		}
		return nil, fmt.Errorf("%d: %w (expected a JSON value)", line, err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil {
		return nil, err
	}
	if b.Len() > worker.MaxNode {
		return nil, fmt.Errorf("1: the value has %d bytes (expected at most %d)", b.Len(), worker.MaxNode)
	}
	return b.Bytes(), nil
}
