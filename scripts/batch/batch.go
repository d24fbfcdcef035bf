// Package batch holds the templates of job scripts, one for each scheduler, which
// treesplit sweep --batch fills in. They are shell scripts with the fields of sweep.Job
// between double braces.
package batch

import "embed"

// Templates are the files of this directory: NAME.sh for a scheduler, and body.sh, what is
// the same under all of them.
//
//go:embed *.sh
var Templates embed.FS
