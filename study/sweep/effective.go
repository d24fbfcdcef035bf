package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"treesplit/lb"
)

// The program refuses options of schemes other than the scheme of its run. In the args of a plan or
// of an instance, an option applies to the schemes that use it.

// switches are the options of schemes without a value.
var switches = []string{"route-through-scheduler", "equal-targets"}

// effective returns the args of a run without the options of other schemes. On simulated machines
// it also leaves out --topology, because these machines have their own network.
func (r Run) effective() (args []string) {
	flags, command := cutCommand(r.Args)
	for i := 0; i < len(flags); i++ {
		option, whole := r.schemeOptionAt(i)
		if option != "" && !r.usesOption(option) {
			i += whole - 1
			continue
		}
		args = append(args, flags[i])
	}
	return append(args, command...)
}

// schemeOptionAt returns the option of schemes that begins at argument i, and the number of its
// arguments. It returns "" if none begins there.
func (r Run) schemeOptionAt(i int) (name string, whole int) {
	flag, ok := strings.CutPrefix(r.Args[i], "--")
	if !ok || r.Verb == "ring" { // ring has its own schemes and flags
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
	return usesSchemes(r.Verb, r.Args) && lb.UsesOption(r.schemeName(), option)
}

// schemeName returns the scheme of a run, also if the run leaves the choice to the program.
func (r Run) schemeName() string { return cmp.Or(r.Scheme, defaultScheme) }

// defaultScheme is the program's scheme if a run names none.
const defaultScheme = "rp"

// checkOptions returns an error for an option that has no effect in any run.
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

// checkUsed returns an error for an option among args that no run of the given instances uses.
func (p *Plan) checkUsed(d *document, path string, args []string, instances []Instance) error {
	flags, _ := cutCommand(args)
	for i := range flags {
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
	args := slices.Concat(p.Args, in.Args)
	for _, scheme := range in.Schemes {
		for _, world := range worlds {
			if (Run{Verb: in.Verb, Args: args, Scheme: scheme, World: world}).usesOption(option) {
				return true
			}
		}
	}
	return false
}
