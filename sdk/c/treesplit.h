/*
 * treesplit.h: runs a tree search in C on many processors. It is the worker side of
 * "treesplit run -- COMMAND": one header, C99, without other libraries.
 *
 * A node of the search is a struct of fixed size. A worker is four functions:
 *
 *     root      fills the root
 *     children  pushes the children of a node (treesplit_push). It depends on the node alone.
 *     encode    writes a node as a value of JSON (treesplit_put_ints, treesplit_put_text)
 *     decode    reads a node from that text, and checks it
 *
 * and main opens the connection and runs them:
 *
 *     int main(void) {
 *         treesplit *t = treesplit_open();
 *         treesplit_search search = {0};
 *         search.name = "my tree 12";
 *         search.node_size = sizeof(struct node);
 *         search.root = root; ...
 *         return treesplit_run(t, &search);
 *     }
 *
 * Never write to standard output: it belongs to the protocol. Standard error goes to the log.
 * Everything that treesplit sends is checked. An error ends the process with status 2 and one line
 * on standard error. See docs/workers.md for all rules and for the protocol.
 */
#ifndef TREESPLIT_H
#define TREESPLIT_H

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GNUC__
#define TREESPLIT_UNUSED __attribute__((unused))
#else
#define TREESPLIT_UNUSED
#endif

enum {
	TREESPLIT_MAX_LINE = 64 << 20, /* bytes of a line of the protocol */
	TREESPLIT_MAX_NESTING = 500,   /* arrays and objects within one another */
	TREESPLIT_MAX_COUNTERS = 64,   /* names of sums and maxima together */
	TREESPLIT_MAX_NAME = 64        /* bytes of the name of a counter, with the final 0 */
};

#define TREESPLIT_NO_BEST INT64_MAX /* treesplit_best: no solution is known */

/* A text that grows. */
typedef struct {
	char *bytes;
	size_t length, room;
} treesplit_text;

/* A sum or a maximum. */
typedef struct {
	char name[TREESPLIT_MAX_NAME];
	int64_t value;
	int is_maximum;
} treesplit_counter;

/* A worker: the connection to treesplit, and the state of one request. */
typedef struct treesplit {
	treesplit_text in, out;
	int64_t rank, ranks;
	uint64_t seed;
	char *problem; /* a value of JSON, "null" without --problem */

	char *stack; /* open nodes, the next node last */
	char *node;  /* the node that is expanded */
	size_t node_size, nodes, room;

	treesplit_counter counters[TREESPLIT_MAX_COUNTERS];
	int counter_count;
	treesplit_text solution; /* empty: no solution in this request */
	int minimise;
	int64_t best;
} treesplit;

/* A search. Functions that are not required can be NULL. data is for the user. */
typedef struct {
	const char *name;  /* identifies the tree: the same on all ranks, another for another tree */
	int minimise;      /* 1: look for the solution with the least value */
	size_t node_size;  /* bytes of a node */
	void (*root)(treesplit *t, void *node);
	void (*children)(treesplit *t, const void *node);
	void (*encode)(treesplit *t, const void *node);
	int (*decode)(treesplit *t, void *node, const char *text, size_t length); /* returns 0 for text that is no node */
	void (*visit)(treesplit *t, const void *node);    /* not required: called once for each node of the run */
	int64_t (*bound)(treesplit *t, const void *node); /* not required: a lower bound of the values in the subtree */
	int64_t (*depth)(treesplit *t, const void *node); /* not required: for the display of progress: 0 for the root, one more for a child */
} treesplit_search;

/* Errors. */

/* treesplit_fail ends the worker with status 2. */
static void treesplit_fail(const char *what)
{
	fprintf(stderr, "treesplit.h: %s\n", what);
	exit(2);
}

/* treesplit_grow returns memory of at least need bytes; *room is its present and new size. */
static void *treesplit_grow(void *memory, size_t *room, size_t need)
{
	size_t size = *room ? *room : 256;
	while (size < need) {
		if (size > SIZE_MAX / 2) treesplit_fail("out of memory");
		size *= 2;
	}
	if (size == *room) return memory;
	memory = realloc(memory, size);
	if (!memory) treesplit_fail("out of memory");
	*room = size;
	return memory;
}

