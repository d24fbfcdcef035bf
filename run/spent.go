package run

// Spent is where the time of a rank went, in seconds; virtual on a simulated machine. The
// four parts add up to Total.
type Spent struct {
	Work     float64 `json:"work"`     // expanding nodes
	Search   float64 `json:"search"`   // without work, with a request out or about to make one
	Idle     float64 `json:"idle"`     // without work, and nobody asked
	Overhead float64 `json:"overhead"` // polls, messages, what is between searches
	Total    float64 `json:"total"`
}
