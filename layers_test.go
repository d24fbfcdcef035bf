package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers lists, for each package, the packages of this project that it may import. Imports point
// down only, as in ARCHITECTURE.md.
var layers = map[string][]string{
	".":                          {"cli"},
	"cli":                        {"comm", "docs", "internal/cputime", "internal/fileio", "internal/outfile", "internal/parallel", "internal/spelling", "ksbf", "lb", "local", "mapping", "mapping/auto", "mapping/bb", "mapping/graphfile", "mapping/objects", "mpi", "pace", "puzzle", "run", "run/checkpoint", "internal/histogram", "run/live", "run/observe", "run/observe/feed", "run/observe/trace", "run/observe/trace/timeline", "run/workloads", "sat", "sat/drat", "sat/gen", "sat/proof", "search", "sim", "sim/machinefile", "spmd", "study/calibrate", "study/chaos", "study/figure", "study/predict", "study/report", "study/reproduce", "study/reproduce/kumar", "study/reproduce/lab", "study/sweep", "termination", "topology", "uts", "worker", "worker/process"},
	"run":                        {"comm", "lb", "local", "mpi", "run/shares", "search", "sim", "spmd", "termination", "topology"},
	"run/shares":                 {"lb", "search"},
	"run/proofs":                 {"comm", "internal/outfile", "internal/wire", "run", "run/checkpoint", "spmd"},
	"run/workloads":              {"comm", "internal/cputime", "internal/outfile", "ksbf", "lb", "mapping", "mapping/auto", "mapping/bb", "mapping/objects", "puzzle", "run", "run/proofs", "sat", "sat/cadical", "sat/cdcl", "sat/cubes", "sat/dive", "sat/drat", "sat/lookahead", "sat/plain", "sat/portfolio", "sat/proof", "sat/simplify", "search", "sim", "spmd", "uts", "internal/wire", "termination", "worker", "worker/process"},
	"run/checkpoint":             {"internal/fileio", "internal/outfile", "run", "search"},
	"internal/fileio":            {},
	"study/calibrate":            {"comm", "run", "search", "search/model", "sim", "spmd"},
	"internal/cputime":           {"comm"},
	"internal/outfile":           {"internal/fileio"},
	"internal/parallel":          {},
	"study/predict":              {"internal/cputime", "internal/parallel", "lb", "run", "search", "search/model", "search/replay", "sim", "study/figure"},
	"study/chaos":                {"run", "run/checkpoint", "run/shares", "comm", "internal/explore", "lb", "search", "search/model", "search/replay", "sim", "termination", "topology"},
	"study/reproduce":            {"study/figure", "study/reproduce/kale", "study/reproduce/kumar", "study/reproduce/lab", "study/reproduce/rings", "study/reproduce/sanders"},
	"study/reproduce/kumar":      {"comm", "internal/parallel", "local", "pace", "search", "search/replay", "sim", "study/figure", "study/reproduce/lab", "study/reproduce/printed"},
	"study/reproduce/sanders":    {"comm", "gf2perm", "internal/parallel", "lb", "search", "search/model", "search/replay", "sim", "study/figure", "study/reproduce/lab"},
	"study/reproduce/rings":      {"internal/parallel", "ksbf", "study/figure", "study/reproduce/lab"},
	"study/reproduce/kale":       {"internal/parallel", "mapping", "mapping/auto", "mapping/bb", "mapping/gen", "search", "study/figure", "study/reproduce/lab", "study/reproduce/printed"},
	"study/reproduce/lab":        {"comm", "internal/fileio", "internal/outfile", "internal/parallel", "lb", "run/shares", "sat", "sat/gen", "search", "search/model", "search/replay", "sim", "study/figure", "termination", "uts"},
	"study/reproduce/printed":    {},
	"study/figure":               {"internal/svg"},
	"sim":                        {"comm", "lb", "search", "termination", "topology"},
	"sim/machinefile":            {"internal/fileio", "sim"},
	"spmd":                       {"comm", "lb", "search", "termination", "topology"},
	"lb":                         {"comm", "gf2perm", "search", "termination", "topology"},
	"termination":                {"comm", "topology"},
	"mpi":                        {"comm"},
	"pace":                       {"comm", "search", "spmd"},
	"local":                      {"comm"},
	"sat":                        {"internal/fileio", "internal/wire", "sat/proof", "search"},
	"sat/proof":                  {},
	"sat/gen":                    {"sat"},
	"sat/plain":                  {"sat", "sat/proof"},
	"sat/cdcl":                   {"internal/splitmix", "sat", "sat/parity"},
	"sat/dive":                   {"sat"},
	"sat/cubes":                  {"internal/wire", "sat", "sat/cdcl", "sat/lookahead", "sat/mailbox", "sat/proof"},
	"sat/mailbox":                {"internal/splitmix", "internal/wire"},
	"sat/portfolio":              {"internal/wire", "sat", "sat/cdcl", "sat/mailbox", "sat/proof", "search"},
	"sat/cadical":                {"internal/splitmix", "sat", "sat/cdcl"},
	"sat/drat":                   {"internal/fileio", "internal/parallel"}, // not even sat: it judges the engines of sat
	"sat/simplify":               {"internal/splitmix", "sat", "sat/parity"},
	"sat/parity":                 {"internal/splitmix"},
	"sat/lookahead":              {"sat", "sat/proof"},
	"uts":                        {"internal/wire", "search"},
	"puzzle":                     {"internal/wire", "search"},
	"worker":                     {"internal/wire", "search"},
	"worker/process":             {"worker"},
	"mapping":                    {},
	"ksbf":                       {"comm", "internal/splitmix", "topology"},                 // is a protocol itself
	"mapping/objects":            {"comm", "internal/splitmix", "internal/wire", "mapping"}, // is a protocol itself
	"mapping/bb":                 {"internal/wire", "mapping", "search"},
	"mapping/gen":                {"mapping"},
	"mapping/graphfile":          {"internal/fileio", "mapping"},
	"mapping/auto":               {"mapping", "mapping/bb", "search"},
	"topology":                   {},
	"gf2perm":                    {},
	"internal/histogram":         {},
	"internal/splitmix":          {},
	"docs":                       {}, // the claims, as data
	"internal/svg":               {},
	"internal/svg/svgtest":       {"internal/svg"},
	"internal/wire":              {},
	"run/observe":                {"comm", "internal/histogram", "internal/outfile", "lb", "local", "run", "run/observe/feed", "run/observe/ledger", "run/observe/trace", "sim", "spmd"},
	"run/observe/feed":           {"comm", "internal/histogram", "internal/wire", "run/observe/ledger", "run/observe/trace"},
	"run/live":                   {"comm", "internal/histogram", "run", "run/observe/feed"},
	"internal/browser":           {},
	"run/observe/trace":          {"comm", "internal/fileio", "internal/wire"},
	"run/observe/trace/timeline": {"comm", "internal/svg", "run/observe/trace"},
	"run/observe/ledger":         {"comm", "internal/histogram", "lb", "run/observe/trace"},
	"search":                     {"internal/wire"},
	"search/model":               {"internal/splitmix", "search"},
	"search/stack":               {"internal/wire", "search"},
	"search/replay":              {"internal/wire", "search"},
	"comm":                       {},
	"internal/spelling":          {},
	"study/sweep":                {"internal/fileio", "ksbf", "lb", "internal/outfile", "scripts/batch", "sim/machinefile", "internal/spelling", "termination"},
	"study/report":               {"study/figure", "internal/fileio", "study/sweep"},
	"scripts/batch":              {},
	// examples of problems of users
	"examples/clique": {"run", "run/checkpoint", "search", "search/stack"},
	"examples/queens": {"run", "search", "search/stack"},
	// only for tests and comparisons
	"scripts/manual":             {"cli"},
	"scripts/draw":               {"comm", "internal/svg", "lb", "run/observe/trace", "run/observe/trace/timeline", "search", "search/model", "search/stack", "sim", "study/reproduce/lab", "termination"},
	"scripts/shoot":              {"internal/browser"},
	"scripts/fit":                {"study/reproduce/kumar", "study/reproduce/lab"},
	"scripts/targets":            {},
	"scripts/crosscheck":         {"cli", "lb", "run/workloads", "sat/lookahead", "sat/plain", "sat/proof", "termination", "sat", "sat/cadical", "sat/cdcl", "sat/drat", "sat/gen", "sat/ruletest"},
	"scripts/compare":            {"mapping", "mapping/auto", "mapping/gen", "mapping/graphfile"},
	"internal/explore":           {"comm", "internal/splitmix", "lb", "search"},
	"internal/scenario":          {"comm"},
	"comm/commtest":              {"comm"},
	"internal/fileio/fileiotest": {},
	"search/searchtest":          {"search"},
	"sat/ruletest":               {"sat", "sat/drat", "sat/gen", "sat/proof", "search", "search/searchtest"},
}

