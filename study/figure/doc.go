// Package figure presents results: sections of text, tables and curves, printed as text, CSV, SVG
// and one self-contained HTML page. It also fits lines to results. It does not depend on the origin
// of the numbers.
package figure
