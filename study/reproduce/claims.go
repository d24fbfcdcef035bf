package reproduce

// claimsOf lists the claims of docs/claims.md that an experiment tests, by its name.
var claimsOf = map[string][]string{
	"table3":          {"K2", "K6", "K7", "K8"},
	"table4":          {"K4"},
	"table5":          {"K9", "K10"},
	"fig4":            {"K5"},
	"fig6":            {"K11"},
	"fig7":            {"K3"},
	"section7":        {"K14"},
	"static-fig2":     {"R6"},
	"static-load":     {"R3", "R4"},
	"static-iso":      {"R6"},
	"static-clusters": {"R7"},
	"shuffle-growth":  {"S1"},
	"shuffle-trigger": {"S3", "S6"},
	"ring-table1":     {"G1", "G6"},
	"ring-bounds":     {"G2", "G3", "G4"},
	"mapping-table1":  {"B1"},
	"mapping-figure1": {"B3"},
	"mapping-figure2": {"B2"},
}

// Claims returns the codes of the claims that the experiment tests.
func (e Experiment) Claims() []string { return claimsOf[e.Name] }
