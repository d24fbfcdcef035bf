package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link matches a link in a page that does not lead to another site.
var link = regexp.MustCompile(`\]\(([^():# ]*)(#[^() ]*)?\)`)

// fences matches the code blocks of a page.
var fences = regexp.MustCompile("(?ms)^ *```.*?^ *```$")

// anchors returns the anchors of a page's headings: in lower case, without punctuation, with
// hyphens instead of blanks.
func anchors(text string) map[string]bool {
	all := map[string]bool{"": true}
	for line := range strings.Lines(fences.ReplaceAllString(text, "")) {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			title = regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			all["#"+strings.ReplaceAll(title, " ", "-")] = true
		}
	}
	return all
}

// Links between pages lead to existing files and headings.
func TestLinks(t *testing.T) {
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		for _, match := range link.FindAllStringSubmatch(fences.ReplaceAllString(string(text), ""), -1) {
			target := filepath.Join(filepath.Dir(name), match[1])
			if match[1] == "" {
				target = name
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads to no file", name, match[0])
			} else if page, _ := os.ReadFile(target); !anchors(string(page))[match[2]] {
				t.Errorf("%s: the link %s leads to no heading", name, match[0])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
