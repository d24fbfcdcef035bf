"""Runs a tree search in Python on many processors: the worker side of `treesplit run -- COMMAND`.

A search is a root and two functions. Copy this file beside your script:

    import treesplit

    def children(node):          # returns the children of a node, as a list
        ...

    def visit(node):             # is called once for each node of the whole search
        if is_solution(node):
            treesplit.add("solutions")

    treesplit.run(root=(), children=children, visit=visit)

`treesplit run -n 4 -- python3 script.py` searches on four ranks. A rank is one of the processes that
search together; each starts this script once. In a terminal, `python3 script.py` alone searches on one
rank and prints the totals, without treesplit.

Nodes are values of JSON: numbers, strings, True, False, None, lists, tuples, and dictionaries with
keys that are strings. If the root is a tuple, every array in a node is a tuple; otherwise every array
is a list. Functions must not change a node. See docs/workers.md for all rules and for the protocol.

Python 3.9 or later, without other packages.
"""

from __future__ import annotations

import json
import os
import signal
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers alone: typing takes 5 ms to import, a third of the start of Python
    from typing import Any, BinaryIO, Callable, Dict, Iterable, List, NoReturn, Optional

    Node = Any

__all__ = ["Answer", "Start", "add", "best", "found", "maximum", "run", "serve", "start"]

MAX_LINE = 64 << 20  # bytes of a line of the protocol, in both directions
ALONE_NODES = 1 << 16  # nodes per request if there is no treesplit


class Start:
    """The first line of treesplit."""

    def __init__(self, rank: int, ranks: int, seed: int, problem: Any):
        self.rank = rank  # from 0
        self.ranks = ranks
        self.seed = seed
        self.problem = problem  # the value of --problem-json or --problem, or None


class Answer:
    """What a request has done, for serve."""

    def __init__(
        self,
        expanded: int,
        open: List[Node],
        sums: Optional[Dict[str, int]] = None,
        maxima: Optional[Dict[str, int]] = None,
        found: Any = None,
        value: Optional[int] = None,
    ):
        self.expanded = expanded  # number of expanded nodes, at most the budget of the request
        self.open = open  # the remaining nodes; the last node is expanded first
        self.sums = sums or {}  # added over the whole run
        self.maxima = maxima or {}  # the largest of the whole run
        self.found = found  # a solution
        self.value = value  # its value, in a search that minimises


_served = False  # treesplit has been served: a worker has one search

# What the functions of the user have reported since the beginning of the request.
_sums: Dict[str, int] = {}
_maxima: Dict[str, int] = {}
_found: List[Any] = []  # at most one solution
_minimise = False
_best: Optional[int] = None  # the least known value, with the values found in this request
_NO_BOUND = (1 << 63) - 1  # no value of a solution: values are less


def add(name: str, count: int = 1) -> None:
    """Adds count, an integer that is not negative, to a sum of the whole run."""
    _sums[name] = _sums.get(name, 0) + count


def maximum(name: str, number: int) -> None:
    """Raises a maximum of the whole run to number, if it is less."""
    if number > _maxima.get(name, number - 1):
        _maxima[name] = number


def best() -> Optional[int]:
    """Returns the least known value of a solution, or None. Only visit may depend on it."""
    return _best


def found(solution: Any, value: Optional[int] = None) -> None:
    """Reports a solution, which is any value of JSON except None.

    A search that minimises reports the value of each solution. A solution that is not better than the
    best known value is ignored.
    """
    global _best
    if solution is None:
        raise ValueError("found: the solution is None (expected any other value)")
    if not _minimise:
        if value is not None:
            raise ValueError("found: there is a value, and the search does not minimise (expected minimise=True)")
    elif not _is_integer(value):
        raise ValueError(f"found: the value is {value!r} (expected an integer of 64 bits, because of minimise=True)")
    elif value >= (_NO_BOUND if _best is None else _best):
        return
    else:
        _best = value
    _found[:] = [solution]


