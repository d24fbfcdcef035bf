package run

import (
	"bytes"
	"encoding/gob"

	"treesplit/comm"
)

// Messages from rank 0 to the ranks that help. Each begins with one of these bytes.
const (
	helpEnd   byte = iota // the preparations are done
	helpBegin             // data for Helping.Help
	helpAsk               // questions
)

// rankHelpers lets the ranks of a transport answer. All ranks take part in each broadcast and gather, also
// ranks beyond the number of workers. rankHelpers belongs to rank 0.
type rankHelpers struct {
	t   comm.Transport
	err error // the first one of the transport
}

func (h *rankHelpers) Size() int { return min(h.t.Size(), mostHelpers) }

func (h *rankHelpers) Begin(data []byte) { h.send(helpBegin, data) }

// send sends a message to all ranks that help.
func (h *rankHelpers) send(kind byte, data []byte) {
	if h.err == nil {
		_, h.err = h.t.Broadcast(0, append([]byte{kind}, data...))
	}
}

func (h *rankHelpers) Ask(questions [][]byte, own func([]byte) []byte) [][]byte {
	h.send(helpAsk, encodeList(questions))
	answers := make([][]byte, len(questions))
	answerPart(questions, 0, h.Size(), own, answers)
	if h.err != nil {
		return answers
	}
	var all [][]byte
	if all, h.err = h.t.Gather(0, nil); h.err != nil {
		return answers
	}
	for rank, data := range all[:h.Size()] {
		part, err := decodeList(data)
		for i := rank; rank > 0 && err == nil && i < min(len(part), len(questions)); i += h.Size() {
			answers[i] = part[i]
		}
	}
	return answers
}

// end ends the preparations on all ranks. It returns the error of the transport, if it has failed.
func (h *rankHelpers) end() error {
	h.send(helpEnd, nil)
	return h.err
}

// helpRankZero answers the questions of rank 0 until its preparations are done. All other ranks call it.
func helpRankZero(t comm.Transport, w Helping, l Loading) error {
	size, answer := min(t.Size(), mostHelpers), answerNothing
	for {
		data, err := t.Broadcast(0, nil)
		switch {
		case err != nil:
			return err
		case len(data) == 0 || data[0] == helpEnd:
			return nil
		case data[0] == helpBegin:
			if t.Rank() < size {
				answer = beginHelp(w, data[1:], l)
			}
			continue
		}
		questions, _ := decodeList(data[1:]) // rank 0 finds missing answers itself
		answers := make([][]byte, len(questions))
		if t.Rank() < size {
			answerPart(questions, t.Rank(), size, answer, answers)
		}
		if _, err := t.Gather(0, encodeList(answers)); err != nil {
			return err
		}
	}
}

// encodeList encodes questions or answers.
func encodeList(list [][]byte) []byte {
	var out bytes.Buffer
	_ = gob.NewEncoder(&out).Encode(list) // a Buffer has no errors
	return out.Bytes()
}

// decodeList decodes questions or answers.
func decodeList(data []byte) (list [][]byte, err error) {
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(&list)
	return list, err
}
