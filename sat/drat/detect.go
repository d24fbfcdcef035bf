package drat

import "bytes"

// hasHints reports whether the steps that the parser has buffered look like an LRAT proof of a
// formula with this number of clauses. The numbers of its lemmas are larger than the number of
// clauses and increase. In text, a step has one line. The steps of a binary DRAT proof can be read
// as LRAT too: two lemmas as one, whose first hint is then the byte 'a' or 'd' of the second one.
func hasHints(p *parser, clauses int64) bool {
	h := &hintParser{parser: sampleSteps(p)}
	last, line, lemmas, unlike := clauses, int64(0), 0, 0
	for {
		ok, err := h.readHintStep()
		if err != nil && h.pos < len(h.buf) {
			return false
		}
		if !ok || err != nil {
			return lemmas > 0 && unlike > 0
		}
		if !p.binary && (h.line == line || h.line != h.lines) {
			return false
		}
		line = h.line
		if h.deletion {
			continue
		}
		if h.id <= last {
			return false
		}
		last = h.id
		lemmas++
		if !p.binary || len(h.hints) == 0 || h.hints[0] != -'a'/2 && h.hints[0] != 'd'/2 {
			unlike++
		}
	}
}

// sampleSteps returns a parser of the bytes that p has buffered and not read.
func sampleSteps(p *parser) *parser {
	return &parser{in: bytes.NewReader(nil), buf: p.buf, lines: 1, binary: p.binary}
}
