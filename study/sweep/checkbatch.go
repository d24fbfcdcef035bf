package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// checkBatch returns an error for a value that no job script can express.
func (p *Plan) checkBatch(d *document) error {
	b := p.Batch
	limit := b.Time
	setDefault(&limit, time.Hour)
	for _, c := range []struct {
		ok         bool
		key, wants string
		value      any
	}{
		{b.Time == 0 || b.Time >= time.Minute && b.Time <= 1000*24*time.Hour, "time", "a minute to 1000 days", b.Time},
		{b.Warn >= 0 && (b.Warn == 0 || b.Warn >= time.Second && b.Warn < limit), "warn", "a second or more, and less than time", b.Warn},
		{b.PerJob >= 0 && b.PerJob <= maxRuns, "per-job", "at least 1", b.PerJob},
		{b.Links >= 0 && b.Links <= 1000, "links", "1 to 1000", b.Links},
		{b.PE == "" || names().MatchString(b.PE), "pe", "a name", b.PE},
	} {
		if !c.ok {
			return d.errorAtPath("$.batch."+c.key, "%s %v: expected %s", c.key, c.value, c.wants)
		}
	}
	for i, line := range b.Directives {
		if line == "" || toOneLine(line) != line || strings.HasPrefix(line, "#") {
			return d.errorAtPath(fmt.Sprintf("$.batch.directives[%d]", i), "directive %q: expected one line without its #SBATCH or the like", line)
		}
	}
	if strings.ContainsRune(b.Setup, 0) {
		return d.errorAtPath("$.batch.setup", "a zero byte: expected shell lines")
	}
	return p.checkRequeue(d)
}

// checkRequeue returns an error if a job could queue again without end, because it makes no progress.
func (p *Plan) checkRequeue(d *document) error {
	if !p.Batch.Requeue {
		return nil
	}
	if p.CheckpointEvery == 0 {
		return d.errorAtPath("$.batch.requeue", "batch.requeue: expected checkpoint-every too, because a run that is longer than a job would begin again without end")
	}
	for i, in := range p.Instances {
		args := slices.Concat(p.Args, in.Args)
		if in.Verb == "sat" && strings.EqualFold(lastValue(args, "--rule"), "cdcl") {
			return d.errorAtPath(fmt.Sprintf("$.instances[%d]", i), "instance %s has rule cdcl, whose attempts begin again in each job: expected another rule, or a plan without batch.requeue", in.Name)
		}
		if !usesSchemes(in.Verb, args) {
			return d.errorAtPath(fmt.Sprintf("$.instances[%d]", i), "instance %s saves no checkpoints: expected a plan without batch.requeue, because a run that is longer than a job would begin again without end", in.Name)
		}
	}
	return nil
}

// maxSlurmWarn is the longest time of Slurm's --signal.
const maxSlurmWarn = 65535 * time.Second

// checkScheduler returns an error for settings that a scheduler does not have or does not accept.
func (b Batch) checkScheduler(scheduler string) error {
	j := Job{Time: b.Time, Warn: b.Warn}
	switch {
	case b.Requeue && (scheduler == "pbs" || scheduler == "lsf"):
		return fmt.Errorf("the plan's batch.requeue works only under slurm and sge: expected batch.links under %s", scheduler)
	case scheduler == "slurm" && b.Warn > maxSlurmWarn:
		return fmt.Errorf("the plan's batch.warn is %v: expected at most %v under slurm", b.Warn, maxSlurmWarn)
	case scheduler == "lsf" && j.WarnMinutes() >= j.Minutes():
		return errors.New("the plan's batch.warn and batch.time are the same in whole minutes, and lsf would warn at once: expected a longer batch.time")
	}
	return nil
}
