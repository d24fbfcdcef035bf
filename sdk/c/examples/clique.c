/*
 * Clique finds a largest clique of a graph: vertices that are all joined to one another. It is a
 * worker of treesplit with an optimum: the value of a clique is minus its number of vertices.
 *
 *     gcc -O2 -o clique sdk/c/examples/clique.c
 *     treesplit run -n 4 -- ./clique brock200_2.clq
 *
 * The graph is a file in the format of the DIMACS challenges: "p edge VERTICES EDGES", then "e U V"
 * for each edge, with vertices from 1. The vertices of a node are coloured greedily, so that joined
 * vertices have different colours: a clique has at most one vertex of each colour.
 *
 * Source: E. Tomita, T. Seki: An efficient branch-and-bound algorithm for finding a maximum clique.
 * DMTCS 2003.
 */
#include "../treesplit.h"

enum { MAX_VERTICES = 1024, WORDS = MAX_VERTICES / 64 };

typedef struct {
	uint64_t bits[WORDS];
} set;

/* A node: a clique, the vertices that can be added to it, and a bound on the size of a clique of both. */
struct node {
	set clique, rest;
	int64_t most;
};

static set neighbours[MAX_VERTICES];
static int vertices, words;

static int has(const set *s, int v) { return (int)(s->bits[v / 64] >> (v % 64) & 1); }
static void insert(set *s, int v) { s->bits[v / 64] |= UINT64_C(1) << (v % 64); }
static void erase(set *s, int v) { s->bits[v / 64] &= ~(UINT64_C(1) << (v % 64)); }

/* ones returns the number of ones in a word. */
static int ones(uint64_t word)
{
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (int)(word * UINT64_C(0x0101010101010101) >> 56);
}

static int size(const set *s)
{
	int i, n = 0;
	for (i = 0; i < words; i++) n += ones(s->bits[i]);
	return n;
}

/* first returns the least vertex of a set, or -1. */
static int first(const set *s)
{
	int i;
	for (i = 0; i < words; i++)
		if (s->bits[i]) return 64 * i + ones((s->bits[i] & -s->bits[i]) - 1);
	return -1;
}

/* list writes the vertices of a set, from 0 on, and returns their number. */
static int list(const set *s, int64_t *numbers)
{
	int v, n = 0;
	for (v = 0; v < vertices; v++)
		if (has(s, v)) numbers[n++] = v;
	return n;
}

/* The search. */

static void root(treesplit *t, void *node)
{
	struct node *n = node;
	int v;
	(void)t;
	for (v = 0; v < vertices; v++) insert(&n->rest, v);
	n->most = vertices;
}

/* visit reports a clique that is larger than the known cliques, with vertices from 1. */
static void visit(treesplit *t, const void *node)
{
	const struct node *n = node;
	int64_t numbers[MAX_VERTICES];
	char text[8 * MAX_VERTICES] = "[";
	int i, count = size(&n->clique), end = 1;
	if (-count >= treesplit_best(t)) return;
	count = list(&n->clique, numbers);
	for (i = 0; i < count; i++) end += sprintf(text + end, i ? ",%d" : "%d", (int)numbers[i] + 1);
	strcpy(text + end, "]");
	treesplit_found(t, text, -count);
}

static int64_t bound(treesplit *t, const void *node)
{
	(void)t;
	return -((const struct node *)node)->most;
}

/* children colours the rest. A child adds one vertex and keeps the vertices coloured before it, so that
 * the number of its colour bounds the size of its cliques. The child with the greatest bound is last. */
static void children(treesplit *t, const void *node)
{
	const struct node *n = node;
	set rest = n->rest, coloured = {{0}}, same;
	int colour, v, i, chosen = size(&n->clique);
	for (colour = 1; first(&rest) >= 0; colour++) {
		for (same = rest; (v = first(&same)) >= 0;) {
			struct node child = *n;
			insert(&child.clique, v);
			for (i = 0; i < words; i++) child.rest.bits[i] = coloured.bits[i] & neighbours[v].bits[i];
			child.most = chosen + colour;
			treesplit_push(t, &child);
			insert(&coloured, v);
			erase(&rest, v);
			erase(&same, v);
			for (i = 0; i < words; i++) same.bits[i] &= ~neighbours[v].bits[i];
		}
	}
}

/* A node as an array: the bound, the size of the clique, the clique, the rest. */

static void encode(treesplit *t, const void *node)
{
	const struct node *n = node;
	int64_t numbers[2 + MAX_VERTICES];
	int count = list(&n->clique, numbers + 2);
	numbers[0] = n->most;
	numbers[1] = count;
	count += list(&n->rest, numbers + 2 + count);
	treesplit_put_ints(t, numbers, (size_t)count + 2);
}

static int decode(treesplit *t, void *node, const char *text, size_t length)
{
	struct node *n = node;
	int64_t numbers[2 + MAX_VERTICES];
	int i, count = treesplit_get_ints(text, numbers, 2 + MAX_VERTICES);
	(void)t;
	(void)length;
	if (count < 2 || numbers[1] < 0 || numbers[1] > count - 2) return 0;
	n->most = numbers[0];
	for (i = 2; i < count; i++) {
		if (numbers[i] < 0 || numbers[i] >= vertices) return 0;
		insert(i < 2 + numbers[1] ? &n->clique : &n->rest, (int)numbers[i]);
	}
	return 1;
}

/* The graph. */

static void refuse(const char *file, int line, const char *expected)
{
	fprintf(stderr, "clique: %s:%d: expected %s\n", file, line, expected);
	exit(2);
}

/* read_graph reads a graph and returns a hash of its edges (FNV-1a). */
static uint64_t read_graph(const char *file)
{
	char text[256];
	int line, u, v;
	uint64_t hash = UINT64_C(14695981039346656037);
	FILE *f = fopen(file, "r");
	if (!f) refuse(file, 0, "a file that can be read");
	for (line = 1; fgets(text, sizeof text, f); line++) {
		if (text[0] == 'p') {
			if (vertices || sscanf(text, "p %*s %d", &vertices) != 1 || vertices < 1 || vertices > MAX_VERTICES)
				refuse(file, line, "one line p edge VERTICES EDGES with 1 to 1024 vertices");
			words = (vertices + 63) / 64;
		} else if (text[0] == 'e') {
			if (sscanf(text, "e %d %d", &u, &v) != 2 || u < 1 || v < 1 || u > vertices || v > vertices || u == v)
				refuse(file, line, "e U V with two vertices of the graph");
			insert(&neighbours[u - 1], v - 1);
			insert(&neighbours[v - 1], u - 1);
		} else if (text[0] != 'c' && text[0] != '\n') {
			refuse(file, line, "a line that begins with c, p or e");
		}
	}
	fclose(f);
	if (!vertices) refuse(file, line, "a line p edge VERTICES EDGES");
	for (u = 0; u < vertices; u++)
		for (v = 0; v < vertices; v++) hash = (hash ^ (uint64_t)has(&neighbours[u], v)) * UINT64_C(1099511628211);
	return hash;
}

int main(int count, char **arguments)
{
	char name[64];
	treesplit_search search = {0};
	if (count != 2) {
		fprintf(stderr, "clique: expected one argument, a graph\n");
		return 2;
	}
	sprintf(name, "clique %016" PRIx64, read_graph(arguments[1]));
	search.name = name;
	search.minimise = 1;
	search.node_size = sizeof(struct node);
	search.root = root;
	search.children = children;
	search.encode = encode;
	search.decode = decode;
	search.visit = visit;
	search.bound = bound;
	return treesplit_run(treesplit_open(), &search);
}
