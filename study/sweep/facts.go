package sweep

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"github.com/klauspost/cpuid/v2"
)

// Facts describe the machine and the program of a run.
type Facts struct {
	Host  string `json:"hostname"` // of the sweep; Environment has the ranks' hosts
	Cores int    `json:"cores"`
	CPU   string `json:"cpu"`
	OS    string `json:"os"`
	Arch  string `json:"arch"`

	Build Build  `json:"build"`
	MPI   string `json:"mpiLibrary,omitempty"` // as the program reports it

	Scheduler   string            `json:"scheduler,omitempty"`
	Job         string            `json:"job,omitempty"`
	Environment map[string]string `json:"environment,omitempty"`
}

// Build is how the program was built.
type Build struct {
	Go       string            `json:"go"`
	Version  string            `json:"version,omitempty"`
	Settings map[string]string `json:"settings,omitempty"` // tags, CGO_ENABLED, vcs.revision, …
	SHA256   string            `json:"sha256"`             // of the program's file
}

// settings are the parts of a build that distinguish builds.
var settings = []string{"-tags", "-race", "CGO_ENABLED", "GOAMD64", "GOARM64", "vcs.revision", "vcs.modified"}

// environment lists the variables that can influence a run or name its place. No other variable is
// read.
var environment = []string{
	"SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_RESTART_COUNT", "SLURM_CLUSTER_NAME", "SLURM_JOB_PARTITION",
	"SLURM_JOB_NODELIST", "SLURM_JOB_NUM_NODES", "SLURM_NTASKS", "SLURM_CPUS_PER_TASK", "SLURM_TASKS_PER_NODE", "SLURM_CPU_BIND", "SLURM_MPI_TYPE",
	"PBS_JOBID", "PBS_ARRAY_INDEX", "PBS_QUEUE", "PBS_NUM_NODES", "PBS_NP", "NCPUS",
	"LSB_JOBID", "LSB_JOBINDEX", "LSB_QUEUE", "LSB_HOSTS", "LSB_MCPU_HOSTS",
	"JOB_ID", "SGE_TASK_ID", "QUEUE", "NSLOTS", "NHOSTS", "PE",
	"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "OMPI_MCA_btl_tcp_if_include", "OMPI_MCA_mpi_yield_when_idle", "OMPI_MCA_rmaps_base_oversubscribe",
	"MPICH_ASYNC_PROGRESS", "MPIR_CVAR_ASYNC_PROGRESS", "MPIR_CVAR_NOLOCAL", "I_MPI_FABRICS", "I_MPI_PIN", "FI_PROVIDER", "UCX_TLS", "UCX_NET_DEVICES",
	"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GODEBUG",
}

// schedulers are recognised by the variable that holds the job's number.
var schedulers = []struct{ name, job string }{{"slurm", "SLURM_JOB_ID"}, {"pbs", "PBS_JOBID"}, {"lsf", "LSB_JOBID"}, {"sge", "JOB_ID"}}

// GatherFacts reads the facts of the machine, the environment and the program's file.
func GatherFacts(binary string) (Facts, error) {
	f := Facts{Cores: runtime.NumCPU(), CPU: cpuid.CPU.BrandName, OS: runtime.GOOS, Arch: runtime.GOARCH, Environment: map[string]string{}}
	f.Host, _ = os.Hostname() // left out if the machine has no name
	for _, name := range environment {
		if v, ok := os.LookupEnv(name); ok {
			f.Environment[name] = v
		}
	}
	for _, s := range schedulers {
		if job := f.Environment[s.job]; job != "" {
			f.Scheduler, f.Job = s.name, job
			break
		}
	}
	var err error
	f.Build, err = readBuild(binary)
	return f, err
}

// readBuild reads a program's file. For a program that Go has not built, such as a script that
// starts the program, it returns only a hash.
func readBuild(path string) (Build, error) {
	file, err := os.Open(path)
	if err != nil {
		return Build{}, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return Build{}, errors.Join(err, fmt.Errorf("%s: expected a program's file", path))
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return Build{}, err
	}
	b := Build{SHA256: hex.EncodeToString(hash.Sum(nil))}
	info, err := buildinfo.Read(file)
	if err != nil {
		return b, nil
	}
	b.Go, b.Version, b.Settings = info.GoVersion, info.Main.Version, map[string]string{}
	for _, s := range info.Settings {
		for _, name := range settings {
			if s.Key == name {
				b.Settings[name] = s.Value
			}
		}
	}
	if info.Path == program && b.Settings["vcs.revision"] == "" {
		b.askForCommit(path)
	}
	return b, nil
}

// program is the path of this program's main package.
const program = "treesplit"

// askForCommit asks the program for the commit that scripts/build gives to the linker, in place of Go's own record. The
// flags of the linker are not in the program's file if it was built with -trimpath. A program that does not answer
// has no commit.
func (b *Build) askForCommit(path string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "version", "--json").Output()
	if err != nil {
		return
	}
	var said struct {
		Commit string `json:"commit"`
		Dirty  bool   `json:"dirty"`
	}
	if json.Unmarshal(out, &said) == nil && said.Commit != "" {
		b.Settings["vcs.revision"], b.Settings["vcs.modified"] = said.Commit, strconv.FormatBool(said.Dirty)
	}
}
