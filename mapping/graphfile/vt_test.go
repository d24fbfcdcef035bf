package graphfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"treesplit/mapping"
)

// machine is what messages cost in these tests: 10 and 20 ns, and 1 and 2 ns a byte.
var machine = mapping.Machine{SendMessage: 10, ReceiveMessage: 20, SendByte: 1, ReceiveByte: 2}

// run reads the run of testdata.
func run(o Options) (*File, error) {
	names := []string{RankFileName("run.%p.json", 0), RankFileName("run.%p.json", 1)}
	return ReadVT(names, func(name string) (io.ReadCloser, error) { return os.Open(filepath.Join("testdata", name)) }, o)
}

// A run of two ranks, whose last phase one of them calls like the one before: objects 4,
// 8 and 1, which cannot leave, on rank 0, 12 on rank 1. Where they are, rank 0 pays
// 1000000 + 2000000 + 1 for computing, and receives 12's broadcast once, 2020, and its
// message to 1 of 10.5, so 11 bytes, 42; rank 1 pays 500000 + 1010 + 21. If 4 goes to
// rank 1, its message to 8 costs that 120 and rank 0 240, and the broadcast is still one.
func TestRunByHand(t *testing.T) {
	f, err := run(Options{Machine: machine})
	if err != nil {
		t.Fatal(err)
	}
	if f.Unknown != 1 || f.Skipped != 1 || f.Phase != 4 || f.Problem.Processors != 2 || fmt.Sprint(f.Start) != "[0 0 0 1]" {
		t.Errorf("%+v", f)
	}
	if o := f.Problem.Objects[2]; o != (mapping.Object{Name: "1", Comp: 1, Home: 0, Fixed: true}) {
		t.Errorf("%+v", o)
	}
	for _, c := range []struct {
		m    mapping.Map
		want [2]int64
	}{
		{f.Start, [2]int64{3000001 + 2020 + 42, 500000 + 1010 + 21}},
		{mapping.Map{1, 0, 0, 1}, [2]int64{2000001 + 2020 + 42 + 240, 1500000 + 1010 + 21 + 120}},
	} {
		if e := f.Problem.EvaluateMap(c.m); [2]int64(e.Cost) != c.want {
			t.Errorf("%v: %v, want %v", c.m, e.Cost, c.want)
		}
	}
}

// Phases: of phase 0 each rank has vt's task of no object too; 1 is recorded by rank 0
// alone, 3 is like 1 there, and 5 there is none.
func TestPhases(t *testing.T) {
	phase := 0
	f, err := run(Options{Phase: &phase})
	if err != nil || f.Phase != 0 || len(f.Problem.Objects) != 2 || f.Problem.Objects[0].Comp != 9e9 || f.Problem.Processors != 2 {
		t.Errorf("phase 0: %+v, %v", f, err)
	}
	for _, phase := range []int{-1, 1, 3, 5} {
		if _, err := run(Options{Phase: &phase}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("no phase %d", phase)) {
			t.Errorf("phase %d: %v", phase, err)
		}
	}
	in := Options{}
	for in.Phase = new(int); *in.Phase <= 5; *in.Phase++ {
		f, err := Read("run.0.json", example(t, "run.0.json"), in)
		if *in.Phase == 5 {
			if err == nil {
				t.Error("phase 5: expected an error")
			}
		} else if err != nil || f.Phase != *in.Phase || (f.Problem.Objects[0].Comp == 1e6) != (f.Phase > 0) {
			t.Errorf("phase %d: %+v, %v", *in.Phase, f, err)
		}
	}
}

// The last phase is the last in number, wherever it stands, and those after it that are
// like the one before without a gap.
func TestLastPhase(t *testing.T) {
	for _, c := range []struct {
		like, phases string
		want         int
	}{
		{`[]`, `{"id":1},{"id":0}`, 1},
		{`[2,4]`, `{"id":1},{"id":0}`, 2},
		{`[3,2]`, `{"id":0},{"id":1}`, 3},
		{`[1]`, `{"id":5}`, 5},
	} {
		text := fmt.Sprintf(`{"metadata":{"phases":{"identical_to_previous":{"list":%s}}},"phases":[%s]}`, c.like, c.phases)
		if f, err := read("a.json", text, Options{}); err != nil || f.Phase != c.want {
			t.Errorf("%s: %+v, %v, want %d", text, f, err, c.want)
		}
	}
}

