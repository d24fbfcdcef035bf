package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullOutput is a standard output on a full disk.
type fullOutput struct{ err error }

// Write returns the error.
func (f fullOutput) Write([]byte) (int, error) { return 0, f.err }

// A command whose answer cannot be written fails with one line, which names the error.
func TestLostAnswers(t *testing.T) {
	full := fullOutput{&fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}}
	for _, line := range []string{
		"uts -n 1", "uts -n 1 --json", "uts --help", "help", "help schemes", "version", "--version", "gen php -n 3", "completion bash",
		"map ../testdata/random20.graph -p 2 --strategy greedy", "map ../testdata/random20.graph -p 2 --strategy compare --time 1ms",
		"map ../testdata/mesh16.graph -p 8 --score ../testdata/mesh16.part", "map ../testdata/ring.json --strategy bb -n 1 --time 100ms", "map ../testdata/ring.json --strategy pair-bb -n 1",
		"ring quadrature -n 2", "ring tree --levels 3 --steps -n 2", "ring tree --levels 3 --compare -n 2", "ring tree --levels 3 -n 2",
		"objects --iterations 2 --work 5 --objects 10 -n 2", "predict --nodes 1000 --ranks 4 --schemes rp ncube2", "chaos --runs 1",
		"sat ../testdata/php4.cnf -n 1", "check ../testdata/php4.cnf ../testdata/php4.drat", "puzzle --size 2x2 1,0,2,3", "puzzle --size 2x2 1,0,2,3 --json", "reproduce",
		"sweep ../testdata/sweep.yaml --list", "report " + filepath.Join(t.TempDir(), "results.jsonl"),
	} {
		words := strings.Fields(line)
		if words[0] == "report" {
			write(t, words[1], `{"key":"k","world":"local","instance":"a","verb":"uts","ranks":1,"scheme":"rp","seed":1,"repeat":1,"sweep":"x","output":{"seconds":1,"expanded":9,"requests":9,"scheme":"rp"}}`+"\n")
		}
		var stderr bytes.Buffer
		status := Main(words, strings.NewReader(""), full, &stderr)
		if want := "treesplit: write /dev/stdout: no space left on device\n"; status != statusFailed || stderr.String() != want {
			t.Errorf("%s: status %d, printed %q; want status 1 and %q", line, status, &stderr, want)
		}
	}
}

// The error of a command comes before the error of its answer.
func TestLostAnswerAfterError(t *testing.T) {
	a := &app{stdout: &answer{to: fullOutput{errors.New("full")}}}
	a.stdout.Write([]byte("text"))
	for want, err := range map[string]error{"full": nil, "wrong; full": errors.New("wrong")} {
		if got := a.addLostAnswer(err); got == nil || got.Error() != want {
			t.Errorf("%v: %v, want %s", err, got, want)
		}
	}
}
