package outfile

import "os"

// Scratch is a temporary file in $TMPDIR. It has no name where the system allows this, so that nothing is
// left of it if the program is killed.
type Scratch struct{ *os.File }

// CreateScratch creates an empty file.
func CreateScratch() (*Scratch, error) {
	file, err := os.CreateTemp("", "treesplit-proof-")
	if err != nil {
		return nil, NameError(err, os.TempDir())
	}
	os.Remove(file.Name()) // if this fails, Close removes the file
	return &Scratch{file}, nil
}

// Close closes and removes the file.
func (s *Scratch) Close() error {
	err := s.File.Close()
	os.Remove(s.Name())
	return err
}
