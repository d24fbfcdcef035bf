package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The error of a command to a browser that has ended carries the exit status and the end of the
// standard error.
func TestEndIsExplained(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nyes the beginning | head -n 1000 >&2\necho no screen >&2\nexit 37\n"
	if err := os.WriteFile(filepath.Join(dir, "chromium-headless-shell"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	b, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 2 { // during the end, and after the end
		_, err = b.Open("about:blank", Window{Width: 100, Height: 100})
		if err == nil {
			t.Fatal("a page of a browser that has ended")
		}
		for _, want := range []string{"Target.createTarget: ", "exit status 37", "no screen\""} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q lacks %q", err, want)
			}
		}
		if len(err.Error()) > 2*said {
			t.Errorf("the error has %d bytes", len(err.Error()))
		}
	}
}
