// Package predict predicts the time of a search on a machine that a file describes. It simulates
// every scheme on every number of ranks and recommends a scheme. It also computes the problem size
// that reaches a given efficiency (Kumar et al., section 3).
package predict
