"""Decides a formula with an existing program: the solver CaDiCaL, started once per node.

    treesplit run -n 4 --first -- python3 sdk/python/examples/cubes.py FORMULA [CONFLICTS]

A node is a cube: a list of literals that are assumed. The solver tries the formula with the cube for
at most CONFLICTS conflicts (default 1000). If it does not decide the formula in that time, the node
has two children, in which one more variable is true or false. A model is a solution, which ends the
run under --first. A run that ends without a solution has shown that the formula is unsatisfiable.

The limit is a number of conflicts and not a time, so that the tree is the same in every run.
"""

import collections
import hashlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import treesplit  # your own script needs only this line, with treesplit.py beside it


def read_formula(name):
    """Returns the number of variables and the clauses of a file in DIMACS format."""
    variables, numbers = 0, []
    for line in open(name):
        if line.startswith("p"):
            variables = int(line.split()[2])
        elif not line.startswith("c"):
            numbers.extend(map(int, line.split()))
    clauses, clause = [], []
    for number in numbers:
        if number:
            clause.append(number)
        else:
            clauses.append(clause)
            clause = []
    return variables, clauses


def solve(cube):
    """Returns the solver's exit status, 10, 20 or 0 (not decided), and its model."""
    lines = [" ".join(map(str, clause + [0])) for clause in CLAUSES + [[literal] for literal in cube]]
    text = "\n".join([f"p cnf {VARIABLES} {len(lines)}"] + lines)
    done = subprocess.run(["cadical", "-q", "-c", CONFLICTS], input=text, capture_output=True, text=True)
    if done.returncode not in (0, 10, 20):
        raise RuntimeError(f"cadical: exit status {done.returncode}: {done.stderr}")
    words = [word for line in done.stdout.splitlines() if line.startswith("v") for word in line.split()[1:]]
    return done.returncode, [int(word) for word in words if word != "0"]


def pick_variable(cube):
    """Returns the variable that occurs most in short clauses, or None."""
    score, true = collections.Counter(), set(cube)
    for clause in CLAUSES:
        free = [literal for literal in clause if -literal not in true]
        if not true.intersection(clause):
            for literal in free:
                score[abs(literal)] += 2.0 ** -len(free)
    free = [(score[v], -v) for v in score if v not in true and -v not in true]
    return -max(free)[1] if free else None


def children(cube):
    status, model = solve(cube)
    if status == 10:
        treesplit.found(model)
    if status == 20:
        treesplit.add("refuted")
    variable = pick_variable(cube) if status == 0 else None
    return [cube + (-variable,), cube + (variable,)] if variable else []


VARIABLES, CLAUSES = read_formula(sys.argv[1])
CONFLICTS = sys.argv[2] if len(sys.argv) > 2 else "1000"
NAME = hashlib.sha256(repr((VARIABLES, CLAUSES, CONFLICTS)).encode()).hexdigest()[:16]

treesplit.run(root=(), children=children, depth=len, name=f"cubes {NAME}")
