package sat

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"treesplit/internal/fileio"
)

// maxText bounds the text of a formula. MaxLiterals literals, each on its own line, take less
// than 1.5 GiB; the rest is for comments.
var maxText = fileio.Limit{Bytes: 1 << 31, What: "a formula"}

// ReadOptions control what Read accepts. The zero value accepts strict DIMACS only.
type ReadOptions struct {
	// Relaxed, if not nil, makes Read accept a header with wrong numbers of variables or clauses.
	// It is called with a warning that names the numbers.
	Relaxed func(warning string)
	// Cubes, if not nil, makes Read accept incremental CNF, and receives the cubes of the file as
	// clauses: the formula has at least the variables of the cubes.
	Cubes *Formula
}

// ReadFile reads the formula in a file; see Read.
func ReadFile(path string) (*Formula, error) { return ReadOptions{}.ReadFile(path) }

// ReadFile reads the formula in a file; see Read.
func (o ReadOptions) ReadFile(path string) (*Formula, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return o.Read(file, path)
}

// Read reads a formula in DIMACS format: comment lines that begin with c, the header "p cnf
// VARIABLES CLAUSES", then the clauses. Each clause ends with 0 and may have any number of lines.
// The header "p dnf VARIABLES TERMS" makes them the terms of a disjunctive normal form, whose
// negation is returned (Formula.DNF). A line that begins with % ends the formula, as in the files
// of SATLIB. Data compressed by gzip, zstd, xz or bzip2 is recognised by its first bytes. A byte
// order mark is skipped.
//
// Every error is a single line that begins with name and the line number and names the expected
// text. The input is streamed. The memory is proportional to the number of literals read, not to
// the numbers in the header, and is bounded by MaxLiterals. A text of more than 2 GiB is refused.
func Read(r io.Reader, name string) (*Formula, error) { return ReadOptions{}.Read(r, name) }

// Read reads a formula; see the function Read.
func (o ReadOptions) Read(r io.Reader, name string) (*Formula, error) {
	plain, err := fileio.NewTextReader(r, maxText)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", name, err)
	}
	defer plain.Close()
	d := dimacs{scanner: scanner{in: plain, line: 1}, f: new(Formula), cubes: o.Cubes, relaxed: o.Relaxed != nil}
	err = d.readFormula()
	if d.broken != nil {
		err = d.broken // an error of the input causes all errors after it
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, d.at, err)
	}
	if !d.incremental && (d.f.Variables != d.variables || d.f.Len() != d.clauses) {
		o.Relaxed(fmt.Sprintf("%s:%d: the header promises %d variables and %d %ss: the formula has %d and %d", name, d.headed, d.variables, d.clauses, d.noun, d.f.Variables, d.f.Len()))
	}
	return d.f, nil
}

// dimacs is the state of Read.
type dimacs struct {
	scanner
	f         *Formula
	cubes     *Formula // receives cubes; nil: cubes are refused
	relaxed   bool     // accept wrong numbers in the header
	variables int      // number in the header
	clauses   int      // number in the header
	headed    int      // line of the header
	noun      string   // "clause", or "term" of a DNF
	sign      int32    // factor of literals: -1 in a DNF

	incremental bool // the header is "p inccnf", without numbers
}

const wantHeader = `expected the header "p cnf VARIABLES CLAUSES" or "p dnf VARIABLES TERMS"`

// readFormula reads the whole input.
func (d *dimacs) readFormula() error {
	switch err := d.nextToken(); {
	case err == io.EOF:
		return errors.New("no formula: " + wantHeader)
	case err != nil:
		return err
	case string(d.token) != "p":
		return fmt.Errorf("found %s: %s", d.quotedToken(), wantHeader)
	}
	if err := d.readHeader(); err != nil {
		return err
	}
	for {
		switch err := d.nextToken(); {
		case err == io.EOF:
			return d.checkComplete()
		case err != nil:
			return err
		case d.first && d.token[0] == '%':
			return d.afterMarker()
		case d.incremental && string(d.token) == "a":
			if err := d.takeCube(); err != nil {
				return err
			}
			continue
		case d.incremental && d.cubes.Len() > 0:
			return fmt.Errorf("found %s after a cube: expected a further cube, which begins with a", d.quotedToken())
		}
		if err := d.takeLiteral(); err != nil {
			return err
		}
	}
}

