// Command shoot takes the pictures of live pages for README and docs: rp and grr on a simulated
// nCUBE/2 with 256 ranks, at the end of the search. Each is taken in the window of a laptop and of a
// telephone, on a light and on a dark background.
//
//	go run ./scripts/shoot PROGRAM DIRECTORY
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"treesplit/internal/browser"
)

// search is the search of the pictures, without its scheme.
var search = []string{"uts", "-t", "1", "-a", "3", "-d", "8", "-b", "4", "-r", "19", "--machine", "ncube2", "-n", "256", "--termination", "tree", "--live", "--live-speed", "max"}

// frame is one format of the pictures.
type frame struct {
	suffix string // of the files' names
	window browser.Window
}

// frames are the formats. The pictures end below the axis of the ranks over time.
var frames = []frame{
	{"", browser.Window{Width: 1280, Height: 712}},
	{"-narrow", browser.Window{Width: 380, Height: 1120}},
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "shoot: expected the program and a directory")
		os.Exit(2)
	}
	if _, err := browser.Find(); err != nil {
		fmt.Fprintf(os.Stderr, "shoot: the pictures of live pages stay as they are: %v\n", err)
		return
	}
	for _, scheme := range []string{"rp", "grr"} {
		if err := shootScheme(os.Args[1], os.Args[2], scheme); err != nil {
			fmt.Fprintf(os.Stderr, "shoot: %s: %v\n", scheme, err)
			os.Exit(1)
		}
	}
}

// shootScheme runs the search under a scheme and takes the pictures of its page.
func shootScheme(program, dir, scheme string) error {
	cmd := exec.Command(program, append(search, "--scheme", scheme)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	url, err := readURL(bufio.NewScanner(stderr))
	if err != nil {
		return err
	}
	b, err := browser.Start()
	if err != nil {
		return err
	}
	defer b.Close()
	p, err := b.Open(url, frames[0].window)
	if err != nil {
		return err
	}
	if err := p.Await("document.body.dataset.ended", 5*time.Minute); err != nil {
		return err
	}
	for _, f := range frames {
		for _, dark := range []bool{false, true} {
			if err := shoot(p, dir, scheme, f, dark); err != nil {
				return err
			}
		}
	}
	return nil
}

// shoot takes one picture.
func shoot(p *browser.Page, dir, scheme string, f frame, dark bool) error {
	theme, w := "light", f.window
	w.Dark = dark
	if dark {
		theme = "dark"
	}
	if err := p.Resize(w); err != nil {
		return err
	}
	time.Sleep(time.Second) // the page draws again
	data, err := p.Screenshot(false)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "live-"+scheme+f.suffix+"-"+theme+".png"), data, 0o644)
}

var address = regexp.MustCompile(`live page at (http://\S+)$`)

// readURL returns the address of the page, and then reads on so that the program never waits.
func readURL(lines *bufio.Scanner) (string, error) {
	for lines.Scan() {
		if m := address.FindStringSubmatch(lines.Text()); m != nil {
			go func() {
				for lines.Scan() {
				}
			}()
			return m[1], nil
		}
	}
	return "", errors.Join(errors.New("the program has not printed the address of its page"), lines.Err())
}
