//go:build cadical && cgo

// The functions of shim.h. A proof is written to a stream whose bytes are appended to a string, from
// which package cadical reads lines after each call of shim_solve.

#include <cadical.hpp>
#include <cstdio>
#include <string>

#include "shim.h"

// counter counts learnt clauses and asks for none of them.
struct counter : CaDiCaL::Learner {
	int64_t clauses = 0;
	bool learning(int) override {
		clauses++;
		return false;
	}
	void learn(int) override {}
};

struct shim {
	CaDiCaL::Solver *solver;
	counter learnt;
	FILE *stream;
	std::string proof;
};

static ssize_t append_proof(void *s, const char *bytes, size_t n) {
	((shim *)s)->proof.append(bytes, n);
	return (ssize_t)n;
}

shim *shim_new(int seed, int proof, int eliminate) {
	shim *s = new shim();
	s->solver = new CaDiCaL::Solver;
	s->solver->set("quiet", 1);
	s->solver->set("seed", seed);
	if (seed & 1) s->solver->set("phase", 0);
	if (!eliminate)
		for (const char *technique : {"elim", "block", "cover", "condition", "decompose"})
			s->solver->set(technique, 0);
	if (proof) {
		cookie_io_functions_t functions = {};
		functions.write = append_proof;
		s->stream = fopencookie(s, "w", functions);
		s->solver->trace_proof(s->stream, "memory");
	}
	s->solver->connect_learner(&s->learnt);
	return s;
}

void shim_free(shim *s) {
	s->solver->disconnect_learner();
	delete s->solver;
	if (s->stream) fclose(s->stream);
	delete s;
}

void shim_add(shim *s, const int32_t *literals, size_t n) {
	for (size_t i = 0; i < n; i++) s->solver->add(literals[i]);
}

void shim_assume(shim *s, int32_t literal) { s->solver->assume(literal); }

int shim_solve(shim *s, int32_t conflicts) {
	if (conflicts >= 0) s->solver->limit("conflicts", conflicts);
	int result = s->solver->solve();
	if (s->stream) s->solver->flush_proof_trace();
	return result;
}

void shim_model(shim *s, unsigned char *values, int32_t n) {
	for (int32_t v = 1; v <= n; v++) values[v - 1] = s->solver->val(v) > 0;
}

int shim_failed(shim *s, int32_t literal) { return s->solver->failed(literal); }

int64_t shim_conflicts(shim *s) { return s->learnt.clauses; }

const void *shim_proof(shim *s, size_t *n) {
	fflush(s->stream);
	*n = s->proof.size();
	return s->proof.data();
}

void shim_drop(shim *s) { s->proof.clear(); }