/* Texts. */

static void treesplit_append(treesplit_text *text, const char *bytes, size_t length)
{
	if (length > TREESPLIT_MAX_LINE || text->length > TREESPLIT_MAX_LINE) treesplit_fail("a line of more than 64 MiB");
	text->bytes = (char *)treesplit_grow(text->bytes, &text->room, text->length + length + 1);
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = 0;
}

/* treesplit_put_text appends text to the node or the line that is being written. */
static void treesplit_put_text(treesplit *t, const char *text)
{
	treesplit_append(&t->out, text, strlen(text));
}

static void treesplit_put_int(treesplit *t, int64_t value)
{
	char digits[32];
	sprintf(digits, "%" PRId64, value);
	treesplit_put_text(t, digits);
}

/* treesplit_put_ints appends an array of integers. */
TREESPLIT_UNUSED static void treesplit_put_ints(treesplit *t, const int64_t *values, size_t count)
{
	size_t i;
	treesplit_put_text(t, "[");
	for (i = 0; i < count; i++) {
		if (i > 0) treesplit_put_text(t, ",");
		treesplit_put_int(t, values[i]);
	}
	treesplit_put_text(t, "]");
}

/* treesplit_put_string appends a string of JSON. The text is UTF-8. */
static void treesplit_put_string(treesplit *t, const char *text)
{
	char escaped[8];
	treesplit_put_text(t, "\"");
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c < 0x20 || c == '"' || c == '\\') {
			sprintf(escaped, "\\u%04x", c);
			treesplit_put_text(t, escaped);
		} else {
			treesplit_append(&t->out, text, 1);
		}
	}
	treesplit_put_text(t, "\"");
}

/* JSON. Texts end with a 0, which no value contains, so that a scan needs no length. */

static const char *treesplit_skip_space(const char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
	return p;
}

/* treesplit_skip_string returns the end of the string at p, or NULL. */
static const char *treesplit_skip_string(const char *p)
{
	int i;
	if (*p++ != '"') return NULL;
	while (*p != '"') {
		if ((unsigned char)*p < 0x20) return NULL;
		if (*p++ != '\\') continue;
		if (*p == 'u') {
			for (i = 1; i <= 4; i++)
				if (!p[i] || !strchr("0123456789abcdefABCDEF", p[i])) return NULL;
			p += 5;
		} else if (*p && strchr("\"\\/bfnrt", *p)) {
			p++;
		} else {
			return NULL;
		}
	}
	return p + 1;
}

static const char *treesplit_skip_digits(const char *p)
{
	if (*p < '0' || *p > '9') return NULL;
	while (*p >= '0' && *p <= '9') p++;
	return p;
}

/* treesplit_skip_number returns the end of the number at p, or NULL. */
static const char *treesplit_skip_number(const char *p)
{
	if (*p == '-') p++;
	p = *p == '0' ? p + 1 : treesplit_skip_digits(p);
	if (p && *p == '.') p = treesplit_skip_digits(p + 1);
	if (p && (*p == 'e' || *p == 'E')) {
		p++;
		p = treesplit_skip_digits(*p == '+' || *p == '-' ? p + 1 : p);
	}
	return p;
}

/* treesplit_skip_value returns the end of the value at p, or NULL if there is none. */
static const char *treesplit_skip_value(const char *p, int nesting)
{
	char close;
	int is_object;
	if (strncmp(p, "true", 4) == 0 || strncmp(p, "null", 4) == 0) return p + 4;
	if (strncmp(p, "false", 5) == 0) return p + 5;
	if (*p == '"') return treesplit_skip_string(p);
	if (*p != '[' && *p != '{') return treesplit_skip_number(p);
	if (nesting >= TREESPLIT_MAX_NESTING) return NULL;
	is_object = *p == '{';
	close = is_object ? '}' : ']';
	p = treesplit_skip_space(p + 1);
	if (*p == close) return p + 1;
	for (;;) {
		if (is_object) {
			if (!(p = treesplit_skip_string(p))) return NULL;
			p = treesplit_skip_space(p);
			if (*p++ != ':') return NULL;
			p = treesplit_skip_space(p);
		}
		if (!(p = treesplit_skip_value(p, nesting + 1))) return NULL;
		p = treesplit_skip_space(p);
		if (*p == close) return p + 1;
		if (*p++ != ',') return NULL;
		p = treesplit_skip_space(p);
	}
}

