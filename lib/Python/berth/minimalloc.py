# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for the package `minimalloc`: `from berth.minimalloc import
Buffer, Problem` is the whole change to a program that uses it.

As there, `end_time` is the last time at which a buffer is live (so one that
starts and ends at the same time is live then), offsets come back in the order
of the buffers, and MiniMallocError means that nothing fits. Alignments are any
integers, 0 meaning 1, and need not be powers of two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List

from . import _values
from ._errors import BerthError, DoesNotFitError, InvalidError
from ._problem import pack_arrays

__all__ = ["Buffer", "MiniMallocError", "Problem", "Solution"]


#: What a buffer needs to have; it may be one of the package `minimalloc`.
_FIELDS = ("id", "start_time", "end_time", "size", "alignment")


class MiniMallocError(BerthError):
    """Nothing fits the capacity."""


@dataclass
class Buffer:
    """A buffer that is live from `start_time` to `end_time`, both included."""
    id: str
    start_time: int
    end_time: int
    size: int
    alignment: int = 0


class Solution(List[int]):
    """One offset a buffer."""


@dataclass
class Problem:
    buffers: List[Buffer]
    capacity: int

    def solve(self) -> Solution:
        """The offsets, in the order of the buffers."""
        capacity = _values.integer(self.capacity, "the capacity")
        sizes, lowers, uppers, alignments = [], [], [], []
        for i, buffer in enumerate(_values.each(self.buffers, "buffers")):
            if not all(hasattr(buffer, name) for name in _FIELDS):
                raise TypeError("buffers[{}] is {}; a Buffer is needed".format(
                    i, _values.shown(buffer)))
            what = "buffer {!r}: ".format(_values.text(
                buffer.id, "the id of buffers[{}]".format(i)))
            sizes.append(_values.integer(buffer.size, what + "size", 0))
            start = _values.integer(buffer.start_time, what + "start_time")
            end = _values.integer(buffer.end_time, what + "end_time",
                                  most=_values.INT64_MAX - 1)
            if end < start:
                raise InvalidError("{}end_time is {}, before start_time {}"
                                   .format(what, end, start), buffer=i)
            lowers.append(start)
            uppers.append(end + 1)
            alignments.append(_values.integer(
                buffer.alignment, what + "alignment", 0) or 1)
        return self._place(capacity, sizes, lowers, uppers, alignments)

    def _place(self, capacity: int, sizes: List[int], lowers: List[int],
               uppers: List[int], alignments: List[int]) -> Solution:
        # What has no bytes lies anywhere; the library wants sizes from 1.
        real = [i for i, size in enumerate(sizes) if size > 0]
        result = Solution([0] * len(sizes))
        if not real and capacity >= 0:
            return result
        if capacity < 1:
            raise MiniMallocError("nothing fits a capacity of {}".format(
                capacity))

        def pick(column: List[int]) -> Any:
            return [column[i] for i in real]

        try:
            plan = pack_arrays(pick(sizes), pick(lowers), pick(uppers),
                               alignments=pick(alignments), capacity=capacity)
        except DoesNotFitError as error:
            names = [repr(self.buffers[real[i]].id)
                     for i in error.plan.conflict]
            together = ": {} cannot lie in it together".format(
                ", ".join(names[:8])) if names else ""
            raise MiniMallocError("no plan within the capacity of {} bytes{}"
                                  .format(capacity, together)) from error
        for i, offset in zip(real, plan.offsets):
            result[i] = offset
        return result
