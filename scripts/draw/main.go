// Draw draws the pictures of README and docs from real runs of the program:
//
//	go run ./scripts/draw DATA DIR
//
// DATA is what scripts/pictures has made: the traces rp.json.zst and grr.json.zst, and the directory
// of treesplit reproduce fig3. Each picture is written to DIR as NAME-light.svg and NAME-dark.svg.
// The same data make the same bytes.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"treesplit/internal/svg"
)

// picture is a picture of the documents.
type picture struct {
	name string
	draw func(data string, theme svg.Theme) ([]byte, error)
}

// pictures are all pictures.
var pictures = []picture{
	{"speedups", drawSpeedups},
	{"timeline-rp", drawTimelineRP},
	{"timeline-grr", drawTimelineGRR},
	{"runtimes", drawn(drawRuntimes)},
	{"combining", drawn(drawCombining)},
	{"deal", drawn(drawDeal)},
	{"weights", drawn(drawWeights)},
}

// drawn adapts a picture that needs no data.
func drawn(draw func() (*svg.Canvas, error)) func(string, svg.Theme) ([]byte, error) {
	return func(_ string, theme svg.Theme) ([]byte, error) {
		c, err := draw()
		if err != nil {
			return nil, err
		}
		return c.Encode(theme), nil
	}
}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("expected two arguments, the directories of the data and of the pictures"))
	}
	if err := drawAll(os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "draw:", err)
	os.Exit(2)
}

// drawAll writes all pictures in both themes.
func drawAll(data, dir string) error {
	for _, p := range pictures {
		for theme, suffix := range map[svg.Theme]string{svg.Light: "light", svg.Dark: "dark"} {
			out, err := p.draw(data, theme)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			if err := os.WriteFile(filepath.Join(dir, p.name+"-"+suffix+".svg"), bytes.TrimLeft(out, "\n"), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
