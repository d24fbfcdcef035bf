// Package explore runs small worlds (2 to 16 ranks, tiny trees) of the very
// protocols of lb and termination through very many schedules. At every step it
// knows what could happen next (which rank may work, which channel may deliver
// its oldest message, which alarm may ring), lets a Chooser pick, and checks
// after it that no node was lost or made up, that nobody believes the search to
// be over before it is, and that everybody learns it soon after it is.
//
// Two kinds of Chooser: random ones, which weigh the actors unevenly so that
// some channels are slow for a whole run (Burckhardt et al., ASPLOS 2010, bias
// schedulers likewise), and a systematic one, which tries every schedule that
// deviates from a fair default at most d times (delay-bounded scheduling, Emmi
// et al., POPL 2011). The package is for tests.
package explore
