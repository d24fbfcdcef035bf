// Package rings measures KS-BF, the algorithm of Gao and Rosenberg for trees and grids on a ring of
// ranks, and sets it beside their theorems and beside other schemes (docs/rings.md).
package rings
