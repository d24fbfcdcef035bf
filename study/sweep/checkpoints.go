package sweep

import (
	"os"
	"path/filepath"
	"strings"

	"treesplit/internal/outfile"
	"treesplit/lb"
)

// maxFileName is less than the limit of file systems for a name.
const maxFileName = 200

// previous is the end of the name of the checkpoint before the last one.
const previous = ".previous"

// usesSchemes reports whether the runs of a verb with these args have a scheme and a detector of the program, and
// can save checkpoints. ring has schemes of its own, and map uses schemes only under the strategy bb.
func usesSchemes(verb string, args []string) bool {
	switch verb {
	case "ring":
		return false
	case "map":
		return strings.EqualFold(lastValue(args, "--strategy"), "bb")
	}
	return true
}

// savesPeriodically reports whether a run that saves checkpoints can save them at an interval. Rule cdcl
// of sat refuses an interval under schemes that begin other attempts after each checkpoint.
func (r Run) savesPeriodically() bool {
	if r.Verb != "sat" {
		return true
	}
	return lb.CanKeepWork(r.schemeName()) || !strings.EqualFold(lastValue(r.Args, "--rule"), "cdcl")
}

// lastValue returns the last value of a flag among args, or "". The value is the next argument, or
// follows the flag after an equals sign.
func lastValue(args []string, flag string) (value string) {
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, flag+"="); ok {
			value = v
		} else if a == flag && i+1 < len(args) {
			value = args[i+1]
		}
	}
	return value
}

// checkpoints returns the directory of a run's checkpoints.
func (s *Sweep) checkpoints(r Run) string {
	name := strings.ReplaceAll(strings.ReplaceAll(r.Key, "/", "_"), string(filepath.Separator), "_")
	if over := len(name) - maxFileName; over > 0 { // the end of a key distinguishes runs
		name = strings.ToValidUTF8(name[over:], "_")
	}
	return outfile.InFolder(s.Checkpoints, name)
}

// checkpointFlags returns the flags with which the run of a line writes checkpoints, if the plan
// requests them and the run can, and resumes from an existing checkpoint. It notes in the line
// whether the run resumes.
func (s *Sweep) checkpointFlags(line *Line) ([]string, error) {
	if s.Plan.CheckpointEvery == 0 || !usesSchemes(line.Verb, line.Args) {
		return nil, nil
	}
	dir := s.checkpoints(line.Run)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	file := outfile.InFolder(dir, "checkpoint")
	flags := []string{"--checkpoint", file}
	if line.savesPeriodically() {
		flags = append(flags, "--checkpoint-every", s.Plan.CheckpointEvery.String())
	}
	// The program reads the previous file if it was killed while it wrote the last one.
	if line.Resumed = fileExists(file) || fileExists(file+previous); line.Resumed {
		flags = append(flags, "--resume", file)
	}
	return flags, nil
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
