// Package outfile writes files so that no data is lost: a file is complete or does not exist, the
// file that it replaces stays until then, and errors name the requested file.
package outfile
