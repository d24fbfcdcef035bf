package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"treesplit/internal/histogram"
	"treesplit/run"
	"treesplit/run/observe"
	"treesplit/study/predict"
	"treesplit/study/sweep"
)

// ofSearches is the section of formats.md with the keys that all searches have.
const ofSearches = "Keys of searches"

// objectsOfSections are the objects whose keys the sections of formats.md list.
var objectsOfSections = map[string]any{
	ofSearches:                 run.Result{},
	"Keys of `sat`":            satResult{},
	"Keys of `puzzle`":         puzzleResult{},
	"Keys of `puzzle --batch`": batchResult{},
	"Keys of `uts`":            utsResult{},
	"Keys of `run`":            workerResult{},
	"Keys of `map`":            mapResult{},
	"Keys of `ring`":           ringResult{},
	"Keys of `ring --steps`":   stepsResult{},
	"Keys of `objects`":        objectsResult{},
	"Keys of `check`":          checkResult{},
	"Keys of `chaos`":          chaosResult{},
	"Keys of `calibrate`":      calibrateResult{},
	"Keys of `predict`":        predict.Prediction{},
	"Keys of `version`":        facts{},

	"Keys of results of sweeps": sweep.Line{},
	"Keys of `--progress-file`": progressLine{},
}

// withoutVersion are the sections of lines of files, which have no version.
var withoutVersion = []string{"Keys of results of sweeps", "Keys of `--progress-file`"}

// keysOf returns the paths of the keys of a type, without the keys of an embedded run.Result.
func keysOf(t reflect.Type, path string) (all []string) {
	switch t.Kind() {
	case reflect.Pointer:
		return keysOf(t.Elem(), path)
	case reflect.Slice:
		return keysOf(t.Elem(), path+"[]")
	case reflect.Interface: // Result.Stats
		return keysOf(reflect.TypeFor[observe.Statistics](), path)
	case reflect.Struct:
		if sample, ok := ownJSON[t]; ok {
			return flattenKeys(sample, path)
		}
	default:
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			if f.Type != reflect.TypeFor[*run.Result]() {
				all = append(all, keysOf(f.Type, path)...)
			}
		case name != "" && name != "-":
			key := strings.TrimPrefix(path+"."+name, ".")
			all = append(append(all, key), keysOf(f.Type, key)...)
		}
	}
	return all
}

// ownJSON has samples of the JSON of types that encode themselves.
var ownJSON = map[reflect.Type]any{
	reflect.TypeFor[histogram.Histogram](): map[string]any{
		"count": 1.0, "sum": 1.0, "min": 1.0, "max": 1.0, "buckets": []any{map[string]any{"from": 1.0, "below": 2.0, "count": 1.0}},
	},
	reflect.TypeFor[exactCount]():      nil,
	reflect.TypeFor[json.RawMessage](): nil,
}

// flattenKeys returns the paths of the keys of a decoded object.
func flattenKeys(v any, path string) (all []string) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			all = append(all, flattenKeys(one, path+"[]")...)
		}
	case map[string]any:
		for name, one := range v {
			key := strings.TrimPrefix(path+"."+name, ".")
			all = append(append(all, key), flattenKeys(one, key)...)
		}
	}
	return all
}

// documentedKeys returns the keys in the first columns of the tables of formats.md, by section.
func documentedKeys(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	sections, section := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		if heading, ok := strings.CutPrefix(line, "#"); ok {
			section = strings.TrimSpace(strings.TrimLeft(heading, "#"))
		}
		if cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok && strings.HasPrefix(line, "| `") {
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
				sections[section] = append(sections[section], m[1])
			}
		}
	}
	return sections
}

