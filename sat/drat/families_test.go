package drat

// pigeonhole is PHP(n): n+1 pigeons in n holes, variable p·n + h + 1.
func pigeonhole(n int) (formula [][]int32) {
	v := func(p, h int) int32 { return int32(p*n + h + 1) }
	for p := range n + 1 {
		var c []int32
		for h := range n {
			c = append(c, v(p, h))
		}
		formula = append(formula, c)
	}
	for h := range n {
		for p := range n + 1 {
			for q := range p {
				formula = append(formula, []int32{-v(q, h), -v(p, h)})
			}
		}
	}
	return formula
}
