package cli

// simplifyHelp is the part of the help of sat about --simplify.
const simplifyHelp = `The formula can be simplified before the search: --simplify auto (the techniques that help the rule),
on (all techniques), off, or techniques with commas between them:

  pure	makes literals true whose negation does not occur
  subsume	removes clauses that contain another clause, and shortens clauses
  failed	makes the negations of literals true that lead to a conflict
  equivalent	replaces equivalent literals by one of them
  xor	sums parities
  eliminate	eliminates variables by resolution
  vivify	removes literals that a clause does not need, by unit propagation
`
