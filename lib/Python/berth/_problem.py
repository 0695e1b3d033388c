# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packing problems, and packing them."""

from __future__ import annotations

import ctypes
import json
import signal
import threading
from dataclasses import dataclass, field
from typing import Any, Dict, Hashable, Iterable, List, NamedTuple, Optional, \
    Sequence, Tuple, Union

from . import _library, _values
from ._errors import DoesNotFitError, InvalidError
from ._fit import Fit
from ._plan import Plan

__all__ = ["Buffer", "Gap", "Use", "Pool", "Cut", "Edge", "Distance", "Problem",
           "pack",
           "pack_arrays", "packers"]


class Gap(NamedTuple):
    """Times [lower, upper) at which only bytes [window[0], window[1]) of a
    buffer are occupied; none, where the window is empty."""
    lower: int
    upper: int
    window: Tuple[int, int] = (0, 0)


class Use(NamedTuple):
    """Times [lower, upper) at which a buffer is touched: "read", "update" or
    "write" (of all of it), `bytes` of it; 0: as many as it has. `make` is what it
    costs to make the content again in front of it; 0: that cannot be. Where
    it can be served from the slow memory slice by slice, these take `tile` bytes of
    the fast memory, and moving all of them costs `slices`."""
    lower: int
    upper: int
    kind: str = "read"
    bytes: int = 0
    make: int = 0
    tile: int = 0
    slices: int = 0


@dataclass
class Buffer:
    """A number of bytes that must survive from time `lower` up to, not
    including, `upper`; or during `segments`, for a life with holes."""
    size: int
    lower: Optional[int] = None
    upper: Optional[int] = None
    #: A name for people, unique in its problem; "b<index>" by default.
    id: Optional[str] = None
    #: The offset is a multiple of it; any number from 1.
    alignment: int = 1
    #: The offset that it must have.
    fixed: Optional[int] = None
    #: The offset that it would like.
    hint: Optional[int] = None
    #: Scales pool cost and the distance from the hint.
    weight: int = 1
    #: Buffers of one group share one offset.
    group: Optional[Hashable] = None
    #: The pools that it may live in, by index or id; none: in any.
    pools: Sequence[Union[int, str]] = ()
    segments: Sequence[Tuple[int, int]] = ()
    gaps: Sequence[Gap] = ()
    #: When it is touched, for fits: times, or Uses.
    uses: Sequence[Union[int, "Use"]] = ()
    #: Its content comes from a slow memory (an argument, a constant).
    backed: bool = False


@dataclass
class Pool:
    """A memory of its own."""
    id: Optional[str] = None
    #: Bytes; None: unbounded, which only the last pool may be.
    capacity: Optional[int] = None
    #: Per byte and weight.
    cost: int = 0
    #: Ranges [from, to) of bytes that no buffer may use.
    reserved: Sequence[Tuple[int, int]] = ()


@dataclass
class Cut:
    """Something that can be bought, once, to free pairs from their edges: a
    barrier at one place of a program, say."""
    price: int
    id: Optional[str] = None


@dataclass
class Edge:
    """Keeps two buffers apart whatever their times, unless all cuts of one of
    the lists are bought."""
    first: Union[int, str, Buffer]
    second: Union[int, str, Buffer]
    unless: Sequence[Sequence[Union[int, str]]] = ()


@dataclass
class Distance:
    """Lets two buffers share bytes although they are live together: where the
    offset of the second minus that of the first is not strictly between the
    two numbers."""
    first: Union[int, str, Buffer]
    second: Union[int, str, Buffer]
    #: At least minus the size of the second.
    lower: int
    #: At most the size of the first.
    upper: int


