package stack

import (
	"encoding/binary"
	"fmt"
	"reflect"
)

// checkNodeType panics if encoding/binary cannot encode and decode a node. It is called before the
// search, because the first piece may be sent only after hours.
func checkNodeType(node any) {
	t := reflect.TypeOf(node)
	if t == nil || t.Kind() == reflect.Slice || binary.Size(node) < 0 {
		panic(fmt.Sprintf("stack: a node of type %T has no fixed size: expected numbers of fixed size (int32 or int64 instead of int), structs and arrays", node))
	}
	if field := findHiddenField(t); field != "" {
		panic(fmt.Sprintf("stack: the field %s of a node of type %T is not exported: expected a name that begins with a capital letter, because nodes are encoded", field, node))
	}
}

// findHiddenField returns the path of the first field that binary.Decode cannot set, or "".
// Decode skips fields named _. It sets the exported fields of an embedded struct also if the name of
// the struct is not exported.
func findHiddenField(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Array:
		return findHiddenField(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" {
				continue
			}
			if !f.IsExported() && !(f.Anonymous && f.Type.Kind() == reflect.Struct) {
				return f.Name
			}
			if inner := findHiddenField(f.Type); inner != "" {
				return f.Name + "." + inner
			}
		}
	}
	return ""
}
