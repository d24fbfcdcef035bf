# What the parts of scripts/bench share; sourced after lib.sh, not run. It takes the part's
# argument, the number of runs, leaves it in runs, builds the program, and makes $work, a
# directory that goes away with the script. The build is left out where BENCH_BUILT says
# that scripts/bench has made it.
# shellcheck shell=bash

runs=${1:-5}
[[ $runs =~ ^[1-9][0-9]*$ ]] || die "$runs: expected a number of runs"
[[ ${BENCH_BUILT:-} ]] || ./scripts/build >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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

# metric UNIT prints the names of the benchmarks in go test's output on standard input, and
# what they report in that unit.
metric() { awk -v unit="$1" '/^Benchmark/ {for (i = 3; i < NF; i++) if ($(i + 1) == unit) print $1, $i}'; }

# divide A B prints a quotient.
divide() { awk "BEGIN {print $1 / $2}"; }

# load prints on how many cores the part runs, and how busy they were.
load() { echo "on $(nproc) cores; load before: $(cut -d " " -f 1 /proc/loadavg)"; }
