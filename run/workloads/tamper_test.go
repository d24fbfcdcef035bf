package workloads_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"treesplit/run"
	"treesplit/run/checkpoint"
)

// harmful are values of header fields that no run writes.
var harmful = []any{-1, 0, 1, 2, 1000, -7, int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MinInt64), int64(1) << 53, 1e300, "", "text", nil, true, []any{}, map[string]any{}, []any{1, 2, 3}, strings.Repeat("A", 1<<12)}

// tampered returns the file of a changed state, with the right checksum.
func tampered(rng *rand.Rand, s, other *run.Checkpoint) (data []byte, how string, err error) {
	c := &run.Checkpoint{Header: s.Header}
	for _, p := range s.Pieces {
		c.Pieces = append(c.Pieces, bytes.Clone(p))
	}
	for range 1 + rng.IntN(5)/4 {
		if rng.IntN(3) == 0 {
			var did string
			if did, err = tamperHeader(rng, &c.Header); err != nil {
				return nil, how, err
			}
			how += did
			continue
		}
		how += tamperPieces(rng, c, other)
	}
	data, err = checkpoint.Encode(c)
	return data, how, err
}

// tamperPieces changes one of the pieces.
func tamperPieces(rng *rand.Rand, s, other *run.Checkpoint) string {
	if len(s.Pieces) == 0 {
		s.Pieces = [][]byte{nil}
	}
	i, kind := rng.IntN(len(s.Pieces)), rng.IntN(9)
	p := s.Pieces[i]
	at := rng.IntN(len(p) + 1)
	switch kind {
	case 0, 1, 2:
		if at < len(p) {
			p[at] ^= byte(1 + rng.IntN(255))
		}
	case 3:
		p = p[:at]
	case 4:
		p = append(p[:at:at], binary.AppendUvarint(nil, rng.Uint64()>>rng.IntN(64))...)
		p = append(p, s.Pieces[i][at:]...)
	case 5:
		p = append([]byte{byte(rng.IntN(256))}, p[min(at, 1):]...)
	case 6:
		p = other.Pieces[rng.IntN(len(other.Pieces))]
	case 7:
		s.Pieces = append(s.Pieces, p)
	case 8:
		p = append([]byte{0xf0, byte(rng.IntN(4))}, p...)
	}
	s.Pieces[i] = p
	return fmt.Sprintf("; piece %d by %d at %d: %x", i, kind, at, p)
}

// tamperHeader changes one value in a header. If the result is not a valid header, the header is
// unchanged.
func tamperHeader(rng *rand.Rand, h *run.Header) (string, error) {
	data, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		return "", err
	}
	delete(all, "identity") // identities are compared before
	how := tamperValue(rng, all)
	if data, err = json.Marshal(all); err != nil {
		return "", err
	}
	next := run.Header{Identity: h.Identity}
	if json.Unmarshal(data, &next) == nil {
		*h = next
	}
	return "; header " + how, nil
}

// tamperValue changes a value of a JSON document.
func tamperValue(rng *rand.Rand, v any) string {
	set, how := func(any) {}, ""
	switch v := v.(type) {
	case map[string]any:
		var keys []string
		for _, k := range []string{"steps", "step", "bound", "totals", "seconds", "sessions", "logs", "sums", "maxima", "witness", "expanded", "messages", "bytes"} {
			if _, ok := v[k]; ok || k == "logs" || k == "witness" {
				keys = append(keys, k)
			}
		}
		if len(keys) == 0 {
			return "nothing"
		}
		k := keys[rng.IntN(len(keys))]
		set, how = func(x any) { v[k] = x }, k
		if rng.IntN(4) > 0 {
			switch in := v[k].(type) {
			case map[string]any, []any:
				return how + "." + tamperValue(rng, in)
			}
		}
		if k == "witness" {
			b := make([]byte, rng.IntN(20))
			for i := range b {
				b[i] = byte(rng.IntN(4))
			}
			set(b)
			return fmt.Sprint(how, b)
		}
		if k == "steps" && rng.IntN(2) == 0 {
			steps := make([]any, rng.IntN(300))
			for i := range steps {
				steps[i] = map[string]any{"sums": []int{1, 2, rng.IntN(400) / 399}, "maxima": []int{i}}
			}
			set(steps)
			return fmt.Sprint(len(steps), " steps")
		}
	case []any:
		if len(v) == 0 {
			return "nothing"
		}
		i := rng.IntN(len(v))
		if in, ok := v[i].(map[string]any); ok {
			return tamperValue(rng, in)
		}
		set, how = func(x any) { v[i] = x }, strconv.Itoa(i)
	}
	x := harmful[rng.IntN(len(harmful))]
	set(x)
	return fmt.Sprintf("%s=%.20v", how, x)
}
