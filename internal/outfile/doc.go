// Package outfile writes files so that nothing is lost: a file is complete or not there, the
// file that it replaces stays until then, and errors name the file that was asked for.
package outfile
