// Package figure is how results are shown: sections of text, tables and curves, printed as
// text, CSV, SVG and one self-contained HTML page; and the lines fitted through them. It
// knows nothing of where the numbers come from.
package figure
