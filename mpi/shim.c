//go:build mpi

// The C part of package mpi: errors, start and end. Messages are in send.c and receive.c, collectives
// in collective.c. All state is static: a process is one rank, and one thread calls these functions.

#define _GNU_SOURCE
#include "internal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

// host returns a number that the ranks of this machine share: a hash (FNV-1a) of its name and of the number
// that Linux draws when it starts, because machines may have the same name.
static uint64_t host(void) {
	char text[MPI_MAX_PROCESSOR_NAME + 64];
	int length = 0;
	if (MPI_Get_processor_name(text, &length) != MPI_SUCCESS)
		length = 0;
	FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "r");
	if (boot) {
		length += fread(text + length, 1, 64, boot);
		fclose(boot);
	}
	uint64_t hash = 0xcbf29ce484222325;
	for (int i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
	return hash;
}

// look_around determines whether this host has more ranks than cores. MPI_Comm_split_type could say which
// ranks share a host, but MPICH spins in it: 8 ranks on 2 cores lost a quarter of a second.
static int look_around(int size) {
	uint64_t *hosts = malloc(size * sizeof *hosts);
	if (!hosts)
		return ts_refuse("no memory for the numbers of the hosts");
	uint64_t here = host();
	MPI_Request r;
	TRY(MPI_Iallgather, &here, 1, MPI_UINT64_T, hosts, 1, MPI_UINT64_T, ts_comm, &r);
	if (ts_complete(&r) < 0)
		return -1;
	int ranks = 0;
	for (int i = 0; i < size; i++)
		ranks += hosts[i] == here;
	free(hosts);
	ts_crowded = ranks > sysconf(_SC_NPROCESSORS_ONLN);
	return 0;
}

int ts_init(int *rank, int *size) {
	int provided, is_main;
#ifdef OPEN_MPI
	// On a host with more ranks than cores Open MPI would yield the core in every poll, also in polls of busy
	// ranks. Here only idle ranks yield, by themselves. A user's own setting stays.
	setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
#endif
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
	// Until the ranks of this host are counted, they wait as on a crowded host. The blocking collectives would
	// spin.
	MPI_Request r;
	ts_crowded = 1;
	TRY(MPI_Comm_idup, MPI_COMM_WORLD, &ts_comm, &r);
	if (ts_complete(&r) < 0)
		return -1;
	TRY(MPI_Comm_set_errhandler, ts_comm, MPI_ERRORS_RETURN);
	TRY(MPI_Comm_rank, ts_comm, rank);
	TRY(MPI_Comm_size, ts_comm, size);
	ts_rank = *rank;
	if (look_around(*size) < 0)
		return -1;
#ifdef __linux__
	prctl(PR_SET_TIMERSLACK, 1000UL); // otherwise a nap of 10 µs takes 60 µs
#endif
	if (ts_post_all() < 0)
		return -1;
	TRY(MPI_Ibarrier, ts_comm, &r);
	return ts_complete(&r);
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
