// Package mpi is the runtime of MPI ranks, each of which is a process. It binds the C library of
// the system (Open MPI, MPICH or a library derived from them) through the compiler wrapper that
// belongs to the library. The source contains no paths:
//
//	CC=mpicc go build -tags mpi
//
// If several libraries are installed, name one: mpicc.openmpi or mpicc.mpich. Do not change the
// meaning of plain mpicc between builds: Go's build cache distinguishes compilers by name and
// version, and both wrappers run the same gcc.
//
// Without the tag no C is compiled, Built is false, and Init returns an error that names the
// remedy. Launched works without the tag too. A program that was built without MPI and started by
// mpirun can therefore refuse to run, instead of running P independent copies.
//
// # The C library, and the binding that is not used
//
// The plan named the binding github.com/sbromberger/gompi. The module registry that this project
// builds from does not serve it. The binding has further faults. It has no non-blocking calls,
// which a rank needs to work while it waits. It discards all but one of its 72 return codes, fixes
// the paths of one Open MPI, and counts the bytes of BcastBytes as 4-byte integers. This package
// keeps its vocabulary (Init, Finalize, Abort, World, Rank, Size) where it fits.
//
// # How it works
//
// MPI runs with MPI_THREAD_FUNNELED on the main thread. This package binds the main goroutine to
// that thread when the program starts. All methods of World except Rank, Size and Abort must therefore
// be called from the main goroutine, and the rank runs there.
//
// Each operation crosses into C once. A crossing takes about 27 ns, as long as a whole poll of a
// fast MPI. Send copies header and body into a pooled buffer, which MPI_Isend reads; a later Send
// or poll finds that the buffer has been sent. A poll is an MPI_Test of the oldest of a few
// receives that are posted ahead. A body of more than 4000 bytes follows its header as a second
// message. MPI_Improbe and MPI_Mrecv are not used: under Open MPI, in C alone, a round trip with
// them takes one and a half times as long as with MPI_Recv, and the difference is as long as the
// crossings take. The script pingpong measures all of these. Go memory is never handed to MPI: some
// libraries keep registrations of the pages from which they have sent, and do not see what Go's
// collector does with these pages.
//
// MPI_ERRORS_RETURN is set, every return code is checked, and the first error is kept as text
// (MPI_Error_string) for Err and Drain. All ranks must run on machines with the same byte order.
package mpi
