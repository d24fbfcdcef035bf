//go:build !unix

package cli

// ignoreFileLimit does nothing: there is no such limit here.
func ignoreFileLimit() {}
