package run

import (
	"sync"

	"treesplit/local"
)

// RunLocal runs the search on goroutine ranks in this process.
func RunLocal(p Plan, w Workload, h Hooks) (*Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := h.beginAlone(); err != nil {
		return nil, err
	}
	held, err := reserve(p)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	problem, err := w.Load()
	if err != nil {
		return nil, InputError{err}
	}
	from, err := prepare(p, problem)
	if err != nil {
		return nil, err
	}
	h.warn(from)
	h.tellStart(p, from)
	logs, err := openSpool(problem, false)
	if err != nil {
		return nil, err
	}
	defer logs.close()
	h = logs.watch(h)
	ends := local.New(p.Ranks)
	world := ends[0].World()
	var result *Result
	var wg sync.WaitGroup
	for _, e := range ends {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r, err := runRank(e, p, problem, from, logs, h, world.Fail)
			if err != nil {
				if h.Log != nil {
					h.Log(e.Rank(), err)
				}
				world.Fail(err)
			}
			if r != nil {
				result = r
			}
		}()
	}
	wg.Wait()
	if err := world.Err(); err != nil {
		return nil, err
	}
	result.World = "local"
	logs.conclude(w, result, h)
	return result, nil
}