@dataclass
class Problem:
    """Buffers, and what binds them.

    >>> problem = Problem(capacity=4096)
    >>> a = problem.add(1024, 0, 3, id="a")
    >>> b = problem.add(1024, 3, 5, id="b")
    >>> problem.pack()[b]
    0
    """
    buffers: List[Buffer] = field(default_factory=list)
    #: Bytes that the plan must fit into; None: no limit.
    capacity: Optional[int] = None
    #: Ranges [from, to) of bytes that no buffer may use; only without pools.
    reserved: Sequence[Tuple[int, int]] = ()
    pools: List[Pool] = field(default_factory=list)
    edges: List[Edge] = field(default_factory=list)
    distances: List[Distance] = field(default_factory=list)
    cuts: List[Cut] = field(default_factory=list)

    def add(self, size: int, lower: Optional[int] = None,
            upper: Optional[int] = None, **fields: Any) -> Buffer:
        """Adds a buffer with the fields of Buffer, and returns it."""
        buffer = Buffer(size, lower, upper, **fields)
        self.buffers.append(buffer)
        return buffer

    def keep_apart(self, first: Union[int, str, Buffer],
                   second: Union[int, str, Buffer]) -> None:
        """Never lets two buffers share bytes."""
        self.edges.append(Edge(first, second))

    def id_of(self, index: int) -> str:
        """The id of a buffer, its own or the one that it has by default."""
        index = _values.index(index, len(self.buffers), "the problem")
        own = self.buffers[index].id
        return "b{}".format(index) if own is None else own

    def index_of(self, buffer: Union[int, str, Buffer]) -> int:
        """The index of a buffer, by index, id, or the Buffer itself."""
        if isinstance(buffer, Buffer):
            for i, mine in enumerate(self.buffers):
                if mine is buffer:
                    return i
            raise KeyError("the problem has no such buffer: {!r}".format(buffer))
        if isinstance(buffer, str):
            for i in range(len(self.buffers)):
                if self.id_of(i) == buffer:
                    return i
            raise KeyError("the problem has no buffer {!r}".format(buffer))
        return _values.index(buffer, len(self.buffers), "the problem")

    @staticmethod
    def parse(text: str, format: Optional[str] = None) -> "Problem":
        """A problem from text: "csv" or "json", by default whichever it is. An
        `offset` column of a CSV pins its buffers; a plan in a JSON is passed
        over."""
        session = _session_of_text(text, format, False)
        return _from_json(session.text("json"))

    def to_json(self) -> str:
        """The problem in Berth's JSON."""
        return self._session().text("json")

    def pack(self, packer: Optional[str] = None, **options: Any) -> Plan:
        """Packs the problem; the options are those of pack()."""
        return _pack(self._session(), self, packer, options)

    def verify(self, offsets: Sequence[int],
               pools: Optional[Sequence[int]] = None,
               cuts: Iterable[Union[int, str]] = ()) -> Plan:
        """Checks a plan made elsewhere: an offset (and pool) a buffer, and the
        cuts that it bought. InvalidError with the first thing that is wrong,
        be it a buffer above the capacity."""
        session = self._session()
        count = len(self.buffers)
        checked = _values.int64s(offsets, "offsets", count)
        places = None
        if pools is not None:
            indices = [_values.integer(pool, "pools[{}]".format(i), 0, 2**32 - 1)
                       for i, pool in enumerate(_values.column(pools, "pools"))]
            if len(indices) != count:
                raise InvalidError("pools has {} entries; there are {} buffers"
                                   .format(len(indices), count))
            places = (ctypes.c_uint32 * count)(*indices)
        bought = (ctypes.c_uint8 * len(self.cuts))()
        for cut in _values.given(cuts, "cuts"):
            bought[_reference(cut, self.cuts, "cut", "cuts")] = 1
        session.call("berthSessionVerify", checked, places, bought)
        plan = Plan(session, self)
        if not plan.fits:
            self._refuse_above(plan)
        return plan

    def _refuse_above(self, plan: Plan) -> None:
        """Says which buffer of a plan ends above the capacity."""
        for i, placement in enumerate(plan):
            end = placement.offset + placement.size
            if end > (plan.capacity or end):
                raise InvalidError(
                    "buffer {!r}: it ends at {}, above the capacity of {}".format(
                        placement.id, end, plan.capacity), buffer=i)

    def fit(self, *, fill: int = 1, spill: int = 1, access: int = 0,
            move: int = 0, policy: Optional[str] = None, steps: int = 0) -> Fit:
        """What must leave the capacity between uses, at the least cost found;
        DoesNotFitError where nothing will do. `fill` and `spill` are the prices
        of a byte that is brought in or taken out, `access` that of one that a
        use touches in the slow memory (0: uses need the fast one), `move` what
        each move costs besides its bytes, `policy` one of eviction instead of a
        search, `steps` the budget."""
        session = self._session()
        text = session.fit(
            _values.integer(fill, "fill", 1, 2**20),
            _values.integer(spill, "spill", 1, 2**20),
            _values.integer(access, "access", 0, 2**20),
            _values.integer(move, "move", 0, 2**40),
            None if policy is None else _values.text(policy, "policy"),
            _values.integer(steps, "steps", 0))
        fit = Fit(text, self)
        if fit.status not in ("optimal", "feasible"):
            raise DoesNotFitError(
                "the uses of one time need more than the capacity"
                if fit.status == "infeasible" else "no fit was found")
        return fit

    def _session(self) -> _library.Session:
        text = json.dumps(_Document(self).build())
        try:
            return _session_of_text(text, "json", False)
        except InvalidError as error:  # nobody has seen that text
            raise InvalidError(error.message, number=error.number) from None


