set -uo pipefail

# The scheduler warns shortly before the time limit, perhaps even before the sweep begins. The warning
# is passed on to the sweep, which ends its run, with a checkpoint if the plan requests one, and exits
# with status 3.
sweep='' warned=0 cancelled=0 again=0
pass_on() {
	warned=1 again=1
	if [[ $sweep ]]; then kill -USR1 "$sweep" 2>/dev/null; fi
}
trap pass_on USR1 USR2
trap 'cancelled=1; pass_on' TERM

cd {{quote .WorkDir}} || exit 2
{{- if .Setup}}
# The setup may use variables that are not set.
set +u
{{.Setup}}
set -u
{{- end}}

{{- if .StopAfter}}
# PBS gives no warning before the time limit: the sweep reads the clock itself. The job has {{.StopAfter}} seconds
# until then, and the setup may have taken some of them.
left=$(({{.StopAfter}} - SECONDS))
if ((left <= 0)); then
	warned=1
	echo "the job makes no run: the setup took $SECONDS seconds, expected less than {{.StopAfter}}" >&2
fi
{{- end}}

# Runs {{.First}} to {{.Last}} of the plan, {{.PerTask}} per task; each task has its own file of results.
first=$(({{.First}} + task * {{.PerTask}}))
last=$((first + {{.PerTask}} - 1))
if ((last > {{.Last}})); then last={{.Last}}; fi
status=3
if ((!warned)); then
	{{quote .Program}} sweep {{quote .Plan}} --only-index "$first-$last" \
		--results {{quote .Dir}}/results/{{.Name}}-"$task".jsonl{{range .Flags}} {{quote .}}{{end}}{{if .StopAfter}} --stop-after "${left}s"{{end}} &
	sweep=$! status=
fi

# A signal ends wait too. The warning is passed on once more after a second, because a process that has
# just been started may have lost it.
while [[ $sweep ]] && { [[ ! $status ]] || ((again)); }; do
	if ((again)); then
		again=0
		sleep 1
		kill -USR1 "$sweep" 2>/dev/null
	fi
	wait "$sweep"
	status=$?
done

# Status 138: the warning came before the sweep could handle it, and ended the sweep.
if ((warned && status == 138)); then status=3; fi