// pure are the packages without goroutines, clocks, global randomness and logging: with the same
// seed they do the same on every machine.
var pure = []string{"comm", "gf2perm", "internal/histogram", "internal/splitmix", "internal/wire", "run/observe/ledger", "run/observe/trace", "run/observe/trace/timeline", "topology", "search", "search/stack", "termination", "lb", "sat", "sat/cdcl", "sat/cubes", "sat/dive", "sat/gen", "sat/plain", "sat/portfolio", "sat/drat", "sat/lookahead", "sat/mailbox", "sat/proof", "sat/simplify", "uts", "puzzle", "ksbf", "mapping/objects", "mapping", "mapping/auto", "mapping/bb", "mapping/gen", "mapping/graphfile", "worker"}

// sources calls f with every Go file of the project, except tests and files in a test's data, and
// with the file's package.
func sources(t *testing.T, f func(pkg, name string, file *ast.File, fset *token.FileSet)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "internal" && name != "internal" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		f(path.Dir(filepath.ToSlash(name)), filepath.ToSlash(name), file, fset)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func imports(t *testing.T, file *ast.File) (all []string) {
	for _, i := range file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// Every package is listed, and imports point down.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	sources(t, func(pkg, name string, file *ast.File, _ *token.FileSet) {
		seen[pkg] = true
		if pkg == "scripts" {
			return
		}
		allowed, ok := layers[pkg]
		if !ok {
			t.Errorf("%s: package %s is not listed in layers", name, pkg)
		}
		for _, p := range imports(t, file) {
			if rest, ours := strings.CutPrefix(p, "treesplit/"); ours && !slices.Contains(allowed, rest) && !strings.HasPrefix(rest, pkg+"/internal") {
				t.Errorf("%s imports %s, which is not below it", name, rest)
			}
		}
	})
	for pkg := range layers {
		if !seen[pkg] {
			t.Errorf("package %s is listed in layers but has no files", pkg)
		}
	}
}