// readHeader reads the rest of the header line after "p".
func (d *dimacs) readHeader() error {
	if !d.onSameLine() {
		return errors.New("the header is cut short: " + wantHeader)
	}
	switch string(d.token) {
	case "cnf":
		d.noun, d.sign = "clause", 1
	case "dnf":
		d.noun, d.sign, d.f.DNF = "term", -1, true
	case "inccnf":
		return d.beginIncremental()
	default:
		return fmt.Errorf("format %s: %s", d.quotedToken(), wantHeader)
	}
	var err error
	d.headed = d.at
	if d.variables, err = d.readCount("variables", MaxVariables); err != nil {
		return err
	}
	d.f.Variables = d.variables
	if d.clauses, err = d.readCount(d.noun+"s", MaxLiterals); err != nil {
		return err
	}
	if d.onSameLine() {
		return fmt.Errorf("found %s after the header: expected the end of the line", d.quotedToken())
	}
	return nil
}

// readCount reads one of the header's numbers, 0 to limit.
func (d *dimacs) readCount(what string, limit int64) (int, error) {
	if !d.onSameLine() {
		return 0, fmt.Errorf("the number of %s is missing: %s", what, wantHeader)
	}
	n, ok := d.parseNumber()
	if !ok || n < 0 {
		return 0, fmt.Errorf("found %s: expected a number of %s", d.quotedToken(), what)
	}
	if n > limit {
		return 0, fmt.Errorf("%s %s are too many: expected at most %d", d.token, what, limit)
	}
	return int(n), nil
}

// takeLiteral handles the token as a literal or as the 0 that ends a clause.
func (d *dimacs) takeLiteral() error {
	l, ok := d.parseNumber()
	switch n := len(d.f.literals); {
	case !ok:
		return fmt.Errorf("found %s: expected a literal or 0", d.quotedToken())
	case d.f.Len() == d.clauses && !d.relaxed:
		return fmt.Errorf("%s %d begins here: the header promises %d", d.noun, d.clauses+1, d.clauses)
	case l == 0 && d.f.Len() == MaxLiterals:
		return fmt.Errorf("too many %ss: expected at most %d", d.noun, MaxLiterals)
	case l == 0:
		d.f.ends = append(d.f.ends, int32(n))
	case max(l, -l) > MaxVariables || l == math.MinInt64:
		return fmt.Errorf("literal %s is out of range: expected at most %d variables", d.token, MaxVariables)
	case max(l, -l) > int64(d.f.Variables) && !d.relaxed:
		return fmt.Errorf("literal %s is out of range: the header promises %d variables", d.token, d.f.Variables)
	case n == MaxLiterals:
		return fmt.Errorf("too many literals: expected at most %d", MaxLiterals)
	default:
		d.f.Variables = max(d.f.Variables, int(max(l, -l)))
		d.f.literals = append(d.f.literals, d.sign*int32(l))
	}
	return nil
}

// checkComplete checks, at the end of the input, that the formula is complete.
func (d *dimacs) checkComplete() error {
	ended := 0
	if n := d.f.Len(); n > 0 {
		ended = int(d.f.ends[n-1])
	}
	if len(d.f.literals) > ended {
		return fmt.Errorf("the last %s is not ended by 0", d.noun)
	}
	if n := d.f.Len(); n < d.clauses && !d.relaxed {
		return fmt.Errorf("the formula ends after %d %ss: the header promises %d", n, d.noun, d.clauses)
	}
	return nil
}

// afterMarker reads the text after %: nothing, or a lone 0 as in SATLIB. It reads to the end of
// the input, so that truncated compressed data is found.
func (d *dimacs) afterMarker() error {
	if err := d.checkComplete(); err != nil {
		return err
	}
	for zeros := 0; ; zeros++ {
		switch err := d.nextToken(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case zeros > 0 || string(d.token) != "0":
			return fmt.Errorf("found %s after the end marker %%: expected the end of the file", d.quotedToken())
		}
	}
}

// parseNumber returns the token as a decimal number. ok is false if it is not a number. A number
// that overflows 64 bits becomes the largest or smallest number, which is out of every range.
func (d *dimacs) parseNumber() (n int64, ok bool) {
	if len(d.token) == maxToken || d.token[0] == '+' {
		return 0, false
	}
	n, err := strconv.ParseInt(string(d.token), 10, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}
