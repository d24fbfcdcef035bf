// Package kumar reproduces the tables and figures of Kumar, Grama and Rao, "Scalable Load Balancing
// Techniques for Parallel Computers", on a simulated nCUBE/2, and fits the costs that the paper does
// not print (docs/calibration.md).
package kumar
