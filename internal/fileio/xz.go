package fileio

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// The container of xz files (The .xz File Format, version 1.2.1, tukaani.org). LZMA2 is
// decoded by a library. Its own reader of the container takes any dictionary that a header
// asks for, up to 4 GiB, and remembers every block of an endless file; this one does not.
//
// A file has streams, with padding between them. A stream is a header, blocks, an index of
// the blocks, and a footer.

const (
	xzMagic  = "\xfd7zXZ\x00"
	xzFooter = "YZ"

	xzHeaderBytes = 12
	xzLZMA2       = 0x21 // the filter
	xzMaxBlocks   = 1 << 20
)

// xzReader decodes xz.
type xzReader struct {
	in   *bufio.Reader
	read int64 // bytes of in so far

	flags  [2]byte // of the stream
	blocks []xzRecord
	total  int // blocks of all streams

	block  *lzma.Reader2 // or nil between blocks
	header xzBlock
	sum    hash.Hash // of the block; or nil
	began  int64     // where the block's data begin
	plain  int64     // bytes of the block that were given out
	inside bool      // of a stream
	any    bool      // there has been a stream
	err    error
}

// xzRecord is what the index has of a block.
type xzRecord struct{ unpadded, plain uint64 }

// xzBlock is a block's header. Sizes that it does not have are -1.
type xzBlock struct {
	bytes             int64 // of the header itself
	dictionary        int
	compressed, plain int64
}

func newXZReader(in *bufio.Reader) *xzReader { return &xzReader{in: in} }

