"""Counts the placements of SIZE queens on a board of SIZE rows, none of which attacks another.

    treesplit run -n 4 -- python3 sdk/python/examples/queens.py 8
    python3 sdk/python/examples/queens.py 8           # in a terminal, on one rank

Each placement of queens in the first rows is a node of the tree. With a second argument ROWS, the
last ROWS rows are searched by a recursive function, and a subtree of ROWS rows is one node. The tree
then has fewer nodes, each of which takes longer: this is the fastest form in Python.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import treesplit  # your own script needs only this line, with treesplit.py beside it

SIZE = int(sys.argv[1]) if len(sys.argv) > 1 else 8
ROWS = int(sys.argv[2]) if len(sys.argv) > 2 else 0
ALL = (1 << SIZE) - 1


# A node is a row and three sets of bits: the columns of the queens so far, and the squares of the
# row that are attacked along the two diagonals.


def children(node):
    row, columns, left, right = node
    if row == SIZE - ROWS:
        treesplit.add("solutions", count(columns, left, right))
        return []
    nodes = []
    free = ALL & ~(columns | left | right)
    while free:
        queen = free & -free
        free ^= queen
        nodes.append((row + 1, columns | queen, (left | queen) << 1 & ALL, (right | queen) >> 1))
    return nodes


def count(columns, left, right):
    """Returns the number of ways to complete a placement, by plain recursion."""
    if columns == ALL:
        return 1
    total = 0
    free = ALL & ~(columns | left | right)
    while free:
        queen = free & -free
        free ^= queen
        total += count(columns | queen, (left | queen) << 1, (right | queen) >> 1)
    return total


treesplit.run(root=(0, 0, 0, 0), children=children, depth=lambda node: node[0], name=f"queens {SIZE} {ROWS}")
