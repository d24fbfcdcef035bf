#!/bin/bash
# {{.Title}}
#BSUB -J {{.Name}}{{if gt .Count 1}}[1-{{.Count}}]{{end}}
#BSUB -n {{.Slots}}
{{- if gt .CPUs 1}}
#BSUB -R span[hosts=1]
{{- end}}
#BSUB -W {{.Minutes}}
#BSUB -wa USR1
#BSUB -wt {{.WarnMinutes}}
#BSUB -o {{.Dir}}/logs/{{.Name}}{{if gt .Count 1}}-%I{{end}}.txt
{{- range .Directives}}
#BSUB {{.}}
{{- end}}

# The elements of an array are counted from 1; outside of an array the index is 0.
task=$((${LSB_JOBINDEX:-0} > 0 ? LSB_JOBINDEX - 1 : 0))
{{template "body.sh" .}}
exit "$status"
