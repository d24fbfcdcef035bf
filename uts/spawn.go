package uts

func spawn(dst []state, parent *state, first uint32) { spawnGeneric(dst, parent, first) }