def run(
    *,
    root: Node,
    children: Callable[[Node], Iterable[Node]],
    visit: Optional[Callable[[Node], Any]] = None,
    name: Optional[str] = None,
    minimise: bool = False,
    bound: Optional[Callable[[Node], int]] = None,
    depth: Optional[Callable[[Node], int]] = None,
    decode: Optional[Callable[[Any], Node]] = None,
    encode: Optional[Callable[[Node], Any]] = None,
) -> None:
    """Searches the tree of root and children, as a worker of treesplit. Returns when the run ends.

    children(node) returns the children, as a list (fastest) or any iterable; the last child is expanded
    first. It depends on the node alone. visit(node) is called once for each node of the whole search,
    and reports by add, maximum and found. children may report too: treesplit can call it again for the
    same node, and these reports are dropped.

    name identifies the tree, and checkpoints of it: the same on all ranks, another one for another
    tree. The default is the name of the script and its arguments. treesplit adds the problem itself.

    With minimise, the search looks for the solution with the least value. bound(node) returns a lower
    bound of the values in the subtree of a node; a subtree that cannot be better than the best known
    value is not searched, and its node is not visited.

    depth(node) returns the depth of a node, for the display of progress: 0 for the root, and for a
    child one more than for its parent. decode and encode convert nodes from and to values of JSON.
    """

    if bound and not minimise:
        raise ValueError("run: there is a bound, and the search does not minimise (expected minimise=True)")

    def expand(stack: List[Node], budget: int, least: Optional[int]) -> Answer:
        global _best
        _reset(least, minimise)
        if bound:
            expanded = _expand_bounded(stack, budget, children, visit, bound)
        elif visit:
            expanded = _expand_visited(stack, budget, children, visit, minimise)
        else:
            expanded = _expand_plain(stack, budget, children, minimise)
        return Answer(expanded, stack, _sums, _maxima, _found[0] if _found else None, _best if _found and minimise else None)

    def list_children(node: Node) -> List[Node]:
        _reset(None, minimise)
        return list(children(node))

    serve(expand, root=root, name=name, minimise=minimise, children=list_children, depth=depth, decode=decode, encode=encode)


def _reset(least: Optional[int], minimise: bool) -> None:
    """Forgets the reports of the last request."""
    global _best, _minimise
    _best, _minimise = least, minimise
    _sums.clear()
    _maxima.clear()
    _found.clear()


# The three loops differ only in what a node needs. They take most of the time of a worker. A request
# ends at a node with a solution, unless the search minimises: so that each solution is counted once.


def _expand_plain(stack: List[Node], budget: int, children: Callable, minimise: bool) -> int:
    pop, extend, solution = stack.pop, stack.extend, [] if minimise else _found
    for expanded in range(budget):
        if not stack or solution:
            return expanded
        extend(children(pop()))
    return budget


def _expand_visited(stack: List[Node], budget: int, children: Callable, visit: Callable, minimise: bool) -> int:
    pop, extend, solution = stack.pop, stack.extend, [] if minimise else _found
    for expanded in range(budget):
        if not stack or solution:
            return expanded
        node = pop()
        visit(node)
        extend(children(node))
    return budget


def _expand_bounded(stack: List[Node], budget: int, children: Callable, visit: Optional[Callable], bound: Callable) -> int:
    pop, extend = stack.pop, stack.extend
    for expanded in range(budget):
        if not stack:
            return expanded
        node = pop()
        if _best is not None and bound(node) >= _best:
            continue
        if visit:
            visit(node)
        extend(children(node))
    return budget


