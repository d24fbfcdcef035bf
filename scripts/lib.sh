# What the scripts share; sourced, not run. Leaves the shell in the repository's root.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# say prints a heading.
say() { printf '\n== %s\n' "$*"; }

# die prints an error on one line and ends the script with status 2.
die() {
	echo "${0##*/}: $*" >&2
	exit 2
}

# help prints the comment at the top of the script and ends it, if --help is among
# the arguments.
help() {
	for a in "$@"; do
		if [[ $a == --help || $a == -h ]]; then
			awk 'NR > 1 && !/^#/ {exit} NR > 1 {sub(/^# ?/, ""); print}' "$0"
			exit 0
		fi
	done
}

# have says whether all of these commands are installed.
have() {
	for c in "$@"; do
		command -v "$c" >/dev/null || return 1
	done
}

# commit prints the commit that is checked out, followed by -dirty if files were changed since
# or were never committed. It prints nothing where git is missing or this is no checkout.
commit() {
	local git=(git -c safe.directory='*') # a checkout of another user will do
	local name
	name=$("${git[@]}" rev-parse HEAD 2>/dev/null) || return 0
	if [[ $("${git[@]}" status --porcelain 2>/dev/null) ]]; then name+=-dirty; fi
	echo "$name"
}

# formatted reports whether gofmt would leave every file as it is, and prints the others.
formatted() {
	local unformatted
	unformatted=$(gofmt -l .)
	if [[ $unformatted ]]; then
		printf '%s: not formatted by gofmt:\n%s\n' "${0##*/}" "$unformatted" >&2
		return 1
	fi
}

# raced are the packages in which ranks or runs are side by side, for the race detector.
# shellcheck disable=SC2034
raced=(./cli/... ./run/... ./spmd/... ./local/... ./internal/parallel/... ./study/sweep/... ./study/reproduce/...)

# eager has garbage collected seldom, which saves a fifth of the processors' time in tests.
# Programs under launchers keep the defaults that users have.
eager() { export GOGC=400 GOMEMLIMIT=1GiB; }

# mpis prints the MPIs that can both be compiled for and started here. Debian lets
# several be installed together under these names; what plain mpicc means does not
# matter.
mpis() {
	for m in openmpi mpich; do
		if have "mpicc.$m" "mpirun.$m"; then echo "$m"; fi
	done
}

# launcher MPI sets the array launch to the command that starts ranks on this machine,
# more of them than cores if asked to.
launcher() {
	launch=("mpirun.$1")
	if [[ $1 == openmpi ]]; then
		launch+=(--oversubscribe)
		if ((EUID == 0)); then launch+=(--allow-run-as-root); fi
	fi
}

# median prints the middle one of the numbers on its standard input.
median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
