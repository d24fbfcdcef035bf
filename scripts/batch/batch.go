// Package batch holds the templates of job scripts, one for each scheduler. treesplit sweep --batch
// fills them in. They are shell scripts with the fields of sweep.Job between double braces.
package batch

import "embed"

// Templates are the files of this directory: NAME.sh for a scheduler, and body.sh, the common part
// of all schedulers.
//
//go:embed *.sh
var Templates embed.FS
