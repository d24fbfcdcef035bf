package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostileWorkers are shell programs, with a text of the error and the exit status that each causes.
var hostileWorkers = []struct {
	name, program, want string
	status              int
}{
	{"exits at once", "exit 3", "exit status 3", 2},
	{"exits with status 0", "exit 0", "the worker exited with status 0: expected an answer", 2},
	{"silent", "sleep 1000", "did not answer within 2s", 2},
	{"silent after the first line", "echo '" + helloLine + "'; sleep 1000", `rank 0: request {"expand":[0],"nodes":1}: the worker did not answer within 2s`, 1},
	{"reads nothing and writes nothing", "exec <&-; exec >&-; sleep 1000", "closed its standard input or output", 2},
	{"endless line", "tr '\\0' x < /dev/zero", "a line of more than 67108864 bytes", 2},
	{"endless lines", "yes", "more than one line", 2},
	{"endless lines after an answer", "read l; echo '" + helloLine + "'; read l; yes '" + leaf + "'", "more than one line", 1},
	{"no JSON", "echo hello; cat > /dev/null", `the first line of the worker is hello: the line is no JSON object`, 2},
	{"an array", "echo '[1]'; cat > /dev/null", "no JSON object", 2},
	{"half an object", "echo '{\"worker\":1'; cat > /dev/null", "no JSON object", 2},
	{"no end of line", "read l; printf '%s' '" + helloLine + "'", "within a line", 2},
	{"other version", answering(`{"worker":2,"name":"x","root":0}`, leaf), "the version of the protocol is 2: expected 1", 2},
	{"no version", answering(`{"name":"x","root":0}`, leaf), `"worker" is missing`, 2},
	{"no name", answering(`{"worker":1,"root":0}`, leaf), `"name" is "": expected a text`, 2},
	{"no root", answering(`{"worker":1,"name":"x"}`, leaf), `"root" is missing`, 2},
	{"unknown key", answering(`{"worker":1,"name":"x","root":0,"minimize":true}`, leaf), `the key "minimize" is unknown`, 2},
	{"no UTF-8", `printf '{"worker":1,"name":"\377","root":0}\n'; cat > /dev/null`, "not UTF-8", 2},
	{"deep JSON", `python3 -c 'print("[" * 100000)'; cat > /dev/null`, "no JSON object", 2},
	{"another name per rank", `read l; echo "$l" | sed 's/.*"rank":\([0-9]*\).*/{"worker":1,"name":"x\1","root":0}/'; cat > /dev/null`, `"name" is "x1", but on rank 0 it was "x0"`, 2},
	{"another name after a fault", `read l; echo '{"worker":1,"name":"x'$$'","root":0}'; read l; exit 1`, "but before it was", 1},
	{"no answer", answering(helloLine, "{}"), `"expanded" is missing`, 1},
	{"no open nodes", answering(helloLine, `{"expanded":1}`), `"open" is "": expected a list of nodes`, 1},
	{"expands nothing", answering(helloLine, `{"expanded":0,"open":[0]}`), `"expanded" is 0: expected at least 1`, 1},
	{"negative count", answering(helloLine, `{"expanded":-1,"open":[0]}`), `"expanded" is -1: expected at least 1`, 1},
	{"expands too many", answering(helloLine, `{"expanded":2,"open":[0]}`), `"expanded" is 2: expected at most 1`, 1},
	{"huge count", answering(helloLine, `{"expanded":1e30,"open":[0]}`), `expected an integer of 64 bits`, 1},
	{"negative sum", answering(helloLine, `{"expanded":1,"open":[],"sums":{"a":-1}}`), `"a" of "sums" is -1: expected at least 0`, 1},
	{"real sum", answering(helloLine, `{"expanded":1,"open":[],"sums":{"a":0.5}}`), `"a" of "sums" is "0.5": expected an integer`, 1},
	{"text as maximum", answering(helloLine, `{"expanded":1,"open":[],"maxima":{"a":"b"}}`), `expected an integer`, 1},
	{"overflow", answering(helloLine, `{"expanded":1,"open":[1],"found":1,"sums":{"a":9223372036854775807}}`), `the sum "a" is larger than`, 1},
	{"misspelt key", answering(helloLine, `{"expanded":1,"open":[],"sum":{"a":1}}`), `the key "sum" is unknown`, 1},
	{"two lines", "read l; echo '" + helloLine + "'; while read l; do printf '%s\\n%s\\n' '" + leaf + "' '" + leaf + "'; done", "more than one line", 1},
	{"a line after the last answer", "read l; echo '" + helloLine + "'; read l; echo '" + leaf + "'; read l; echo bye; cat > /dev/null", "more than one line", 1},
	{"value without a solution", answering(helloLine, `{"expanded":1,"open":[],"value":3}`), `there is a "value" and no "found"`, 1},
	{"solution without a value", answering(`{"worker":1,"name":"x","root":0,"minimise":true}`, `{"expanded":1,"open":[],"found":3}`), `there is a "found" and no "value"`, 1},
	{"no depth", answering(`{"worker":1,"name":"x","root":0,"depth":true}`, `{"expanded":1,"open":[1]}`), `node 1 of "open" is invalid: the line is no JSON object`, 1},
	{"crash", "read l; echo '" + helloLine + "'; read l; echo first >&2; echo second >&2; kill -SEGV $$", `signal: segmentation fault`, 1},
	{"last lines", "read l; echo '" + helloLine + "'; read l; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i >&2; done; exit 1", "standard error: line 3 | line 4", 1},
	{"child in the background", "read l; echo '" + helloLine + "'; sleep 1000 & read l; exit 1", "exit status 1", 1},
	{"child that holds the pipes", "sleep 1000 & exit 1", "exit status 1", 2},
	{"child in another group", "setsid sleep 3 & exit 1", "exit status 1", 2},
}

// Every hostile worker causes an error of one line and an exit status of 1 or 2, and leaves no
// process.
func TestHostileWorkers(t *testing.T) {
	for i, c := range hostileWorkers {
		if testing.Short() && i%4 > 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			marker := fmt.Sprintf("hostile-%d-%d-", os.Getpid(), i) // no other marker begins with it
			var stdout, stderr bytes.Buffer
			args := []string{"run", "-n", "2", "--log-level", "error", "--worker-retries", "1", "--worker-timeout", "2s", "--", "sh", "-c", c.program, marker}
			if strings.Contains(c.want, "did not answer") {
				args[6] = "0"
			} else {
				args[8] = "1m"
			}
			if strings.Contains(c.want, "before") { // one rank, whose name changes
				args[2] = "1"
			}
			status := Main(args, strings.NewReader(""), &stdout, &stderr)
			if status != c.status || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), c.want) {
				t.Errorf("status %d, printed %q and %q; want status %d and %q", status, &stdout, &stderr, c.status, c.want)
			}
			if left := processesWith(marker); len(left) > 0 {
				t.Errorf("processes are left: %v", left)
			}
		})
	}
}

// processesWith returns the processes that have a text in their command line, except zombies.
func processesWith(text string) (all []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if line, err := os.ReadFile(f); err == nil && bytes.Contains(line, []byte(text)) {
			all = append(all, string(line))
		}
	}
	return all
}
