// Package explore runs small worlds (2 to 16 ranks, tiny trees) with the protocols of lb and
// termination through very many schedules. At every step it knows all possible next actions: a
// rank works, a channel delivers its oldest message, or an alarm rings. It lets a Chooser pick
// one. After the action it checks that no node was lost or added, that no rank considers the
// search finished too early, and that all ranks learn of the end soon.
//
// There are two kinds of Chooser. Random ones weigh the actors unevenly, so that some channels
// are slow for a whole run (Burckhardt et al., ASPLOS 2010, bias schedulers in the same way). A
// systematic one tries every schedule that deviates from a fair default at most d times
// (delay-bounded scheduling, Emmi et al., POPL 2011). The package is for tests.
package explore
