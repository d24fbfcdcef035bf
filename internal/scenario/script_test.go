package scenario

import (
	"errors"
	"strings"
	"testing"
)

// echo prints each word of a command on a line; the command "fail" fails.
func echo(words []string) ([]string, error) {
	if words[0] == "fail" {
		return nil, errors.New("as told")
	}
	return words[1:], nil
}

const script = `# What to look at.

echo one two
----
one
two

# The second command prints nothing.
echo
----

echo three
----
three
`

// A script whose outputs are right passes, and is rewritten as it is.
func TestRightScript(t *testing.T) {
	if err := compareScript(script, echo); err != nil {
		t.Error(err)
	}
	for _, text := range []string{script, strings.ReplaceAll(script, "\n", "\r\n")} {
		if after, err := rewriteScript(text, echo); err != nil || after != script {
			t.Errorf("rewritten as %q (%v)", after, err)
		}
	}
}

// Commands without outputs get them, and wrong outputs are replaced.
func TestRewrite(t *testing.T) {
	for _, text := range []string{
		strings.NewReplacer("----\n", "", "one\ntwo\n", "", "three\n", "\n", "echo three", "echo three").Replace(script),
		strings.ReplaceAll(script, "two\n\n", "wrong\nlonger\n\n"),
	} {
		text = strings.ReplaceAll(text, "echo \n", "echo three\n")
		if after, err := rewriteScript(text, echo); err != nil || after != script {
			t.Errorf("%q is rewritten as %q (%v)", text, after, err)
		}
	}
}

// A difference is reported with the line of the script that differs.
func TestDifferences(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{strings.ReplaceAll(script, "\ntwo\n", "\nthree\n"), "6: echo one two: the output differs here\nexpected: three\n     got: two\n"},
		{strings.ReplaceAll(script, "\ntwo\n", "\n"), "6: echo one two: the output differs here\nexpected: (no more lines)\n     got: two\n"},
		{strings.ReplaceAll(script, "\nthree\n", "\nthree\nfour\n"), "15: echo three: the output differs here\nexpected: four\n     got: (no more lines)\n"},
		{script + "\nfail now\n----\n", "16: fail now: as told"},
		{script + "\necho\n", "16: no ---- below the command"},
	} {
		if err := compareScript(c.script, echo); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("reported %v: expected %s", err, c.want)
		}
	}
}
