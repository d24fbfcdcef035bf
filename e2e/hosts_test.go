package e2e

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	placed  = regexp.MustCompile(`(?m)^rank (\d+) on (\S+)$`)
	traffic = regexp.MustCompile(`(?m)^(\S+): received (\d+) bytes, sent (\d+)$`)
)

// onHosts runs a program over several hosts: network namespaces with addresses and host
// names of their own, joined by a bridge. It returns the number of ranks by host, and
// the bytes that the hosts have sent to one another. Skips where there can be no
// such hosts.
func onHosts(t *testing.T, hosts, slots int, args ...string) (o outcome, ranks map[string]int, sent int64) {
	t.Helper()
	openMPI.need(t)
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("ip is not installed: run scripts/install")
	}
	o = run(t, "", slices.Concat([]string{"../scripts/netns-hosts", "--hosts", strconv.Itoa(hosts), "--slots", strconv.Itoa(slots)}, args)...)
	for _, reason := range []string{"needs root", "makes no network namespaces"} {
		if o.status == 2 && strings.Contains(o.stderr, reason) {
			t.Skip(strings.TrimSpace(o.stderr))
		}
	}
	ranks = map[string]int{}
	for _, m := range placed.FindAllStringSubmatch(o.stderr, -1) {
		ranks[m[2]]++
	}
	found := traffic.FindAllStringSubmatch(o.stderr, -1)
	if len(found) != hosts {
		t.Fatalf("traffic of %d hosts, want %d: status %d: %s", len(found), hosts, o.status, o.stderr)
	}
	for _, m := range found {
		n, _ := strconv.ParseInt(m[3], 10, 64)
		sent += n
	}
	return o, ranks, sent
}

// Over several hosts with addresses of their own, with Open MPI over TCP, a hostfile and
// a remote-start agent, a search expands the sequential W, and its messages do go from
// host to host. Start-up alone is measured by a run of "true".
func TestSeveralHosts(t *testing.T) {
	t.Parallel()
	formula := write(t, "php8.cnf", []byte(generate(t, "php", "--n", "8")))
	for _, c := range []struct {
		hosts, slots int
		args         []string
		status       int
		expanded     float64
	}{
		{3, 2, []string{"uts", "--tree", "T3", "--scheme", "rp"}, 0, 4112897},
		{2, 2, []string{"sat", formula, "--rule", "paper", "--scheme", "grr-m", "--termination", "credit", "--quantum", "500"}, 0, 1753617},
		{3, 1, []string{"uts", "--tree", "T1", "--scheme", "sb", "--termination", "tree", "--min-split", "1", "--quantum", "500"}, 0, 4130071},
	} {
		t.Run(fmt.Sprintf("%s/%dx%d", c.args[0], c.hosts, c.slots), func(t *testing.T) {
			_, _, before := onHosts(t, c.hosts, c.slots, "true")
			o, ranks, sent := onHosts(t, c.hosts, c.slots, slices.Concat([]string{treesplit(t, openMPI)}, c.args, []string{"--json"})...)
			r := object(t, o, c.status)
			if r["expanded"] != c.expanded || r["audit"] != "ok" || r["ranks"] != float64(c.hosts*c.slots) {
				t.Errorf("%v", r)
			}
			if len(ranks) != c.hosts {
				t.Errorf("ranks by host: %v", ranks)
			}
			for host, n := range ranks {
				if n != c.slots {
					t.Errorf("%d ranks on %s, want %d", n, host, c.slots)
				}
			}
			if r["grants"] == 0.0 {
				t.Error("no work went from rank to rank")
			}
			// A message is 24 bytes and more. Of the ranks that another may talk to, at
			// least half are on other hosts.
			if messages := r["messages"].(float64); float64(sent-before) < 12*messages || messages == 0 {
				t.Errorf("%v messages, but %d bytes between hosts, %d of them before the search", messages, sent, before)
			}
		})
	}
}
