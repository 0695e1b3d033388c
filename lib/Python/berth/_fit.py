# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits: what must leave a memory that is too small (docs/fit.md)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, List, NamedTuple, Union

if TYPE_CHECKING:
    from ._problem import Buffer, Problem

__all__ = ["Fit", "Stay"]


class Stay(NamedTuple):
    """A stay of a buffer in the fast memory, during [lower, upper)."""
    buffer: int
    lower: int
    upper: int
    offset: int
    #: Its content is brought in at `lower`.
    fill: bool = False
    #: Its content is taken out at `upper`.
    spill: bool = False
    #: Its content is made again at `lower`.
    made: bool = False
    #: It holds no more than the tile of the one use in it.
    tiled: bool = False


class Fit:
    """Stays in the fast memory, checked by Berth's verifier of fits."""

    #: "optimal" (no fit costs less) or "feasible".
    status: str
    #: What all moves and accesses cost, and what no fit is below.
    cost: int
    cost_bound: int
    bytes_in: int
    bytes_out: int
    #: Served from the slow memory.
    bytes_accessed: int
    #: Made again instead of kept or moved.
    bytes_made: int
    #: Highest top of any stay, and a bound for these very stays.
    peak: int
    peak_bound: int
    #: By buffer, then time.
    stays: List[Stay]

    def __init__(self, text: str, problem: "Problem") -> None:
        """For this package: fits come from Problem.fit()."""
        self._text = text
        self._problem = problem
        fit = json.loads(text)["fit"]
        self.status = fit["status"]
        self.cost = fit["cost"]
        self.cost_bound = fit["cost_bound"]
        self.bytes_in = fit["bytes_in"]
        self.bytes_out = fit["bytes_out"]
        self.bytes_accessed = fit["bytes_accessed"]
        self.bytes_made = fit["bytes_made"]
        self.peak = fit["peak"]
        self.peak_bound = fit["peak_bound"]
        self.stays = [Stay(**stay) for stay in fit["stays"]]

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no fit costs less."""
        return self.status == "optimal"

    def stays_of(self, buffer: Union[int, str, "Buffer"]) -> List[Stay]:
        """Those of one buffer, by index, id, or the Buffer itself."""
        index = self._problem.index_of(buffer)
        return [stay for stay in self.stays if stay.buffer == index]

    def to_json(self) -> str:
        """Problem and fit in Berth's JSON, for berth-pack fit."""
        return self._text

    def __repr__(self) -> str:
        return "<berth.Fit: {} stays, cost {}, bound {}, {}, peak {}>".format(
            len(self.stays), self.cost, self.cost_bound, self.status, self.peak)
