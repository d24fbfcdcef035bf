package lookahead

import "math"

// Trials take most of the time, and mispredicted branches take most of that: a processor cannot
// predict whether a pair is shortened, satisfied, or forces a literal. So the code separates the
// first two cases, which are almost all, by arithmetic.

// tryLiteral makes a literal true at the time now, with its consequences by unit clauses. ok is
// false on a conflict. The score is the weight of the clauses that become shorter and are not
// satisfied. It is 0 only if there are no such clauses.
func (w *walk) tryLiteral(l int32) (score float32, ok bool) {
	now, stamp, weight, queue := w.now, w.stamp, w.weight, w.queue
	hasLong := len(w.long.clauses) > 0
	queue[0], stamp[l], stamp[l^1] = l, now, now+1
	closed, n := 0, 1
	for done := 0; done < n; done++ {
		for ; closed < n; closed++ {
			for _, u := range w.implied[queue[closed]] {
				s := stamp[uint32(u)]
				if s < now {
					stamp[uint32(u)], stamp[uint32(u)^1] = now, now+1
					queue[n] = u
					n++
				} else if s&1 != 0 {
					return 0, false
				}
			}
		}
		pairs := w.ternary.shortenedPairs(queue[done])
		w.steps += int64(len(pairs)) + 4
		for _, p := range pairs {
			u, v := p.u, p.v
			su, sv := stamp[uint32(u)], stamp[uint32(v)]
			// freeU and freeV are all ones if the literal is free; open is 1 if neither literal
			// is true.
			freeU, freeV := uint32(int32(su-now)>>31), uint32(int32(sv-now)>>31)
			both, open := freeU&freeV, (su|freeU)&(sv|freeV)&1
			score += math.Float32frombits(math.Float32bits(weight[uint32(u)]*weight[uint32(v)]) & both)
			if open&^both == 0 {
				continue
			}
			if freeU|freeV == 0 {
				return 0, false
			}
			if freeU == 0 {
				u = v
			}
			stamp[uint32(u)], stamp[uint32(u)^1] = now, now+1
			queue[n] = u
			n++
		}
		if hasLong {
			longer, s, ok := w.tryLongClauses(queue[:n], queue[done], true)
			if !ok {
				return 0, false
			}
			n, score = len(longer), score+s
		}
	}
	return score, true
}

// tryUnscored is tryLiteral without a score, for trials below a trial. Most trials are of this
// kind.
func (w *walk) tryUnscored(l int32) bool {
	now, stamp, queue := w.now, w.stamp, w.queue
	hasLong := len(w.long.clauses) > 0
	queue[0], stamp[l], stamp[l^1] = l, now, now+1
	closed, n := 0, 1
	for done := 0; done < n; done++ {
		for ; closed < n; closed++ {
			for _, u := range w.implied[queue[closed]] {
				s := stamp[uint32(u)]
				if s < now {
					stamp[uint32(u)], stamp[uint32(u)^1] = now, now+1
					queue[n] = u
					n++
				} else if s&1 != 0 {
					return false
				}
			}
		}
		pairs := w.ternary.shortenedPairs(queue[done])
		w.steps += int64(len(pairs)) + 4
		for _, p := range pairs {
			u, v := p.u, p.v
			su, sv := stamp[uint32(u)], stamp[uint32(v)]
			freeU, freeV := uint32(int32(su-now)>>31), uint32(int32(sv-now)>>31)
			both, open := freeU&freeV, (su|freeU)&(sv|freeV)&1
			if open&^both == 0 {
				continue
			}
			if freeU|freeV == 0 {
				return false
			}
			if freeU == 0 {
				u = v
			}
			stamp[uint32(u)], stamp[uint32(u)^1] = now, now+1
			queue[n] = u
			n++
		}
		if hasLong {
			longer, _, ok := w.tryLongClauses(queue[:n], queue[done], false)
			if !ok {
				return false
			}
			n = len(longer)
		}
	}
	return true
}

// tryLongClauses examines the longer clauses that literal l, true at the time now, makes shorter. The
// score is 0 unless scored is set.
func (w *walk) tryLongClauses(queue []int32, l int32, scored bool) (longer []int32, score float32, ok bool) {
	now, stamp, in := w.now, w.stamp, w.long.in[l^1]
	w.steps += int64(len(in)) * w.long.cost
	for _, c := range in {
		if w.long.true[c] > 0 {
			continue
		}
		left, satisfied := uint32(0), uint32(0)
		for _, u := range w.long.clauses[c] {
			s := stamp[u]
			free := (s - now) >> 31 // 1 if the literal is free
			left += free
			satisfied |= ^(s | free) // bit 0: a literal is true
		}
		if left = min(left, longest); satisfied&1 != 0 && (left < longest || w.isSatisfied(c)) {
			continue
		}
		switch left {
		case 0:
			return queue, 0, false
		case 1:
			last := w.findFree(c)
			stamp[last], stamp[last^1] = now, now+1
			queue = append(queue, last)
		default:
			if scored { // the product of small weights may be rounded to 0
				score += max(float32(w.multiplyWeights(c)*w.factor[left]), math.SmallestNonzeroFloat32)
			}
		}
	}
	return queue, score, true
}

// isSatisfied reports whether a longer clause has a true literal. It stops at the last free literal that
// counts, the one of number longest.
func (w *walk) isSatisfied(c int32) bool {
	left := 0
	for _, u := range w.long.clauses[c] {
		if s := w.stamp[u]; s >= w.now {
			if s&1 == 0 {
				return true
			}
		} else if left++; left == longest {
			break
		}
	}
	return false
}

// findFree returns the first free literal of a longer clause.
func (w *walk) findFree(c int32) int32 {
	for _, u := range w.long.clauses[c] {
		if w.stamp[u] < w.now {
			return u
		}
	}
	return none
}

// multiplyWeights returns the product of the weights of the free literals of a longer clause, up to the
// one of number longest. All weights of a splitting rule are 1.
func (w *walk) multiplyWeights(c int32) float32 {
	if w.rule.splitting {
		return 1
	}
	product, left := float32(1), 0
	for _, u := range w.long.clauses[c] {
		if w.stamp[u] < w.now {
			product *= w.weight[u]
			if left++; left == longest {
				break
			}
		}
	}
	return product
}