/* treesplit_is_json reports whether a text is one value of JSON on one line, possibly with space before and after it. */
static int treesplit_is_json(const char *text)
{
	const char *end = treesplit_skip_value(treesplit_skip_space(text), 0);
	return end && !*treesplit_skip_space(end) && !strchr(text, '\n');
}

/* treesplit_find returns the value of a key of the object in text, which is valid, or NULL. */
static const char *treesplit_find(const char *text, const char *key)
{
	const char *p = treesplit_skip_space(text), *name;
	size_t length = strlen(key);
	if (*p != '{') return NULL;
	p = treesplit_skip_space(p + 1);
	while (*p == '"') {
		name = p + 1;
		p = treesplit_skip_string(p);
		int found = (size_t)(p - name - 1) == length && memcmp(name, key, length) == 0;
		p = treesplit_skip_space(treesplit_skip_space(p) + 1);
		if (found) return p;
		p = treesplit_skip_space(treesplit_skip_value(p, 1));
		if (*p == ',') p = treesplit_skip_space(p + 1);
	}
	return NULL;
}

/* treesplit_read_int reads the integer at *p, and moves *p to its end. It returns 0 if there is no integer of 64 bits. */
static int treesplit_read_int(const char **p, int64_t *value)
{
	char *end;
	const char *digits = **p == '-' ? *p + 1 : *p;
	if (*digits < '0' || *digits > '9') return 0;
	errno = 0;
	*value = strtoll(*p, &end, 10);
	if (errno || *end == '.' || *end == 'e' || *end == 'E') return 0;
	*p = end;
	return 1;
}

/* treesplit_get_ints reads an array of at most most integers. It returns their number, or -1 if the text is
 * something else. */
TREESPLIT_UNUSED static int treesplit_get_ints(const char *text, int64_t *values, int most)
{
	int count = 0;
	const char *p = treesplit_skip_space(text);
	if (*p++ != '[') return -1;
	p = treesplit_skip_space(p);
	if (*p == ']') return 0;
	for (;; p++) {
		p = treesplit_skip_space(p);
		if (count == most || !treesplit_read_int(&p, &values[count])) return -1;
		count++;
		p = treesplit_skip_space(p);
		if (*p == ']') return count;
		if (*p != ',') return -1;
	}
}

/* treesplit_number returns the integer of a key, or a default value if there is no such key. */
static int64_t treesplit_number(const char *line, const char *key, int64_t otherwise)
{
	int64_t value = otherwise;
	const char *p = treesplit_find(line, key);
	if (p && !treesplit_read_int(&p, &value)) treesplit_fail("a number is no integer of 64 bits");
	return value;
}

/* Lines. */

/* treesplit_read_line reads a line into t->in. It returns 0 at the end of input. */
static int treesplit_read_line(treesplit *t)
{
	int c;
	treesplit_text *in = &t->in;
	const char *end;
	for (in->length = 0; (c = getc(stdin)) != '\n'; in->bytes[in->length++] = (char)c) {
		if (c == EOF) return 0;
		if (in->length >= TREESPLIT_MAX_LINE) treesplit_fail("a line of more than 64 MiB");
		if (in->length + 1 >= in->room) in->bytes = (char *)treesplit_grow(in->bytes, &in->room, in->length + 2);
	}
	if (in->length == 0) treesplit_fail("a line is empty");
	in->bytes[in->length] = 0;
	end = treesplit_skip_space(in->bytes);
	end = *end == '{' ? treesplit_skip_value(end, 0) : NULL;
	if (!end || treesplit_skip_space(end) != in->bytes + in->length) treesplit_fail("a line is no JSON object");
	return 1;
}

