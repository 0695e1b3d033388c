# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans: what packing returns."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterator, List, NamedTuple, Optional, \
    Sequence, Union

from . import _values
from ._library import Session

if TYPE_CHECKING:
    from ._problem import Buffer, Problem

__all__ = ["Bound", "Placement", "Plan"]


def _numpy(what: str) -> Any:
    try:
        import numpy
    except ImportError as error:
        raise ImportError("Plan.{0}_array() needs numpy, which cannot be imported "
                          "({1}); Plan.{0} is a list of the same numbers"
                          .format(what, error)) from error
    return numpy


class Placement(NamedTuple):
    """Where one buffer lies: bytes [offset, offset + size) of a pool."""
    id: str
    offset: int
    size: int
    pool: int


class Bound(NamedTuple):
    """Why no plan is below the lower bound: `buffers`, by index, alone already
    need it, all there are where the list is empty. They are live within the
    times [start, end)."""
    #: "load", "buffer", "alignment", "fixed", "clique", "order", "sums",
    #: "window", "search" or "stated": see docs/json.md.
    reason: str
    start: int
    end: int
    buffers: List[int]


class Plan:
    """An offset for every buffer, checked by Berth's verifier.

    `plan[buffer]` is a buffer's offset, by index, id, or the Buffer itself.
    In a notebook a plan shows itself as a picture to explore.
    """

    #: Largest top of any buffer: the bytes that the arena needs.
    peak: int
    #: Largest sum of sizes that are live at once: no plan needs less.
    load: int
    #: No plan has a smaller peak; at least the load.
    lower_bound: int
    #: Why that is so.
    bound: Bound
    #: "optimal", "feasible", "infeasible" (proven: nothing fits the capacity)
    #: or "budget" (nothing that fits was found).
    status: str
    #: Why packing ended: "bound", "exhausted", "fit", "steps", "time" or
    #: "interrupt".
    stopped: str
    #: The algorithm, or "given" for a plan that was verified.
    packer: str
    #: What it took, in steps of the packer's budget.
    steps: int
    #: Figures of the objective besides the peak.
    price: int
    pool_cost: int
    hint_distance: int
    #: One offset a buffer, in order.
    offsets: List[int]
    #: One pool a buffer; all 0 where the problem has no pools.
    pools: List[int]
    #: Cuts bought, by index.
    cuts: List[int]
    #: Where nothing fits: buffers, by index, that cannot fit together.
    conflict: List[int]

    def __init__(self, session: Session, problem: Optional["Problem"] = None,
                 ids: Optional[Sequence[str]] = None,
                 sizes: Optional[Sequence[int]] = None) -> None:
        """For this package: plans come from pack() and the like."""
        figures = session.figures()
        self._session = session
        self._problem = problem
        self._ids = ids
        self._sizes = sizes
        self.peak = figures.peak
        self.load = figures.load
        self.lower_bound = figures.lowerBound
        self.bound = Bound(figures.boundReason.decode(), figures.boundFrom,
                           figures.boundTo,
                           session.array("berthSessionBound",
                                         figures.numBoundBuffers))
        self.status = figures.status.decode()
        self.stopped = figures.stopped.decode()
        self.packer = figures.packer.decode()
        self.steps = figures.steps
        self.price = figures.price
        self.pool_cost = figures.poolCost
        self.hint_distance = figures.hintDistance
        self.capacity: Optional[int] = figures.capacity or None
        self.offsets = session.array("berthSessionOffsets", figures.numBuffers)
        self.pools = session.array("berthSessionPools", figures.numBuffers)
        bought = session.array("berthSessionCuts", figures.numCuts)
        self.cuts = [i for i, isBought in enumerate(bought) if isBought]
        self.conflict = session.array("berthSessionConflict",
                                      figures.numConflict)
        self.conflict_irreducible = bool(figures.conflictIrreducible)

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no plan is better."""
        return self.status == "optimal"

    @property
    def fits(self) -> bool:
        """Whether it is within the capacity."""
        return self.status in ("optimal", "feasible")

    def _id(self, index: int) -> str:
        if self._problem is not None:
            return self._problem.id_of(index)
        if self._ids is not None:
            return self._ids[index]
        return "b{}".format(index)

    def _size(self, index: int) -> int:
        if self._problem is not None:
            return self._problem.buffers[index].size
        assert self._sizes is not None
        return int(self._sizes[index])

    def placement(self, buffer: Union[int, str, "Buffer"]) -> Placement:
        """Where a buffer lies, by index, id, or the Buffer itself."""
        index = self._index(buffer)
        return Placement(self._id(index), self.offsets[index],
                         self._size(index), self.pools[index])

    def __getitem__(self, buffer: Union[int, str, "Buffer"]) -> int:
        return self.offsets[self._index(buffer)]

    def _index(self, buffer: Any) -> int:
        if self._problem is not None:
            return self._problem.index_of(buffer)
        if isinstance(buffer, str):
            ids = self._ids
            if ids is not None and buffer in ids:
                return list(ids).index(buffer)
            raise KeyError("the plan has no buffer {!r}".format(buffer))
        return _values.index(buffer, len(self), "the plan")

    def __len__(self) -> int:
        return len(self.offsets)

    def __iter__(self) -> Iterator[Placement]:
        """The placements, in the order of the buffers."""
        return (self.placement(i) for i in range(len(self)))

    def offsets_array(self) -> Any:
        """The offsets as a numpy array of int64."""
        numpy = _numpy("offsets")
        return numpy.array(self.offsets, dtype=numpy.int64)

    def pools_array(self) -> Any:
        """The pools as a numpy array of uint32."""
        numpy = _numpy("pools")
        return numpy.array(self.pools, dtype=numpy.uint32)

    def to_json(self) -> str:
        """Problem and plan in Berth's JSON, for berth-pack and Problem.parse."""
        return self._session.text("json")

    def to_csv(self) -> str:
        """Buffers and offsets as CSV; not for what CSV cannot hold."""
        return self._session.text("csv")

    def to_svg(self, title: Optional[str] = None) -> str:
        """A picture: time across, bytes up, one box a buffer."""
        return self._session.text("svg", title)

    def to_html(self, title: Optional[str] = None) -> str:
        """A page that stands alone, to explore by mouse."""
        return self._session.text("html", title)

    def _repr_html_(self) -> str:
        """For notebooks: the page in a frame of its own, so that neither its
        style nor its names meet those of the notebook."""
        if any(offset < 0 for offset in self.offsets):
            return "<pre>{}</pre>".format(html.escape(repr(self)))
        return ('<iframe srcdoc="{}" title="memory plan" '
                'sandbox="allow-scripts" style="width: 100%; height: 480px; '
                'border: 0"></iframe>'.format(html.escape(self.to_html())))

    def __repr__(self) -> str:
        return "<berth.Plan: {} buffers, peak {}, load {}, {}, packer {}>".format(
            len(self), self.peak, self.load, self.status, self.packer)
