// Declarations that the C files of package mpi share.
#ifndef TREESPLIT_MPI_INTERNAL_H
#define TREESPLIT_MPI_INTERNAL_H

#include "shim.h"

#include <mpi.h>

// The header, which is sent before the body.
typedef struct {
	int64_t arg;
	int32_t from, tag;
	int32_t length; // of the body, in bytes
	uint8_t kind, epoch;
	uint16_t unused;
} header;

// A body of up to TS_NEAR bytes is sent with its header. A longer body follows as a separate message,
// under another tag and directly into a buffer of its length: MPI keeps the order of each tag.
enum { RING = 8, EAGER = sizeof(header) + TS_NEAR };
enum { TAG_NEAR = 7, TAG_FAR = 8 };

extern int ts_rank;      // this rank
extern int ts_crowded;   // 1 if this host has more ranks than cores, otherwise 0
extern MPI_Comm ts_comm; // a duplicate of MPI_COMM_WORLD, so that no other library's messages mix with ours

// Errors: each function stores the text of the first error and returns -1.
int ts_fail(const char *call, int code);
int ts_refuse(const char *why);

// Sending.
extern int ts_actives; // number of buffers that are being sent
int ts_reap(void);
int ts_flush(void);

// Waiting (idle.c): the caller polls ts_spins() times, begins, and calls ts_idle between further polls.
// ts_idle returns 0 when ns nanoseconds have passed since the beginning. Naps are brief during the
// first soon nanoseconds.
enum { SPINS = 100 };
int ts_spins(void);
typedef struct {
	int64_t start, soon, nap; // nanoseconds: the beginning, until when naps are brief, the next longer nap
} ts_idling;
ts_idling ts_begin_idling(int64_t soon);
int ts_idle(ts_idling *w, int64_t ns);
int ts_complete(MPI_Request *request); // waits for a collective

// Receiving.
int ts_post_all(void);
int ts_cancel_all(void);

// TRY calls an MPI function, and returns -1 from the current function if the call fails.
#define TRY(function, ...)                        \
	do {                                          \
		int code_ = function(__VA_ARGS__);        \
		if (code_ != MPI_SUCCESS)                 \
			return ts_fail(#function, code_);     \
	} while (0)

#endif