/* treesplit_write_line writes t->out. */
static void treesplit_write_line(treesplit *t)
{
	treesplit_put_text(t, "\n");
	if (t->out.length > TREESPLIT_MAX_LINE) treesplit_fail("an answer of more than 64 MiB: there are too many open nodes, or they are too large");
	if (fwrite(t->out.bytes, 1, t->out.length, stdout) != t->out.length || fflush(stdout) != 0) exit(1); /* treesplit has ended */
	t->out.length = 0;
}

/* Reports of the user's functions. */

static treesplit_counter *treesplit_find_counter(treesplit *t, const char *name, int is_maximum)
{
	int i;
	treesplit_counter *c;
	for (i = 0; i < t->counter_count; i++)
		if (t->counters[i].is_maximum == is_maximum && strcmp(t->counters[i].name, name) == 0) return &t->counters[i];
	if (i == TREESPLIT_MAX_COUNTERS) treesplit_fail("more than 64 sums and maxima");
	if (strlen(name) >= TREESPLIT_MAX_NAME) treesplit_fail("the name of a sum or a maximum has more than 63 bytes");
	c = &t->counters[t->counter_count++];
	strcpy(c->name, name);
	c->is_maximum = is_maximum;
	c->value = is_maximum ? INT64_MIN : 0;
	return c;
}

/* treesplit_add adds count, which is not negative, to a sum of the whole run. */
TREESPLIT_UNUSED static void treesplit_add(treesplit *t, const char *name, int64_t count)
{
	treesplit_counter *c = treesplit_find_counter(t, name, 0);
	if (count < 0) treesplit_fail("treesplit_add: the count is negative");
	if (c->value > INT64_MAX - count) treesplit_fail("a sum needs more than 64 bits");
	c->value += count;
}

/* treesplit_maximum raises a maximum of the whole run to number, if it is less. */
TREESPLIT_UNUSED static void treesplit_maximum(treesplit *t, const char *name, int64_t number)
{
	treesplit_counter *c = treesplit_find_counter(t, name, 1);
	if (number > c->value) c->value = number;
}

/* treesplit_best returns the least known value, or TREESPLIT_NO_BEST. */
TREESPLIT_UNUSED static int64_t treesplit_best(const treesplit *t) { return t->best; }

/* treesplit_found reports a solution as a text of JSON that is not null. value is used only in a search that
 * minimises, and a solution that is not better than the best known value is then ignored. */
TREESPLIT_UNUSED static void treesplit_found(treesplit *t, const char *json, int64_t value)
{
	if (!treesplit_is_json(json) || strncmp(treesplit_skip_space(json), "null", 4) == 0) treesplit_fail("treesplit_found: the solution is no JSON on one line, or null");
	if (t->minimise && value >= t->best) return; /* also INT64_MAX, which is no value */
	if (t->minimise) t->best = value;
	t->solution.length = 0;
	treesplit_append(&t->solution, json, strlen(json));
}

/* treesplit_push adds a child of the node that is expanded. The last child is expanded first. */
static void treesplit_push(treesplit *t, const void *node)
{
	if (t->nodes >= SIZE_MAX / 4 / t->node_size) treesplit_fail("out of memory");
	t->stack = (char *)treesplit_grow(t->stack, &t->room, (t->nodes + 1) * t->node_size);
	memcpy(t->stack + t->nodes++ * t->node_size, node, t->node_size);
}

/* Requests. */

static void treesplit_reset(treesplit *t)
{
	t->nodes = 0;
	t->counter_count = 0;
	t->solution.length = 0;
	t->best = TREESPLIT_NO_BEST;
}

/* treesplit_decode pushes the node in a text. */
static void treesplit_decode(treesplit *t, const treesplit_search *s, const char *text, size_t length)
{
	memset(t->node, 0, t->node_size);
	if (!s->decode(t, t->node, text, length)) treesplit_fail("a node of the request is invalid");
	treesplit_push(t, t->node);
}

