// Package predict says how long a search would take on a machine that is described by a
// file: every scheme on every number of ranks, simulated; which of them to take; and how
// large a problem has to be for an efficiency that is wanted (Kumar et al., section 3).
package predict
