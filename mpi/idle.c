//go:build mpi

// How a rank waits, for messages and in collectives.

#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <time.h>

enum { BRIEF = 20000 };

static int64_t now_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// An idle rank spins (its caller does that), then yields its core between looks, then naps for
// longer and longer: what answers is mostly a busy rank that polls every 50 to 100 µs.
// If each rank has a core a yield returns at once, so little is lost. If this host has more
// ranks than cores (ts_crowded), the busy ones are to run, and the idle ones nap sooner and longer.
// Where most waits are short, in collectives, naps of BRIEF nanoseconds come before the longer ones.
// Yields in their place took twice the time and processor time for many short searches on 8 ranks of 2
// cores (MPICH).
static const struct patience {
	int64_t yield_ns, nap_first_ns, nap_last_ns;
} patience[] = {{100000, 10000, 200000}, {20000, 20000, 400000}};

ts_idling ts_begin_idling(int64_t soon) {
	return (ts_idling){now_ns(), soon, patience[ts_crowded].nap_first_ns};
}

int ts_idle(ts_idling *w, int64_t ns) {
	const struct patience *p = &patience[ts_crowded];
	int64_t passed = now_ns() - w->start;
	if (passed >= ns)
		return 0;
	if (passed < p->yield_ns) {
		sched_yield();
		return 1;
	}
	if (passed < w->soon) {
		nanosleep(&(struct timespec){0, BRIEF}, NULL);
		return 1;
	}
	struct timespec t = {0, w->nap < ns - passed ? w->nap : ns - passed};
	nanosleep(&t, NULL);
	w->nap = 2 * w->nap < p->nap_last_ns ? 2 * w->nap : p->nap_last_ns;
	return 1;
}
