"""Places 7 queens, like testdata/workers/queens.py, and kills itself at random moments."""

import json
import os
import random
import signal
import sys

SIZE = 7
moment = random.Random(os.getpid())


def perhaps_die():
    if moment.random() < float(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)


def children(node):
    row = len(node)
    return [node + [c] for c in range(SIZE) if all(c != d and abs(c - d) != row - r for r, d in enumerate(node))]


def answer(line):
    text = json.dumps(line) + "\n"
    cut = moment.randrange(len(text))
    sys.stdout.write(text[:cut])
    sys.stdout.flush()
    perhaps_die()
    sys.stdout.write(text[cut:])
    sys.stdout.flush()
    perhaps_die()


sys.stdin.readline()
answer({"worker": 1, "name": "mortal", "root": []})
for line in sys.stdin:
    request = json.loads(line)
    if "stop" in request:
        break
    perhaps_die()
    stack, expanded, solutions = request["expand"], 0, 0
    while stack and expanded < request["nodes"]:
        node = stack.pop()
        expanded += 1
        solutions += len(node) == SIZE
        if len(node) < SIZE:
            stack += children(node)
    answer({"expanded": expanded, "open": stack, "sums": {"solutions": solutions}})
