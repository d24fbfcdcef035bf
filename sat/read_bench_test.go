package sat

import (
	"bytes"
	"testing"
)

// Reading a formula of 10^5 clauses, in bytes of plain text per second.
func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	if err := random3SAT(1, 1000, 100_000).WriteDIMACS(&text); err != nil {
		b.Fatal(err)
	}
	for name, data := range map[string][]byte{"plain": text.Bytes(), "gzip": gzipped(text.String()), "zstd": zstded(text.String())} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := Read(bytes.NewReader(data), name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
