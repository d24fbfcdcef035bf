package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runLine runs the program and returns its status and its outputs.
func runLine(line string) (status int, stdout, stderr string) {
	var out, log bytes.Buffer
	status = Main(strings.Fields(line), strings.NewReader(""), &out, &log)
	return status, out.String(), log.String()
}

// savedTree saves a search of uts in a file, and a second time if twice is set, so that there is a previous
// file.
func savedTree(t *testing.T, file string, twice bool) {
	t.Helper()
	const tree = "uts -n 1 -t 1 -a 3 -d 12 -b 4 -r 19 --timeout 1ms --progress off --checkpoint "
	if status, _, stderr := runLine(tree + file); status != statusStopped {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if twice {
		if status, _, stderr := runLine(tree + file + " --resume auto"); status != statusStopped {
			t.Fatalf("status %d: %s", status, stderr)
		}
	}
}

// If a checkpoint is damaged, the previous one is resumed with a warning. If that one is of another search,
// the error names both facts.
func TestDamagedCheckpoints(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ck")
	savedTree(t, file, true)
	if err := os.Truncate(file, 50); err != nil {
		t.Fatal(err)
	}
	damaged := file + ": the checkpoint is cut short or damaged: its checksum is wrong; resuming from " + file + ".previous"
	refuses(t, "uts -n 1 -t 1 -a 3 -d 11 -b 4 -r 19 --resume "+file, "--resume: "+damaged+": the checkpoint is of another search of uts: --depth")
	status, _, stderr := runLine("uts -n 1 -t 1 -a 3 -d 12 -b 4 -r 19 --timeout 1ms --resume " + file)
	if status != statusStopped || !strings.HasPrefix(stderr, "treesplit: warning: "+damaged) {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// A restarted search with a proof keeps the logs of the search before: the previous checkpoint can be
// resumed, and its proof is right.
func TestRestartKeepsLogs(t *testing.T) {
	dir := t.TempDir()
	file, proof := filepath.Join(dir, "ck"), filepath.Join(dir, "proof")
	formula := filepath.Join(dir, "php7.cnf")
	if status, _, stderr := runLine("gen php -n 7 -o " + formula); status != statusDone {
		t.Fatal(stderr)
	}
	search := "sat " + formula + " -n 1 --rule paper --simplify off --progress off --proof " + proof
	for _, flags := range []string{"", " --restart"} {
		if status, _, stderr := runLine(search + " --timeout 1ms --checkpoint " + file + flags); status != statusStopped {
			t.Fatalf("status %d: %s", status, stderr)
		}
	}
	for _, name := range []string{file, file + ".previous"} {
		if status, _, stderr := runLine(search + " --resume " + name); status != statusUnsatisfiable {
			t.Errorf("%s: status %d: %s", name, status, stderr)
		}
		if status, stdout, stderr := runLine("check " + formula + " " + proof); status != statusDone {
			t.Errorf("%s: status %d: %s%s", name, status, stdout, stderr)
		}
	}
}

// While rank 0 moves the logs of its process into the file of a checkpoint, no rank logs anything: the proof lacks no
// node, however often the search is saved.
func TestProofOfSearchOftenSaved(t *testing.T) {
	schemes := []string{"rp", "sl", "ranade"}
	if testing.Short() {
		schemes = schemes[:1]
	}
	for _, scheme := range schemes {
		search := "sat ../testdata/php8.cnf -n 3 --rule paper --progress off --proof /dev/null --checkpoint-every 15ms --checkpoint "
		if status, _, stderr := runLine(search + filepath.Join(t.TempDir(), "ck") + " --scheme " + scheme); status != statusUnsatisfiable {
			t.Errorf("%s: status %d: %s", scheme, status, stderr)
		}
	}
}

// A run warns if it resumes a search with a proof and has no --proof itself.
func TestProofIsMissed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "ck")
	search := "sat ../testdata/php8.cnf -n 2 --rule paper --simplify off --progress off --timeout 1ms"
	for flags, warns := range map[string]bool{" --proof " + filepath.Join(dir, "proof"): false, "": true} {
		if status, _, stderr := runLine(search + " --proof " + filepath.Join(dir, "proof") + " --restart --checkpoint " + file); status != statusStopped {
			t.Fatalf("status %d: %s", status, stderr)
		}
		if _, _, stderr := runLine(search + flags + " --resume " + file); strings.Contains(stderr, "This run has no --proof") != warns {
			t.Errorf("%q: %s", flags, stderr)
		}
	}
}

// A checkpoint of another search is refused with the values of the flags.
func TestOtherOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ck")
	search := "map ../testdata/mesh16.graph -p 8 --strategy bb -n 1 --progress off"
	if status, _, stderr := runLine(search + " --timeout 1ms --checkpoint " + file); status != statusStopped {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for flags, want := range map[string]string{
		"--symmetry off": "--symmetry is on there and off here", "--sort given": "--sort is heaviest there and given here",
		"--bound printed": "--bound is admissible there and printed here", "--child-order number": "--child-order is bound there and number here",
		"--narrow 5": "--narrow is 0 there and 5 here",
	} {
		refuses(t, search+" --resume "+file+" "+flags, "the checkpoint is of another search of map: "+want+"\n")
	}
}

// A checkpoint of another puzzle is refused with the values of the flags.
func TestOtherPuzzle(t *testing.T) {
	dir := t.TempDir()
	file, board, other := filepath.Join(dir, "ck"), filepath.Join(dir, "board"), filepath.Join(dir, "other")
	write(t, board, "tiles\n15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4\n") // of 65 moves: takes minutes
	write(t, other, "tiles\n13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6\n")
	const search, most = "puzzle -n 1 --progress off --heuristic md --batch ", " --max-moves 70 "
	if status, _, stderr := runLine(search + board + most + "--timeout 20ms --checkpoint " + file); status != statusStopped {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for line, want := range map[string]string{
		search + board + most + "--heuristic wd":  "--heuristic is ",
		search + board + most + "--all-solutions": "--all-solutions is ",
		search + board + " --max-moves 71":        "--max-moves is 70 there and 71 here",
		search + other + most:                     "the list of boards is ",
	} {
		refuses(t, line+" --resume "+file, "the checkpoint is of another search of puzzle: "+want)
	}
}

// A checkpoint of other cubes is refused with the values of the flags, also if a search has more flags than the other.
func TestOtherCubes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ck")
	search := "sat ../testdata/php8.cnf -n 1 --progress off --rule "
	if status, _, stderr := runLine(search + "cubes --cut assigned=20 --timeout 1ms --checkpoint " + file); status != statusStopped {
		t.Fatalf("status %d: %s", status, stderr)
	}
	const there = "the checkpoint is of another search of sat: "
	for flags, want := range map[string]string{
		"cubes --cut assigned=21":                "--cut or --budget is assigned=20 with anchors at assigned=1 and a budget of 10000 there and assigned=21 with anchors at assigned=1 and a budget of 10000 here\n",
		"cubes --cut assigned=20 --learn rank":   "--learn is not set there and rank here\n",
		"cubes --cut assigned=20 --learn shared": "--learn is not set there and shared here\n",
		"plain":                                  "--rule is cubes there and plain here, ",
	} {
		refuses(t, search+flags+" --resume "+file, there+want)
	}
}

// A board that needs more moves than --max-moves is given up, and the other boards of a batch are solved.
func TestBoardsGivenUp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "boards.csv")
	write(t, file, "id,tiles\na,5 4 3 2 1 0\nb,1 0 2 3 4 5\n")
	status, stdout, stderr := runLine("puzzle --size 2x3 --max-moves 3 --json -n 2 --batch " + file)
	if status != statusDone || !strings.Contains(stdout, `"longerThan":`) || !strings.Contains(stdout, `"length":1`) {
		t.Errorf("status %d, printed %q and %q", status, stdout, stderr)
	}
	status, stdout, stderr = runLine("puzzle --size 2x3 --max-moves 3 -n 2 5,4,3,2,1,0")
	if status != statusDone || !strings.HasPrefix(stdout, "longer than ") {
		t.Errorf("status %d, printed %q and %q", status, stdout, stderr)
	}
}
