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
# The time limit was near: queue again and resume from the checkpoint, but not after scancel.
if ((status == 3 && !cancelled)) && scontrol requeue "$SLURM_JOB_ID"; then status=0; fi
{{- end}}
exit "$status"
