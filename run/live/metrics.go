package live

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"treesplit/internal/histogram"
	"treesplit/run/observe/feed"
)

// metrics collects the state of a run for Prometheus, when it is asked. Names follow Prometheus'
// conventions: base units, counters end in _total.
type metrics struct {
	server *Server
	descs  map[string]*prometheus.Desc
}

// metricHelp describes each metric.
var metricHelp = map[string]string{
	"ranks":               "Number of ranks.",
	"nodes_total":         "Expanded nodes, as rank 0 knows them.",
	"nodes_per_second":    "Recent rate of expanded nodes in wall-clock time.",
	"done_ratio":          "Share of the tree that is closed, 0 to 1; absent while it is unknown.",
	"left_seconds":        "Estimated time until the end of the current search; absent while it is unknown.",
	"open_nodes":          "Nodes that ranks know and have not expanded.",
	"idle_ratio":          "Share of the ranks' recent time without work.",
	"best_value":          "Value of the best solution; absent without a solution.",
	"cubes_total":         "Cubes that the solver has decided, under rule cubes.",
	"cubes_split_total":   "Cubes that were given up after their budget and split, under rule cubes.",
	"refuted_nodes_total": "Nodes that look-ahead has refuted before they were cubes, under rule cubes.",
	"requests_total":      "Work requests that ranks have sent.",
	"grants_total":        "Messages with work that ranks have sent.",
	"refusals_total":      "Refused work requests.",
	"silent_ranks":        "Ranks from which no report has arrived for some seconds.",
	"checkpoints_total":   "Checkpoints that were written.",
	"warnings_total":      "Warnings about the run.",
	"rank_seconds_total":  "Time of all ranks by activity. It is virtual on a simulated machine.",
	"piece_bytes":         "Sizes of the pieces that ranks have named in their reports.",
	"run_virtual_seconds": "Virtual time of a simulated machine in the current search.",
}

// countNames are the metrics of the counts of problems (run.Progress.Counts).
var countNames = map[string]string{"cubes": "cubes_total", "cubesSplit": "cubes_split_total", "refutedByLookahead": "refuted_nodes_total"}

// activityNames are the labels of rank_seconds_total.
var activityNames = [feed.Activities]string{"working", "asking", "idle", "transferring"}

// newMetrics returns the handler of GET /metrics.
func (s *Server) newMetrics() http.Handler {
	m := &metrics{server: s, descs: map[string]*prometheus.Desc{}}
	for name, help := range metricHelp {
		var labels []string
		if name == "rank_seconds_total" {
			labels = []string{"activity"}
		}
		m.descs[name] = prometheus.NewDesc("treesplit_"+name, help, labels, nil)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// Describe sends the descriptions of all metrics.
func (m *metrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range m.descs {
		out <- d
	}
}

// Collect sends the current values.
func (m *metrics) Collect(out chan<- prometheus.Metric) {
	v, shape := m.server.currentView(), m.server.options.Board.Shape()
	send := func(kind prometheus.ValueType, name string, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(m.descs[name], kind, value, labels...)
	}
	gauge := func(name string, value float64) { send(prometheus.GaugeValue, name, value) }
	counter := func(name string, value int64) { send(prometheus.CounterValue, name, float64(value)) }
	p := &v.Status
	gauge("ranks", float64(shape.Ranks))
	counter("nodes_total", p.Expanded)
	gauge("nodes_per_second", p.NodesPerSecond)
	gauge("open_nodes", float64(p.Open))
	gauge("idle_ratio", p.IdleShare)
	if p.Done != nil {
		gauge("done_ratio", *p.Done)
	}
	if p.SecondsLeft != nil {
		gauge("left_seconds", *p.SecondsLeft)
	}
	if p.Best != nil {
		gauge("best_value", float64(*p.Best))
	}
	for key, value := range p.Counts {
		if name, ok := countNames[key]; ok {
			counter(name, value)
		}
	}
	if shape.Virtual {
		gauge("run_virtual_seconds", p.VirtualSeconds)
	}
	counter("requests_total", v.Totals.Requests)
	counter("grants_total", v.Totals.Grants)
	counter("refusals_total", v.Totals.Refusals)
	gauge("silent_ranks", float64(v.Totals.SilentCount))
	counter("checkpoints_total", int64(v.Checkpoints))
	counter("warnings_total", v.Warned)
	for a, seconds := range v.Totals.Seconds {
		send(prometheus.CounterValue, "rank_seconds_total", seconds, activityNames[a])
	}
	out <- m.pieceSizes(&v.Totals.Pieces)
}

// pieceSizes returns the sizes of pieces as a histogram of Prometheus, whose buckets count all
// numbers up to a limit.
func (m *metrics) pieceSizes(h *histogram.Histogram) prometheus.Metric {
	buckets, count := map[float64]uint64{}, uint64(0)
	for i, n := range h.Buckets {
		if count += uint64(n); count > 0 && count <= uint64(h.Count) && n > 0 {
			_, below := histogram.BucketBounds(i)
			buckets[float64(below-1)] = count
		}
	}
	return prometheus.MustNewConstHistogram(m.descs["piece_bytes"], uint64(h.Count), float64(h.Sum), buckets)
}
