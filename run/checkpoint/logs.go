package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math"
	"os"

	"treesplit/internal/outfile"
	"treesplit/run"
)

// Logs is a file beside a checkpoint that only grows: what a search has logged until then,
// for a proof, which is too much to be written again each time. Each checkpoint has a run.LogMark of
// how far the file had come, so that the one before it can be gone on from as well: what
// lies behind its mark is forgotten.
//
// The file is a magic string, which ends with the version of the format, and the logs one
// after the other, each after its length, a uvarint that is not 0.
type Logs struct {
	file *os.File
	mark run.LogMark
	all  []*io.SectionReader
}

// Log is one of the logs to be written.
type Log interface {
	io.ReaderAt
	Size() int64
}

// maxLogs bounds the logs of a file, of which there is one for each rank and checkpoint.
const maxLogs = 1 << 24

const logsMagic = "treesplit logs 1\n"

var crcTable = crc64.MakeTable(crc64.ECMA)

// LogsOf is the name of the file of logs beside a checkpoint.
func LogsOf(path string) string { return path + ".logs" }

// CreateLogs begins a file of logs; one of that name is overwritten.
func CreateLogs(path string) (*Logs, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, outfile.NameError(err, path)
	}
	l := &Logs{file: file}
	if err := l.write([]byte(logsMagic)); err != nil {
		return nil, errors.Join(outfile.NameError(err, path), l.remove())
	}
	return l, nil
}

// remove closes a file and removes it.
func (l *Logs) remove() error { return errors.Join(l.Close(), os.Remove(l.file.Name())) }

// OpenLogs opens a file of logs to read what there is up to a mark. It looks through all of
// that: a file that is shorter, or has other bytes, is refused. Time is linear in the bytes,
// memory in the number of logs.
func OpenLogs(path string, mark run.LogMark) (*Logs, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	l := &Logs{file: file, mark: mark}
	if err := l.check(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return l, nil
}

var errLogs = errors.New("the logs are cut short or damaged: their checksum is wrong")

// check compares the file with its mark and finds the logs in it.
func (l *Logs) check() error {
	sum := crc64.New(crcTable)
	n, err := io.Copy(sum, io.NewSectionReader(l.file, 0, l.mark.Bytes))
	if err != nil {
		return err
	}
	if n != l.mark.Bytes || sum.Sum64() != l.mark.Sum {
		return errLogs
	}
	begin := make([]byte, len(logsMagic))
	if _, err := l.file.ReadAt(begin, 0); err != nil || n < int64(len(begin)) || string(begin) != logsMagic {
		return fmt.Errorf("no logs: expected them to begin with %q", logsMagic)
	}
	l.all, err = index(l.file, int64(len(logsMagic)), l.mark.Bytes)
	return err
}

// index finds the logs between two places of a file.
func index(file io.ReaderAt, at, end int64) (all []*io.SectionReader, err error) {
	for at < end {
		var head [binary.MaxVarintLen64]byte
		k, err := file.ReadAt(head[:min(binary.MaxVarintLen64, end-at)], at)
		if err != nil && err != io.EOF {
			return nil, err
		}
		size, n := binary.Uvarint(head[:k])
		if n <= 0 || size == 0 || size > math.MaxInt64 || int64(size) > end-at-int64(n) {
			return nil, fmt.Errorf("a log of %d bytes at byte %d: expected 1 to %d", size, at, max(end-at-int64(max(n, 0)), 0))
		}
		if len(all) == maxLogs {
			return nil, fmt.Errorf("more than %d logs: expected at most so many", maxLogs)
		}
		at += int64(n)
		all = append(all, io.NewSectionReader(file, at, int64(size)))
		at += int64(size)
	}
	return all, nil
}

// Continue returns logs of that name to which more can be added: the same file, cut where its mark
// is, or a copy of it. On an error the logs are as they were.
func (l *Logs) Continue(path string) (*Logs, error) {
	if same(l.file, path) {
		return l.reopen(path)
	}
	next, err := CreateLogs(path)
	if err != nil {
		return nil, err
	}
	logs := make([]Log, len(l.all))
	for i, one := range l.all {
		logs[i] = one
	}
	if err := next.Append(logs); err != nil {
		return nil, errors.Join(err, next.remove())
	}
	return next, l.Close()
}

// reopen opens the same file to add to it.
func (l *Logs) reopen(path string) (*Logs, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, outfile.NameError(err, path)
	}
	next := &Logs{file: file, mark: l.mark}
	if next.all, err = index(file, int64(len(logsMagic)), l.mark.Bytes); err == nil {
		err = file.Truncate(l.mark.Bytes)
	}
	if err != nil {
		return nil, errors.Join(outfile.NameError(err, path), file.Close())
	}
	return next, l.Close()
}

// same reports whether a file has that name.
func same(file *os.File, path string) bool {
	a, err := file.Stat()
	b, also := os.Stat(path)
	return err == nil && also == nil && os.SameFile(a, b)
}

// Append adds logs, except empty ones, and brings them to the disk. On an error none of them
// is added, and the file is as it was.
func (l *Logs) Append(logs []Log) error {
	mark, count := l.mark, len(l.all)
	err := l.appendAll(logs)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		l.mark, l.all = mark, l.all[:count]
		_ = l.file.Truncate(mark.Bytes) // what is behind the mark does not count anyway
	}
	return outfile.NameError(err, l.file.Name())
}

func (l *Logs) appendAll(logs []Log) error {
	buf := make([]byte, 1<<16)
	for _, log := range logs {
		if log.Size() == 0 {
			continue
		}
		if err := l.write(binary.AppendUvarint(nil, uint64(log.Size()))); err != nil {
			return err
		}
		from := l.mark.Bytes
		for at := int64(0); at < log.Size(); {
			n, err := log.ReadAt(buf[:min(int64(len(buf)), log.Size()-at)], at)
			if n == 0 {
				return errors.Join(io.ErrUnexpectedEOF, err)
			}
			if err := l.write(buf[:n]); err != nil {
				return err
			}
			at += int64(n)
		}
		l.all = append(l.all, io.NewSectionReader(l.file, from, log.Size()))
	}
	return nil
}

// write appends bytes.
func (l *Logs) write(data []byte) error {
	n, err := l.file.WriteAt(data, l.mark.Bytes)
	if err != nil {
		return err
	}
	l.mark.Bytes += int64(n)
	l.mark.Sum = crc64.Update(l.mark.Sum, crcTable, data)
	return nil
}

// Mark says how far the file has come.
func (l *Logs) Mark() run.LogMark { return l.mark }

// All are the logs in the file, in the order in which they were written.
func (l *Logs) All() []*io.SectionReader { return l.all }

// Close closes the file; then the logs cannot be read any more.
func (l *Logs) Close() error { return l.file.Close() }
