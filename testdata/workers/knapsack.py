"""A worker without a library: the 0/1 knapsack problem, by branch and bound.

The problem has a capacity and a list of [weight, profit]. A node is [number of decided items, weight,
profit]. A solution is a weight and a profit; its value is the negative profit, because treesplit looks
for the least value.
"""

import json
import sys

problem = json.loads(sys.stdin.readline())["problem"]
items = sorted(problem["items"], key=lambda item: -item[1] / item[0])


def bound(decided, weight, profit):
    """Returns a profit that no solution below a node exceeds."""
    left = problem["capacity"] - weight
    for w, p in items[decided:]:
        if w > left:
            return profit + p * left / w
        left, profit = left - w, profit + p
    return profit


def expand(stack, budget, best):
    found, expanded = None, 0
    while stack and expanded < budget:
        node = stack.pop()
        expanded += 1
        decided, weight, profit = node
        if best is not None and -bound(decided, weight, profit) >= best:
            continue
        if best is None or -profit < best:
            found, best = [weight, profit], -profit
        if decided < len(items):
            w, p = items[decided]
            stack.append([decided + 1, weight, profit])
            if weight + w <= problem["capacity"]:
                stack.append([decided + 1, weight + w, profit + p])
    line = {"expanded": expanded, "open": [{"node": node, "depth": node[0]} for node in stack]}
    if found is not None:
        line["found"], line["value"] = found, best
    return line


def answer(line):
    print(json.dumps(line), flush=True)


answer({"worker": 1, "name": "knapsack", "root": [0, 0, 0], "minimise": True, "depth": True})
for line in sys.stdin:
    request = json.loads(line)
    if "stop" in request:
        break
    answer(expand(request["expand"], request["nodes"], request.get("best")))
