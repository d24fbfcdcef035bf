"""A worker without a library: places N queens on a board of N × N squares so that none attacks another.

A node is the list of the columns of the queens in the first rows.
"""

import json
import sys

size = int(sys.argv[1])


def children(node):
    row = len(node)
    return [node + [c] for c in range(size) if all(c != d and abs(c - d) != row - r for r, d in enumerate(node))]


def expand(stack, budget):
    sums, maxima, found, expanded = {}, {}, None, 0
    while stack and expanded < budget and found is None:
        node = stack.pop()
        expanded += 1
        maxima["depth"] = max(maxima.get("depth", 0), len(node))
        if len(node) == size:
            sums["solutions"], found = 1, node
        else:
            stack += children(node)
    return {"expanded": expanded, "open": stack, "sums": sums, "maxima": maxima, "found": found}


def answer(line):
    print(json.dumps(line), flush=True)


sys.stdin.readline()
answer({"worker": 1, "name": f"queens {size}", "root": [], "children": True})
for line in sys.stdin:
    request = json.loads(line)
    if "stop" in request:
        break
    if "children" in request:
        node = request["children"]
        answer({"children": children(node) if len(node) < size else []})
    else:
        answer(expand(request["expand"], request["nodes"]))
