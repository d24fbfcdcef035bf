//go:build mpi

// Sending. Each message is copied into a pooled buffer, which MPI_Isend reads. Later calls find that
// the message has been sent; no call waits for this before the end.

#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// A buffer from which MPI reads. room is 256, or more while it holds a large body.
typedef struct {
	MPI_Request request;
	int64_t room;
	char *bytes;
} slot;

enum { SMALL = 256, TINY = 64, REAP = 2 };

// active[0..ts_actives) are being sent, spare[0..spares) are unused.
static slot **active, **spare;
static int spares, slots, turn;
int ts_actives;
char ts_out[TS_NEAR];

// another makes a slot, and room for the slot in both lists.
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

// fit gives the slot room for the given number of bytes.
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

// retire frees a slot that has been sent. Large buffers are not kept.
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

// ts_reap tests a few of the buffers that are being sent, in turn. The work of a call is bounded, and
// no buffer is forgotten behind a buffer whose receiver is slow.
int ts_reap(void) {
	for (int i = 0; i < REAP && ts_actives > 0; i++) {
		int done;
		if (++turn >= ts_actives)
			turn = 0;
		slot *s = active[turn];
		TRY(MPI_Test, &s->request, &done, MPI_STATUS_IGNORE);
		if (done) {
			active[turn] = active[--ts_actives];
			retire(s);
		}
	}
	return 0;
}

// isend sends front and then back as one message of MPI, from a pooled buffer.
static inline __attribute__((always_inline)) int isend(int to, int mpi_tag, const void *front, size_t front_bytes, const void *back, size_t back_bytes) {
	int done, bytes = (int)(front_bytes + back_bytes);
	slot *s = spares > 0 ? spare[--spares] : another();
	if (!s)
		return ts_refuse("out of memory");
	if (fit(s, bytes) < 0)
		return retire(s), ts_refuse("out of memory");
	memcpy(s->bytes, front, front_bytes);
	if (back == ts_out && back_bytes <= TINY) // takes a few instructions; the slot has room
		memcpy(s->bytes + front_bytes, back, TINY);
	else if (back_bytes > 0)
		memcpy(s->bytes + front_bytes, back, back_bytes);
	int code = MPI_Isend(s->bytes, bytes, MPI_BYTE, to, mpi_tag, ts_comm, &s->request);
	if (code != MPI_SUCCESS)
		return retire(s), ts_fail("MPI_Isend", code);
	// MPI has usually copied a short message by now.
	TRY(MPI_Test, &s->request, &done, MPI_STATUS_IGNORE);
	if (done)
		retire(s);
	else
		active[ts_actives++] = s;
	return 0;
}

int ts_send_near(int to, int kind, int epoch, int32_t tag, int64_t arg, int length) {
	if (to < 0) // for MPI some negative ranks are wildcards
		return ts_fail("MPI_Isend", MPI_ERR_RANK);
	if (ts_actives > 0 && ts_reap() < 0)
		return -1;
	header h = {arg, ts_rank, tag, length, kind, epoch, 0};
	return isend(to, TAG_NEAR, &h, sizeof h, ts_out, length);
}

int ts_send_far(int to, int kind, int epoch, int32_t tag, int64_t arg, const void *body, int64_t length) {
	if (to < 0)
		return ts_fail("MPI_Isend", MPI_ERR_RANK);
	if (length > INT_MAX)
		return ts_refuse("a message of more than 2147483647 bytes is too long: MPI counts them in an int");
	if (ts_actives > 0 && ts_reap() < 0)
		return -1;
	header h = {arg, ts_rank, tag, (int32_t)length, kind, epoch, 0};
	// The body is sent first: a receiver with the header waits for the body.
	if (isend(to, TAG_FAR, body, length, NULL, 0) < 0)
		return -1;
	return isend(to, TAG_NEAR, &h, sizeof h, NULL, 0);
}

// ts_flush waits until all messages have been sent.
int ts_flush(void) {
	for (; ts_actives > 0; ts_actives--)
		TRY(MPI_Wait, &active[ts_actives - 1]->request, MPI_STATUS_IGNORE);
	return 0;
}