// formats.md lists the keys of every object, and no others.
func TestKeysAreDocumented(t *testing.T) {
	documented := documentedKeys(t)
	for section, object := range objectsOfSections {
		keys := keysOf(reflect.TypeOf(object), "")
		if section == ofSearches || !embedsResult(object) && !slices.Contains(withoutVersion, section) {
			keys = append(keys, jsonVersionKey)
		}
		if section == "Keys of `ring --steps`" {
			keys = slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(documented["Keys of `ring`"], key) })
		}
		listed := documented[section]
		for _, key := range keys {
			if !slices.Contains(listed, key) {
				t.Errorf("formats.md, %s: key %s is not in the table", section, key)
			}
		}
		for _, key := range listed {
			if !slices.Contains(keys, key) {
				t.Errorf("formats.md, %s: the program has no key %s", section, key)
			}
		}
	}
	for section := range documented {
		if _, ok := objectsOfSections[section]; strings.HasPrefix(section, "Keys of ") && !ok {
			t.Errorf("formats.md, %s: no object has this name", section)
		}
	}
}

// embedsResult reports whether an object has the keys of searches, too.
func embedsResult(object any) bool {
	t := reflect.TypeOf(object)
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == reflect.TypeFor[*run.Result]()
}

// Every object begins with the version of the format, and has keys from formats.md alone.
func TestKeysOfCommands(t *testing.T) {
	documented := documentedKeys(t)
	for line, section := range map[string]string{
		"sat ../testdata/random50-sat.cnf --all --stats -n 2":     "Keys of `sat`",
		"puzzle --batch ../testdata/boards.csv -n 2":              "Keys of `puzzle --batch`",
		"puzzle --size 2x3 --all-solutions":                       "Keys of `puzzle`",
		"uts --machine ncube2 -n 4":                               "Keys of `uts`",
		"run -n 2 -- python3 ../testdata/workers/queens.py 5":     "Keys of `run`",
		"map ../testdata/random20.graph -p 4 --strategy bb":       "Keys of `map`",
		"map ../testdata/ring.json --strategy compare --time 1ms": "Keys of `map`",
		"ring quadrature -n 2":                                    "Keys of `ring`",
		"ring tree --levels 6 -n 4 --steps --compare":             "Keys of `ring --steps`",
		"objects --objects 10 --iterations 2 -n 2":                "Keys of `objects`",
		"check ../testdata/php4.cnf ../testdata/php4.drat":        "Keys of `check`",
		"chaos --runs 3":                                        "Keys of `chaos`",
		"calibrate -n 2 --time 10ms uts":                        "Keys of `calibrate`",
		"predict --ranks 2,4 --schemes rp --nodes 10000 ncube2": "Keys of `predict`",
		"version": "Keys of `version`",
	} {
		t.Run(line, func(t *testing.T) {
			words := strings.Fields(line)
			args := append([]string{words[0], "--json"}, words[1:]...)
			if words[0] == "ring" {
				args = append([]string{words[0], words[1], "--json"}, words[2:]...)
			}
			if section == "Keys of `puzzle`" {
				args = append(args, "5 4 3 2 1 0")
			}
			var out, errs bytes.Buffer
			Main(args, strings.NewReader(""), &out, &errs)
			if !strings.HasPrefix(out.String(), `{"jsonVersion":1,"`) || strings.Count(out.String(), "\n") != 1 {
				t.Fatalf("%s%s", &out, &errs)
			}
			var object map[string]any
			if err := json.Unmarshal(out.Bytes(), &object); err != nil {
				t.Fatal(err)
			}
			keys := append(slices.Clone(documented[section]), documented[ofSearches]...)
			if strings.HasPrefix(line, "ring") {
				keys = append(keys, documented["Keys of `ring`"]...)
			}
			found := map[string]bool{}
			for _, key := range flattenKeys(object, "") {
				parent := key[:max(strings.LastIndex(key, "."), 0)]
				if !found[key] && !slices.Contains(keys, key) && !slices.Contains(namesAsKeys, parent) {
					t.Errorf("key %s is not in formats.md, %s", key, section)
				}
				found[key] = true
			}
		})
	}
}

// namesAsKeys are objects whose keys are names: kinds of messages, keys of a machine file, pairs of a
// scheme and a detector.
var namesAsKeys = []string{"stats.messages", "machine", "pairs", "sums", "maxima"}
