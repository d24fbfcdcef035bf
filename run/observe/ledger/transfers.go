package ledger

// Transfer is a message with work from one rank to another.
type Transfer struct {
	From, To int32
	Bytes    int64 // of the work
}

// Transfers is a bounded list of transfers. When it is full, it keeps no further transfers until it is
// cleared.
type Transfers struct {
	All  []Transfer
	Full func() // is called before a transfer that does not fit, and may clear the list; or nil
}

// NewTransfers returns an empty list of at most the given number of transfers.
func NewTransfers(most int) *Transfers { return &Transfers{All: make([]Transfer, 0, most)} }

// addTransfer takes O(1) and allocates no memory, without Full.
func (t *Transfers) addTransfer(one Transfer) {
	if len(t.All) == cap(t.All) && t.Full != nil {
		t.Full()
	}
	if len(t.All) < cap(t.All) {
		t.All = append(t.All, one)
	}
}

// Clear empties the list.
func (t *Transfers) Clear() { t.All = t.All[:0] }
