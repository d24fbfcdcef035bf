package cli

import (
	"fmt"
	"os"

	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/run/checkpoint"
)

// place is a file that a command reads or writes, as the command line names it.
type place struct {
	flag    string // flag that names it; "" for an argument
	path    string
	what    string // its description, in the error of another place
	written bool
	group   string // places of a group may be the same; "": no group
	early   bool   // written at the end, and tried at the beginning
}

// input returns the place of a file that is read, named by a flag, or by an argument if flag is
// empty. It is no file if path is empty or "-".
func input(flag, path string) place {
	what := "the input"
	if flag != "" {
		what = "the input of --" + flag
	}
	return place{flag: flag, path: path, what: what}
}

// output returns the place of a file that is written.
func output(flag, path string) place {
	return place{flag: flag, path: path, what: "the output of --" + flag, written: true}
}

// checkPlaces returns an error if an output is also an input or another output. It does so before
// any file is opened, and tries the files that are written at the end. The error is an InputError.
func checkPlaces(places ...place) error {
	for i, p := range places {
		for _, q := range places[:i] {
			switch {
			case p.path == "" || q.path == "" || p.path == "-" || q.path == "-":
			case !p.written && !q.written, p.group != "" && p.group == q.group:
			case !outfile.IsSameFile(p.path, q.path):
			case !p.written, p.flag == "": // the error names the output
				return q.clashError(p)
			default:
				return p.clashError(q)
			}
		}
	}
	for _, p := range places {
		if p.early && p.path != "" {
			if err := outfile.CheckWritable(p.path); err != nil {
				return flagError(p.flag, err)
			}
		}
	}
	return nil
}

func (p place) clashError(with place) error {
	err := fmt.Errorf("%s is also %s (expected another name)", p.path, with.what)
	if p.flag == "" {
		return run.InputError{Err: err}
	}
	return flagError(p.flag, err)
}

// checkpointPlaces returns the files of a checkpoint. The resumed checkpoint may be the one that is
// saved.
func checkpointPlaces(flag, path string, written bool) (all []place) {
	if path == "" || flag == "resume" && path == run.ResumeAuto {
		return nil
	}
	what := "the checkpoint of --" + flag
	all = append(all, place{flag: flag, path: path, what: what, written: written, group: "checkpoint"})
	for _, name := range []string{checkpoint.Previous(path), checkpoint.LogsOf(path), outfile.LockFileName(path)} {
		beside := fmt.Sprintf("a file that goes with the checkpoint %s", path)
		all = append(all, place{flag: flag, path: name, what: beside, written: written, group: "checkpoint"})
	}
	return all
}

// places returns the files of a search: its own files, and the files that all searches have.
func (j *job) places(a *app) []place {
	all := append([]place{}, j.files...)
	all = append(all, checkpointPlaces("resume", j.plan.Resume, false)...)
	if j.machine != "" {
		if _, err := os.Stat(j.machine); err == nil { // otherwise the machine is built-in
			all = append(all, input("machine", j.machine))
		}
	}
	all = append(all, checkpointPlaces("checkpoint", j.plan.Checkpoint, true)...)
	all = append(all, output("trace", j.trace), output("progress-file", j.progressFile))
	return append(all, a.streamPlaces()...)
}

// streamPlaces returns standard input and output if they are regular files: no other output may be
// one of them.
func (a *app) streamPlaces() (all []place) {
	if in, ok := a.stdin.(*os.File); ok && isRegularFile(in) {
		all = append(all, place{path: fmt.Sprintf("/dev/fd/%d", in.Fd()), what: "the standard input"})
	}
	if out, ok := asFile(a.stdout); ok && isRegularFile(out) {
		all = append(all, place{path: fmt.Sprintf("/dev/fd/%d", out.Fd()), what: "the standard output"})
	}
	return all
}

func isRegularFile(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// placed is a workload whose files are compared, on the rank that reads the input, before the input
// is read.
type placed struct {
	run.Workload
	places []place
}

// Load compares the files and loads the problem.
func (w placed) Load() (run.Problem, error) {
	if err := checkPlaces(w.places...); err != nil {
		return nil, err
	}
	return w.Workload.Load()
}