def serve(
    expand: Callable[[List[Node], int, Optional[int]], Answer],
    *,
    root: Node,
    name: Optional[str] = None,
    minimise: bool = False,
    children: Optional[Callable[[Node], List[Node]]] = None,
    depth: Optional[Callable[[Node], int]] = None,
    decode: Optional[Callable[[Any], Node]] = None,
    encode: Optional[Callable[[Node], Any]] = None,
) -> None:
    """Answers the requests of treesplit by a function of the user. Returns when the run ends.

    expand(nodes, budget, best) expands nodes depth first, the last node of the list first, at most
    budget nodes. It may change the list, and returns an Answer. best is the least known value or None.
    children(node) returns the children of a node; without it the schemes that need them are refused.
    The other arguments are the same as for run.
    """
    global _served
    codec = _Codec(root, decode, encode)
    link = _open_link()
    if link is None:
        _search_alone(expand, root)
        return
    if _served:
        raise RuntimeError("treesplit: a second search in one script (expected one call of run or serve)")
    _served = True
    hello = {"worker": 1, "name": name or _default_name(), "root": codec.encode(root), "minimise": minimise}
    if children:
        hello["children"] = True
    if depth:
        hello["depth"] = True
    link.write(hello)
    first = True
    for request in link.requests():
        if "expand" in request:
            answer = expand(codec.decode_all(request["expand"]), request["nodes"], request.get("best"))
            # A check of all nodes takes as long as the answer itself, so later answers have one node checked. The
            # check comes first: treesplit would count an answer before an error.
            codec.check(answer.open if first else answer.open[-1:])
            first = False
            link.write(_encode_answer(answer, codec, depth))
        elif "children" in request and children:
            nodes = list(children(codec.decode(request["children"])))
            codec.check(nodes)
            link.write({"children": codec.encode_all(nodes)})
        else:
            _fail(f"a request with the keys {', '.join(request) or 'of no name'} (expected expand, children or stop)")


def start() -> Start:
    """Returns the first line of treesplit. In a terminal it is the line of a run on one rank."""
    link = _open_link()
    return link.start if link else Start(0, 1, 1, None)


def _encode_answer(answer: Answer, codec: _Codec, depth: Optional[Callable[[Node], int]]) -> Dict[str, Any]:
    """Returns the line of an answer, without what is empty."""
    nodes = codec.encode_all(answer.open)
    if depth:
        nodes = [{"node": text, "depth": depth(node)} for text, node in zip(nodes, answer.open)]
    line: Dict[str, Any] = {"expanded": answer.expanded, "open": nodes}
    for key, counts, least in ("sums", answer.sums, 0), ("maxima", answer.maxima, -(1 << 63)):
        for name, count in counts.items():
            if not isinstance(name, str) or not _is_integer(count) or count < least:
                raise ValueError(f"{key}: {name!r}: {count!r} (expected a string and an integer from {least} to 2^63-1)")
        if counts:
            line[key] = counts
    if answer.found is not None:
        line["found"] = answer.found
    if answer.value is not None:
        line["value"] = answer.value
    return line


