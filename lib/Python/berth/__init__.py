# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Berth, a memory planner: gives buffers offsets in one arena.

    >>> import berth
    >>> plan = berth.pack([berth.Buffer(1024, 0, 3), berth.Buffer(1024, 3, 5)])
    >>> plan.offsets, plan.peak
    ([0, 0], 1024)

`Problem`, `Buffer` and `pack` plan buffers whose live ranges are known;
`plan` runs Berth's passes on the text of an MLIR module; `berth.minimalloc`
stands in for the package of that name. docs/python.md has it all.
"""

from ._library import library as _library_of
from ._errors import BerthError, DoesNotFitError, InvalidError, ToolError
from ._fit import Fit, Stay
from ._module import Allocation, PlannedModule, Scope, plan
from ._plan import Bound, Placement, Plan
from ._problem import Buffer, Cut, Distance, Edge, Gap, Pool, Problem, Use, pack, \
    pack_arrays, packers

__all__ = [
    "Allocation", "BerthError", "Bound", "Buffer", "Cut", "Distance", "DoesNotFitError", "Edge",
    "Fit", "Gap", "InvalidError", "Placement", "Plan", "PlannedModule", "Pool",
    "Problem", "Scope", "Stay", "ToolError", "Use", "library_version", "pack", "pack_arrays",
    "packers", "plan",
]


def library_version() -> str:
    """The version of the libberth-pack that was found."""
    version: bytes = _library_of().berthVersionString()
    return version.decode()
