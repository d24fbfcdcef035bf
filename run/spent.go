package run

// Spent is how a rank spent its time, in seconds; virtual on a simulated machine. The four parts
// add up to Total.
type Spent struct {
	Work     float64 `json:"work"`     // expanding nodes
	Search   float64 `json:"search"`   // without work, with a request in flight or about to be sent
	Idle     float64 `json:"idle"`     // without work, without a request
	Overhead float64 `json:"overhead"` // polls, messages, time between searches
	Total    float64 `json:"total"`
}
