package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a block of commands in a document, or a file that later commands use.
type block struct {
	commands   []string
	reason     string // why the block is not run, or ""
	file, text string // the name of the file, or "", and its text
}

// looksLikeCommand matches a line that a reader would type.
var looksLikeCommand = regexp.MustCompile(`^(\$ |bin/|\./scripts/|treesplit \w|go (run|build|test|install) |mpirun|srun |sbatch |CC=mpicc|gpmetis )`)

// readBlocks returns the blocks of commands in a document. There are three forms: a fence with the
// info string sh, where every line is a command; a fence with the info string console, where
// the lines after "$ " are; and lines that are indented by four spaces and look like commands. The
// info string "sh not-run: REASON" marks commands that no test can run. The info strings "python
// FILE" and "bash FILE" mark a fence that is the text of a file. A command in any other fence is an
// error.
func readBlocks(text string) (blocks []block, err error) {
	lines := strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n")
	for i := 0; i < len(lines); i++ {
		start := i
		info, fence := strings.CutPrefix(strings.TrimSpace(lines[i]), "```")
		switch {
		case fence:
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "```"; i++ {
			}
			if i == len(lines) {
				return nil, fmt.Errorf("line %d: a fence without an end", start+1)
			}
			b, err := readFence(info, lines[start+1:i])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", start+1, err)
			}
			blocks = append(blocks, b)
		case strings.HasPrefix(lines[i], "    ") && (i == 0 || lines[i-1] == ""):
			for ; i < len(lines) && strings.HasPrefix(lines[i], "    "); i++ {
			}
			blocks = append(blocks, block{commands: indentedCommands(lines[start:i])})
		}
	}
	return blocks, nil
}

// readFence returns the commands of a fence.
func readFence(info string, lines []string) (b block, err error) {
	kind, mark, marked := strings.Cut(info, " ")
	if marked && (kind == "python" || kind == "bash") {
		if mark != filepath.Base(mark) {
			return b, fmt.Errorf("block %q (expected the name of a file without a directory)", info)
		}
		return block{file: mark, text: strings.Join(lines, "\n") + "\n"}, nil
	}
	for _, line := range lines {
		command := withoutComment(line)
		switch {
		case kind == "sh" && command != "":
			b.commands = append(b.commands, command)
		case kind == "console" && strings.HasPrefix(command, "$ "):
			b.commands = append(b.commands, command[2:])
		case kind != "sh" && kind != "console" && looksLikeCommand.MatchString(command):
			return b, fmt.Errorf("%q is in a block %q (expected sh)", command, info)
		}
	}
	if marked {
		reason, known := strings.CutPrefix(mark, "not-run: ")
		if !known || reason == "" || kind != "sh" {
			return b, fmt.Errorf("block %q (expected sh, console or sh not-run: REASON)", info)
		}
		b.reason = reason
	}
	return b, nil
}

// indentedCommands returns the lines that look like commands.
func indentedCommands(lines []string) (commands []string) {
	for _, line := range lines {
		if command := withoutComment(line); looksLikeCommand.MatchString(command) {
			commands = append(commands, strings.TrimPrefix(command, "$ "))
		}
	}
	return commands
}

// withoutComment returns a line of shell without its comment and with single spaces.
func withoutComment(line string) string {
	line, _, _ = strings.Cut(line, " # ")
	line = strings.TrimSpace(strings.TrimSuffix(line, " #"))
	if strings.HasPrefix(line, "#") {
		return ""
	}
	return strings.Join(strings.Fields(line), " ")
}

// Blocks of each form are found, and a command outside of them is refused.
func TestDocumentBlocks(t *testing.T) {
	blocks, err := readBlocks("```sh\nbin/a  b # c\n# d\n```\n\n```sh not-run: too long\nbin/c\n```\n\n" +
		"```console\n$ bin/d\nout\n```\n\n    treesplit e\n    out\n\n```\nout\n```\n\n```bash f.sh\ngo\n```\n")
	want := "[{[bin/a b]   } {[bin/c] too long  } {[bin/d]   } {[treesplit e]   } {[]   } {[]  f.sh go\n}]"
	if got := fmt.Sprint(blocks); err != nil || got != want {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, text := range []string{"```\nbin/treesplit uts\n```\n", "```yaml\n$ go\n```\n", "```sh not-run\nls\n```\n", "```sh\nls\n", "```bash a/b\nls\n```\n"} {
		if blocks, err := readBlocks(text); err == nil {
			t.Errorf("%q: %v, want an error", text, blocks)
		}
	}
}
