package sweep

import (
	"fmt"
	"slices"
	"time"

	"treesplit/internal/fileio"
)

// Plan is the contents of a plan file. Every combination of the values in its lists is run.
type Plan struct {
	Name   string   `yaml:"name"`   // of the sweep; of its results and jobs
	Worlds []string `yaml:"worlds"` // local, mpi, or a simulated machine by its name or file
	Ranks  []int    `yaml:"ranks"`
	// Schemes and Detectors are the program's defaults if they are left out. Instances without a choice
	// of them (usesSchemes) are run without, unless the instance names them.
	Schemes   []string `yaml:"schemes"`
	Detectors []string `yaml:"detectors"`
	Seeds     []uint64 `yaml:"seeds"`   // default: 1
	Repeats   int      `yaml:"repeats"` // of every run; default: 1
	// Sequential defines how often one rank alone is measured for each world and instance, as the
	// base of speedups: per-seed, the default; once, for the first seed; or never. It is repeated
	// like other runs.
	Sequential string     `yaml:"sequential"`
	Args       []string   `yaml:"args"` // of every run
	Instances  []Instance `yaml:"instances"`

	Launcher     string        `yaml:"launcher"` // of world mpi: see Launch
	LauncherArgs []string      `yaml:"launcher-args"`
	Timeout      time.Duration `yaml:"timeout"` // of a run, which fails when it is over; 0: none
	Retries      *int          `yaml:"retries"` // of a launch that has failed although the program has not; default: 1
	// CheckpointEvery makes runs write a checkpoint, from which they resume when the sweep is
	// started again; 0: they begin again. A few runs write it only when they end early (savesPeriodically).
	CheckpointEvery time.Duration `yaml:"checkpoint-every"`
	Batch           Batch         `yaml:"batch"`

	text []byte // of the file
}

// Instance is a problem to search.
type Instance struct {
	Name      string   `yaml:"name"`
	Verb      string   `yaml:"verb"` // one of Verbs
	Args      []string `yaml:"args"` // paths are relative to the directory in which the sweep is started; of run: flags, -- and a command
	Schemes   []string `yaml:"schemes"`
	Detectors []string `yaml:"detectors"`
}

// Batch holds the settings of job scripts.
type Batch struct {
	Time       time.Duration `yaml:"time"`    // limit of a job; default: an hour
	Warn       time.Duration `yaml:"warn"`    // before the limit the sweep ends, with a checkpoint; default: a minute
	PerJob     int           `yaml:"per-job"` // runs that a job makes one after the other; default: 1
	Links      int           `yaml:"links"`   // consecutive jobs, each of which resumes where the one before ended; default: 1
	Requeue    bool          `yaml:"requeue"` // an unfinished job queues again by itself (Slurm, SGE)
	PE         string        `yaml:"pe"`      // SGE: the parallel environment; default: mpi
	Directives []string      `yaml:"directives"`
	Setup      string        `yaml:"setup"` // shell lines before the sweep starts, such as module load
}

// Verbs are the verbs that a plan may name.
var Verbs = []string{"sat", "puzzle", "uts", "run", "ring", "map"}

// The values of Sequential.
const (
	perSeed = "per-seed"
	once    = "once"
	never   = "never"
)

// Limits on the values of a plan; a larger value is probably a mistake.
const (
	maxPlanBytes = 256 << 10
	maxRuns      = 100_000
	maxRanks     = 1 << 20
	maxRetries   = 100
)

// ReadPlan reads a plan file. Errors name the file, the line, and the expected value.
func ReadPlan(path string) (*Plan, error) {
	data, err := fileio.ReadTextFile(path, fileio.Limit{Bytes: maxPlanBytes, What: "a plan"})
	if err != nil {
		return nil, err
	}
	return ParsePlan(data, path)
}

// ParsePlan reads the text of a plan; name is the name for errors. It sets missing values to their
// defaults, except Worlds and Launcher, which depend on each other; SettleLauncher sets these.
func ParsePlan(data []byte, name string) (*Plan, error) {
	if len(data) > maxPlanBytes {
		return nil, fmt.Errorf("%s: larger than %d bytes: expected a plan", name, maxPlanBytes)
	}
	d, err := parseDocument(data, name)
	if err != nil {
		return nil, err
	}
	p := &Plan{text: data}
	if err := d.decodePlan(data, p); err != nil {
		return nil, err
	}
	if err := p.checkPlan(d); err != nil {
		return nil, err
	}
	p.fillDefaults()
	return p, nil
}

// fillDefaults sets missing values to their defaults.
func (p *Plan) fillDefaults() {
	if p.Seeds == nil {
		p.Seeds = []uint64{1}
	}
	if p.Schemes == nil {
		p.Schemes = []string{""}
	}
	if p.Detectors == nil {
		p.Detectors = []string{""}
	}
	setDefault(&p.Repeats, 1)
	if p.Retries == nil {
		p.Retries = new(int)
		*p.Retries = 1
	}
	setDefault(&p.Sequential, perSeed)
	setDefault(&p.Batch.Time, time.Hour)
	setDefault(&p.Batch.Warn, min(time.Minute, p.Batch.Time/2))
	setDefault(&p.Batch.PerJob, 1)
	setDefault(&p.Batch.Links, 1)
	setDefault(&p.Batch.PE, "mpi")
	for i := range p.Instances {
		in := &p.Instances[i]
		if !usesSchemes(in.Verb, slices.Concat(p.Args, in.Args)) {
			setDefaultList(&in.Schemes, []string{""})
			setDefaultList(&in.Detectors, []string{""})
		}
		setDefaultList(&in.Schemes, p.Schemes)
		setDefaultList(&in.Detectors, p.Detectors)
	}
}

func setDefault[T comparable](v *T, to T) {
	var zero T
	if *v == zero {
		*v = to
	}
}

func setDefaultList(v *[]string, to []string) {
	if *v == nil {
		*v = to
	}
}

// SettleLauncher sets the launcher, which wanted overrides if it is not "". If the plan names no
// worlds, it sets them according to the launcher.
func (p *Plan) SettleLauncher(wanted string) error {
	if wanted != "" {
		p.Launcher = wanted
	}
	setDefault(&p.Launcher, LocalLauncher)
	if !isFileName(p.Launcher) {
		return fmt.Errorf("launcher %q: expected at most %d bytes without control characters", p.Launcher, maxName)
	}
	if _, err := launcherKind(p.Launcher); err != nil {
		return err
	}
	if p.Worlds == nil {
		p.Worlds = []string{WorldMPI}
		if p.Launcher == LocalLauncher {
			p.Worlds = []string{WorldLocal}
		}
	}
	switch mpi := slices.Contains(p.Worlds, WorldMPI); {
	case mpi && p.Launcher == LocalLauncher:
		return fmt.Errorf("world mpi needs a launcher: expected --launcher mpirun or srun")
	case !mpi && p.Launcher != LocalLauncher:
		return fmt.Errorf("launcher %s, but none of the plan's worlds is mpi", p.Launcher)
	}
	return nil
}
