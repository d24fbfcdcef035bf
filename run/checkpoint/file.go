package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"treesplit/internal/fileio"
	"treesplit/internal/outfile"
	"treesplit/run"
)

// A file has three parts: a magic string, which ends with the version of the format; a zstd frame
// with the state; and the SHA-256 of all bytes before it. The checksum detects files that were
// cut short or altered by accident.
const magic = "treesplit checkpoint 1\n"

// Encode returns the bytes of a file. It returns an error if the state is too large.
func Encode(s *run.Checkpoint) ([]byte, error) {
	plain, err := encodeState(nil, s)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	data := sum(padFrame(z.EncodeAll(plain, []byte(magic)), len(plain)))
	if len(plain) > maxState || len(data) > maxFile {
		return nil, fmt.Errorf("the checkpoint has %d bytes: expected at most %d", len(data), maxFile)
	}
	return data, nil
}

// sum appends the checksum of data.
func sum(data []byte) []byte {
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

// spacious is the number of bytes that the state of a file of any length can have, see
// fileio.MaxDecoded. So a small file cannot fill the memory.
const spacious = 1 << 20

// padFrame appends bytes that decoders skip, if a file with a state of n bytes would be too short for
// Decode: a state of equal pieces can be compressed to less than a thousandth.
func padFrame(data []byte, n int) []byte {
	missing := fileio.LeastEncoded(int64(n), spacious) - int64(len(data)+sha256.Size)
	if missing <= 0 {
		return data
	}
	content := max(missing-skippableHeader, 0)
	data = binary.LittleEndian.AppendUint32(data, skippableFrame)
	data = binary.LittleEndian.AppendUint32(data, uint32(content))
	return append(data, make([]byte, content)...)
}

// A skippable frame of zstd (RFC 8878, section 3.1.2) has a header of two numbers of 4 bytes: a magic
// number, and the number of bytes that follow.
const (
	skippableFrame  = 0x184D2A50
	skippableHeader = 8
)

// Bounds of a file and of the state in it, in bytes. The largest runs stay far below: a piece has
// some tens of bytes, and a run has a few pieces per rank.
const (
	maxFile  = 1 << 28
	maxState = 1 << 30
)

// Bounds of the number of parts, which are the header and the pieces, of the number of searches in the
// header, and of its texts in bytes. In memory an empty piece takes 24 bytes, and a search some 200 bytes. A
// batch has several searches for each of its boards, of which a file has some 400,000 at most.
const (
	maxPieces = 1 << 24
	maxSteps  = 1 << 22
	maxText   = 1 << 22
)

// Decode returns the checkpoint in the bytes of a file. The bytes may be anything; Decode returns
// an error if they are not a checkpoint.
func Decode(data []byte) (*run.Checkpoint, error) {
	if err := checked(data); err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(bytes.NewReader(data[len(magic):len(data)-sha256.Size]), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<27))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	limit := min(maxState, fileio.MaxDecoded(int64(len(data)), spacious))
	plain, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if int64(len(plain)) > limit {
		return nil, fmt.Errorf("the state has more than %d bytes in a file of %d bytes: expected at most %d times the bytes of the file, and at most %d", limit, len(data), fileio.Inflation, int64(maxState))
	}
	s := new(run.Checkpoint)
	if err := decodeState(s, plain); err != nil {
		return nil, err
	}
	return s, nil
}

var errDamaged = errors.New("the checkpoint is cut short or damaged: its checksum is wrong")

// Try returns an error if no file can be written at path. It does not touch an existing file.
func Try(path string) error { return outfile.CheckReplacingLink(path) }

// Previous returns the name of the previous checkpoint of path.
func Previous(path string) string { return path + ".previous" }

// Save writes a file and flushes it to the disk. If Save is interrupted, a complete file remains:
// the new or the old one under path, or the old one under its Previous name. Save renames the new
// file before the flush, which can take long. So the checkpoint of a process that is killed
// during the flush is saved. After a loss of power the old file is still there, because it was
// flushed when it was new.
func Save(path string, s *run.Checkpoint) error {
	data, err := Encode(s)
	if err != nil {
		return err
	}
	f, err := outfile.CreateReplacingLink(path)
	if err != nil {
		return err
	}
	defer f.DiscardFile() // no effect after the file is placed
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Flush(); err != nil { // before the old file is renamed
		return err
	}
	if whole(path) { // otherwise keep the previous checkpoint
		if err := os.Rename(path, Previous(path)); err != nil {
			return outfile.NameError(err, path)
		}
	}
	if err := f.PlaceFile(); err != nil {
		return err
	}
	return errors.Join(f.Sync(), syncFolder(outfile.Folder(path)))
}

// whole reports whether a file of that name exists and its checksum is right.
func whole(path string) bool {
	data, err := readBytes(path)
	return err == nil && checked(data) == nil
}

// checked returns an error if the bytes are not a file of a checkpoint, judged by its checksum.
func checked(data []byte) error {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return fmt.Errorf("this is not a checkpoint: expected a file that begins with %q", magic)
	}
	end := len(data) - sha256.Size
	if end < len(magic) {
		return errDamaged
	}
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return errDamaged
	}
	return nil
}

// syncFolder flushes renames to the disk, so that they survive a loss of power. Not every system
// can.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	d.Sync() // some file systems return an error
	return d.Close()
}

// Load reads a file. If it is damaged, or missing because a run was killed while it renamed the
// file, Load reads the previous one; damage is then the error of the first file. The error names
// the file.
func Load(path string) (s *run.Checkpoint, damage error, err error) {
	s, err = read(path)
	if err == nil {
		return s, nil, nil
	}
	older, also := read(Previous(path))
	if also != nil {
		return nil, nil, err // the error of the file that was requested
	}
	return older, fmt.Errorf("%w; resuming from %s", err, Previous(path)), nil
}

// readBytes reads a file that begins like a checkpoint. Of any other file it reads only the
// beginning.
func readBytes(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit := fileio.Limit{Bytes: maxFile, What: "a checkpoint"}
	begin := make([]byte, len(magic))
	n, err := io.ReadFull(f, begin)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if n < len(magic) || string(begin) != magic {
		return begin[:n], nil // checked will refuse it
	}
	if err := limit.CheckFileSize(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rest, err := io.ReadAll(fileio.LimitReader(f, limit))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return append(begin, rest...), nil
}

func read(path string) (*run.Checkpoint, error) {
	data, err := readBytes(path)
	if err != nil {
		return nil, err
	}
	s, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
