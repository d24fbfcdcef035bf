package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/ksbf"
	"treesplit/lb"
	"treesplit/sim"
	"treesplit/termination"
)

// helpOf returns the help that a command line prints on a terminal of a width.
func helpOf(t *testing.T, width int, words ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs}
	root := a.rootCommand()
	help.Install(root, func() int { return width })
	root.SetArgs(words)
	if err := root.Execute(); err != nil || errs.Len() > 0 {
		t.Fatalf("%v: %v, %s", words, err, &errs)
	}
	return out.String()
}

// eachHelp calls f with every command and topic, and the command line that prints its help.
func eachHelp(f func(cmd *cobra.Command, words []string)) {
	eachCommand(func(cmd *cobra.Command) {
		words := strings.Fields(cmd.CommandPath())[1:]
		if cmd.IsAdditionalHelpTopicCommand() {
			words = append([]string{"help"}, words...)
		} else {
			words = append(words, "--help")
		}
		f(cmd, words)
	})
}

// fewFlags is the largest number of flags of a command without groups of flags.
const fewFlags = 10

// TestFlagsHaveGroups: a command puts all its flags into groups, or it has few flags.
func TestFlagsHaveGroups(t *testing.T) {
	eachCommand(func(cmd *cobra.Command) {
		var grouped, others []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Name == "help" || f.Hidden:
			case help.HasGroup(f):
				grouped = append(grouped, f.Name)
			default:
				others = append(others, f.Name)
			}
		})
		if len(grouped) > 0 && len(others) > 0 || len(others) > fewFlags {
			t.Errorf("%s: flags without a group: %v", cmd.CommandPath(), others)
		}
	})
}

// TestFlagTexts: the text of a flag is one short clause, and names its value by a noun.
func TestFlagTexts(t *testing.T) {
	eachCommand(func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch n := utf8.RuneCountInString(f.Usage); {
			case n == 0:
				t.Errorf("%s --%s has no text", cmd.CommandPath(), f.Name)
			case n > 110:
				t.Errorf("%s --%s: a text of %d characters: %s", cmd.CommandPath(), f.Name, n, f.Usage)
			}
			if noun, _ := pflag.UnquoteUsage(f); noun == "string" {
				t.Errorf("%s --%s has no noun for its value: %s", cmd.CommandPath(), f.Name, f.Usage)
			}
		})
	})
}

// TestHelpFits: no line of help is wider than the terminal, except examples.
func TestHelpFits(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		eachHelp(func(cmd *cobra.Command, words []string) {
			for line := range strings.SplitSeq(helpOf(t, width, words...), "\n") {
				if n := utf8.RuneCountInString(line); n > width && !slices.Contains(strings.Split(cmd.Example, "\n"), line) {
					t.Errorf("%v: a line of %d columns on a terminal of %d: %q", words, n, width, line)
				}
			}
		})
	}
}

// TestShortHelp: -h lists few flags of commands that have many.
func TestShortHelp(t *testing.T) {
	eachCommand(func(cmd *cobra.Command) {
		if cmd.IsAdditionalHelpTopicCommand() || cmd.Flags().Lookup("scheme") == nil {
			return
		}
		text := helpOf(t, 120, append(strings.Fields(cmd.CommandPath())[1:], "-h")...)
		flags := 0
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(line, "  -") || strings.HasPrefix(line, "      --") {
				flags++
			}
		}
		if flags < 8 || flags > 14 || !strings.Contains(text, "--help") || strings.Contains(text, "--quantum") {
			t.Errorf("%s -h lists %d flags:\n%s", cmd.CommandPath(), flags, text)
		}
	})
}

// TestHelpOfSearch: calibrate and predict print the help of the search after their own flags.
func TestHelpOfSearch(t *testing.T) {
	for _, words := range []string{"calibrate --time 1s sat", "predict ncube2 uts"} {
		short, long := helpOf(t, 80, append(strings.Fields(words), "-h")...), helpOf(t, 80, append(strings.Fields(words), "--help")...)
		if !strings.Contains(short, "lists all flags") || strings.Contains(short, "--quantum") || !strings.Contains(long, "--quantum") {
			t.Errorf("%s -h prints\n%s\n--help prints\n%s", words, short, long)
		}
	}
}

// TestTopics: topics list every name of the registries.
func TestTopics(t *testing.T) {
	for topic, names := range map[string][]string{
		"schemes":     append(lb.SchemeNames(), lb.SchemeOptions()...),
		"detectors":   termination.DetectorNames(),
		"machines":    sim.MachineNames(),
		"exit-status": {"0", "1", "2", "3", "10", "20"},
		"map":         strategyNames(compareAll),
		"ring":        ksbf.SchemeNames(),
	} {
		text := helpOf(t, 80, "help", topic)
		for _, name := range names {
			if !strings.Contains(text, "\n  "+name+" ") && !strings.Contains(text, "\n  --"+name+" ") {
				t.Errorf("help %s does not list %s:\n%s", topic, name, text)
			}
		}
	}
	for _, s := range lb.Schemes {
		if s.Help == "" {
			t.Errorf("scheme %s has no help", s.Name)
		}
	}
	for _, name := range termination.DetectorNames() {
		if termination.DescribeDetector(name) == "" {
			t.Errorf("detector %s has no help", name)
		}
	}
}

