#!/bin/bash
# {{.Title}}
#$ -N {{.Name}}
#$ -S /bin/bash
{{- if gt .Count 1}}
#$ -t 1-{{.Count}}
{{- end}}
{{- if gt .Tasks 1}}
#$ -pe {{.PE}} {{.Tasks}}
{{- else if gt .CPUs 1}}
#$ -pe smp {{.CPUs}}
{{- end}}
#$ -l h_rt={{.Clock}}
#$ -l s_rt={{.SoftClock}}
#$ -j y
#$ -o {{.Dir}}/logs/
{{- if .Requeue}}
#$ -r y
{{- end}}
{{- range .Directives}}
#$ {{.}}
{{- end}}

# The tasks of an array are counted from 1; outside of an array the word is "undefined".
task=0
if [[ ${SGE_TASK_ID:-undefined} != undefined ]]; then task=$((SGE_TASK_ID - 1)); fi
{{template "body.sh" .}}
{{- if .Requeue}}
# The time limit was near: after status 99 the job queues again and resumes from the checkpoint, but
# not after qdel.
if ((status == 3 && !cancelled)); then status=99; fi
{{- end}}
exit "$status"
