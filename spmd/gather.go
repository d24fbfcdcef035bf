package spmd

import (
	"encoding/json"
	"fmt"

	"treesplit/comm"
)

// GatherJSON gathers a value of every rank at rank 0, as JSON. It returns nil on other ranks.
func GatherJSON[T any](c comm.Collective, v *T) ([]*T, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	parts, err := c.Gather(0, data)
	if err != nil || parts == nil {
		return nil, err
	}
	all := make([]*T, len(parts))
	for i, part := range parts {
		all[i] = new(T)
		if err := json.Unmarshal(part, all[i]); err != nil {
			return nil, fmt.Errorf("from rank %d: %w", i, err)
		}
	}
	return all, nil
}
