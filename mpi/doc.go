// Package mpi is the world of MPI ranks, one process each. It binds the C
// library of the system: Open MPI, MPICH and their relatives, through the
// compiler wrapper that came with them and with no paths in the source:
//
//	CC=mpicc go build -tags mpi
//
// Where several are installed, name one: mpicc.openmpi, mpicc.mpich. Then do not
// switch what plain mpicc means between builds: Go's build cache tells compilers
// apart by name and version, and both wrappers run the same gcc.
//
// Without the tag no C is compiled, Built is false, and Init is an error that
// names the remedy; Launched works all the same, so that a program that was built
// without MPI and started by mpirun can refuse instead of running P lonely copies.
//
// # The C library and the binding that is not used
//
// The plan named the binding github.com/sbromberger/gompi. The module registry
// that this project builds from does not serve it. It also has no non-blocking
// calls, which a rank that works while it waits cannot do without, discards all
// but one of its 72 return codes, fixes the paths of one Open MPI, and counts the
// bytes of BcastBytes as 4-byte integers. Its vocabulary (Init, Finalize, Abort,
// World, Rank, Size) is kept where it fits.
//
// # How it works
//
// MPI runs with MPI_THREAD_FUNNELED on the main thread, to which this package
// binds the main goroutine when the program starts. Everything of World must
// therefore be called from the main goroutine: the rank runs there.
//
// Each operation crosses into C once, which takes about 27 ns: as long as a whole
// poll of a fast MPI. Send copies header and body into a pooled buffer that
// MPI_Isend reads, and some later Send or poll finds that it has been sent. A poll
// is MPI_Test of the oldest of a few receives that are posted ahead; a body of more
// than 4000 bytes follows its header as a message of its own. (MPI_Improbe
// and MPI_Mrecv are not used: in C alone these make a round trip half as long again
// as MPI_Recv does under Open MPI, as long as the crossings do. The script pingpong
// measures all of them.) Go memory is never handed to MPI: a library that keeps
// registrations of the pages it has sent from does not see what Go's collector does
// with them.
//
// MPI_ERRORS_RETURN is set, every return code is checked, and the first error is
// kept as text (MPI_Error_string) for Err and Drain. Ranks must run on machines of
// one byte order.
package mpi
