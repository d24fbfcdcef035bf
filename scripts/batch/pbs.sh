#!/bin/bash
# {{.Title}}
#PBS -N {{.Name}}
{{- if gt .Count 1}}
#PBS -J 0-{{.LastTask}}
{{- end}}
#PBS -l select={{.Tasks}}:ncpus={{.CPUs}}:mpiprocs=1
#PBS -l walltime={{.Clock}}
#PBS -j oe
#PBS -o {{.Dir}}/logs/
{{- range .Directives}}
#PBS {{.}}
{{- end}}

task=${PBS_ARRAY_INDEX:-0}
{{template "body.sh" .}}
exit "$status"
