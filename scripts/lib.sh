# The common functions of the scripts. Scripts source this file; it is not run by itself. It changes
# the directory to the root of the repository.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# say prints a heading.
say() { printf '\n== %s\n' "$*"; }

# die prints an error on one line and ends the script with status 2.
die() {
	echo "${0##*/}: $*" >&2
	exit 2
}

# help prints the comment at the top of the script and ends the script, if --help or -h is among
# the arguments.
help() {
	for a in "$@"; do
		if [[ $a == --help || $a == -h ]]; then
			awk 'NR > 1 && !/^#/ {exit} NR > 1 {sub(/^# ?/, ""); print}' "scripts/${0##*/}"
			exit 0
		fi
	done
}

# have reports whether all of these commands are installed.
have() {
	for c in "$@"; do
		command -v "$c" >/dev/null || return 1
	done
}

# commit prints the commit that is checked out, followed by -dirty if there are uncommitted changes
# or new files. It prints nothing if git is missing or this directory is no checkout.
commit() {
	local git=(git -c safe.directory='*') # also accepts a checkout of another user
	local name
	name=$("${git[@]}" rev-parse HEAD 2>/dev/null) || return 0
	if [[ $("${git[@]}" status --porcelain 2>/dev/null) ]]; then name+=-dirty; fi
	echo "$name"
}

# formatted reports whether all files are formatted by gofmt, and prints the other files.
formatted() {
	local unformatted
	unformatted=$(gofmt -l .) || return 1 # gofmt has printed why it cannot read a file
	if [[ $unformatted ]]; then
		printf '%s: not formatted by gofmt:\n%s\n' "${0##*/}" "$unformatted" >&2
		return 1
	fi
}

# raced are the packages that run ranks or jobs at the same time, for the race detector. The slowest comes
# first, because go test starts packages in the given order.
# shellcheck disable=SC2034
raced=(
	./run/workloads ./cli ./run ./run/live ./run/observe ./run/observe/feed ./spmd ./local ./worker/process ./internal/parallel
	./study/sweep ./study/reproduce/kale ./study/reproduce/kumar ./study/reproduce/lab ./study/reproduce/rings ./study/reproduce/sanders
)

# eager makes garbage collection rare. This saves a fifth of the processors' time in tests and more
# in staticcheck. Programs under launchers keep the defaults that users have.
eager() { export GOGC=400 GOMEMLIMIT=1GiB; }

# share_builds makes lint, tests and programs share one build of every package: all use the same
# flags, and cgo only for MPI, CaDiCaL's library and the race detector. Tables for debuggers, which no
# test reads, would take a twelfth of the compiler's time.
share_builds() { export GOFLAGS="${GOFLAGS:-} -trimpath -gcflags=all=-dwarf=false" CGO_ENABLED=0; }

# keep_in_memory puts temporary files into memory, if memory has room for them and programs there may run.
# The tests create and remove thousands of small files. On a disk this takes a seventh of their processor
# time. The function does nothing if TMPDIR names a directory.
keep_in_memory() {
	local memory=/dev/shm probe room free
	if [[ ${TMPDIR:-} || ! -w $memory ]] || ! have df awk mktemp chmod rm; then return; fi
	room=$(df -Pk "$memory" | awk 'END {print $4}')
	free=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
	if ((room < 4 << 20 || free < 8 << 20)); then return; fi
	probe=$(mktemp -p "$memory") || return 0
	echo '#!/bin/sh' >"$probe"
	chmod +x "$probe"
	if "$probe" 2>/dev/null; then export TMPDIR=$memory; fi
	rm "$probe"
}

# thrifty makes the compiler collect garbage only if memory runs short. This saves a fifth of the
# processors' time.
thrifty() { GOGC=off GOMEMLIMIT=1GiB "$@"; }

# mpis prints the MPIs that have both a compiler wrapper and a launcher on this machine. On Debian
# several MPIs can be installed together under these names; the meaning of plain mpicc does not
# matter.
mpis() {
	for m in openmpi mpich; do
		if have "mpicc.$m" "mpirun.$m"; then echo "$m"; fi
	done
}

# has_cadical reports whether programs can be built with CaDiCaL's library, by the build tag cadical.
has_cadical() { have g++ && g++ -fsyntax-only -x c++ - <<<'#include <cadical.hpp>' 2>/dev/null; }

# launcher MPI sets the array launch to the command that starts ranks on this machine. The number of
# ranks may exceed the number of cores.
launcher() {
	launch=("mpirun.$1")
	if [[ $1 == openmpi ]]; then
		launch+=(--oversubscribe)
		if ((EUID == 0)); then launch+=(--allow-run-as-root); fi
	fi
}

# median prints the median of the numbers on its standard input.
median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
