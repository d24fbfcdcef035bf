package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scripts/install --mpi installs one MPI and a C compiler, and no other packages. Without --mpi it
// installs all packages. The test replaces the system's commands by scripts; the replaced apt-get
// writes its arguments to a file.
func TestInstall(t *testing.T) {
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	fake := map[string]string{
		"dpkg-query": "exit 1", // nothing is installed
		"apt-get":    fmt.Sprintf(`echo "$*" >>'%s'`, asked),
		"sudo":       `exec "$@"`,
		"install":    "cat >/dev/null", // of /usr/sbin/policy-rc.d
		"go":         "exit 0",
		"ip":         "exit 0",
	}
	for _, l := range libraries {
		fake["mpicc."+l.String()], fake["mpirun."+l.String()] = "exit 0", "exit 0"
	}
	for name, script := range fake {
		writeByChild(t, []byte("#!/bin/sh\n"+script+"\n"), "install", "-m", "755", "/dev/stdin", filepath.Join(dir, name))
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for args, want := range map[string]string{
		"--mpi":         "gcc libc6-dev openmpi-bin libopenmpi-dev",
		"--mpi openmpi": "gcc libc6-dev openmpi-bin libopenmpi-dev",
		"--mpi mpich":   "gcc libc6-dev mpich libmpich-dev",
		"":              "gcc libc6-dev openmpi-bin libopenmpi-dev mpich libmpich-dev iproute2 minisat",
	} {
		os.Remove(asked)
		if o := run(t, "", append([]string{"../scripts/install"}, strings.Fields(args)...)...); o.status != 0 {
			t.Fatalf("%s: status %d: %s%s", args, o.status, o.stdout, o.stderr)
		}
		text, err := os.ReadFile(asked)
		if want = "-q install -y --no-install-recommends " + want; err != nil || args != "" && strings.TrimSpace(string(text)) != want || !strings.HasPrefix(string(text), want) {
			t.Errorf("%q: %v, installs %q, want %q", args, err, text, want)
		}
	}
	for _, args := range []string{"--mpi lam", "--mpj", "--mpi mpich openmpi"} {
		if o := run(t, "", append([]string{"../scripts/install"}, strings.Fields(args)...)...); o.status != 2 || !strings.HasPrefix(o.stderr, "install: "+args+": expected") {
			t.Errorf("%q: status %d: %s", args, o.status, o.stderr)
		}
	}
}
