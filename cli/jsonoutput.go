package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// jsonVersion is the version of the objects that --json prints. It grows when a key changes its
// meaning or goes, and not when a key is added. docs/formats.md lists all keys.
const jsonVersion = 1

// jsonVersionKey is the first key of every object. The keys version and format are taken: version
// prints the version of the program, and check the encoding of a proof.
const jsonVersionKey = "jsonVersion"

// printJSON writes an object as one line of JSON, with the version of the format as its first key.
func (a *app) printJSON(object any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(object); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "{%q:%d,%s", jsonVersionKey, jsonVersion, b.Bytes()[1:])
	return err
}
