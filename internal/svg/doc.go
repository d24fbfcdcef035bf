// Package svg writes pictures as plain SVG for light and dark backgrounds: no script, no font
// file, no reference to anything outside of the picture. Shapes have classes, and one style sheet
// gives the classes their colours, so that the same drawing exists in three themes.
//
// The colours of curves begin from those of Okabe and Ito ("Color universal design", 2008): hues that
// readers with any colour vision can tell apart. Lightness and hue were then moved until each colour
// has a contrast of 3:1 with its background, and all pairs differ for readers without red, green or
// blue cones. Curves have different markers besides.
package svg
