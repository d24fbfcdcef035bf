set -uo pipefail
cd {{quote .WorkDir}} || exit 2
{{- if .Setup}}
{{.Setup}}
{{- end}}

# Runs {{.First}} to {{.Last}} of the plan, {{.PerTask}} per task; each task has its own file of results.
first=$(({{.First}} + task * {{.PerTask}}))
last=$((first + {{.PerTask}} - 1))
if ((last > {{.Last}})); then last={{.Last}}; fi
{{quote .Binary}} sweep {{quote .Plan}} --only-index "$first-$last" \
	--results {{quote .Dir}}/results/{{.Name}}-"$task".jsonl{{range .Flags}} {{quote .}}{{end}} &
sweep=$!

# The scheduler warns shortly before the time limit. The warning is passed on to the sweep, which ends
# its run, with a checkpoint if the plan requests one, and exits with status 3. A signal ends wait too.
warned=0 cancelled=0
trap 'warned=1; kill -USR1 "$sweep" 2>/dev/null' USR1 USR2
trap 'warned=1 cancelled=1; kill -USR1 "$sweep" 2>/dev/null' TERM
wait "$sweep"
status=$?
while ((warned)); do
	warned=0
	wait "$sweep"
	status=$?
done
