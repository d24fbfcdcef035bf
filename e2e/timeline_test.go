package e2e

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// report says of traces how long ranks were in each state, draws them, and puts the
// pictures on its page.
func TestReportOfTraces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, simulated := filepath.Join(dir, "real.json.zst"), filepath.Join(dir, "simulated.json.gz")
	for path, more := range map[string]string{real: "--quantum=100", simulated: "--machine=ncube2"} {
		if o := run(t, "", treesplit(t, none), "uts", "-t", "0", "-b", "2000", "-q", "0.48", "-m", "2", "-r", "5", "-n", "3", "--trace", path, more); o.status != 0 {
			t.Fatalf("status %d: %s", o.status, o.stderr)
		}
	}
	out := filepath.Join(dir, "out")
	o := run(t, "", treesplit(t, none), "report", real, simulated, "--out", out)
	for _, want := range []string{"== treesplit: local, 3 ranks, rp, ring ==", "== treesplit: sim ncube2, 3 ranks, rp, ring ==", "Busy", "Overhead", "Clocks: virtual."} {
		if o.status != 0 || !strings.Contains(o.stdout, want) {
			t.Fatalf("status %d, no %q: %s%s", o.status, want, o.stdout, o.stderr)
		}
	}
	page, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(page), "<svg"); n != 2 {
		t.Errorf("%d pictures on the page", n)
	}
	for _, name := range []string{"timeline-real", "timeline-simulated"} {
		picture, err := os.ReadFile(filepath.Join(out, name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(string(picture)))
		for err == nil {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(string(picture), "rank 2") {
			t.Errorf("%s has no rank 2", name)
		}
		if _, err := os.Stat(filepath.Join(out, name+".csv")); err != nil {
			t.Error(err)
		}
	}
}

// What is no trace is refused with its place.
func TestReportOfBadTraces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n\"traceEvents\":[\n{]}": "bad.json: line 3: ",
		"":                          "bad.json: line 1: the text ends",
		`{"traceEvents":[]}`:        "bad.json: the trace has no spans",
	} {
		refused(t, run(t, "", treesplit(t, none), "report", write(t, "bad.json", []byte(text))), want)
	}
	refused(t, run(t, "", treesplit(t, none), "report", write(t, "bad.json.gz", []byte("x"))), "bad.json.gz: ")
	refused(t, run(t, "", treesplit(t, none), "report", filepath.Join(t.TempDir(), "none.json.zst")), "none.json.zst")
}
