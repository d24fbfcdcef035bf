package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"

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
	group   string   // places of a group may be the same; "": no group
	early   bool     // written at the end, and tried at the beginning
	stream  *os.File // a standard stream; nil: a file with a name
}

// input returns the place of a file that is read, named by a flag, or by an argument if flag is
// empty. It is no file if path is empty, and the standard input if path is "-".
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
// any file is opened, and tries the files that are written at the end. The error is an InputError. If an
// input is "-", the standard input is an input like a file with a name.
func checkPlaces(places ...place) error {
	before := placeTable{}
	readsStdin := slices.ContainsFunc(places, func(p place) bool { return p.path == "-" && !p.written })
	for _, p := range places {
		if readsStdin && p.stream != nil && !p.written {
			p.group = ""
		}
		switch {
		case p.path == "":
			continue
		case p.path == "-" && p.written:
			return flagError(p.flag, errStandardOutput)
		case p.path == "-":
			continue
		}
		if err := before.addPlace(p); err != nil {
			return err
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

// errStandardOutput refuses the name - for an output that is a file.
var errStandardOutput = errors.New("expected the name of a file (./- for a file of this name)")

// placeTable holds places by the files that they stand for. There can be a file for each of a million
// processors.
type placeTable map[outfile.Key][]identified

// identified is a place with its file.
type identified struct {
	place
	file outfile.Identity
}

// addPlace adds a place. It returns an error if one of the places before has the same file, and one of
// the two is written.
func (t placeTable) addPlace(p place) error {
	one := identified{p, p.identify()}
	key := one.file.Key()
	for _, q := range t[key] {
		if q.clashesWith(p) && q.file.IsSame(one.file) {
			return q.clashError(p)
		}
	}
	t[key] = append(t[key], one)
	return nil
}

// identify returns the file of a place.
func (p place) identify() outfile.Identity {
	if p.stream != nil {
		return outfile.IdentifyOpen(p.stream)
	}
	return outfile.Identify(p.path)
}

// clashesWith reports whether two places must not be the same file.
func (p place) clashesWith(q place) bool {
	return (p.written || q.written) && (p.group == "" || p.group != q.group)
}

// clashError returns the error of two places of the same file, of which p comes first. It names the
// place with a name, of two such places the output, and of two outputs the later one.
func (p place) clashError(q place) error {
	if p.stream != nil && q.stream != nil {
		return run.InputError{Err: fmt.Errorf("%s is also %s (expected another file)", p.what, q.what)}
	}
	if q.stream != nil || p.stream == nil && !q.written {
		return p.namedClash(q)
	}
	return q.namedClash(p)
}

func (p place) namedClash(with place) error {
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
	previous := checkpoint.Previous(path)
	for _, name := range []string{previous, checkpoint.LogsOf(path), checkpoint.LogsOf(previous), outfile.LockFileName(path)} {
		beside := fmt.Sprintf("a file that goes with the checkpoint %s", path)
		all = append(all, place{flag: flag, path: name, what: beside, written: written, group: "checkpoint"})
	}
	return all
}

// places returns the files of a search: its own files, and the files that all searches have.
func (j *job) places(a *app) []place {
	all := append([]place{}, j.files...)
	all = append(all, checkpointPlaces("resume", j.plan.Resume, false)...)
	all = append(all, machinePlaces("machine", j.machine)...)
	all = append(all, checkpointPlaces("checkpoint", j.plan.Checkpoint, true)...)
	all = append(all, output("trace", j.trace), output("progress-file", j.progressFile))
	return append(all, a.streamPlaces()...)
}

// machinePlaces returns the file of a machine that a flag or an argument names. A built-in machine has none.
func machinePlaces(flag, name string) []place {
	if _, err := os.Stat(name); err != nil {
		return nil
	}
	return []place{input(flag, name)}
}

// streamPlaces returns the standard streams that are regular files: no output may be one of them, and no
// input may be standard output or standard error. Streams may be the same file, except that a standard input
// that is read must not be another one.
func (a *app) streamPlaces() (all []place) {
	add := func(f *os.File, ok bool, what string, written bool) {
		if ok && isRegularFile(f) {
			all = append(all, place{stream: f, path: f.Name(), what: what, written: written, group: "streams"})
		}
	}
	in, ok := a.stdin.(*os.File)
	add(in, ok, "the standard input", false)
	out, ok := asFile(a.stdout)
	add(out, ok, "the standard output", true)
	log, ok := asFile(a.stderr)
	add(log, ok, "the standard error", true)
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
