//go:build mpi

// The collectives of package mpi, over buffers in C memory; doc.go has the reason.

#include "internal.h"

#include <sched.h>
#include <stdlib.h>

static void *buffers[3];

// ts_buffer returns a buffer of at least the given number of bytes, or NULL.
void *ts_buffer(int index, int64_t bytes) {
	free(buffers[index]);
	return buffers[index] = malloc(bytes > 0 ? bytes : 1);
}

// ts_complete waits for a collective as ts_wait waits for a message, so that other processes can use the
// core meanwhile. The last rank may arrive seconds later, because it reads the input. The libraries'
// own blocking calls spin; MPICH's never yield.
// If this host has more ranks than cores, each of the first tests yields the core, because the ranks that are
// waited for need it. Most collectives end within SOON nanoseconds. With a nap before that, a short search by IDA* on 4
// ranks of 2 cores took 3.6 times as long (MPICH).
enum { SOON = 5000000 };
int ts_complete(MPI_Request *request) {
	int done = 0;
	for (int i = 0; i < SPINS && !done; i++) {
		TRY(MPI_Test, request, &done, MPI_STATUS_IGNORE);
		if (ts_crowded && !done)
			sched_yield();
	}
	for (ts_idling w = ts_begin_idling(SOON); !done;) {
		ts_idle(&w, INT64_MAX);
		TRY(MPI_Test, request, &done, MPI_STATUS_IGNORE);
	}
	return 0;
}

// ts_reduce combines the vectors in TS_OUT into TS_IN.
int ts_reduce(int64_t count, int how) {
	MPI_Request r;
	if (how == TS_EXSCAN)
		TRY(MPI_Iexscan, buffers[TS_OUT], buffers[TS_IN], count, MPI_INT64_T, MPI_SUM, ts_comm, &r);
	else
		TRY(MPI_Iallreduce, buffers[TS_OUT], buffers[TS_IN], count, MPI_INT64_T, how == TS_MAX ? MPI_MAX : MPI_SUM, ts_comm, &r);
	return ts_complete(&r);
}

// ts_broadcast sends root's TS_OUT to the TS_OUT of all ranks.
int ts_broadcast(int root, int64_t bytes) {
	MPI_Request r;
	TRY(MPI_Ibcast, buffers[TS_OUT], bytes, MPI_BYTE, root, ts_comm, &r);
	return ts_complete(&r);
}

// ts_share_length writes the numbers in all ranks' TS_OUT into every rank's TS_IN.
int ts_share_length(void) {
	MPI_Request r;
	TRY(MPI_Iallgather, buffers[TS_OUT], 1, MPI_INT64_T, buffers[TS_IN], 1, MPI_INT64_T, ts_comm, &r);
	return ts_complete(&r);
}

// ts_gather writes the TS_OUT of all ranks into root's TS_IN, one after the other. TS_COUNTS has the
// lengths, as ints, and room for as many displacements after them.
int ts_gather(int root, int64_t length) {
	int rank, size;
	TRY(MPI_Comm_rank, ts_comm, &rank);
	TRY(MPI_Comm_size, ts_comm, &size);
	int *counts = buffers[TS_COUNTS], *starts = counts + size;
	if (rank == root)
		for (int r = 0, start = 0; r < size; start += counts[r++])
			starts[r] = start;
	MPI_Request r;
	TRY(MPI_Igatherv, buffers[TS_OUT], length, MPI_BYTE, buffers[TS_IN], counts, starts, MPI_BYTE, root, ts_comm, &r);
	return ts_complete(&r);
}

// ts_all_to_all sends the parts of TS_OUT to the ranks and writes the received parts into TS_IN.
int ts_all_to_all(int64_t part) {
	MPI_Request r;
	TRY(MPI_Ialltoall, buffers[TS_OUT], part, MPI_INT64_T, buffers[TS_IN], part, MPI_INT64_T, ts_comm, &r);
	return ts_complete(&r);
}
