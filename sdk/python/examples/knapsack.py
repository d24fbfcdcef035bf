"""Finds the most valuable selection of items whose total weight is at most a capacity (0/1 knapsack).

    treesplit run -n 4 -- python3 sdk/python/examples/knapsack.py
    treesplit run --problem-json '{"capacity":5,"items":[[6,3],[5,2],[4,2]]}' -- python3 sdk/python/examples/knapsack.py

An item is a pair of a value and a weight. Without a problem there are 35 items from a generator of
random numbers. This is a search for an optimum (minimise=True): the value of a selection is minus
the total value of its items. The lower bound of a subtree lets the next item be taken in part.

Source of the bound: G. B. Dantzig: Discrete-variable extremum problems. Operations Research, 1957.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import treesplit  # your own script needs only this line, with treesplit.py beside it


def random_problem(count, seed):
    """Returns items of nearly the same value per weight, which makes the search long."""
    source = random.Random(seed)
    weights = [source.randrange(100, 1000) for _ in range(count)]
    items = [[weight + 100, weight] for weight in weights]
    return {"capacity": sum(weights) // 2, "items": items}


problem = treesplit.start().problem or random_problem(35, 3)
# The items with the most value per weight come first, each with its number in the problem.
ITEMS = sorted(enumerate(problem["items"]), key=lambda item: -item[1][0] / item[1][1])


# A node is the number of items that are decided, the capacity that remains, the total value of the
# chosen items, and the chosen items.


def children(node):
    decided, room, value, chosen = node
    if decided == len(ITEMS):
        return []
    number, (worth, weight) = ITEMS[decided]
    nodes = [(decided + 1, room, value, chosen)]
    if weight <= room:  # the last child is expanded first
        nodes.append((decided + 1, room - weight, value + worth, chosen + (number,)))
    return nodes


def visit(node):
    _, _, value, chosen = node
    treesplit.found(sorted(chosen), -value)  # ignored unless it is better than all before


def bound(node):
    decided, room, value, _ = node
    for _, (worth, weight) in ITEMS[decided:]:
        if weight > room:
            return -(value + worth * room // weight)
        room -= weight
        value += worth
    return -value


treesplit.run(
    root=(0, problem["capacity"], 0, ()),
    children=children,
    visit=visit,
    bound=bound,
    depth=lambda node: node[0],
    minimise=True,
)
