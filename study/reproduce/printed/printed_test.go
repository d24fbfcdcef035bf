package printed

import "testing"

// Every printed table can be read, and has the cells that the paper prints.
func TestPrinted(t *testing.T) {
	for name, want := range map[string]struct {
		column string
		p      int
		value  float64
	}{
		"kumar-table3-speedups-receiver-initiated": {"RP", 1024, 660.582},
		"kumar-table4-work-requests":               {"GRR-M", 8, 260},
		"kumar-table5-speedups-sender-initiated":   {"SL", 128, 79.101},
		"kale-table1-efficiency":                   {"Branch & Bound", 3, 81.0},
	} {
		table, err := Read(name)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := table.CellValue(want.column, want.p); !ok || v != want.value {
			t.Errorf("%s: %v, %v, want %v", name, v, ok, want.value)
		}
		if _, ok := table.CellValue("SB", 1024); ok {
			t.Errorf("%s: a cell that the paper leaves empty", name)
		}
	}
}
