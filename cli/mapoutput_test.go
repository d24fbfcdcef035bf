package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A search that is stopped before its first map ends with status 3, as other searches that are stopped,
// and saves its checkpoint.
func TestStoppedBeforeFirstMap(t *testing.T) {
	dir, documented := t.TempDir(), documentedKeys(t)
	keys := append(slices.Clone(documented["Keys of `map`"]), documented[ofSearches]...)
	for _, format := range []string{"", "--json"} {
		out := filepath.Join(dir, "m.part")
		line := "map ../testdata/mesh16.graph -p 8 -n 2 --strategy bb --first-bound none --timeout 1ns --out " + out + " --checkpoint " + filepath.Join(dir, "c"+format) + " " + format
		var stdout, stderr bytes.Buffer
		if status := Main(strings.Fields(line), nil, &stdout, &stderr); status != statusStopped || !strings.Contains(stderr.String(), "search saved in") {
			t.Errorf("%s: status %d, %s", line, status, &stderr)
		}
		if files, _ := filepath.Glob(out); len(files) > 0 {
			t.Errorf("%v is written", files)
		}
		if format == "" {
			if !strings.Contains(stdout.String(), "stopped early (timeout): no map was found\n") {
				t.Errorf("%s", &stdout)
			}
			continue
		}
		var object map[string]any
		if err := json.Unmarshal(stdout.Bytes(), &object); err != nil {
			t.Fatal(err)
		}
		if m, ok := object["map"]; !ok || m != nil || object["reason"] != "timeout" || object["objects"] != 256.0 {
			t.Errorf("%v", object)
		}
		if _, ok := object["makespan"]; ok {
			t.Error("no map has a makespan")
		}
		for key := range object {
			if !slices.Contains(keys, key) {
				t.Errorf("key %s is not in formats.md", key)
			}
		}
	}
}
