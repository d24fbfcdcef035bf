//go:build mpi

// The C part of package mpi: errors, start and end. Messages are in send.c and receive.c, collectives
// in collective.c. All state is static: a process is one rank, and one thread calls these functions.

#define _GNU_SOURCE
#include "internal.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

MPI_Comm ts_comm;
int ts_rank, ts_crowded;

// ---- errors ----

static char error_text[MPI_MAX_ERROR_STRING + 128];

const char *ts_error(void) { return error_text; }

// ts_fail stores the text of the first error, on one line, and returns -1.
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

int ts_refuse(const char *why) {
	if (!error_text[0])
		snprintf(error_text, sizeof error_text, "MPI: %s", why);
	return -1;
}

// ---- start and end ----

// MPI libraries install handlers for the signals from which Go makes panics, without SA_ONSTACK, which
// Go needs. with_signals stores Go's handlers before MPI starts and restores them afterwards. It also
// does so for SIGUSR1, whose handler MPICH replaces, and which batch systems send shortly before the
// time limit.
static void with_signals(int restore) {
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGUSR1};
	enum { count = sizeof numbers / sizeof numbers[0] };
	static struct sigaction before[count];
	for (int i = 0; i < count; i++)
		sigaction(numbers[i], restore ? &before[i] : NULL, restore ? NULL : &before[i]);
}

// look_around determines whether this host has more ranks than cores.
static int look_around(void) {
	MPI_Comm host;
	int ranks;
	TRY(MPI_Comm_split_type, ts_comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	TRY(MPI_Comm_size, host, &ranks);
	TRY(MPI_Comm_free, &host);
	ts_crowded = ranks > sysconf(_SC_NPROCESSORS_ONLN);
	return 0;
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
		return ts_refuse("this library does not allow programs to have threads (MPI_THREAD_FUNNELED)");
	if (!is_main)
		return ts_refuse("Init was not called from the main goroutine");
	TRY(MPI_Comm_dup, MPI_COMM_WORLD, &ts_comm);
	TRY(MPI_Comm_set_errhandler, ts_comm, MPI_ERRORS_RETURN);
	TRY(MPI_Comm_rank, ts_comm, rank);
	TRY(MPI_Comm_size, ts_comm, size);
	ts_rank = *rank;
	if (look_around() < 0)
		return -1;
#ifdef __linux__
	prctl(PR_SET_TIMERSLACK, 1000UL); // otherwise a nap of 10 µs takes 60 µs
#endif
	if (ts_post_all() < 0)
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

// ts_finalize is collective, so that the buffers that are still being sent arrive.
int ts_finalize(void) {
	if (ts_flush() < 0 || ts_cancel_all() < 0)
		return -1;
	TRY(MPI_Comm_free, &ts_comm);
	TRY(MPI_Finalize);
	return 0;
}
