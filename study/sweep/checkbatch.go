package sweep

import (
	"fmt"
	"strings"
	"time"
)

// checkBatch returns an error for a value that no job script can express.
func (p *Plan) checkBatch(d *document) error {
	b := p.Batch
	limit := b.Time
	setDefault(&limit, time.Hour)
	for _, c := range []struct {
		ok         bool
		key, wants string
		value      any
	}{
		{b.Time == 0 || b.Time >= time.Minute && b.Time <= 1000*24*time.Hour, "time", "a minute to 1000 days", b.Time},
		{b.Warn >= 0 && (b.Warn == 0 || b.Warn >= time.Second && b.Warn < limit), "warn", "a second or more, and less than time", b.Warn},
		{b.PerJob >= 0 && b.PerJob <= maxRuns, "per-job", "at least 1", b.PerJob},
		{b.Links >= 0 && b.Links <= 1000, "links", "1 to 1000", b.Links},
		{b.PE == "" || names().MatchString(b.PE), "pe", "a name", b.PE},
	} {
		if !c.ok {
			return d.errorAtPath("$.batch."+c.key, "%s %v: expected %s", c.key, c.value, c.wants)
		}
	}
	for i, line := range b.Directives {
		if line == "" || toOneLine(line) != line || strings.HasPrefix(line, "#") {
			return d.errorAtPath(fmt.Sprintf("$.batch.directives[%d]", i), "directive %q: expected one line without its #SBATCH or the like", line)
		}
	}
	if strings.ContainsRune(b.Setup, 0) {
		return d.errorAtPath("$.batch.setup", "a zero byte: expected shell lines")
	}
	return nil
}
