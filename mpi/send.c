//go:build mpi

// Sending: each message is copied into a pooled buffer, which MPI_Isend reads. Later
// calls find out that it has been sent; nothing ever waits for that before the end.

#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// A buffer that MPI reads from. room is 256, or more while a large body needs it.
typedef struct {
	MPI_Request request;
	int64_t room;
	char *bytes;
} slot;

enum { SMALL = 256, TINY = 64, REAP = 2 };

// active[0..ts_actives) are on their way, spare[0..spares) wait for use.
static slot **active, **spare;
static int spares, slots, turn;
int ts_actives;
char ts_out[TS_NEAR];

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

// ts_reap looks at a few of the buffers on their way, in turn: bounded work, and
// none is forgotten behind one that its receiver is slow to take.
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
	if (back == ts_out && back_bytes <= TINY) // a few instructions; there is room for it
		memcpy(s->bytes + front_bytes, back, TINY);
	else if (back_bytes > 0)
		memcpy(s->bytes + front_bytes, back, back_bytes);
	int code = MPI_Isend(s->bytes, bytes, MPI_BYTE, to, mpi_tag, ts_comm, &s->request);
	if (code != MPI_SUCCESS)
		return retire(s), ts_fail("MPI_Isend", code);
	// A short message has mostly been copied away by now.
	TRY(MPI_Test, &s->request, &done, MPI_STATUS_IGNORE);
	if (done)
		retire(s);
	else
		active[ts_actives++] = s;
	return 0;
}

int ts_send_near(int to, int kind, int epoch, int32_t tag, int64_t arg, int length) {
	if (to < 0) // MPI would take some negative ranks for wildcards
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
	// The body first: whoever has the header waits for it.
	if (isend(to, TAG_FAR, body, length, NULL, 0) < 0)
		return -1;
	return isend(to, TAG_NEAR, &h, sizeof h, NULL, 0);
}

// ts_flush waits until all has been sent.
int ts_flush(void) {
	for (; ts_actives > 0; ts_actives--)
		TRY(MPI_Wait, &active[ts_actives - 1]->request, MPI_STATUS_IGNORE);
	return 0;
}