// Read decodes.
func (x *xzReader) Read(p []byte) (n int, err error) {
	for x.err == nil && n == 0 && len(p) > 0 {
		switch {
		case x.block != nil:
			n, x.err = x.decodeBlock(p)
		case x.inside:
			x.err = x.nextBlock()
		default:
			x.err = x.nextStream()
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, x.err
}

// readBytes reads n bytes.
func (x *xzReader) readBytes(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(x.in, b)
	x.read += int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// nextStream reads a stream's header, and the padding before it.
func (x *xzReader) nextStream() error {
	for {
		if _, err := x.in.Peek(1); err == io.EOF && x.any {
			return io.EOF
		}
		start, err := x.readBytes(4)
		if err != nil {
			return err
		}
		if x.any && bytes.Equal(start, make([]byte, 4)) {
			continue
		}
		rest, err := x.readBytes(xzHeaderBytes - 4)
		if err != nil {
			return err
		}
		head := append(start, rest...)
		if string(head[:6]) != xzMagic || binary.LittleEndian.Uint32(head[8:]) != crc32.ChecksumIEEE(head[6:8]) {
			return errors.New("xz: a stream's header is wrong")
		}
		if x.flags = [2]byte(head[6:8]); x.flags[0] != 0 || x.flags[1] > 15 {
			return errors.New("xz: unknown flags of a stream")
		}
		x.inside, x.any, x.blocks = true, true, x.blocks[:0]
		return nil
	}
}

// nextBlock reads a block's header, or else the index and the footer.
func (x *xzReader) nextBlock() error {
	first, err := x.readBytes(1)
	if err != nil {
		return err
	}
	if first[0] == 0 {
		x.inside = false
		return x.checkIndexAndFooter()
	}
	if x.total++; x.total > xzMaxBlocks {
		return fmt.Errorf("xz: more than %d blocks", xzMaxBlocks)
	}
	rest, err := x.readBytes(4*(int(first[0])+1) - 1)
	if err != nil {
		return err
	}
	if x.header, err = parseXZBlock(append(first, rest...)); err != nil {
		return err
	}
	if x.sum, err = newXZChecksum(x.flags[1]); err != nil {
		return err
	}
	x.began, x.plain = x.read, 0
	x.block, err = lzma.Reader2Config{DictCap: x.header.dictionary}.NewReader2(xzBytes{x})
	return err
}

// xzBytes are the bytes of a block, counted.
type xzBytes struct{ x *xzReader }

// Read reads and counts.
func (b xzBytes) Read(p []byte) (int, error) {
	n, err := b.x.in.Read(p)
	b.x.read += int64(n)
	return n, err
}

// ReadByte reads a byte and counts it.
func (b xzBytes) ReadByte() (byte, error) {
	c, err := b.x.in.ReadByte()
	if err == nil {
		b.x.read++
	}
	return c, err
}

// parseXZBlock parses a block's header.
func parseXZBlock(head []byte) (b xzBlock, err error) {
	b = xzBlock{bytes: int64(len(head)), compressed: -1, plain: -1}
	end := len(head) - 4
	if binary.LittleEndian.Uint32(head[end:]) != crc32.ChecksumIEEE(head[:end]) {
		return b, errors.New("xz: a block's header is wrong")
	}
	flags, rest := head[1], xzNumbers{head[2:end], false}
	if flags&0x40 != 0 {
		b.compressed = int64(rest.nextNumber())
	}
	if flags&0x80 != 0 {
		b.plain = int64(rest.nextNumber())
	}
	if flags&0x3f != 0 || rest.nextNumber() != xzLZMA2 || rest.nextNumber() != 1 || rest.bad || len(rest.rest) == 0 {
		return b, errors.New("xz: a block with unknown filters: expected LZMA2 alone")
	}
	bits := rest.rest[0]
	if len(bytes.Trim(rest.rest[1:], "\x00")) > 0 {
		return b, errors.New("xz: a block's header is wrong")
	}
	size, err := lzma.DecodeDictCap(bits)
	if err != nil {
		return b, err
	}
	if size > MaxWindow {
		return b, fmt.Errorf("xz: a dictionary of %d bytes: expected at most %d", size, MaxWindow)
	}
	b.dictionary = max(int(size), lzma.MinDictCap)
	return b, nil
}

// newXZChecksum returns the checksum of a stream's blocks, or nil.
func newXZChecksum(kind byte) (hash.Hash, error) {
	switch kind {
	case 0:
		return nil, nil
	case 1:
		return crc32.NewIEEE(), nil
	case 4:
		return crc64.New(crc64.MakeTable(crc64.ECMA)), nil
	case 10:
		return sha256.New(), nil
	}
	return nil, fmt.Errorf("xz: unknown check %d: expected CRC-32, CRC-64, SHA-256 or none", kind)
}

// decodeBlock gives out plain bytes, and ends the block after the last.
func (x *xzReader) decodeBlock(p []byte) (int, error) {
	n, err := x.block.Read(p)
	x.plain += int64(n)
	if x.sum != nil {
		x.sum.Write(p[:n])
	}
	if err == io.EOF {
		err = x.checkBlockEnd()
	}
	return n, err
}

// checkBlockEnd reads what follows a block's data.
func (x *xzReader) checkBlockEnd() error {
	x.block = nil
	compressed := x.read - x.began
	if h := x.header; h.compressed >= 0 && h.compressed != compressed || h.plain >= 0 && h.plain != x.plain {
		return errors.New("xz: a block's size is wrong")
	}
	padding, err := x.readBytes(int(-compressed & 3))
	if err != nil {
		return err
	}
	if len(bytes.Trim(padding, "\x00")) > 0 {
		return errors.New("xz: a block's padding is wrong")
	}
	unpadded := x.header.bytes + compressed
	if x.sum != nil {
		want, err := x.readBytes(x.sum.Size())
		if err != nil {
			return err
		}
		got := x.sum.Sum(nil)
		if x.flags[1] != 10 { // CRCs are stored with the low byte first
			for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
				got[i], got[j] = got[j], got[i]
			}
		}
		if !bytes.Equal(got, want) {
			return errors.New("xz: a checksum is wrong")
		}
		unpadded += int64(len(want))
	}
	x.blocks = append(x.blocks, xzRecord{uint64(unpadded), uint64(x.plain)})
	return nil
}

// checkIndexAndFooter reads the index, whose first byte has been read, and the footer.
func (x *xzReader) checkIndexAndFooter() error {
	sum := crc32.NewIEEE()
	sum.Write([]byte{0})
	from := x.read - 1
	in := io.TeeReader(xzBytes{x}, sum)
	if n, err := readXZNumber(in); err != nil || n != uint64(len(x.blocks)) {
		return errorOrNew(err, "xz: the index has another number of blocks")
	}
	for _, b := range x.blocks {
		unpadded, err := readXZNumber(in)
		if err != nil {
			return err
		}
		plain, err := readXZNumber(in)
		if err != nil || b != (xzRecord{unpadded, plain}) {
			return errorOrNew(err, "xz: the index has another size of a block")
		}
	}
	padding, err := x.readBytes(int(-(x.read - from) & 3))
	if err != nil || len(bytes.Trim(padding, "\x00")) > 0 {
		return errorOrNew(err, "xz: the index's padding is wrong")
	}
	sum.Write(padding)
	foot, err := x.readBytes(4 + xzHeaderBytes)
	if err != nil {
		return err
	}
	crc, foot := foot[:4], foot[4:]
	bytesOfIndex := x.read - xzHeaderBytes - from
	if binary.LittleEndian.Uint32(crc) != sum.Sum32() || string(foot[10:]) != xzFooter || [2]byte(foot[8:10]) != x.flags ||
		binary.LittleEndian.Uint32(foot) != crc32.ChecksumIEEE(foot[4:10]) || 4*(int64(binary.LittleEndian.Uint32(foot[4:]))+1) != bytesOfIndex {
		return errors.New("xz: the index or the footer is wrong")
	}
	return nil
}

// errorOrNew returns err, or else an error of that text.
func errorOrNew(err error, text string) error {
	if err != nil {
		return err
	}
	return errors.New(text)
}

// readXZNumber reads a number of at most 63 bits, 7 in a byte.
func readXZNumber(r io.Reader) (n uint64, err error) {
	var b [1]byte
	for shift := 0; shift < 63; shift += 7 {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		n |= uint64(b[0]&127) << shift
		if b[0] < 128 {
			return n, nil
		}
	}
	return 0, errors.New("xz: a number is too long")
}

// xzNumbers are numbers one after the other; bad stays set once one is malformed.
type xzNumbers struct {
	rest []byte
	bad  bool
}

func (x *xzNumbers) nextNumber() uint64 {
	r := bytes.NewReader(x.rest)
	n, err := readXZNumber(r)
	x.rest, x.bad = x.rest[len(x.rest)-r.Len():], x.bad || err != nil
	return n
}