def _reference(value: Any, things: Sequence[Any], what: str, where: str) -> int:
    """The index of a cut or pool that is named by index or id; `where` names who
    names it."""
    if isinstance(value, str):
        for i, thing in enumerate(things):
            if thing.id == value:
                return i
        raise InvalidError("{}: there is no {} {!r}".format(where, what, value))
    if not things:
        raise InvalidError("{}: there is no {} {!r}; the problem has none".format(
            where, what, value))
    return _values.integer(value, "{}: the index of a {}".format(where, what), 0,
                           len(things) - 1)


class _Document:
    """The JSON of a problem. Types and ranges are checked here, where an error
    can name the buffer; what depends on several values is left to the library,
    which does so too."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.groups: Dict[Hashable, int] = {}
        self.by_id: Dict[str, int] = {}
        self.by_identity: Dict[int, int] = {}

    def build(self) -> Dict[str, Any]:
        problem = self.problem
        # Buffers refer to pools, and edges to cuts.
        pools = _all(problem.pools, Pool, "pools")
        cuts = _all(problem.cuts, Cut, "cuts")
        edges = _all(problem.edges, Edge, "edges")
        distances = _all(problem.distances, Distance, "distances")
        reserved = _ranges(problem.reserved, "reserved")
        result: Dict[str, Any] = {
            "buffers": [self.buffer(i, b) for i, b in enumerate(
                _all(_values.each(problem.buffers, "buffers"), Buffer,
                     "buffers"))]
        }
        if problem.capacity is not None:
            result["capacity"] = _values.integer(
                problem.capacity, "the capacity", 1)
        if reserved:
            result["reserved"] = reserved
        if pools:
            result["pools"] = [self.pool(i, p) for i, p in enumerate(pools)]
        if cuts:
            result["cuts"] = [self.cut(i, c) for i, c in enumerate(cuts)]
        if edges:
            result["edges"] = [self.edge(i, e) for i, e in enumerate(edges)]
        if distances:
            result["distances"] = [self.distance(i, d)
                                   for i, d in enumerate(distances)]
        return result

    def buffer(self, index: int, buffer: Buffer) -> Dict[str, Any]:
        own = None if buffer.id is None else _values.text(
            buffer.id, "the id of buffers[{}]".format(index))
        name = "b{}".format(index) if own is None else own
        what = "buffer {!r}: ".format(name)
        if id(buffer) in self.by_identity:
            raise InvalidError(what + "it stands in the problem twice",
                               buffer=index)
        self.by_identity[id(buffer)] = index
        self.by_id.setdefault(name, index)
        result: Dict[str, Any] = {}
        if own is not None:
            result["id"] = own
        result["size"] = _values.integer(buffer.size, what + "size", 1)
        self.add_life(result, buffer, what)
        result["alignment"] = _values.integer(
            buffer.alignment, what + "alignment", 1)
        result["weight"] = _values.integer(buffer.weight, what + "weight", 0)
        if buffer.fixed is not None:
            result["fixed"] = _values.integer(buffer.fixed, what + "fixed", 0)
        if buffer.hint is not None:
            result["hint"] = _values.integer(buffer.hint, what + "hint", 0)
        if buffer.group is not None:
            try:
                result["group"] = self.groups.setdefault(buffer.group,
                                                         len(self.groups))
            except TypeError:
                raise TypeError("{}group is {}, which has no hash".format(
                    what, _values.shown(buffer.group))) from None
        pools = _values.given(buffer.pools, what + "pools")
        if pools:
            result["pools"] = [_reference(p, self.problem.pools, "pool",
                                          what + "pools") for p in pools]
        uses = _values.given(buffer.uses, what + "uses")
        if uses:
            result["uses"] = [_use(u, "{}uses[{}]".format(what, i))
                              for i, u in enumerate(uses)]
        if _values.flag(buffer.backed, what + "backed"):
            result["backed"] = True
        return result

    def add_life(self, result: Dict[str, Any], buffer: Buffer,
                 what: str) -> None:
        has_hull = buffer.lower is not None or buffer.upper is not None
        segments = _ranges(buffer.segments, what + "segments",
                           _values.INT64_MIN)
        if segments:
            if has_hull:
                raise InvalidError(
                    what + "it has both segments and lower or upper")
            result["segments"] = segments
        elif buffer.lower is None or buffer.upper is None:
            raise InvalidError(
                what + "it lacks its life: lower and upper, or segments")
        else:
            result["lower"] = _values.integer(buffer.lower, what + "lower")
            result["upper"] = _values.integer(buffer.upper, what + "upper")
        gaps = _values.given(buffer.gaps, what + "gaps")
        if gaps:
            result["gaps"] = [_gap(g, "{}gaps[{}]".format(what, i))
                              for i, g in enumerate(gaps)]

    def pool(self, index: int, pool: Pool) -> Dict[str, Any]:
        what = "pool {!r}: ".format(index if pool.id is None else pool.id)
        result: Dict[str, Any] = {
            "cost": _values.integer(pool.cost, what + "cost", 0)}
        if pool.id is not None:
            result["id"] = _values.text(pool.id, what + "id")
        if pool.capacity is not None:
            result["capacity"] = _values.integer(
                pool.capacity, what + "capacity", 1)
        reserved = _ranges(pool.reserved, what + "reserved")
        if reserved:
            result["reserved"] = reserved
        return result

    def cut(self, index: int, cut: Cut) -> Dict[str, Any]:
        what = "cut {!r}: ".format(index if cut.id is None else cut.id)
        result: Dict[str, Any] = {
            "price": _values.integer(cut.price, what + "price", 0)}
        if cut.id is not None:
            result["id"] = _values.text(cut.id, what + "id")
        return result

    def edge(self, index: int, edge: Edge) -> Dict[str, Any]:
        what = "edges[{}]".format(index)
        result: Dict[str, Any] = {
            "between": [self.end(edge.first, what), self.end(edge.second, what)]}
        unless = _values.given(edge.unless, what + ".unless")
        if unless:
            result["unless"] = [
                [_reference(c, self.problem.cuts, "cut", what + ".unless")
                 for c in _values.each(cuts, "{}.unless[{}]".format(what, i))]
                for i, cuts in enumerate(unless)]
        return result

    def distance(self, index: int, distance: Distance) -> Dict[str, Any]:
        what = "distances[{}]".format(index)
        return {"between": [self.end(distance.first, what),
                            self.end(distance.second, what)],
                "lower": _values.integer(distance.lower, what + ".lower",
                                         -_values.INT64_MAX),
                "upper": _values.integer(distance.upper, what + ".upper",
                                         -_values.INT64_MAX)}

    def end(self, buffer: Any, what: str) -> int:
        """As Problem.index_of, without a search each time."""
        if isinstance(buffer, Buffer):
            index = self.by_identity.get(id(buffer))
        elif isinstance(buffer, str):
            index = self.by_id.get(buffer)
        else:
            return _values.integer(buffer, what, 0,
                                   len(self.problem.buffers) - 1)
        if index is None:
            raise InvalidError("{}: the problem has no buffer {!r}".format(
                what, buffer))
        return index


def _all(values: Any, kind: type, what: str) -> List[Any]:
    """What the sequence holds, all of one class."""
    result = _values.given(values, what)
    for i, value in enumerate(result):
        if not isinstance(value, kind):
            raise TypeError("{}[{}] is {}; {} {} is needed".format(
                what, i, _values.shown(value),
                "an" if kind is Edge else "a", kind.__name__))
    return result


def _ranges(ranges: Any, what: str, least: int = 0) -> List[List[int]]:
    result = []
    for i, pair in enumerate(_values.given(ranges, what)):
        name = "{}[{}]".format(what, i)
        try:
            lower, upper = pair
        except (TypeError, ValueError):
            raise TypeError("{} is {!r}; a pair (from, to) is needed".format(
                name, pair)) from None
        result.append([_values.integer(lower, name, least),
                       _values.integer(upper, name, least)])
    return result


def _gap(gap: Any, what: str) -> Dict[str, Any]:
    try:
        lower, upper, window = Gap(*gap)
    except TypeError:
        raise TypeError("{} is {!r}; a Gap is needed".format(
            what, gap)) from None
    return {"lower": _values.integer(lower, what + ".lower"),
            "upper": _values.integer(upper, what + ".upper"),
            "window": _ranges([window], what + ".window")[0]}


def _use(use: Any, what: str) -> Dict[str, Any]:
    if not isinstance(use, tuple) and hasattr(use, "__index__") \
            and not hasattr(use, "__len__"):
        time = _values.integer(use, what, most=_values.INT64_MAX - 1)
        use = Use(time, time + 1)
    try:
        lower, upper, kind, count, make, tile, slices = Use(*use)
    except TypeError:
        raise TypeError("{} is {!r}; a time or a Use is needed".format(
            what, use)) from None
    result = {"lower": _values.integer(lower, what + ".lower"),
              "upper": _values.integer(upper, what + ".upper"),
              "kind": _values.text(kind, what + ".kind")}
    for key, value in (("bytes", count), ("make", make), ("tile", tile),
                       ("slices", slices)):
        number = _values.integer(value, "{}.{}".format(what, key), 0)
        if number:
            result[key] = number
    return result


def _from_json(text: str) -> Problem:
    document = json.loads(text)
    problem = Problem(capacity=document.get("capacity") or None)
    problem.reserved = [(a, b) for a, b in document.get("reserved", [])]
    for pool in document.get("pools", []):
        pool["capacity"] = pool.get("capacity") or None
        pool["reserved"] = [(a, b) for a, b in pool.get("reserved", [])]
        problem.pools.append(Pool(**pool))
    for buffer in document["buffers"]:
        buffer["segments"] = [(a, b) for a, b in buffer.get("segments", [])]
        buffer["gaps"] = [Gap(g["lower"], g["upper"],
                              tuple(g.get("window", (0, 0))))
                          for g in buffer.get("gaps", [])]
        buffer["uses"] = [Use(**use) for use in buffer.get("uses", [])]
        problem.buffers.append(Buffer(**buffer))
    problem.cuts = [Cut(**cut) for cut in document.get("cuts", [])]
    for edge in document.get("edges", []):
        problem.edges.append(Edge(edge["between"][0], edge["between"][1],
                                  edge.get("unless", [])))
    for distance in document.get("distances", []):
        problem.distances.append(Distance(*distance["between"],
                                          distance["lower"],
                                          distance["upper"]))
    return problem


def _session_of_text(text: str, format: Optional[str],
                     offsets_are_plan: bool) -> _library.Session:
    data = _values.text(text, "the text", "surrogatepass").encode(
        "utf-8", "surrogatepass")  # the reader says where it is none
    session = _library.Session()
    session.call("berthSessionSetText", data, len(data),
                 None if format is None
                 else _values.text(format, "format").encode(),
                 int(offsets_are_plan))
    return session


#: Options of pack(), with their default, which is the least, and their largest
#: value.
_NUMBERS = {"steps": (0, _values.INT64_MAX), "seed": (0, _values.INT64_MAX),
            "threads": (1, 1024)}


def _pack(session: _library.Session, problem: Optional[Problem],
          packer: Optional[str], options: Dict[str, Any],
          ids: Optional[Sequence[str]] = None,
          sizes: Optional[Sequence[int]] = None) -> Plan:
    native = _library.Options(structSize=ctypes.sizeof(_library.Options))
    if packer is not None:
        native.packer = _values.text(packer, "packer").encode()
    must_fit = _values.flag(options.pop("must_fit", True), "must_fit")
    for name, (least, most) in _NUMBERS.items():
        setattr(native, name, _values.integer(options.pop(name, least), name,
                                              least, most))
    time_limit = options.pop("time_limit", None)
    if time_limit is not None:
        native.timeLimit = _values.seconds(time_limit, "time_limit")
    native.minimize = int(_values.flag(options.pop("minimize", False),
                                       "minimize"))
    proof = options.pop("proof_file", None)
    if proof is not None:
        native.proofFile = _values.path(proof, "proof_file").encode(
            "utf-8", "surrogateescape")
    if options:
        raise TypeError("pack() has no option {!r}".format(sorted(options)[0]))
    _run(session, native)
    plan = Plan(session, problem, ids, sizes)
    if must_fit and not plan.fits:
        raise DoesNotFitError(_why(plan), plan)
    return plan


def _run(session: _library.Session, native: _library.Options) -> None:
    """Packs. Ctrl-C stops the packer first: an exception cannot pass through
    C, so for the time being SIGINT only sets a flag, which the packer polls."""
    hits: List[int] = []
    watches = (threading.current_thread() is threading.main_thread()
               and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
    if watches:
        native.interrupted = _library.INTERRUPTED(lambda _: len(hits))
        signal.signal(signal.SIGINT, lambda number, _: hits.append(number))
    try:
        session.call("berthSessionPack", ctypes.byref(native))
    finally:
        if watches:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if hits:
        raise KeyboardInterrupt


def _why(plan: Plan) -> str:
    if plan.status != "infeasible":
        return "no plan within the capacity of {} bytes was found; the best " \
            "needs {}".format(plan.capacity, plan.peak)
    nothing = "nothing fits the capacity of {} bytes: ".format(plan.capacity)
    blamed = [plan.placement(i) for i in plan.conflict[:8]]
    if not blamed:
        return nothing + "that is proven"
    names = ", ".join("{} ({} bytes)".format(one.id, one.size) for one in blamed)
    if len(plan.conflict) == 1:
        return nothing + names + " does not by itself"
    more = ", ..." if len(plan.conflict) > len(blamed) else ""
    return nothing + names + more + " cannot lie in it together"


def pack(problem: Union[Problem, Iterable[Buffer]],
         capacity: Optional[int] = None, packer: Optional[str] = None,
         **options: Any) -> Plan:
    """Packs a problem, or buffers into `capacity` bytes.

    Options: `steps` (budget of the packer; 0: its default), `time_limit`
    (seconds; the plan then depends on the machine), `minimize` (go on below a
    capacity that is met), `threads` (1 to 1024, which never change the plan), `seed`,
    `proof_file` (where to write a proof log), `must_fit` (False: a plan over
    capacity is returned, with its status, instead of a DoesNotFitError).
    `packers()` lists the packers.
    """
    if not isinstance(problem, Problem):
        problem = Problem(list(_values.each(problem, "the problem")), capacity)
    elif capacity is not None:
        raise TypeError("the problem has a capacity of its own")
    return problem.pack(packer, **options)


def pack_arrays(sizes: Any, lowers: Any, uppers: Any, *,
                alignments: Any = None, fixed: Any = None, hints: Any = None,
                weights: Any = None, groups: Any = None, edges: Any = None,
                ids: Optional[Sequence[str]] = None,
                capacity: Optional[int] = None, packer: Optional[str] = None,
                **options: Any) -> Plan:
    """Packs buffers given as columns: sequences of integers, or arrays (of
    numpy, say; those of 64-bit integers are not copied). In `fixed`, `hints`
    and `groups` -1 stands for none; `edges` are pairs of buffers that must not
    share bytes. The options are those of pack()."""
    native = _library.Arrays(structSize=ctypes.sizeof(_library.Arrays))
    columns = {"sizes": _values.int64s(sizes, "sizes")}
    count = len(columns["sizes"])
    columns["lowers"] = _values.int64s(lowers, "lowers", count)
    columns["uppers"] = _values.int64s(uppers, "uppers", count)
    for name, values in (("alignments", alignments), ("fixedOffsets", fixed),
                         ("hints", hints), ("weights", weights),
                         ("groups", groups)):
        if values is not None:
            columns[name] = _values.int64s(
                values, "fixed" if name == "fixedOffsets" else name, count)
    pointer = ctypes.POINTER(ctypes.c_int64)
    for name, column in columns.items():
        setattr(native, name, ctypes.cast(column, pointer))
    native.numBuffers = count
    if edges is not None:
        flat = _values.pairs(edges, "edges", count)
        native.numEdges = len(flat) // 2
        native.edges = ctypes.cast(flat, ctypes.POINTER(ctypes.c_uint32))
    if ids is not None:
        names = [_values.text(name, "ids[{}]".format(i))
                 for i, name in enumerate(_values.column(ids, "ids"))]
        if len(names) != count:
            raise InvalidError("ids has {} entries; there are {} buffers".format(
                len(names), count))
        native.ids = (ctypes.c_char_p * count)(*(n.encode() for n in names))
        ids = names
    if capacity is not None:
        native.capacity = _values.integer(capacity, "the capacity", 1)
    session = _library.Session()
    session.call("berthSessionSetArrays", ctypes.byref(native))
    return _pack(session, None, packer, options, ids, columns["sizes"])


def packers() -> Dict[str, str]:
    """The packers by name, with a line on each."""
    library = _library.library()
    return {library.berthPackerName(i).decode():
            library.berthPackerSummary(i).decode()
            for i in range(library.berthPackerCount())}
