// The loops of mpi/internal/pingpong in plain C. Two ranks send eight bytes back and forth, first with
// MPI_Send and MPI_Recv ("sendrecv"), then with the calls for a program that does not know the next
// sender ("improbe"). Then they poll without success with MPI_Iprobe ("poll"). MPI runs with
// MPI_THREAD_FUNNELED, as in every program with threads. A second argument selects MPI_THREAD_SINGLE,
// under which Open MPI uses no locks, and adds "1" to the names.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

static void send_recv(int n) {
	char b[8] = {0};
	for (int i = 0; i < n; i++) {
		if (rank == 0)
			MPI_Send(b, 8, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
		MPI_Recv(b, 8, MPI_BYTE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(b, 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD);
	}
}

static void send_nonblocking(char *b, int to) {
	MPI_Request request;
	MPI_Isend(b, 8, MPI_BYTE, to, 7, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void improbe(int n) {
	char b[8] = {0};
	for (int i = 0; i < n; i++) {
		int found = 0;
		MPI_Message m;
		if (rank == 0)
			send_nonblocking(b, 1);
		while (!found)
			MPI_Improbe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &found, &m, MPI_STATUS_IGNORE);
		MPI_Mrecv(b, 8, MPI_BYTE, &m, MPI_STATUS_IGNORE);
		if (rank == 1)
			send_nonblocking(b, 0);
	}
}

static void poll(int n) {
	int found;
	for (int i = 0; i < n; i++)
		MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

enum { BLOCKS = 50 };

static int compare(const void *a, const void *b) {
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void measure(const char *name, void (*run)(int), int n) {
	double each[BLOCKS];
	for (int b = 0; b < BLOCKS; b++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double start = MPI_Wtime();
		run(n / BLOCKS);
		each[b] = (MPI_Wtime() - start) / (n / BLOCKS) * 1e9;
	}
	qsort(each, BLOCKS, sizeof each[0], compare);
	if (rank == 0)
		printf("%s %.1f\n", name, each[BLOCKS / 2]);
}

int main(int argc, char **argv) {
	int single = argc > 2, provided;
	MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	int n = argc > 1 ? atoi(argv[1]) : 100000;
	measure(single ? "sendrecv1" : "sendrecv", send_recv, n);
	measure(single ? "improbe1" : "improbe", improbe, n);
	measure(single ? "poll1" : "poll", poll, n);
	return MPI_Finalize();
}
