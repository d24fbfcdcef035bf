package process

import (
	"bufio"
	"os"
	"time"
)

// tail follows the standard error of a program and keeps its last lines.
type tail struct {
	from *os.File
	done chan struct{}
	last []string // read after done
}

const (
	lastLines   = 10              // that an error repeats
	lineBytes   = 300             // of a line in the log and in errors
	drainErrors = 1 * time.Second // for which lines are read after the program has ended
)

// followErrors passes the lines of standard error to log, if log is not nil.
func followErrors(from *os.File, log func(string)) *tail {
	t := &tail{from: from, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		r := bufio.NewReaderSize(from, 4096)
		for {
			line, more, err := r.ReadLine()
			if err != nil {
				return
			}
			text := cutText(string(line), lineBytes)
			for more && err == nil { // the rest of a long line
				_, more, err = r.ReadLine()
			}
			t.keepLine(text, log)
		}
	}()
	return t
}

// keepLine keeps a line and logs it. Blank lines are left out.
func (t *tail) keepLine(text string, log func(string)) {
	if text == "" {
		return
	}
	t.last = append(t.last, text)
	if len(t.last) > lastLines {
		t.last = append(t.last[:0:0], t.last[1:]...)
	}
	if log != nil {
		log(text)
	}
}

// finish returns the last lines of a program that has ended. Processes that have left the group may
// still hold the pipe: their lines are not read.
func (t *tail) finish() []string {
	t.from.SetReadDeadline(time.Now().Add(drainErrors))
	<-t.done
	t.from.Close()
	return t.last
}
