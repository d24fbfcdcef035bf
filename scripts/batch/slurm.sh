#!/bin/bash
# {{.Title}}
#SBATCH --job-name={{.Name}}
{{- if gt .Count 1}}
#SBATCH --array=0-{{.LastTask}}
{{- end}}
#SBATCH --ntasks={{.Tasks}}
#SBATCH --cpus-per-task={{.CPUs}}
#SBATCH --time={{.Clock}}
#SBATCH --signal=B:USR1@{{.WarnSeconds}}
#SBATCH --open-mode=append
#SBATCH --output={{.Dir}}/logs/{{.Name}}{{if gt .Count 1}}-%a{{end}}.txt
{{- if .Requeue}}
#SBATCH --requeue
{{- end}}
{{- range .Directives}}
#SBATCH {{.}}
{{- end}}

task=${SLURM_ARRAY_TASK_ID:-0}
{{template "body.sh" .}}
{{- if .Requeue}}
# The time limit was near: queue again and resume from the checkpoint, but not after scancel. A busy
# scheduler may refuse this for a while.
for pause in 1 5 10 15 0; do
	if ((status != 3 || cancelled)); then break; fi
	if scontrol requeue "$SLURM_JOB_ID"; then status=0; else sleep "$pause"; fi
done
if ((status == 3 && !cancelled)); then
	echo "the job could not queue again. To go on from its checkpoint, type: scontrol requeue $SLURM_JOB_ID" >&2
fi
{{- end}}
exit "$status"
