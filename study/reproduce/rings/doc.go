// Package rings measures KS-BF, the algorithm of Gao and Rosenberg for trees and grids on a ring of
// ranks, and compares it with their theorems and with other schemes (docs/rings.md).
package rings
