package cli

import (
	"time"

	"treesplit/docs"
	"treesplit/lb"
	"treesplit/study/figure"
	"treesplit/study/reproduce"
)

// newPage returns an HTML page of sections, with the date, the command and the version.
func (a *app) newPage(title string, sections []figure.Section) figure.Page {
	return figure.Page{
		Title: title, Date: time.Now(), Command: a.commandLine(), Version: buildFacts().shortVersion(),
		Terms: pageTerms(), Sections: sections,
	}
}

// claimVerdicts returns what docs/claims.md says of the claims that an experiment tests.
func claimVerdicts(e reproduce.Experiment) (verdicts []figure.Verdict) {
	for _, c := range docs.FindClaims(e.Claims()...) {
		verdicts = append(verdicts, figure.Verdict{Code: c.Code, Claim: c.Statement, Finding: c.Finding})
	}
	return verdicts
}

// shortVersion is the version in one line.
func (f facts) shortVersion() string {
	text := "treesplit " + f.Version
	if f.Commit != "" {
		text += ", commit " + f.Commit[:min(12, len(f.Commit))]
	}
	if f.Dirty {
		text += " with changes"
	}
	return text + ", " + f.Go
}

// pageTerms returns the short names that pages explain: quantities and schemes.
func pageTerms() []figure.Term {
	terms := []figure.Term{
		{Name: "P", Meaning: "number of ranks"},
		{Name: "W", Meaning: "number of nodes that the sequential search expands"},
		{Name: "speedup", Meaning: "sequential time over parallel time"},
		{Name: "efficiency", Meaning: "speedup over P"},
		{Name: "isoefficiency", Meaning: "the W that keeps the efficiency the same on more ranks"},
	}
	for _, s := range lb.Schemes {
		terms = append(terms, figure.Term{Name: s.Name, Meaning: s.Help})
	}
	return terms
}
