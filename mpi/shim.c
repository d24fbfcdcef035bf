//go:build mpi

// The C half of package mpi: start and end, errors, messages. Collectives are in
// collective.c. All state is static: a process is one rank, and one thread calls.

#define _GNU_SOURCE
#include "internal.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

MPI_Comm ts_comm;
static int post_all(void), cancel_all(void);

// ---- errors ----

static char error_text[MPI_MAX_ERROR_STRING + 128];

const char *ts_error(void) { return error_text; }

// ts_fail keeps the first error's text, on one line, and returns -1.
int ts_fail(const char *call, int code) {
	char text[MPI_MAX_ERROR_STRING] = "unknown error";
	int length = 0;
	if (error_text[0])
		return -1;
	MPI_Error_string(code, text, &length);
	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = c[1] ? ';' : 0;
	snprintf(error_text, sizeof error_text, "%s: %s", call, text);
	return -1;
}

static int no_memory(void) {
	return ts_fail("malloc", MPI_ERR_NO_MEM);
}

// ---- start and end ----

// MPI libraries install handlers for the signals from which Go makes panics, and
// without SA_ONSTACK, on which Go relies: they are put back.
static void with_signals(int restore) {
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT};
	enum { count = sizeof numbers / sizeof numbers[0] };
	static struct sigaction before[count];
	for (int i = 0; i < count; i++)
		sigaction(numbers[i], restore ? &before[i] : NULL, restore ? NULL : &before[i]);
}

