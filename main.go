// Treesplit runs tree-shaped searches on many ranks and balances their load by the schemes of five
// papers of the 1990s. The same program runs on one machine and, under mpirun or srun, on a
// cluster. All code is in package cli and the packages below it.
package main

import (
	"os"

	"treesplit/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
