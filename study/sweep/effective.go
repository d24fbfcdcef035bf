package sweep

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/lb"
)

// The program refuses options of schemes other than its run's. In the args of a plan, or of
// an instance, they are meant for the schemes that use them.

// switches are options of schemes without a value.
var switches = []string{"route-through-scheduler"}

// effective are the args of a run, without options of other schemes than its own, and
// without --topology on simulated machines, which have a network of their own.
func (r Run) effective() (args []string) {
	for i := 0; i < len(r.Args); i++ {
		option, whole := r.schemeOptionAt(i)
		if option != "" && !r.usesOption(option) {
			i += whole - 1
			continue
		}
		args = append(args, r.Args[i])
	}
	return args
}

// schemeOptionAt is the option of schemes that begins at an argument, and how many arguments it is;
// "" if none begins there.
func (r Run) schemeOptionAt(i int) (name string, whole int) {
	flag, ok := strings.CutPrefix(r.Args[i], "--")
	if !ok || r.Verb == "ring" { // whose schemes and flags are its own
		return "", 0
	}
	name, _, hasValue := strings.Cut(flag, "=")
	switch {
	case !slices.Contains(lb.SchemeOptions(), name):
		return "", 0
	case hasValue || slices.Contains(switches, name):
		return name, 1
	}
	return name, 2
}

// usesOption reports whether an option has an effect in a run.
func (r Run) usesOption(option string) bool {
	if option == "topology" && r.World != WorldLocal && r.World != WorldMPI {
		return false
	}
	scheme := r.Scheme
	setDefault(&scheme, defaultScheme)
	return lb.UsesOption(scheme, option)
}

// defaultScheme is the program's where a run names none.
const defaultScheme = "rp"

// checkOptions refuses an option that has no effect in any run.
func (p *Plan) checkOptions(d *document) error {
	settled := *p
	settled.Instances = slices.Clone(p.Instances)
	settled.fillDefaults()
	if err := settled.checkUsed(d, "$.args", p.Args, settled.Instances); err != nil {
		return err
	}
	for i, in := range settled.Instances {
		if err := settled.checkUsed(d, fmt.Sprintf("$.instances[%d].args", i), in.Args, settled.Instances[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// checkUsed refuses an option among args that no run of some instances uses.
func (p *Plan) checkUsed(d *document, path string, args []string, instances []Instance) error {
	for i := range args {
		unused := ""
		for _, in := range instances {
			option, _ := Run{Verb: in.Verb, Args: args}.schemeOptionAt(i)
			if option == "" || p.instanceUsesOption(in, option) {
				unused = ""
				break
			}
			unused = option
		}
		if unused != "" {
			return d.errorAtPath(fmt.Sprintf("%s[%d]", path, i), "--%s has no effect in any run: expected one of the schemes %s", unused, strings.Join(lb.SchemesUsing(unused), ", "))
		}
	}
	return nil
}

// instanceUsesOption reports whether an option has an effect in a run of an instance.
func (p *Plan) instanceUsesOption(in Instance, option string) bool {
	worlds := p.Worlds
	setDefaultList(&worlds, []string{WorldLocal})
	for _, scheme := range in.Schemes {
		for _, world := range worlds {
			if (Run{Verb: in.Verb, Scheme: scheme, World: world}).usesOption(option) {
				return true
			}
		}
	}
	return false
}
