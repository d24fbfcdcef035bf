// The part of CaDiCaL's interface that package cadical uses, for C. CaDiCaL's own ccadical.h has no
// proofs.
#ifndef TREESPLIT_CADICAL_SHIM_H
#define TREESPLIT_CADICAL_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shim shim;

// shim_new makes a solver. proof is 1 for a proof in memory; eliminate is 0 if no step of the
// solver may need a witness.
shim *shim_new(int seed, int proof, int eliminate);
void shim_free(shim *);

// shim_add adds clauses: n numbers, with 0 after each clause.
void shim_add(shim *, const int32_t *literals, size_t n);
void shim_assume(shim *, int32_t literal);

// shim_solve returns 10, 20, or 0 if the limit of conflicts was reached; -1 is no limit.
int shim_solve(shim *, int32_t conflicts);

// shim_model sets values[v-1] to 1 for each variable v = 1..n that is true.
void shim_model(shim *, unsigned char *values, int32_t n);
int shim_failed(shim *, int32_t literal);

// shim_conflicts returns the number of clauses that were learnt.
int64_t shim_conflicts(shim *);

// shim_proof returns the binary DRAT lines since the last call of shim_drop.
const void *shim_proof(shim *, size_t *n);
void shim_drop(shim *);

#ifdef __cplusplus
}
#endif
#endif