/* treesplit_decode_all pushes the nodes of an array. */
static void treesplit_decode_all(treesplit *t, const treesplit_search *s, const char *p)
{
	const char *end;
	if (*p != '[') treesplit_fail("expand is no array");
	for (p = treesplit_skip_space(p + 1); *p != ']'; p = treesplit_skip_space(p)) {
		end = treesplit_skip_value(p, 2);
		if (!end) treesplit_fail("a node is nested too deeply");
		treesplit_decode(t, s, p, (size_t)(end - p));
		p = treesplit_skip_space(end);
		if (*p == ',') p++;
	}
}

static void treesplit_encode(treesplit *t, const treesplit_search *s, const void *node)
{
	size_t start = t->out.length;
	s->encode(t, node);
	if (t->out.length == start || !treesplit_is_json(t->out.bytes + start)) treesplit_fail("encode has written no JSON on one line");
}

/* treesplit_encode_all writes the nodes of the stack as an array. */
static void treesplit_encode_all(treesplit *t, const treesplit_search *s, int with_depth)
{
	size_t i;
	treesplit_put_text(t, "[");
	for (i = 0; i < t->nodes; i++) {
		const char *node = t->stack + i * t->node_size;
		if (i > 0) treesplit_put_text(t, ",");
		memcpy(t->node, node, t->node_size); /* aligned */
		if (with_depth) treesplit_put_text(t, "{\"node\":");
		treesplit_encode(t, s, t->node);
		if (!with_depth) continue;
		treesplit_put_text(t, ",\"depth\":");
		treesplit_put_int(t, s->depth(t, t->node));
		treesplit_put_text(t, "}");
	}
	treesplit_put_text(t, "]");
}

/* treesplit_expand expands at most budget nodes. A request ends at a solution, unless the search minimises, so
 * that each solution is counted once. It returns the number of expanded nodes. */
static int64_t treesplit_expand(treesplit *t, const treesplit_search *s, int64_t budget)
{
	int64_t expanded;
	for (expanded = 0; expanded < budget && t->nodes > 0 && (t->minimise || !t->solution.length); expanded++) {
		t->nodes--;
		memcpy(t->node, t->stack + t->nodes * t->node_size, t->node_size);
		if (s->bound && t->best != TREESPLIT_NO_BEST && s->bound(t, t->node) >= t->best) continue;
		if (s->visit) s->visit(t, t->node);
		s->children(t, t->node);
	}
	return expanded;
}

/* treesplit_put_counters writes the sums or the maxima. */
static void treesplit_put_counters(treesplit *t, const char *key, int is_maximum)
{
	int i, some = 0;
	for (i = 0; i < t->counter_count; i++) {
		if (t->counters[i].is_maximum != is_maximum) continue;
		treesplit_put_text(t, some++ ? "," : key);
		treesplit_put_string(t, t->counters[i].name);
		treesplit_put_text(t, ":");
		treesplit_put_int(t, t->counters[i].value);
	}
	if (some) treesplit_put_text(t, "}");
}

static void treesplit_answer(treesplit *t, const treesplit_search *s, int64_t expanded)
{
	treesplit_put_text(t, "{\"expanded\":");
	treesplit_put_int(t, expanded);
	treesplit_put_text(t, ",\"open\":");
	treesplit_encode_all(t, s, s->depth != NULL);
	treesplit_put_counters(t, ",\"sums\":{", 0);
	treesplit_put_counters(t, ",\"maxima\":{", 1);
	if (t->solution.length) {
		treesplit_put_text(t, ",\"found\":");
		treesplit_put_text(t, t->solution.bytes);
		if (t->minimise) {
			treesplit_put_text(t, ",\"value\":");
			treesplit_put_int(t, t->best);
		}
	}
	treesplit_put_text(t, "}");
	treesplit_write_line(t);
}

