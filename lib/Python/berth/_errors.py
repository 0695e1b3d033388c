# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong, as exceptions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._plan import Plan

__all__ = ["BerthError", "InvalidError", "DoesNotFitError", "ToolError"]


class BerthError(Exception):
    """Every error of this package but those of wrong Python types, which are
    TypeErrors. Raised as such where memory ran out, a file of Berth is missing,
    or Berth broke one of its own promises.

    `number` is what `berth-pack --explain-error` and docs/messages.md explain,
    "berth-E009", or "".
    """
    __module__ = "berth"  # as users know it, in tracebacks

    number: str = ""


class InvalidError(BerthError, ValueError):
    """The problem, the plan or an option is wrong.

    `message` is the sentence alone; `line` and `column` (from 1) say where, if
    the problem came from text; `buffer` is the index of the buffer to blame, if
    there is a single one.
    """
    __module__ = "berth"  # as users know it, in tracebacks

    def __init__(self, message: str, *, line: Optional[int] = None,
                 column: Optional[int] = None,
                 buffer: Optional[int] = None, number: str = "") -> None:
        where = "" if line is None else "{}:{}: ".format(line, column)
        behind = " [{}]".format(number) if number else ""
        super().__init__(where + message + behind)
        self.message = message
        self.line = line
        self.column = column
        self.buffer = buffer
        self.number = number


class DoesNotFitError(BerthError):
    """No plan within the capacity was found. `plan` tells whether that is
    proven (status "infeasible"), and which buffers are to blame; of a fit there
    is none."""
    __module__ = "berth"  # as users know it, in tracebacks

    def __init__(self, message: str, plan: Optional["Plan"] = None) -> None:
        self.number = "berth-E050"
        super().__init__("{} [{}]".format(message, self.number))
        self.plan = plan


class ToolError(BerthError):
    """berth-opt refused the module, or could not be run. `messages` is what it
    wrote, `returncode` how it ended, `number` that of the first error of
    Berth's."""
    __module__ = "berth"  # as users know it, in tracebacks

    def __init__(self, message: str, *, messages: str = "",
                 returncode: Optional[int] = None) -> None:
        super().__init__(message)
        first = re.search(r"error: .*\[(berth-E\d+)\]", messages)
        self.number = first.group(1) if first else ""
        self.messages = messages
        self.returncode = returncode