// forbidden are the packages that pure packages do not import. comm is an exception: it uses the
// standard library's type for spans of time.
var forbidden = []string{"time", "log", "log/slog", "sync", "sync/atomic", "math/rand", "crypto/rand", "runtime", "github.com/sirupsen/logrus"}

// The protocol and workload packages have no goroutine, no clock, no global randomness and no
// logging.
func TestPurity(t *testing.T) {
	sources(t, func(pkg, name string, file *ast.File, fset *token.FileSet) {
		if !slices.Contains(pure, pkg) {
			return
		}
		for _, p := range imports(t, file) {
			if slices.Contains(forbidden, p) && name != "comm/port.go" {
				t.Errorf("%s imports %s", name, p)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%v: a goroutine in a pure package", fset.Position(n.Pos()))
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if ok && x.Name == "rand" && !slices.Contains([]string{"Rand", "New", "NewPCG", "PCG", "NewZipf"}, n.Sel.Name) {
					t.Errorf("%v: rand.%s draws from the global stream", fset.Position(n.Pos()), n.Sel.Name)
				}
				if ok && x.Name == "time" && n.Sel.Name != "Duration" {
					t.Errorf("%v: time.%s in a pure package", fset.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	})
}

// A file is one technique: it has at most 400 lines and is documented.
func TestFiles(t *testing.T) {
	sources(t, func(pkg, name string, file *ast.File, fset *token.FileSet) {
		if lines := fset.Position(file.End()).Line; lines > 400 {
			t.Errorf("%s has %d lines", name, lines)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Recv == nil && d.Doc == nil {
					t.Errorf("%s: %s has no doc comment", name, d.Name.Name)
				}
				if n := fset.Position(d.End()).Line - fset.Position(d.Pos()).Line; n > 70 {
					t.Errorf("%s: %s has %d lines", name, d.Name.Name, n)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
						t.Errorf("%s: %s has no doc comment", name, s.Name.Name)
					}
				}
			}
		}
	})
}

// A problem of a user links few packages of the project: packages for checkpoints, statistics,
// traces and machine files are linked only by programs that use them.
func TestOwnProblemLinksFewPackages(t *testing.T) {
	const most = 15 // including the example itself
	linked := map[string]bool{}
	direct := map[string][]string{}
	sources(t, func(pkg, _ string, file *ast.File, _ *token.FileSet) {
		for _, p := range imports(t, file) {
			if below, ours := strings.CutPrefix(p, "treesplit/"); ours {
				direct[pkg] = append(direct[pkg], below)
			}
		}
	})
	var visit func(pkg string)
	visit = func(pkg string) {
		if !linked[pkg] {
			linked[pkg] = true
			for _, below := range direct[pkg] {
				visit(below)
			}
		}
	}
	visit("examples/queens")
	if len(linked) > most {
		t.Errorf("examples/queens links %d packages of the project, expected at most %d: %v", len(linked), most, slices.Sorted(maps.Keys(linked)))
	}
}

// picture returns, for each package in the picture of ARCHITECTURE.md, the number of its line.
func picture(t *testing.T) map[string]int {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(text), "```", 3)
	if len(parts) < 3 {
		t.Fatal("ARCHITECTURE.md has no picture")
	}
	const label = 12 // number of columns for the names of layers
	lines := map[string]int{}
	for i, line := range strings.Split(parts[1], "\n") {
		if len(line) < label {
			continue
		}
		for _, pkg := range strings.Fields(line[label:]) {
			if _, twice := lines[pkg]; twice {
				t.Errorf("the picture has %s twice", pkg)
			}
			lines[pkg] = i
		}
	}
	return lines
}

// The picture in ARCHITECTURE.md has every package once, and imports go to lines below.
func TestPicture(t *testing.T) {
	lines := picture(t)
	for pkg := range lines {
		if _, ok := layers[pkg]; !ok {
			t.Errorf("the picture has %s, which is no package", pkg)
		}
	}
	for pkg := range layers {
		if _, ok := lines[pkg]; !ok {
			t.Errorf("the picture lacks %s", pkg)
		}
	}
	sources(t, func(pkg, name string, file *ast.File, _ *token.FileSet) {
		for _, p := range imports(t, file) {
			below, ours := strings.CutPrefix(p, "treesplit/")
			if from, to := lines[pkg], lines[below]; ours && lines[below] > 0 && lines[pkg] > 0 && from >= to {
				t.Errorf("%s imports %s, which is not below it in the picture", name, below)
			}
		}
	})
}

// ARCHITECTURE.md names all packages in layers.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range layers {
		if pkg != "." && !strings.Contains(string(text), "`"+pkg+"`") {
			t.Errorf("ARCHITECTURE.md does not name `%s`", pkg)
		}
	}
}