int ts_init(int *rank, int *size) {
	int provided, is_main;
	with_signals(0);
	int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
	with_signals(1);
	if (code != MPI_SUCCESS)
		return ts_fail("MPI_Init_thread", code);
	TRY(MPI_Comm_set_errhandler, MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	TRY(MPI_Is_thread_main, &is_main);
	if (provided < MPI_THREAD_FUNNELED)
		return snprintf(error_text, sizeof error_text, "this MPI library does not allow programs to have threads (MPI_THREAD_FUNNELED)"), -1;
	if (!is_main)
		return snprintf(error_text, sizeof error_text, "MPI must be used from the main goroutine"), -1;
	TRY(MPI_Comm_dup, MPI_COMM_WORLD, &ts_comm);
	TRY(MPI_Comm_set_errhandler, ts_comm, MPI_ERRORS_RETURN);
	TRY(MPI_Comm_rank, ts_comm, rank);
	TRY(MPI_Comm_size, ts_comm, size);
#ifdef __linux__
	prctl(PR_SET_TIMERSLACK, 1000UL); // or a nap of 10 µs takes 60
#endif
	if (post_all() < 0)
		return -1;
	TRY(MPI_Barrier, ts_comm);
	return 0;
}

void ts_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

void ts_library(char *text, int room) {
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0;
	if (MPI_Get_library_version(version, &length) != MPI_SUCCESS)
		version[0] = 0;
	snprintf(text, room, "%s", version);
}

// ---- sending ----

// What travels before the body.
typedef struct {
	int64_t arg;
	int32_t tag;
	int32_t length; // of the body, in bytes
	uint8_t kind, epoch;
	uint8_t unused[6];
} header;

// A body of up to NEAR bytes travels with its header. A longer one follows by
// itself, under another tag and straight into a buffer of its length: MPI keeps
// the order of each tag.
enum { RING = 8, EAGER = 4096, NEAR = EAGER - sizeof(header) };
static const int tag_near = 7, tag_far = 8;

// A buffer that MPI reads from. room is 256, or more while a large body needs it.
typedef struct {
	MPI_Request request;
	int64_t room;
	char *bytes;
} slot;

enum { SMALL = 256, REAP = 2 };

// active[0..actives) are on their way, spare[0..spares) wait for use.
static slot **active, **spare;
static int actives, spares, slots, turn;

// another makes a slot and room for it in both lists.
static slot *another(void) {
	if ((slots & (slots + 1)) == 0) { // full at 1, 3, 7, …
		size_t bytes = (2 * (size_t)slots + 1) * sizeof(slot *);
		slot **a = realloc(active, bytes);
		if (a)
			active = a;
		slot **s = realloc(spare, bytes);
		if (s)
			spare = s;
		if (!a || !s)
			return NULL;
	}
	slot *fresh = malloc(sizeof *fresh);
	char *bytes = malloc(SMALL);
	if (!fresh || !bytes)
		return free(fresh), free(bytes), NULL;
	*fresh = (slot){MPI_REQUEST_NULL, SMALL, bytes};
	slots++;
	return fresh;
}

// fit gives the slot room for so many bytes.
static int fit(slot *s, int64_t bytes) {
	if (s->room >= bytes)
		return 0;
	char *more = malloc(bytes);
	if (!more)
		return -1;
	free(s->bytes);
	s->bytes = more;
	s->room = bytes;
	return 0;
}

// retire takes back a slot that has been sent. Large buffers are not hoarded.
static void retire(slot *s) {
	if (s->room > 64 * SMALL) {
		char *less = malloc(SMALL);
		if (less) {
			free(s->bytes);
			s->bytes = less;
			s->room = SMALL;
		}
	}
	spare[spares++] = s;
}

// reap looks at a few of the buffers on their way, in turn: bounded work, and
// none is forgotten behind one that its receiver is slow to take.
static inline int reap(void) {
	for (int i = 0; i < REAP && actives > 0; i++) {
		int done;
		if (++turn >= actives)
			turn = 0;
		slot *s = active[turn];
		TRY(MPI_Test, &s->request, &done, MPI_STATUS_IGNORE);
		if (done) {
			active[turn] = active[--actives];
			retire(s);
		}
	}
	return 0;
}

// isend sends front and then back as one message of MPI, from a pooled buffer.
static inline int isend(int to, int mpi_tag, const void *front, size_t front_bytes, const void *back, size_t back_bytes) {
	int done, bytes = (int)(front_bytes + back_bytes);
	slot *s = spares > 0 ? spare[--spares] : another();
	if (!s)
		return no_memory();
	if (fit(s, bytes) < 0)
		return retire(s), no_memory();
	memcpy(s->bytes, front, front_bytes);
	if (back_bytes > 0)
		memcpy(s->bytes + front_bytes, back, back_bytes);
	int code = MPI_Isend(s->bytes, bytes, MPI_BYTE, to, mpi_tag, ts_comm, &s->request);
	if (code != MPI_SUCCESS)
		return retire(s), ts_fail("MPI_Isend", code);
	// A short message has mostly been copied away by now.
	TRY(MPI_Test, &s->request, &done, MPI_STATUS_IGNORE);
	if (done)
		retire(s);
	else
		active[actives++] = s;
	return 0;
}

int ts_send(int to, int kind, int epoch, int32_t tag, int64_t arg, const void *body, int64_t length) {
	if (to < 0) // MPI would take some negative ranks for wildcards
		return ts_fail("MPI_Isend", MPI_ERR_RANK);
	if (length > INT_MAX) {
		if (!error_text[0])
			snprintf(error_text, sizeof error_text, "a message of %lld bytes is too long: MPI counts bytes in an int", (long long)length);
		return -1;
	}
	if (actives > 0 && reap() < 0)
		return -1;
	header h = {arg, tag, (int32_t)length, kind, epoch, {0}};
	if (length <= NEAR)
		return isend(to, tag_near, &h, sizeof h, body, length);
	if (isend(to, tag_near, &h, sizeof h, NULL, 0) < 0)
		return -1;
	return isend(to, tag_far, body, length, NULL, 0);
}

int ts_send_control(int to, int kind, int epoch, int32_t tag, int64_t arg) {
	return ts_send(to, kind, epoch, tag, arg, NULL, 0);
}

// ---- receiving ----

// A ring of receives that are posted ahead: a message goes straight to where it is
// read, and a poll is a test of the oldest, which they fill in order. (MPI_Improbe
// and MPI_Mrecv need none, and cost as much again as MPI_Recv itself.)
static struct {
	MPI_Request request;
	char bytes[EAGER];
} ring[RING];
static int head;   // the oldest receive
static int vacant; // 1: the one before it has been read and is still to be posted

ts_message ts_in;
static char *far_body;
static int64_t far_room;

static int post(int i) {
	TRY(MPI_Irecv, ring[i].bytes, EAGER, MPI_BYTE, MPI_ANY_SOURCE, tag_near, ts_comm, &ring[i].request);
	return 0;
}

static int post_all(void) {
	for (int i = 0; i < RING; i++)
		if (post(i) < 0)
			return -1;
	return 0;
}

static int cancel_all(void) {
	for (int i = 0; i < RING; i++) {
		if (i == (head + RING - 1) % RING && vacant)
			continue;
		TRY(MPI_Cancel, &ring[i].request);
		TRY(MPI_Wait, &ring[i].request, MPI_STATUS_IGNORE);
	}
	return 0;
}

// receive_far fetches a body that follows its message.
static int receive_far(int from, int64_t bytes) {
	if (bytes > far_room || far_room > 1 << 20) { // large buffers are not hoarded
		free(far_body);
		far_room = 0;
		far_body = malloc(bytes);
		if (!far_body)
			return no_memory();
		far_room = bytes;
	}
	TRY(MPI_Recv, far_body, (int)bytes, MPI_BYTE, from, tag_far, ts_comm, MPI_STATUS_IGNORE);
	ts_in.body = far_body;
	ts_in.length = bytes;
	return 0;
}

static inline int poll_once(void) {
	int done;
	MPI_Status status;
	if (vacant) { // Go has read it by now
		if (post((head + RING - 1) % RING) < 0)
			return -1;
		vacant = 0;
	}
	if (actives > 0 && reap() < 0)
		return -1;
	TRY(MPI_Test, &ring[head].request, &done, &status);
	if (!done)
		return TS_NOTHING;
	char *bytes = ring[head].bytes;
	header h;
	memcpy(&h, bytes, sizeof h);
	head = (head + 1) % RING;
	vacant = 1;
	ts_in = (ts_message){h.arg, h.length, bytes + sizeof h, status.MPI_SOURCE, h.tag, h.kind, h.epoch};
	if (h.length > NEAR && receive_far(status.MPI_SOURCE, h.length) < 0)
		return -1;
	return TS_MESSAGE;
}

int ts_poll(void) { return poll_once(); }

// ---- waiting ----

// A round of Drain: a sum over all ranks that goes on while messages are served.
int64_t ts_totals[3];
static int64_t round_in[3];
static MPI_Request round_request = MPI_REQUEST_NULL;

int ts_round(int64_t sent, int64_t received, int64_t failed) {
	round_in[0] = sent;
	round_in[1] = received;
	round_in[2] = failed;
	TRY(MPI_Iallreduce, round_in, ts_totals, 3, MPI_INT64_T, MPI_SUM, ts_comm, &round_request);
	return 0;
}

static int look(void) {
	int done, found = poll_once();
	if (found != TS_NOTHING || round_request == MPI_REQUEST_NULL)
		return found;
	TRY(MPI_Test, &round_request, &done, MPI_STATUS_IGNORE);
	return done ? TS_ROUND : TS_NOTHING;
}

static int64_t now_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// An idle rank spins, then yields its core between looks, then naps for longer
// and longer: what answers is mostly a busy rank that polls every 50 to 100 µs.
// Where each rank has a core a yield returns at once, so little is lost; where
// ranks are more than cores, it is the busy ones that run.
enum { SPINS = 100, YIELD_NS = 100000, NAP_FIRST_NS = 10000, NAP_LAST_NS = 200000 };

// ts_wait waits for a message or the end of a round for ns nanoseconds at most.
int ts_wait(int64_t ns) {
	int found;
	for (int i = 0; i < SPINS; i++)
		if ((found = look()) != TS_NOTHING)
			return found;
	int64_t start = now_ns(), nap = NAP_FIRST_NS, passed;
	while ((passed = now_ns() - start) < ns) {
		if (passed < YIELD_NS) {
			sched_yield();
		} else {
			struct timespec t = {0, nap < ns - passed ? nap : ns - passed};
			nanosleep(&t, NULL);
			nap = 2 * nap < NAP_LAST_NS ? 2 * nap : NAP_LAST_NS;
		}
		if ((found = look()) != TS_NOTHING)
			return found;
	}
	return TS_NOTHING;
}

// ts_finalize is collective, so the buffers that are still on their way get there.
int ts_finalize(void) {
	for (; actives > 0; actives--)
		TRY(MPI_Wait, &active[actives - 1]->request, MPI_STATUS_IGNORE);
	if (cancel_all() < 0)
		return -1;
	TRY(MPI_Comm_free, &ts_comm);
	TRY(MPI_Finalize);
	return 0;
}
