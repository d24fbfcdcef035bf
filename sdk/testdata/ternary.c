/* A worker for tests: a tree in which every node above the last level has three children. */
#include "treesplit.h"

static int64_t levels;

static void root(treesplit *t, void *node)
{
	int64_t *path = node;
	(void)t;
	path[0] = path[1] = 0;
}

static void visit(treesplit *t, const void *node)
{
	const int64_t *path = node; /* the depth, and the digits of the path to base 3 */
	treesplit_maximum(t, "depth", path[0]);
	treesplit_maximum(t, "least", -1 - path[0]);
	if (path[0] == levels) treesplit_add(t, "leaves", 1);
	if (path[0] == levels && path[1] == 17) treesplit_found(t, " {\"path\":[0,0,1,2,2]} ", 0);
}

static void children(treesplit *t, const void *node)
{
	const int64_t *path = node;
	int64_t child[2], digit;
	for (digit = 0; path[0] < levels && digit < 3; digit++) {
		child[0] = path[0] + 1;
		child[1] = 3 * path[1] + digit;
		treesplit_push(t, child);
	}
}

static void encode(treesplit *t, const void *node)
{
	const int64_t *path = node;
	treesplit_put_text(t, "{\"path\":");
	treesplit_put_ints(t, path, 2);
	treesplit_put_text(t, "}");
}

static int decode(treesplit *t, void *node, const char *text, size_t length)
{
	const char *path = treesplit_find(text, "path");
	(void)t;
	(void)length;
	return path && treesplit_get_ints(path, node, 2) == 2;
}

static int64_t depth(treesplit *t, const void *node)
{
	(void)t;
	return *(const int64_t *)node;
}

int main(void)
{
	char name[64];
	const char *p;
	treesplit *t = treesplit_open();
	treesplit_search search = {0};
	p = treesplit_find(t->problem, "levels");
	if (!p || !treesplit_read_int(&p, &levels)) treesplit_fail("the problem has no levels");
	sprintf(name, "ternary \"\\\t%d", (int)levels);
	search.name = name;
	search.node_size = 2 * sizeof(int64_t);
	search.root = root;
	search.children = children;
	search.encode = encode;
	search.decode = decode;
	search.visit = visit;
	search.depth = depth;
	return treesplit_run(t, &search);
}
