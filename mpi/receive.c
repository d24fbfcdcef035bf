//go:build mpi

// Receiving and waiting.

#include "internal.h"

#include <stdlib.h>
#include <string.h>

// A ring of persistent receives, posted ahead. A message arrives directly in the memory from which it
// is read. Receives complete in order, so that a poll is a test of the oldest one. MPI_Improbe and
// MPI_Mrecv need no ring, and take longer (see doc.go).
static struct {
	MPI_Request request;
	char bytes[EAGER];
} ring[RING];
static int head;   // the oldest receive
static int vacant; // 1: the receive before it has been read and must be posted again

ts_message ts_in;
static char *far_body;
static int64_t far_room;

static int post(int i) {
	TRY(MPI_Start, &ring[i].request);
	return 0;
}

int ts_post_all(void) {
	for (int i = 0; i < RING; i++) {
		TRY(MPI_Recv_init, ring[i].bytes, EAGER, MPI_BYTE, MPI_ANY_SOURCE, TAG_NEAR, ts_comm, &ring[i].request);
		if (post(i) < 0)
			return -1;
	}
	return 0;
}

// ts_cancel_all cancels the receives.
int ts_cancel_all(void) {
	for (int i = 0; i < RING; i++) {
		if (!vacant || i != (head + RING - 1) % RING) {
			TRY(MPI_Cancel, &ring[i].request);
			TRY(MPI_Wait, &ring[i].request, MPI_STATUS_IGNORE);
		}
		TRY(MPI_Request_free, &ring[i].request);
	}
	return 0;
}

// receive_far receives a body that follows its header.
static int receive_far(int from, int64_t bytes) {
	if (bytes > far_room || far_room > 1 << 20) { // large buffers are not kept
		free(far_body);
		far_room = 0;
		far_body = malloc(bytes);
		if (!far_body)
			return ts_refuse("out of memory");
		far_room = bytes;
	}
	TRY(MPI_Recv, far_body, (int)bytes, MPI_BYTE, from, TAG_FAR, ts_comm, MPI_STATUS_IGNORE);
	ts_in.body = far_body;
	ts_in.length = bytes;
	return 0;
}

static inline int poll_once(void) {
	int done;
	if (vacant) { // Go has read it
		if (post((head + RING - 1) % RING) < 0)
			return -1;
		vacant = 0;
	}
	if (ts_actives > 0 && ts_reap() < 0)
		return -1;
	TRY(MPI_Test, &ring[head].request, &done, MPI_STATUS_IGNORE);
	if (!done)
		return TS_NOTHING;
	char *bytes = ring[head].bytes;
	header h;
	memcpy(&h, bytes, sizeof h);
	head = (head + 1) % RING;
	vacant = 1;
	ts_in = (ts_message){h.arg, h.length, bytes + sizeof h, h.from, h.tag, h.kind, h.epoch};
	if (h.length > TS_NEAR && receive_far(h.from, h.length) < 0)
		return -1;
	return TS_MESSAGE;
}

int ts_poll(void) { return poll_once(); }

// A round of Drain: a sum over all ranks that is in progress while messages are served.
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

// ts_wait waits for a message or the end of a round, for at most ns nanoseconds.
int ts_wait(int64_t ns) {
	int found;
	for (int i = ts_spins(); i > 0; i--)
		if ((found = look()) != TS_NOTHING)
			return found;
	for (ts_idling w = ts_begin_idling(0); ts_idle(&w, ns);)
		if ((found = look()) != TS_NOTHING)
			return found;
	return TS_NOTHING;
}