/* treesplit_serve answers the request in t->in. It returns 0 at the end of the run. */
static int treesplit_serve(treesplit *t, const treesplit_search *s)
{
	const char *nodes = treesplit_find(t->in.bytes, "expand"), *node = treesplit_find(t->in.bytes, "children");
	int64_t budget;
	treesplit_reset(t);
	if (treesplit_find(t->in.bytes, "stop")) return 0;
	if (nodes) {
		t->best = treesplit_number(t->in.bytes, "best", TREESPLIT_NO_BEST);
		if ((budget = treesplit_number(t->in.bytes, "nodes", -1)) < 0) treesplit_fail("a request has no number of nodes");
		treesplit_decode_all(t, s, nodes);
		treesplit_answer(t, s, treesplit_expand(t, s, budget));
	} else if (node) {
		treesplit_decode(t, s, node, (size_t)(treesplit_skip_value(node, 1) - node));
		t->nodes = 0;
		s->children(t, t->node);
		treesplit_put_text(t, "{\"children\":");
		treesplit_encode_all(t, s, 0);
		treesplit_put_text(t, "}");
		treesplit_write_line(t);
	} else {
		treesplit_fail("a request is unknown (expected expand, children or stop)");
	}
	return 1;
}

/* treesplit_greet answers the first line. */
static void treesplit_greet(treesplit *t, const treesplit_search *s)
{
	treesplit_put_text(t, "{\"worker\":1,\"name\":");
	treesplit_put_string(t, s->name);
	treesplit_put_text(t, s->minimise ? ",\"minimise\":true" : ",\"minimise\":false");
	treesplit_put_text(t, ",\"children\":true");
	if (s->depth) treesplit_put_text(t, ",\"depth\":true");
	treesplit_put_text(t, ",\"root\":");
	s->root(t, t->node);
	treesplit_encode(t, s, t->node);
	treesplit_put_text(t, "}");
	treesplit_write_line(t);
}

/* The beginning and the end. */

/* treesplit_open reads the first line of treesplit. Call it before treesplit_run, which frees its memory. */
static treesplit *treesplit_open(void)
{
	const char *problem, *seed, *end;
	treesplit *t = (treesplit *)calloc(1, sizeof *t);
	if (!t) treesplit_fail("out of memory");
	signal(SIGINT, SIG_IGN); /* treesplit ends the run in order */
	if (!treesplit_read_line(t)) treesplit_fail("no treesplit at the other end (expected: treesplit run -- COMMAND)");
	if (treesplit_number(t->in.bytes, "treesplit", 0) != 1) treesplit_fail("the version of the protocol is not 1");
	t->rank = treesplit_number(t->in.bytes, "rank", 0);
	t->ranks = treesplit_number(t->in.bytes, "ranks", 1);
	seed = treesplit_find(t->in.bytes, "seed");
	t->seed = seed ? strtoull(seed, NULL, 10) : 1;
	problem = treesplit_find(t->in.bytes, "problem");
	if (!problem) problem = "null";
	end = treesplit_skip_value(problem, 1);
	t->problem = (char *)malloc((size_t)(end - problem) + 1);
	if (!t->problem) treesplit_fail("out of memory");
	memcpy(t->problem, problem, (size_t)(end - problem));
	t->problem[end - problem] = 0;
	return t;
}

/* treesplit_run answers the requests of treesplit until the run ends, frees t, and returns 0, the exit status. Call
 * it once. */
static int treesplit_run(treesplit *t, const treesplit_search *s)
{
	static int called;
	if (called++) treesplit_fail("treesplit_run: it was called twice");
	if (!s->name || !s->node_size || !s->root || !s->children || !s->encode || !s->decode)
		treesplit_fail("treesplit_run: one of name, node_size, root, children, encode and decode is missing");
	if (s->bound && !s->minimise) treesplit_fail("treesplit_run: there is a bound, and the search does not minimise");
	t->minimise = s->minimise;
	t->node_size = s->node_size;
	t->node = (char *)calloc(1, s->node_size);
	if (!t->node) treesplit_fail("out of memory");
	treesplit_greet(t, s);
	while (treesplit_read_line(t) && treesplit_serve(t, s)) {
	}
	free(t->in.bytes);
	free(t->out.bytes);
	free(t->solution.bytes);
	free(t->problem);
	free(t->stack);
	free(t->node);
	free(t);
	return 0;
}

#endif
