package cli

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"treesplit/docs"
	"treesplit/study/figure"
	"treesplit/study/reproduce"
)

// A page has the command as it would be typed, the version, and the schemes in words; each claim that
// an experiment tests is in the documents.
func TestPage(t *testing.T) {
	a := &app{args: []string{"report", "my results.jsonl", "--out", "pages"}}
	var b bytes.Buffer
	if err := a.newPage("T", []figure.Section{{Name: "s", Title: "S", Text: []string{"Under rp and static+rp."}}}).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"treesplit report &#39;my results.jsonl&#39; --out pages</code>", buildFacts().Version, "<dt>rp</dt><dd>random polling: any other rank</dd>", "<dt>static&#43;rp</dt>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %.4000s", want, b.String()[strings.Index(b.String(), "<body>"):])
		}
	}
	known := map[string]bool{}
	for _, e := range reproduce.Experiments {
		for _, code := range e.Claims() {
			known[code] = true
		}
		if len(claimVerdicts(e)) != len(e.Claims()) {
			t.Errorf("%s: claims %v: %v", e.Name, e.Claims(), claimVerdicts(e))
		}
	}
	if codes := slices.Sorted(maps.Keys(known)); len(docs.FindClaims(codes...)) != len(codes) || len(codes) < 20 {
		t.Errorf("claims %v", codes)
	}
}
