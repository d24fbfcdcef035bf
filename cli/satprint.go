package cli

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"

	"treesplit/cli/internal/units"
	"treesplit/run/workloads"
)

// printSAT prints a verdict as the SAT competitions want it.
func (a *app) printSAT(s satResult) error {
	out := bufio.NewWriter(a.stdout)
	fmt.Fprintf(out, "c %s\n", strings.ReplaceAll(summarizeRun(s.Result), "\n", "\nc "))
	switch {
	case s.Tautology != nil && *s.Tautology:
		fmt.Fprintln(out, "c the disjunctive normal form is a tautology: its negation has no model")
	case s.Tautology != nil:
		fmt.Fprintln(out, "c the disjunctive normal form is not a tautology: the model makes it false")
	}
	if s.Picked != nil {
		fmt.Fprintf(out, "c rule %s, picked by auto%s\n", s.Rule, describeChoice(s.Picked))
	}
	if s.attemptsResult != nil {
		fmt.Fprintf(out, "c %s\n", s.describeAttempts())
	}
	if s.cubesResult != nil {
		fmt.Fprintf(out, "c %s\n", s.describeCubes())
	}
	s.printModels(out)
	if p := s.Simplified; p != nil {
		fmt.Fprintf(out, "c simplified in %s: %s of %s and %s of %s remain\n", units.Seconds(p.Seconds),
			units.Count(int64(p.Variables)), units.Things(int64(s.Variables), "variable"), units.Count(int64(p.Clauses)), units.Things(int64(s.Clauses), "clause"))
	}
	if p := s.proofResult; p != nil {
		fmt.Fprintf(out, "c proof in %s: %s, %s, %s uncompressed, written in %s\n", p.Path, units.Things(p.Lemmas, "lemma"), units.Things(p.Deletions, "deletion"), units.Bytes(p.Bytes), units.Seconds(p.Seconds))
	}
	fmt.Fprintf(out, "s %s\n", s.Verdict)
	if s.Verdict == "SATISFIABLE" {
		printModel(out, s.Model)
	}
	return out.Flush()
}

// describeAttempts describes the attempts of rule cdcl.
func (s *satResult) describeAttempts() string {
	text := units.Things(s.Conflicts, "conflict") + " in " + units.Things(s.Attempts, "attempt")
	if s.Attempt != nil {
		text += fmt.Sprintf("; attempt %d decided", *s.Attempt)
	}
	text += s.describeTaken()
	if *s.Varies {
		text += "; nodes and conflicts differ between runs"
	}
	return text
}

// describeCubes describes the cubes of rule cubes.
func (s *satResult) describeCubes() string {
	text := fmt.Sprintf("%s %s, with %s of their solvers", units.Things(s.Cubes, "cube"), s.How.Place(), units.Things(s.cubesResult.Steps, "step"))
	if s.Given > 0 {
		text += fmt.Sprintf("; %s given up after their budget and split", units.Things(s.Given, "cube"))
	}
	if s.How.Joined > 0 {
		text += fmt.Sprintf("; %s of a presearch joined the formula", units.Things(int64(s.How.Joined), "clause"))
	}
	text += s.describeTaken()
	if *s.Varies {
		text += "; nodes differ between runs"
	}
	return text
}

// describeTaken gives the number of clauses that ranks took in, if they exchange clauses.
func (s *satResult) describeTaken() string {
	if s.Taken == nil {
		return ""
	}
	return fmt.Sprintf("; ranks took in %s of other ranks", units.Things(*s.Taken, "clause"))
}

// describeChoice gives the reasons of a choice of auto, after a colon.
func describeChoice(p *workloads.Picked) string {
	var parts []string
	for _, g := range []struct {
		name string
		*workloads.Guess
	}{{"lookahead", p.Lookahead}, {"plain", p.Plain}, {"plain after elimination", p.Eliminate}} {
		if g.Guess != nil {
			parts = append(parts, fmt.Sprintf("%s about %s nodes, %s", g.name, formatLarge(g.Nodes), formatLargeTime(g.Seconds)))
		}
	}
	if c := p.Cubes; c != nil && c.Seconds > 0 {
		parts = append(parts, fmt.Sprintf("cubes about %s cubes, %s or more", formatLarge(c.Cubes), formatLargeTime(c.Seconds)))
	}
	switch {
	case p.Decided:
		parts = []string{"the try decided after " + units.Things(p.Conflicts, "conflict")}
	case p.Tried:
		parts = append(parts, "cdcl tried for "+units.Things(p.Conflicts, "conflict"))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, "; ")
}

// formatLarge writes an estimate of a number, with two digits.
func formatLarge(x float64) string {
	if x < 1e12 {
		return units.Magnitude(x)
	}
	return formatPower(x)
}

// formatLargeTime writes an estimate of a time.
func formatLargeTime(seconds float64) string {
	if seconds > 1e9 {
		return formatPower(seconds) + " s"
	}
	return units.Seconds(seconds)
}

// formatPower writes a number of at least 1 as a digit and a power of ten, such as 3.4*10^12.
func formatPower(x float64) string {
	power := math.Floor(math.Log10(x))
	return fmt.Sprintf("%.1f*10^%.0f", x/math.Pow(10, power), power)
}

// printModel writes "v" lines of at most 78 characters, the last ended by 0.
func printModel(out *bufio.Writer, model []int) {
	line := "v"
	for _, l := range append(model[:len(model):len(model)], 0) {
		word := " " + strconv.Itoa(l)
		if len(line)+len(word) > 78 {
			fmt.Fprintln(out, line)
			line = "v"
		}
		line += word
	}
	fmt.Fprintln(out, line)
}
