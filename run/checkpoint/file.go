package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"treesplit/internal/fileio"
	"treesplit/internal/outfile"
	"treesplit/run"
)

// A file is a magic string, which ends with the version of the format, a zstd frame with
// the state, and the SHA-256 of all before it. So a file that was cut short, or altered by
// accident, is known as such.
const magic = "treesplit checkpoint 1\n"

// Encode returns the bytes of a file.
func Encode(s *run.Checkpoint) ([]byte, error) {
	plain, err := encodeState(nil, s)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	data := sum(z.EncodeAll(plain, []byte(magic)))
	if len(plain) > maxState || len(data) > maxFile {
		return nil, fmt.Errorf("a checkpoint of %d bytes: expected at most %d", len(data), maxFile)
	}
	return data, nil
}

// sum appends the checksum.
func sum(data []byte) []byte {
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

// A file of n bytes may hold spacious + inflation·n at most, so that no small one fills
// the memory.
const (
	spacious  = 1 << 20
	inflation = 1 << 10
)

// Bounds of a file and of the state in it, far above what the largest runs leave: a piece
// has some tens of bytes, and a run a few for each rank.
const (
	maxFile  = 1 << 28
	maxState = 1 << 30
)

// Decode reads the bytes of a file, which need not be one.
func Decode(data []byte) (*run.Checkpoint, error) {
	if err := checked(data); err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(bytes.NewReader(data[len(magic):len(data)-sha256.Size]), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<27))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	limit := min(maxState, int64(spacious+inflation*len(data)))
	plain, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if int64(len(plain)) > limit {
		return nil, fmt.Errorf("more than %d bytes in a file of %d: expected no more than %d times as many, nor more than %d", limit, len(data), inflation, int64(maxState))
	}
	s := new(run.Checkpoint)
	if err := decodeState(s, plain); err != nil {
		return nil, err
	}
	return s, nil
}

var errDamaged = errors.New("the checkpoint is cut short or damaged: its checksum is wrong")

// Try reports whether files can be written where path is, without touching any that there is.
func Try(path string) error { return outfile.CheckWritable(path) }

// Previous is the name under which the checkpoint before that of a name is kept.
func Previous(path string) string { return path + ".previous" }

// Save writes a file and brings it to the disk. Whatever happens meanwhile, the file of that
// name is a whole one afterwards, the new or the old, or else the old one has its Previous
// name. The new one has its name before it is on the disk, which can take long: so a
// process that is killed by then has saved, and after a loss of power there is still the
// old one, which was brought there when it was new.
func Save(path string, s *run.Checkpoint) error {
	data, err := Encode(s)
	if err != nil {
		return err
	}
	f, err := outfile.CreateReplacingLink(path)
	if err != nil {
		return err
	}
	defer f.DiscardFile() // of no effect once it is placed
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Flush(); err != nil { // before the old one loses its name
		return err
	}
	if whole(path) { // or else the one before it had better stay
		if err := os.Rename(path, Previous(path)); err != nil {
			return outfile.NameError(err, path)
		}
	}
	if err := f.PlaceFile(); err != nil {
		return err
	}
	return errors.Join(f.Sync(), syncFolder(filepath.Dir(path)))
}

// whole reports whether there is a file of that name whose checksum is right.
func whole(path string) bool {
	data, err := readBytes(path)
	return err == nil && checked(data) == nil
}

// checked reports whether the bytes are those of a file, as far as its checksum tells.
func checked(data []byte) error {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return fmt.Errorf("no checkpoint: expected it to begin with %q", magic)
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

// syncFolder makes renames last through a loss of power, where the system can.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	d.Sync() // some file systems refuse to
	return d.Close()
}

// Load reads a file. Where that is damaged, or not there because a run was killed while it
// gave it its name, the previous one is read, and damage says what was wrong. The error
// names the file.
func Load(path string) (s *run.Checkpoint, damage error, err error) {
	s, err = read(path)
	if err == nil {
		return s, nil, nil
	}
	older, also := read(Previous(path))
	if also != nil {
		return nil, nil, err // of the one that was asked for
	}
	return older, fmt.Errorf("%w; going on from %s", err, Previous(path)), nil
}

// readBytes reads a file that begins like a checkpoint; of another, no more than that.
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
		return begin[:n], nil // for checked to refuse
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
