//go:build mpi

// How a rank waits, for messages and in collectives.

#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { BRIEF = 20000 };

static int64_t now_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// An idle rank spins (in its caller), then yields its core between polls, then naps for increasing
// times: answers usually come from busy ranks, which poll every 50 to 100 µs. If each rank has a core,
// a yield returns at once and costs little. If this host has more ranks than cores (ts_crowded), busy
// ranks need the cores, and idle ranks nap sooner and longer.
// In collectives most waits are short. Naps of BRIEF nanoseconds then come before the longer ones. Yields
// instead of these naps took twice the time and processor time for many short searches on 8 ranks of 2
// cores (MPICH).
static const struct patience {
	int64_t yield_ns, nap_first_ns, nap_last_ns;
} patience[] = {{100000, 10000, 200000}, {20000, 20000, 400000}};

// A rank whose answers take long naps at once and always for the same time (ts_nap_always): 64 paced
// ranks that wait would otherwise occupy a core with polls.
static struct patience calm;

static const struct patience *patience_now(void) {
	return calm.nap_last_ns > 0 ? &calm : &patience[ts_crowded];
}

void ts_nap_always(int64_t ns) { calm = (struct patience){0, ns, ns}; }

int ts_spins(void) { return calm.nap_last_ns > 0 ? 1 : SPINS; }

ts_idling ts_begin_idling(int64_t soon) {
	return (ts_idling){now_ns(), soon, patience_now()->nap_first_ns};
}

int ts_idle(ts_idling *w, int64_t ns) {
	const struct patience *p = patience_now();
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

// ts_sleep sleeps for ns nanoseconds, without any call of MPI. Linux may otherwise end a sleep 50 µs
// late, to save wake-ups.
void ts_sleep(int64_t ns) {
#ifdef __linux__
	static int exact;
	if (!exact)
		exact = prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0) == 0;
#endif
	struct timespec left = {ns / 1000000000, ns % 1000000000};
	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}
