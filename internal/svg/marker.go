package svg

import (
	"fmt"
	"math"
	"strings"
)

// unit returns the direction of a vector.
func unit(dx, dy float64) (x, y float64) {
	length := math.Hypot(dx, dy)
	if length == 0 {
		return 1, 0
	}
	return dx / length, dy / length
}

// markers are the outlines of the markers, as points around the middle.
var markers = [][][2]float64{
	nil, // a circle
	{{-4, -4}, {4, -4}, {4, 4}, {-4, 4}},
	{{0, -5}, {5, 4}, {-5, 4}},
	{{0, -5.5}, {5.5, 0}, {0, 5.5}, {-5.5, 0}},
	{{0, 5}, {5, -4}, {-5, -4}},
	{{-1.6, -5}, {1.6, -5}, {1.6, -1.6}, {5, -1.6}, {5, 1.6}, {1.6, 1.6}, {1.6, 5}, {-1.6, 5}, {-1.6, 1.6}, {-5, 1.6}, {-5, -1.6}, {-1.6, -1.6}},
	{{-5, 0}, {-2.5, -4.5}, {2.5, -4.5}, {5, 0}, {2.5, 4.5}, {-2.5, 4.5}},
	{{0, -6}, {1.6, -1.6}, {6, 0}, {1.6, 1.6}, {0, 6}, {-1.6, 1.6}, {-6, 0}, {-1.6, -1.6}},
}

// SeriesStyle returns the colour and the marker of the i-th of several curves. The first 64
// curves all have different pairs.
func SeriesStyle(i int) (colour, marker int) {
	return i % Series, (i + i/Series) % len(markers)
}

// Marker draws a marker in the colour of a series, with an edge in the colour of the background.
func (c *Canvas) Marker(x, y float64, colour, marker int) {
	class := fmt.Sprintf("f%d edge thin", colour)
	outline := markers[marker]
	if outline == nil {
		c.Circle(x, y, 4.5, class)
		return
	}
	var d strings.Builder
	for i, p := range outline {
		fmt.Fprintf(&d, "%c%s,%s", "ML"[min(i, 1)], number(x+p[0]), number(y+p[1]))
	}
	c.Path(d.String()+"Z", class)
}