// TestHelpEnds: the help of every command ends with examples and exit statuses, and every command
// but those under "More" has a group.
func TestHelpEnds(t *testing.T) {
	eachHelp(func(cmd *cobra.Command, words []string) {
		if cmd.IsAdditionalHelpTopicCommand() {
			return
		}
		text := helpOf(t, 80, words...)
		examples, exit := strings.Index(text, "\nExamples:\n"), strings.Index(text, "\nExit status:\n")
		if examples < 0 || exit < examples {
			t.Errorf("%v: examples at %d, exit statuses at %d:\n%s", words, examples, exit, text)
		}
		if !strings.HasSuffix(cmd.Long, ".") && !strings.Contains(cmd.Long, "\n  ") {
			t.Errorf("%v: the text does not end with a sentence: %q", words, cmd.Long)
		}
		if parent := cmd.Parent(); parent != nil && !parent.HasParent() && cmd.GroupID == "" && !slices.Contains([]string{"completion", "help", "version"}, cmd.Name()) {
			t.Errorf("%v is in no group", words)
		}
	})
}

// TestHelpCommand: help describes commands at any depth, and refuses other names.
func TestHelpCommand(t *testing.T) {
	if a, b := helpOf(t, 80, "help", "ring", "tree"), helpOf(t, 80, "ring", "tree", "--help"); a != b {
		t.Errorf("help ring tree prints\n%s", a)
	}
	if text := helpOf(t, 80, "help"); !strings.Contains(text, "\nSearch:\n") || !strings.Contains(text, "\nTopics:\n") {
		t.Errorf("help prints\n%s", text)
	}
	refuses(t, "help scheme", `unknown command or topic "scheme" (did you mean schemes?)`)
	refuses(t, "help uts x", "uts x")
}

// TestHelpCompletes: the names of commands and topics are completed.
func TestHelpCompletes(t *testing.T) {
	for line, want := range map[string]string{"help sche": "schemes", "help ring qu": "quadrature", "help exit": "exit-status"} {
		var out, errs bytes.Buffer
		if Main(append([]string{"__complete"}, strings.Fields(line)...), nil, &out, &errs); !strings.HasPrefix(out.String(), want+"\t") {
			t.Errorf("%s: %q", line, &out)
		}
	}
}

// TestHelpWidth: COLUMNS is used if standard output is no terminal, within limits.
func TestHelpWidth(t *testing.T) {
	a := &app{stdout: new(bytes.Buffer)}
	for columns, want := range map[string]int{"": 80, "no": 80, "-3": 80, "60": 60, "10": 40, "500": 120} {
		t.Setenv("COLUMNS", columns)
		if got := a.helpWidth(); got != want {
			t.Errorf("COLUMNS=%q: %d columns, want %d", columns, got, want)
		}
	}
}

// TestFlagErrors: an error of a flag begins with the flag, and says what was expected.
func TestFlagErrors(t *testing.T) {
	for line, want := range map[string]string{
		"uts -n x":                     `--ranks: "x": expected a whole number`,
		"uts -n 99999999999999999999":  `--ranks: "99999999999999999999" is out of range: expected`,
		"uts --seed -1":                `--seed: "-1": expected a whole number, 0 or more`,
		"uts --timeout 5":              `--timeout: "5": expected a time such as`,
		"uts --timeout 99999999h":      `--timeout: "99999999h" is out of range: expected a time of at most 2562047h`,
		"uts -n 0x2":                   `--ranks: "0x2": expected a whole number`,
		"uts --scheme ml --levels 0":   `--levels: 0: expected 1 to 16`,
		"uts --checkpoint=":            `--checkpoint: expected the name of a file`,
		"uts --resume=":                `--resume: expected the name of a file`,
		"uts --trace=":                 `--trace: expected the name of a file`,
		"uts --progress-file=":         `--progress-file: expected the name of a file`,
		"sat x.cnf --proof=":           `--proof: expected the name of a file`,
		"gen php -n 3 --output=":       `--output: expected the name of a file`,
		"check x.cnf y --lrat=":        `--lrat: expected the name of a file`,
		"map g.graph --out=":           `--out: expected the name of a file`,
		"uts --machine=":               `--machine: expected the name of a machine`,
		"report x.jsonl --out=":        `--out: expected the name of a directory`,
		"reproduce all --out=":         `--out: expected the name of a directory`,
		"sweep x.yaml --binary=":       `--binary: expected the name of a program`,
		"sweep x.yaml --launcher=":     `--launcher: expected the name of a program`,
		"uts --json=maybe":             `--json: "maybe": expected true or false`,
		"uts -b x":                     `--branching: "x": expected a number`,
		"uts --scheme":                 `--scheme: no value: expected one`,
		"gen php -n 1.5":               `--n: "1.5": expected a whole number`,
		"gen random-colouring --p few": `--p: "few": expected a number`,
	} {
		refuses(t, line, want)
	}
}

// A number of ranks is decimal.
func TestRanksAreDecimal(t *testing.T) {
	if status, stdout, stderr := runLine("uts -b 20 -n 010 --json"); status != statusDone || !strings.Contains(stdout, `"ranks":10,`) {
		t.Errorf("status %d, printed %q and %q, want 10 ranks", status, stdout, stderr)
	}
}
