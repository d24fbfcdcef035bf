// Package kale compares strategies that map communicating objects onto processors, as
// Radhakrishnan, Brunner and Kalé do. Their table 1 is printed beside the measured values, on
// graphs that fit it (docs/mapping.md).
package kale
