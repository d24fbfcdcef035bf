//go:build unix

package outfile

import (
	"io/fs"
	"syscall"
)

// fileNumber returns the device and the inode of a file.
func fileNumber(info fs.FileInfo) (device, number uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Dev), uint64(s.Ino)
	}
	return 0, 0
}
