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
static const int tag_all = 7;

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

// What travels before the body; kept to 16 bytes.
typedef struct {
	int64_t arg;
	int32_t tag;
	uint8_t kind, epoch;
	uint16_t unused;
} header;

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

int ts_send(int to, int kind, int epoch, int32_t tag, int64_t arg, const void *body, int64_t length) {
	int done;
	if (to < 0) // MPI would take some negative ranks for wildcards
		return ts_fail("MPI_Isend", MPI_ERR_RANK);
	if (length > INT_MAX - (int64_t)sizeof(header)) {
		snprintf(error_text, sizeof error_text, "a message of %lld bytes is too long: MPI counts bytes in an int", (long long)length);
		return -1;
	}
	if (reap() < 0)
		return -1;
	int64_t bytes = sizeof(header) + length;
	slot *s = spares > 0 ? spare[--spares] : another();
	if (!s)
		return no_memory();
	if (fit(s, bytes) < 0)
		return retire(s), no_memory();
	header h = {arg, tag, kind, epoch, 0};
	memcpy(s->bytes, &h, sizeof h);
	if (length > 0)
		memcpy(s->bytes + sizeof h, body, length);
	int code = MPI_Isend(s->bytes, (int)bytes, MPI_BYTE, to, tag_all, ts_comm, &s->request);
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

int ts_send_control(int to, int kind, int epoch, int32_t tag, int64_t arg) {
	return ts_send(to, kind, epoch, tag, arg, NULL, 0);
}

// ---- receiving ----

ts_message ts_in;
static char *inbuf;
static int64_t inroom;

static int receive(MPI_Message *message, MPI_Status *status) {
	int bytes;
	header h;
	TRY(MPI_Get_count, status, MPI_BYTE, &bytes);
	if (bytes > inroom || inroom > 1 << 20) { // large buffers are not hoarded
		int64_t room = bytes > 1 << 16 ? bytes : 1 << 16;
		free(inbuf);
		inroom = 0;
		inbuf = malloc(room);
		if (!inbuf)
			return no_memory();
		inroom = room;
	}
	TRY(MPI_Mrecv, inbuf, bytes, MPI_BYTE, message, MPI_STATUS_IGNORE);
	if (bytes < (int)sizeof h)
		return ts_fail("MPI_Mrecv", MPI_ERR_TRUNCATE);
	memcpy(&h, inbuf, sizeof h);
	ts_in = (ts_message){h.arg, bytes - (int64_t)sizeof h, inbuf + sizeof h, status->MPI_SOURCE, h.tag, h.kind, h.epoch};
	return TS_MESSAGE;
}

int ts_poll(void) {
	int found;
	MPI_Message message;
	MPI_Status status;
	if (actives > 0 && reap() < 0)
		return -1;
	TRY(MPI_Improbe, MPI_ANY_SOURCE, tag_all, ts_comm, &found, &message, &status);
	return found ? receive(&message, &status) : TS_NOTHING;
}

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
	int done, found = ts_poll();
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
	TRY(MPI_Comm_free, &ts_comm);
	TRY(MPI_Finalize);
	return 0;
}
