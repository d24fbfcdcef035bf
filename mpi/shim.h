// The C part of package mpi: one function per operation, so that Go crosses into C once per operation.
// See shim.c. No function calls back into Go or keeps a pointer that Go passes.
#ifndef TREESPLIT_MPI_SHIM_H
#define TREESPLIT_MPI_SHIM_H

#include <stdint.h>

// A received message, in C memory that the next receive overwrites.
typedef struct {
	int64_t arg;
	int64_t length; // of body, in bytes
	char *body;
	int32_t from, tag;
	uint8_t kind, epoch;
} ts_message;

// The results of ts_poll and ts_wait; negative: an error, see ts_error.
enum { TS_NOTHING, TS_MESSAGE, TS_ROUND };

extern ts_message ts_in;  // the last message found
extern int64_t ts_totals[3]; // the sums of the last completed round

int ts_init(int *rank, int *size);
int ts_finalize(void);
void ts_abort(int code);
void ts_library(char *text, int room);
const char *ts_error(void);

// Before the call, the caller writes a body of up to TS_NEAR bytes into ts_out.
enum { TS_NEAR = 4000 };
extern char ts_out[TS_NEAR];
int ts_send_near(int to, int kind, int epoch, int32_t tag, int64_t arg, int length);
int ts_send_far(int to, int kind, int epoch, int32_t tag, int64_t arg, const void *body, int64_t length);
int ts_poll(void);
int ts_wait(int64_t ns);
void ts_sleep(int64_t ns);
void ts_nap_always(int64_t ns);
int ts_round(int64_t sent, int64_t received, int64_t failed);

// Buffers of collectives: C memory, kept until the next call with the same index.
enum { TS_OUT, TS_IN, TS_COUNTS };
void *ts_buffer(int index, int64_t bytes);
enum { TS_SUM, TS_MAX, TS_EXSCAN };
int ts_reduce(int64_t count, int how);
int ts_broadcast(int root, int64_t bytes);
int ts_share_length(void);
int ts_gather(int root, int64_t length);
int ts_all_to_all(int64_t part);

#endif
