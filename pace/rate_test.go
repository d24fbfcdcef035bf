package pace

import (
	"math"
	"runtime/metrics"
	"strings"
	"testing"
)

func TestParseSlow(t *testing.T) {
	got, err := ParseSlow([]string{"3=2.5", "0=0.5"})
	if err != nil || len(got) != 2 || got[3] != 2.5 || got[0] != 0.5 {
		t.Errorf("the factors are %v, %v", got, err)
	}
	r := Rate{Node: 1000, Slow: got}
	if r.NodeTime(3) != 2500 || r.NodeTime(1) != 1000 || r.QuantumSize(3, 75_000) != 30 || r.QuantumSize(1, 10) != 1 {
		t.Errorf("nodes take %v and %v ns, quanta have %d and %d nodes", r.NodeTime(3), r.NodeTime(1), r.QuantumSize(3, 75_000), r.QuantumSize(1, 10))
	}
	for _, bad := range []string{"", "3", "3=", "=2", "a=2", "-1=2", "3=0", "3=-1", "3=NaN", "3=Inf", "3=1e7", "1.5=2"} {
		if _, err := ParseSlow([]string{bad}); err == nil || !strings.Contains(err.Error(), "expected RANK=FACTOR") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := ParseSlow([]string{"3=2", "3=4"}); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("two factors of a rank: %v", err)
	}
	if flag, err := r.Check(3); flag != "pace-slow" || err == nil || !strings.Contains(err.Error(), "rank 3=2.5: expected a rank of 0 to 2") {
		t.Errorf("a rank that does not exist: %v", err)
	}
	if _, err := r.Check(4); err != nil {
		t.Error(err)
	}
}

func FuzzParseSlow(f *testing.F) {
	f.Add("3=2.5")
	f.Add("=1e400")
	f.Fuzz(func(t *testing.T, text string) {
		slow, err := ParseSlow(strings.Split(text, ","))
		if err != nil {
			return
		}
		if _, err := (Rate{Node: 1, Slow: slow}).Check(math.MaxInt); err != nil {
			t.Errorf("%q is read as %v: %v", text, slow, err)
		}
	})
}

// The mean of a histogram counts only the values since the first reading.
func TestMeanSince(t *testing.T) {
	buckets := []float64{math.Inf(-1), 0, 1, 3, math.Inf(1)}
	before := &metrics.Float64Histogram{Counts: []uint64{0, 5, 1, 0}, Buckets: buckets}
	after := &metrics.Float64Histogram{Counts: []uint64{0, 7, 3, 1}, Buckets: buckets}
	if got, want := meanSince(before, after), (2*0.5+2*2.0+3)/5; math.Abs(got-want) > 1e-12 {
		t.Errorf("the mean is %v, want %v", got, want)
	}
	if meanSince(before, before) != 0 || meanSince(nil, after) != 0 {
		t.Error("the mean of nothing is not 0")
	}
	if readLatencies() == nil {
		t.Error("this version of Go has no metric of scheduling latencies")
	}
}
