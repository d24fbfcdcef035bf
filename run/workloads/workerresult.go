package workloads

import (
	"bytes"
	"encoding/json"
	"errors"

	"treesplit/run"
	"treesplit/search"
)

// WorkerResult is the result of a run of workers, besides its number of nodes.
type WorkerResult struct {
	Sums, Maxima map[string]int64
	Solutions    int64           // number of answers with a solution
	Found        json.RawMessage // the best or the first solution; nil: none
	Value        *int64          // of Found; nil: it has none
}

// ReadResult returns the result of a run, on rank 0.
func (w *Worker) ReadResult(r *run.Result) (found WorkerResult, err error) {
	named := r.Steps[0].Named
	found = WorkerResult{Sums: named.Sums, Maxima: named.Maxima, Solutions: r.Counts.Sums[WorkerFound]}
	if r.Witness != nil {
		s, err := readSolution(r.Witness)
		if err != nil {
			return found, err
		}
		found.Found, found.Value = s.Found, s.Value
	}
	return found, named.CheckSums()
}

// solution is a solution of a worker, as a witness.
type solution struct {
	Found json.RawMessage `json:"found"`
	Value *int64          `json:"value,omitempty"`
}

// Witness returns the best solution of a share, or its first one.
func (p workerProblem) Witness(w search.Work) []byte {
	found, value, hasValue := shareOf(w).Solution()
	if found == nil {
		return nil
	}
	s := solution{Found: found}
	if hasValue {
		s.Value = &value
	}
	data, err := marshalUnescaped(s)
	if err != nil {
		panic(err) // the solution is JSON
	}
	return data
}

// marshalUnescaped encodes a value as JSON and keeps the problems, nodes and solutions in it as they
// are. json.Marshal would escape <, > and & for use in HTML.
func marshalUnescaped(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// readSolution reads a witness.
func readSolution(witness []byte) (s solution, err error) {
	if err = json.Unmarshal(witness, &s); err == nil && s.Found == nil {
		err = errors.New("the witness has no solution")
	}
	return s, err
}

// Value returns the value in a witness. Only the worker could compute it from the solution.
func (p minimisingProblem) Value(witness []byte) (int64, error) {
	return valueOf(witness)
}

// valueOf returns the value in a witness.
func valueOf(witness []byte) (int64, error) {
	s, err := readSolution(witness)
	if err == nil && s.Value == nil {
		err = errors.New("the witness has no value")
	}
	if err != nil {
		return 0, err
	}
	return *s.Value, nil
}

// CheckStep checks the number of solutions and the witness of a checkpoint.
func (p workerProblem) CheckStep(c run.Counts, witness []byte, _ bool) error {
	if err := checkNotNegative(c.Sums); err != nil {
		return err
	}
	if witness == nil {
		return nil
	}
	if p.wire.Hello.Minimise {
		_, err := valueOf(witness)
		return err
	}
	_, err := readSolution(witness)
	return err
}
