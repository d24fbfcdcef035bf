//go:build !unix

package cli

// ignoreFileLimit does nothing: this system has no such limit.
func ignoreFileLimit() {}
