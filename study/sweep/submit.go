package sweep

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// submission describes how a scheduler takes a script.
type submission struct {
	command []string
	after   func(id string) []string // flags that make a job wait until another has ended, for any reason
	stdin   bool                     // the script is passed on standard input
	id      *regexp.Regexp           // matches the job's number in the output of the command
}

var submissions = map[string]submission{
	"slurm": {
		command: []string{"sbatch", "--parsable"},
		after:   func(id string) []string { return []string{"--dependency=afterany:" + id} },
		id:      regexp.MustCompile(`(?m)^(\d+)(?:;.*)?$`),
	},
	"pbs": {
		command: []string{"qsub"},
		after:   func(id string) []string { return []string{"-W", "depend=afterany:" + id} },
		id:      regexp.MustCompile(`(?m)^(\d+(?:\[\])?[A-Za-z0-9._-]*)$`),
	},
	"lsf": {
		command: []string{"bsub"},
		after:   func(id string) []string { return []string{"-w", "ended(" + id + ")"} },
		stdin:   true,
		id:      regexp.MustCompile(`Job <(\d+)>`),
	},
	"sge": {
		command: []string{"qsub", "-terse"},
		after:   func(id string) []string { return []string{"-hold_jid", id} },
		id:      regexp.MustCompile(`(?m)^(\d+)(?:\.\d+-\d+:\d+)?$`),
	},
}

// SubmitJobs submits each job to the scheduler, links times in a row: every link waits for the link
// before. It calls told with each job's number. The first failure ends it.
func SubmitJobs(ctx context.Context, scheduler string, jobs []Job, links int, told func(j Job, link int, id string)) error {
	s := submissions[scheduler]
	for _, j := range jobs {
		id := ""
		for link := range links {
			args := s.command
			if link > 0 {
				args = append(args[:len(args):len(args)], s.after(id)...)
			}
			var err error
			if id, err = s.submitScript(ctx, args, j.File); err != nil {
				return fmt.Errorf("%s: %w", j.File, err)
			}
			told(j, link, id)
		}
	}
	return nil
}

// submitScript submits one script and returns the job's number.
func (s submission) submitScript(ctx context.Context, args []string, file string) (id string, err error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	if s.stdin {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		cmd.Stdin = f
	} else {
		cmd.Args = append(cmd.Args, file)
	}
	stdout, stderr := &head{max: 1 << 20}, &tail{max: maxTail}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", args[0], err, toOneLine(strings.TrimSpace(string(stderr.keptBytes()))))
	}
	found := s.id.FindStringSubmatch(string(stdout.kept))
	if found == nil {
		return "", fmt.Errorf("%s: no job's number in %q", args[0], toOneLine(strings.TrimSpace(string(stdout.kept))))
	}
	return found[1], nil
}