def _is_integer(value: Any) -> bool:
    """Reports whether a value is an integer of 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63


class _Codec:
    """Converts nodes from and to values of JSON."""

    def __init__(self, root: Node, decode: Optional[Callable], encode: Optional[Callable]):
        self.user_encode = encode
        self.decode: Callable[[Any], Node] = decode or (_freeze if isinstance(root, tuple) else _keep)
        self.check([root])

    def encode(self, node: Node) -> Any:
        return self.user_encode(node) if self.user_encode else node

    def encode_all(self, nodes: List[Node]) -> List[Any]:
        return [self.user_encode(node) for node in nodes] if self.user_encode else nodes

    def decode_all(self, values: List[Any]) -> List[Node]:
        return values if self.decode is _keep else [self.decode(value) for value in values]

    def check(self, nodes: List[Node]) -> None:
        """Fails if nodes are not the same after the way through JSON."""
        for node in nodes:
            copy = self.decode(json.loads(_to_json.encode(self.encode(node))))
            if copy != node:
                raise ValueError(f"the node {node!r} is {copy!r} after JSON (expected the same: see decode and encode of run)")


def _keep(value: Any) -> Any:
    return value


def _freeze(value: Any) -> Any:
    """Returns a value of JSON with tuples instead of lists."""
    if type(value) is list:
        return tuple([_freeze(v) if type(v) in (list, dict) else v for v in value])
    if type(value) is dict:
        return {k: _freeze(v) for k, v in value.items()}
    return value


_to_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


class _Link:
    """The pipes to and from treesplit, and its first line."""

    def __init__(self, source: BinaryIO, target: BinaryIO):
        self.source, self.target = source, target
        line = self.read()
        if line is None:
            _fail(f"no treesplit at the other end (expected: treesplit run -- python3 {os.path.basename(sys.argv[0])})")
        if line.get("treesplit") != 1:
            _fail(f"the version of the protocol is {line.get('treesplit')!r} (expected 1)")
        self.start = Start(line.get("rank", 0), line.get("ranks", 1), line.get("seed", 1), line.get("problem"))

    def read(self) -> Optional[Dict[str, Any]]:
        """Reads a line. Returns None at the end of input."""
        text = self.source.readline(MAX_LINE + 1)
        if not text.endswith(b"\n"):
            if len(text) > MAX_LINE:
                _fail(f"a line of more than {MAX_LINE} bytes")
            return None  # treesplit has ended, perhaps within a line
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            _fail(f"a line is no JSON: {error}")
        if not isinstance(line, dict):
            _fail("a line is no JSON object")
        return line

    def requests(self) -> Iterable[Dict[str, Any]]:
        """Yields the requests until the end of the run."""
        while True:
            line = self.read()
            if line is None or "stop" in line:
                return
            nodes, budget = line.get("expand", []), line.get("nodes", 0)
            if not isinstance(nodes, list):
                _fail("expand is no array")
            if not _is_integer(budget) or budget < 0:
                _fail("a request has no number of nodes")
            if not _is_integer(line.get("best", 0)):
                _fail("a request has a best value that is no integer of 64 bits")
            yield line

    def write(self, line: Dict[str, Any]) -> None:
        """Writes a line at once."""
        data = _to_json.encode(line).encode() + b"\n"
        if len(data) > MAX_LINE:
            raise ValueError(f"a line has {len(data)} bytes (expected at most {MAX_LINE}): there are too many open nodes, or they are too large")
        try:
            self.target.write(data)
            self.target.flush()
        except BrokenPipeError:  # treesplit has ended
            os._exit(1)


_link: Optional[_Link] = None
_target: Optional[BinaryIO] = None  # the standard output of the process, if it was taken away


def _take_output() -> BinaryIO:
    """Takes standard output away from the rest of the program, once, and returns it.

    What the script prints later, and what programs print that it starts, goes to standard error.
    """
    global _target
    if _target is None:
        _target = os.fdopen(os.dup(1), "wb", 1 << 16)
        os.dup2(2, 1)
        sys.stdout.flush()
        sys.stdout = sys.stderr
    return _target


def _take_input() -> BinaryIO:
    """Takes standard input away from the rest of the program, and returns it."""
    source = os.fdopen(os.dup(0), "rb", 1 << 16)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return source


def _is_worker() -> bool:
    """Reports whether standard input and output are pipes, as treesplit starts a worker."""
    try:
        return all(stat.S_ISFIFO(os.fstat(fd).st_mode) for fd in (0, 1))
    except OSError:  # closed
        return False


def _open_link() -> Optional[_Link]:
    """Returns the link, or None if standard input is a terminal.

    SIGINT is ignored, because Ctrl-C reaches all processes of a terminal, and treesplit then ends the
    run in order.
    """
    global _link
    if _link is None and not sys.stdin.isatty():
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        except ValueError:  # not the main thread
            pass
        _link = _Link(_take_input(), _take_output())
    return _link


def _default_name() -> str:
    """Returns the name of the script and its arguments. treesplit adds the problem itself."""
    return " ".join([os.path.basename(sys.argv[0])] + sys.argv[1:])


def _search_alone(expand: Callable[[List[Node], int, Optional[int]], Answer], root: Node) -> None:
    """Searches in this process and prints the totals, as treesplit would on one rank."""
    expanded, nodes = 0, [root]
    sums: Dict[str, int] = {}
    maxima: Dict[str, int] = {}
    solution, least = None, None
    while nodes:
        answer = expand(nodes, ALONE_NODES, least)
        expanded, nodes = expanded + answer.expanded, answer.open
        for name, count in answer.sums.items():
            sums[name] = sums.get(name, 0) + count
        for name, count in answer.maxima.items():
            maxima[name] = max(maxima.get(name, count), count)
        if answer.found is not None and (solution is None or answer.value is not None):
            solution, least = answer.found, answer.value
    print(_to_json.encode({"expanded": expanded, "sums": sums, "maxima": maxima, "found": solution, "value": least}))


def _fail(text: str) -> NoReturn:
    """Ends the worker because of what treesplit has sent."""
    print(f"treesplit.py: {text}", file=sys.stderr)
    raise SystemExit(2)


# Print statements between the import and run are frequent.
if _is_worker():
    _take_output()
