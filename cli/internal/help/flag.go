package help

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// placeholders are the nouns for values of flags that name none in backquotes.
var placeholders = map[string]string{"int": "N", "uint": "N", "float": "X", "duration": "TIME", "string": "TEXT", "strings": "LIST", "ints": "LIST"}

// describeForm returns how a flag is written: "-n, --ranks N".
func describeForm(f *pflag.Flag) string {
	form := "    --" + f.Name
	if f.Shorthand != "" {
		form = "-" + f.Shorthand + ", --" + f.Name
	}
	noun, _ := pflag.UnquoteUsage(f)
	if named, ok := placeholders[noun]; ok {
		noun = named
	}
	if noun == "" {
		return form
	}
	if f.NoOptDefVal != "" { // the value is optional
		return form + " [" + strings.ToUpper(noun) + "]"
	}
	return form + " " + strings.ToUpper(noun)
}

// describeUse returns what a flag does, and its default unless that is the zero value.
func describeUse(f *pflag.Flag) string {
	_, use := pflag.UnquoteUsage(f)
	if slices.Contains([]string{"", "0", "false", "0s", "[]"}, f.DefValue) {
		return use
	}
	return use + " (default " + trimZeros(f.DefValue) + ")"
}

// trimZeros turns a time such as 1m0s into 1m.
func trimZeros(value string) string {
	if s, ok := strings.CutSuffix(value, "m0s"); ok {
		value = s + "m"
	}
	if s, ok := strings.CutSuffix(value, "h0m"); ok {
		value = s + "h"
	}
	return value
}
