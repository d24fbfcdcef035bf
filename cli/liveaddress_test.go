package cli

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The word after --live is its address if it has the form of an address, and if the parser of flags
// would read --live as a flag there.
func TestJoinLiveAddress(t *testing.T) {
	for line, want := range map[string]string{
		"uts --live :80":                      "uts --live=:80",
		"uts --live localhost:80 --json":      "uts --live=localhost:80 --json",
		"uts --live [::1]:80":                 "uts --live=[::1]:80",
		"sat f.cnf --live node7:80":           "sat f.cnf --live=node7:80",
		"sat --live :80 f.cnf":                "sat --live=:80 f.cnf",
		"sat --live :80 f:80":                 "sat --live=:80 f:80",
		"sat --live=:80 f:80":                 "sat --live=:80 f:80",
		"uts --live :80 --live :81":           "uts --live=:80 --live=:81",
		"run -n 2 --live :80 -- ./w --live a": "run -n 2 --live=:80 -- ./w --live a",

		"uts --live":                       "uts --live",
		"sat --live ./host:80":             "sat --live ./host:80",
		"sat --live -- host:80":            "sat --live -- host:80",
		"sat --live --json host:80":        "sat --live --json host:80",
		"sat -- --live :80":                "sat -- --live :80",
		"sat --live -- --live :80":         "sat --live -- --live :80",
		"sat --live 8080":                  "sat --live 8080",
		"sat --scheme --live :80":          "sat --scheme --live :80",
		"sat --nonsense --live :80":        "sat --nonsense --live :80",
		"run -- ./w --live :80":            "run -- ./w --live :80",
		"run ./w --live :80":               "run ./w --live :80",
		"run --live ./w --live :80":        "run --live ./w --live :80",
		"calibrate -n 2 uts --live :80":    "calibrate -n 2 uts --live :80",
		"gen php --live :80":               "gen php --live :80",
		"nonsense --live :80":              "nonsense --live :80",
		"--live :80":                       "--live :80",
		"worker check -- ./w --live a:80":  "worker check -- ./w --live a:80",
		"__complete uts --live :80":        "__complete uts --live :80",
		"sat --checkpoint --live --live :": "sat --checkpoint --live --live :",
	} {
		if got := strings.Join(joinLiveAddress(Command(), strings.Fields(line)), " "); got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
	}
	if got := joinLiveAddress(Command(), nil); len(got) > 0 {
		t.Errorf("no words become %q", got)
	}
}

// A run serves its page at the address in the next word. A file whose name looks like an address is read.
func TestLiveAddressInTwoWords(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // an address that is in use
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	refuses(t, "uts --tree T3 --live "+l.Addr().String(), "--live: ")
	refuses(t, "uts --tree T3 --live=", `--live: "": expected HOST:PORT`)
	refuses(t, "uts --tree T3 --live host:99999", `--live: "host:99999": expected HOST:PORT`)

	t.Chdir(t.TempDir())
	formula := "p cnf 1 2\n1 0\n-1 0\n"
	if err := os.WriteFile("host:80", []byte(formula), 0o644); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs("host:80")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"sat --live ./host:80", "sat --live -- host:80", "sat --live " + here, "sat --live 127.0.0.1:0 host:80", "sat host:80 --live 127.0.0.1:0"} {
		var stdout, stderr bytes.Buffer
		status := Main(strings.Fields(line), strings.NewReader(""), &stdout, &stderr)
		if status != statusUnsatisfiable || !strings.Contains(stderr.String(), "live page at http://127.0.0.1:") {
			t.Errorf("%s: status %d, %s%s", line, status, &stdout, &stderr)
		}
	}
}
