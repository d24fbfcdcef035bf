package observe

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/run/observe/trace"
)

// TraceFile is the output file of a trace. The file appears when it is complete. It is compressed
// if its name ends in .zst or .gz.
type TraceFile struct {
	path string
	file atomic.Pointer[outfile.Compressed] // nil before CreateFile and after the end
}

// NewTraceFile returns a TraceFile of the given name.
func NewTraceFile(path string) *TraceFile { return &TraceFile{path: path} }

// CreateFile opens the file before the run, so that a file that cannot be written is an error at
// once. It is a run.Hooks.Begin; the error is a run.InputError.
func (f *TraceFile) CreateFile() error {
	file, err := outfile.CreateCompressed(f.path)
	if err != nil {
		return run.FlagError("trace", err)
	}
	f.file.Store(file)
	return nil
}

// WriteTrace writes the trace of a result.
func (f *TraceFile) WriteTrace(r *run.Result) error {
	t := TraceOf(r)
	describeTrace(t, r)
	err := trace.Write(f.file.Load(), t)
	if err == nil {
		err = f.file.Swap(nil).CommitFile()
	}
	f.Close()
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	return nil
}

// Close removes a trace that was not completely written.
func (f *TraceFile) Close() {
	if file := f.file.Swap(nil); file != nil {
		file.DiscardFile()
	}
}

// Abandon removes the temporary file of a process that ends at once. It may be called from any
// goroutine and at any time.
func (f *TraceFile) Abandon() {
	if file := f.file.Load(); file != nil {
		file.RemoveTemporary()
	}
}

// describeTrace adds a description of the run to a trace.
func describeTrace(t *trace.Trace, r *run.Result) {
	where := r.World
	if r.Machine != "" {
		where += " " + r.Machine
	}
	t.Title = fmt.Sprintf("treesplit: %s, %d ranks, %s, %s", where, r.Ranks, r.Scheme, r.Termination)
	t.Notes = append(t.Notes, []trace.Note{
		{Key: "world", Value: where},
		{Key: "ranks", Value: strconv.Itoa(r.Ranks)},
		{Key: "scheme", Value: r.Scheme},
		{Key: "termination", Value: r.Termination},
		{Key: "seed", Value: strconv.FormatUint(r.Seed, 10)},
		{Key: "nodes", Value: strconv.FormatInt(r.Expanded, 10)},
		{Key: "reason", Value: r.Reason},
		{Key: "droppedEvents", Value: strconv.FormatInt(t.DroppedEvents(), 10)},
	}...)
}
