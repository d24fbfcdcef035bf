# The common functions of the parts of scripts/bench. Scripts source this file after lib.sh; it is not
# run by itself. It reads the argument of the part, the number of runs, into runs, builds the program,
# and makes $work, a directory that is removed when the script ends. If BENCH_BUILT is set,
# scripts/bench has made the build before.
# shellcheck shell=bash

runs=${1:-5}
[[ $runs =~ ^[1-9][0-9]*$ ]] || die "$runs: expected a number of runs"
[[ ${BENCH_BUILT:-} ]] || ./scripts/build >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 3' INT # bash itself ends only if a child was killed by the signal
mapfile -t worlds < <(echo goroutines && mpis)

# search WORLD RANKS ARGUMENT… makes a run of the program and prints its JSON.
search() {
	local world=$1 ranks=$2 status=0
	shift 2
	if [[ $world == goroutines ]]; then
		bin/treesplit "$@" -n "$ranks" --json || status=$?
	else
		launcher "$world"
		"${launch[@]}" -n "$ranks" "bin/treesplit-$world" "$@" --json || status=$?
	fi
	((status == 0 || status == 10 || status == 20)) || die "$world, $ranks ranks, $*: status $status"
}

# key NAME prints the first number of that name in the JSON on standard input.
key() {
	awk -v name="\"$1\":" '{i = index($0, name)} i {s = substr($0, i + length(name)); match(s, /^[-+.e0-9]*/); print substr(s, 1, RLENGTH)}'
}

# metric UNIT prints the names of the benchmarks in go test's output on standard input, with the values
# that they report in that unit.
metric() { awk -v unit="$1" '/^Benchmark/ {for (i = 3; i < NF; i++) if ($(i + 1) == unit) print $1, $i}'; }

# divide A B prints a quotient.
divide() { awk "BEGIN {print $1 / $2}"; }

# load prints the number of cores, and the load before the part.
load() { echo "on $(nproc) cores; load before: $(cut -d " " -f 1 /proc/loadavg)"; }
