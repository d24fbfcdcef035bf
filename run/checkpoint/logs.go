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

// Logs is a file beside a checkpoint that holds the logs of a search for a proof. The file only
// grows, because it is too large to be written again for each checkpoint. Each checkpoint has a
// run.LogMark of the length of the file. So the previous checkpoint can be resumed too: the bytes
// after its mark are then dropped.
//
// The file begins with a magic string, which ends with the version of the format. The logs
// follow. Each log has its length in bytes before it, as a uvarint that is not 0.
type Logs struct {
	file *os.File
	mark run.LogMark
	all  []*io.SectionReader
}

// Log is a log to be written.
type Log interface {
	io.ReaderAt
	Size() int64
}

// maxLogs bounds the number of logs in a file. A file has one log for each rank and checkpoint. Tests lower it.
var maxLogs = 1 << 24

const logsMagic = "treesplit logs 1\n"

var crcTable = crc64.MakeTable(crc64.ECMA)

// LogsOf returns the name of the file of logs beside a checkpoint.
func LogsOf(path string) string { return path + ".logs" }

// CreateLogs creates a file of logs. It overwrites an existing file.
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

// OpenLogs opens a file of logs up to a mark, for reading. It checks all bytes up to the mark and
// returns an error if the file is shorter or has other bytes. The time is linear in the bytes,
// the memory in the number of logs.
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
		return fmt.Errorf("the file does not hold logs: expected a file that begins with %q", logsMagic)
	}
	l.all, err = index(l.file, int64(len(logsMagic)), l.mark.Bytes)
	return err
}

// index returns the logs between two offsets of a file.
func index(file io.ReaderAt, at, end int64) (all []*io.SectionReader, err error) {
	for at < end {
		var head [binary.MaxVarintLen64]byte
		k, err := file.ReadAt(head[:min(binary.MaxVarintLen64, end-at)], at)
		if err != nil && err != io.EOF {
			return nil, err
		}
		size, n := binary.Uvarint(head[:k])
		if n <= 0 || size == 0 || size > math.MaxInt64 || int64(size) > end-at-int64(n) {
			return nil, fmt.Errorf("the log at byte %[2]d has %[1]d bytes: expected 1 to %[3]d", size, at, max(end-at-int64(max(n, 0)), 0))
		}
		if len(all) == maxLogs {
			return nil, fmt.Errorf("the file has more than %d logs: expected at most that number", maxLogs)
		}
		at += int64(n)
		all = append(all, io.NewSectionReader(file, at, int64(size)))
		at += int64(size)
	}
	return all, nil
}

// Continue returns logs of the name path to which more logs can be added: the same file, cut at
// its mark, or a copy of it. On an error the logs are unchanged.
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

// reopen opens the same file for adding logs.
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

// same reports whether path is the name of the file.
func same(file *os.File, path string) bool {
	a, err := file.Stat()
	b, also := os.Stat(path)
	return err == nil && also == nil && os.SameFile(a, b)
}

// Append adds logs, except empty ones, and flushes them to the disk. On an error it adds none of
// them, and the file is unchanged.
func (l *Logs) Append(logs []Log) error {
	mark, count := l.mark, len(l.all)
	err := l.appendAll(logs)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		l.mark, l.all = mark, l.all[:count]
		_ = l.file.Truncate(mark.Bytes) // bytes after the mark do not count in any case
	}
	return outfile.NameError(err, l.file.Name())
}

func (l *Logs) appendAll(logs []Log) error {
	buf := make([]byte, 1<<16)
	for _, log := range logs {
		if log.Size() == 0 {
			continue
		}
		if len(l.all) == maxLogs { // such a file could not be opened again
			return fmt.Errorf("the file would have more than %d logs: expected at most one log per rank and checkpoint, and fewer checkpoints", maxLogs)
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

// Mark returns the mark of the whole file.
func (l *Logs) Mark() run.LogMark { return l.mark }

// All returns the logs in the file, in the order in which they were written.
func (l *Logs) All() []*io.SectionReader { return l.all }

// Close closes the file. After that the logs cannot be read.
func (l *Logs) Close() error { return l.file.Close() }
