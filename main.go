// Treesplit runs tree-shaped searches on many ranks and balances their load by
// the schemes of five papers of the 1990s: one binary for one machine and, under
// mpirun or srun, for a cluster. All of it is in package cli and below.
package main

import (
	"os"

	"treesplit/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
