// What the C files of package mpi share among themselves.
#ifndef TREESPLIT_MPI_INTERNAL_H
#define TREESPLIT_MPI_INTERNAL_H

#include "shim.h"

#include <mpi.h>

extern MPI_Comm ts_comm; // a duplicate of MPI_COMM_WORLD, so that no other library's messages mix with ours

int ts_fail(const char *call, int code);

// TRY calls an MPI function and returns -1 from the present one if it fails.
#define TRY(function, ...)                        \
	do {                                          \
		int code_ = function(__VA_ARGS__);        \
		if (code_ != MPI_SUCCESS)                 \
			return ts_fail(#function, code_);     \
	} while (0)

#endif