// On fewer processors than there were ranks, objects that may move lose their home.
func TestFewerProcessors(t *testing.T) {
	f, err := run(Options{Processors: 1})
	if err != nil || f.Start != nil || f.Problem.Processors != 1 || f.Problem.Objects[3].Home != mapping.Nowhere || f.Problem.Objects[1].Home != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	text := strings.ReplaceAll(vt(`{"entity":{"id":1,"migratable":false,"type":"object"},"node":1,"time":1.0}`, ""), "\n", "")
	if _, err := read("a.json", text, Options{Processors: 1}); err == nil || !strings.Contains(err.Error(), "a.json:1:29: task: object 1 cannot leave node 1") {
		t.Error(err)
	}
	if f, err = read("a.json", text, Options{Processors: 5}); err != nil || f.Problem.Processors != 5 {
		t.Errorf("%+v, %v", f, err)
	}
}

// vt is data of one phase.
func vt(tasks, communications string) string {
	return fmt.Sprintf(`{"phases":[{"id":0,"tasks":[%s],"communications":[%s]}]}`, tasks, communications)
}

// Objects with a seq_id are told apart by their homes, which arcs may leave out where
// there is no doubt. A task may leave out the home too. An end of an arc with another home is an
// object that the file does not define.
func TestSeqIDs(t *testing.T) {
	object := func(seq, home int) string {
		return fmt.Sprintf(`{"entity":{"seq_id":%d,"home":%d,"migratable":true,"type":"object"},"node":0,"time":1.0}`, seq, home)
	}
	arc := func(from, to string) string {
		return fmt.Sprintf(`{"type":"SendRecv","from":{"type":"object",%s},"to":{"type":"object",%s},"bytes":1.0,"messages":1}`, from, to)
	}
	homeless := strings.Replace(object(4, 0), `,"home":0`, "", 1)
	tasks := strings.Join([]string{object(1, 0), object(1, 1), object(2, 0), homeless}, ",")
	for _, c := range []struct {
		from, to string
		want     string
	}{
		{`"seq_id":1,"home":1`, `"seq_id":2,"home":0`, "1 2"},
		{`"seq_id":1,"home":0`, `"seq_id":2`, "0 2"},
		{`"seq_id":2,"home":7`, `"seq_id":1,"home":1`, "unknown"},
		{`"seq_id":1,"home":1`, `"seq_id":2,"home":7`, "unknown"},
		{`"seq_id":4`, `"seq_id":2`, "3 2"},
		{`"seq_id":4,"home":7`, `"seq_id":2`, "3 2"},
		{`"seq_id":1`, `"seq_id":2`, "unknown"},
		{`"id":1`, `"seq_id":2`, "unknown"},
		{`"seq_id":3`, `"seq_id":2`, "unknown"},
	} {
		f, err := read("a.json", vt(tasks, arc(c.from, c.to)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := "unknown"
		if f.Unknown == 0 {
			got = fmt.Sprint(f.Problem.Arcs[0].From, f.Problem.Arcs[0].To)
		}
		if got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

// An error about a file names its line and column.
func TestVTRefused(t *testing.T) {
	task := func(entity, rest string) string { return vt(`{"entity":{`+entity+`},`+rest+`}`, "") }
	good, rest := `"id":1,"migratable":true,"type":"object"`, `"node":0,"time":1.0`
	for _, c := range []struct{ text, want string }{
		{"{", "a.json:1:1: unexpected end of JSON input: expected JSON"},
		{"{\n\"phases\": [}\n", "a.json:2:12: invalid character '}'"},
		{"{}", "a.json:1:1: no phases: expected load-balancing data of vt"},
		{`{"phases":[]}`, "a.json: no phases: expected at least one"},
		{`{"phases":3}`, "a.json:1:11: phases: expected an array"},
		{`{"phases":[3]}`, "a.json:1:12: phase: expected an object"},
		{`{"phases":[{}]}`, "a.json:1:12: phase: expected an id, 0 or more"},
		{`{"phases":[{"id":"x"}]}`, "a.json:1:"},
		{`{"phases":[{"id":1},{"id":1}]}`, "a.json:1:21: phase 1: expected it once"},
		{"{\"type\":\"LBStatsfile\"}", `a.json:1:9: type "LBStatsfile": expected "LBDatafile"`},
		{`{"metadata":{"type":"LBStatsfile"}}`, `type "LBStatsfile"`},
		{`{"metadata":{"rank":-1}}`, "rank -1: expected 0 to 1048575"},
		{`{"metadata":{"phases":{"identical_to_previous":{"range":[[1]]}}}}`, "a range of phases with 1 numbers"},
		{task(`"id":1,"migratable":true,"type":"node"`, rest), `entity of type "node": expected "object"`},
		{task(`"migratable":true,"type":"object"`, rest), "expected an entity with id or seq_id"},
		{task(`"id":1,"type":"object"`, rest), "expected an entity with migratable"},
		{task(`"id":-1,"migratable":true,"type":"object"`, rest), "task: entity.id number -1: expected a whole number"},
		{task(`"id":1.5,"migratable":true,"type":"object"`, rest), "expected a whole number"},
		{task(`"id":1,"migratable":3,"type":"object"`, rest), "expected true or false"},
		{task(good, `"time":1.0`), "expected a node, 0 to 1048575"},
		{task(good, `"node":1048576,"time":1.0`), "expected a node, 0 to 1048575"},
		{task(good, `"node":0`), "expected a time, 0 or more"},
		{task(good, `"node":0,"time":-1.0`), "expected a time, 0 or more"},
		{task(good, `"node":0,"time":1e300`), "expected a time, 0 or more"},
		{task(good, `"node":0,"time":"1"`), "task: time string: expected a number"},
		{vt("\n{\"entity\":{"+good+"},"+rest+"},\n{\"entity\":{"+good+"},"+rest+"}", ""), "a.json:3:1: task: object 1 again: expected one task of it, see a.json:2:1"},
		{vt("", `{"type":"SendRecv","messages":1}`), "expected bytes, 0 to 2^53"},
		{vt("", `{"type":"SendRecv","bytes":1.0}`), "expected messages, 0 to 2^53"},
		{vt("", `{"type":"SendRecv","bytes":1.0,"messages":-1}`), "expected messages"},
		{vt("", `3`), "communication:"},
	} {
		if _, err := read("a.json", c.text, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	tasks := `{"entity":{` + good + `},` + rest + `}`
	text := vt(tasks, `{"type":"SendRecv","from":{"type":"object","id":1},"to":{"type":"object","id":1},"bytes":9e15,"messages":1}`)
	if _, err := read("a.json", text, Options{Machine: mapping.Machine{SendByte: 1e9}}); err == nil || !strings.Contains(err.Error(), "expected 0 to 2^60") {
		t.Error(err)
	}
	if _, err := ReadVT(nil, nil, Options{}); err == nil {
		t.Error("no files: expected an error")
	}
}

// Skipping finds the same ends of values as the decoder, for any contents.
func TestElements(t *testing.T) {
	text := `[1, -2.5e3 ,"a\"]\\",{"a":[{},[],"}"],"b\u0041":{"c":null}}, true,null , [[[]]],{}]`
	var want []json.RawMessage
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	d, err := newDocument("a", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := d.eachElement(d.findValue(0), "", func(v span) error {
		got = append(got, text[v.from:v.to])
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%s", want) != fmt.Sprintf("%s", got) {
		t.Errorf("%s, want %s", got, want)
	}
}

// A map that is written is where objects are when it is read again, in one file or in
// one for each rank, and all that was read is written again.
func TestWriteVT(t *testing.T) {
	f, err := run(Options{Machine: machine})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		m := mapping.Map{int32(rng.IntN(2)), int32(rng.IntN(2)), 0, int32(rng.IntN(2))}
		write := func(name string) string {
			var text bytes.Buffer
			if name == "all" {
				err = WriteVT(&text, f, m)
			} else {
				err = WriteVTRank(&text, f, m, int(name[0]-'0'))
			}
			if err != nil {
				t.Fatal(err)
			}
			return text.String()
		}
		for _, names := range [][]string{{"all"}, {"0", "1"}} {
			g, err := ReadVT(names, func(name string) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(write(name))), nil
			}, Options{Machine: machine, Processors: 2})
			if err != nil {
				t.Fatal(err)
			}
			if g.Phase != 4 || g.Unknown != 1 || g.Skipped != 1 || fmt.Sprint(g.Problem.EvaluateMap(g.Start)) != fmt.Sprint(f.Problem.EvaluateMap(m)) {
				t.Errorf("%v in %v: %+v", m, names, g)
			}
			for i, o := range f.Problem.Objects {
				for j, p := range g.Problem.Objects {
					if o.Name == p.Name && g.Start[j] != m[i] {
						t.Errorf("%v in %v: object %s is on %d", m, names, o.Name, g.Start[j])
					}
				}
			}
		}
		if text := write("all"); !strings.Contains(text, `"user_defined":{"bytes":5.0}`) || !strings.Contains(text, `"objgroup_id":3`) {
			t.Errorf("something is missing: %s", text)
		}
	}
	// 12, which broadcasts, alone on rank 1; then 4, which a rank sends to.
	for _, c := range []struct {
		m    mapping.Map
		text string
	}{{mapping.Map{0, 0, 0, 1}, "Broadcast"}, {mapping.Map{1, 0, 0, 0}, "NodeToCollection"}} {
		for rank, want := range []bool{false, true} {
			var text bytes.Buffer
			if err := WriteVTRank(&text, f, c.m, rank); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text.String(), c.text) != want {
				t.Errorf("%v: rank %d has %s", c.m, rank, &text)
			}
		}
	}
	if err := WriteVT(io.Discard, f, mapping.Map{0, 0, 1, 0}); err == nil {
		t.Error("a fixed object moved: expected an error")
	}
	f.vt, f.Problem.Arcs[0].Receive = nil, 1
	if err := WriteVT(io.Discard, f, nil); err == nil || !strings.Contains(err.Error(), "costs the same at both ends") {
		t.Error(err)
	}
}

// compressed returns text compressed in all ways, by ending of the name.
func compressed(t *testing.T, text []byte) map[string][]byte {
	t.Helper()
	all := map[string][]byte{"": text}
	for ending, open := range map[string]func(io.Writer) io.WriteCloser{
		".br": func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
		".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		".zst": func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			return z
		},
	} {
		var b bytes.Buffer
		w := open(&b)
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		all[ending] = b.Bytes()
	}
	return all
}

// Files may be compressed. Those of vt's need not say so by their names, others only if
// brotli did it; what is cut off, or becomes more text than allowed, is refused.
func TestCompressed(t *testing.T) {
	for _, name := range []string{"run.0.json", "ring.graph"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for ending, data := range compressed(t, text) {
			for _, name := range []string{name, name + ending} {
				if ending == ".br" && name == "ring.graph" {
					continue
				}
				o := Options{Processors: 2, Limit: int64(len(text))}
				if f, err := read(name, string(data), o); err != nil || len(f.Problem.Objects) < 3 {
					t.Errorf("%s: %v", name+ending, err)
				}
				if ending == "" {
					continue
				}
				for _, cut := range []int{len(data) - 1, len(data) / 2} {
					if _, err := read(name, string(data[:cut]), o); err == nil {
						t.Errorf("%s, %d of %d bytes: expected an error", name+ending, cut, len(data))
					}
				}
				o.Limit--
				if _, err := read(name, string(data), o); err == nil || !strings.Contains(err.Error(), "expected a graph of at most this size") {
					t.Errorf("%s, limit %d: %v", name+ending, o.Limit, err)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"[]\n":           "a.json:1:1: load-balancing data: expected an object",
		`"x"`:            "a.json:1:1: load-balancing data: expected an object",
		"hello":          "a.json:1:1: invalid character 'h'",
		"\x01\x02\x03[]": "a.json: it is not JSON: the brotli data is",
	} {
		if _, err := read("a.json", text, Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
