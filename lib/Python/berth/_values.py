# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values from Python checked and turned into C's, with errors that name them."""

from __future__ import annotations

import ctypes
import math
import numbers
import operator
import os
from array import array
from typing import Any, Iterable, List, Mapping, Optional

from ._errors import InvalidError

INT64_MIN = -2**63
INT64_MAX = 2**63 - 1


def shown(value: Any) -> str:
    """The value and its class, as errors say them: "2.5, a float"."""
    name = type(value).__name__
    return "{!r}, {} {}".format(value, "an" if name[0] in "aeiouAEIOU" else "a",
                                name)


def integer(value: Any, what: str, least: int = INT64_MIN,
            most: int = INT64_MAX) -> int:
    """`value` as an int; numpy's integers are welcome, bools and floats not."""
    if is_bool(value):
        raise TypeError("{} is {}; an integer is needed".format(
            what, shown(value)))
    try:
        result = operator.index(value)
    except TypeError:
        raise TypeError("{} is {}; an integer is needed".format(
            what, shown(value))) from None
    if least <= result <= most:
        return result
    if result > INT64_MAX or result < INT64_MIN:
        raise InvalidError("{} is {}, which does not fit 64 bits".format(
            what, result))
    if most == INT64_MAX:
        raise InvalidError("{} is {}; it must be at least {}".format(
            what, result, least))
    raise InvalidError("{} is {}; it must be from {} to {}".format(
        what, result, least, most))


def index(value: Any, count: int, owner: str) -> int:
    """`value` as the index, from 0, of one of `count` buffers; negative ones
    count from the end, as in lists."""
    result = integer(value, "the index of a buffer")
    if not -count <= result < count:
        raise IndexError("{} has no buffer {}; there are {}".format(
            owner, result, count))
    return result % count


def text(value: Any, what: str, errors: str = "strict") -> str:
    """A string that UTF-8 can hold; `errors` says, as str.encode has it, what is
    to become of halves of characters."""
    if not isinstance(value, str):
        raise TypeError("{} is {}; a string is needed".format(
            what, shown(value)))
    if "\0" in value:
        raise InvalidError("{} is {!r}, which holds a NUL".format(what, value))
    try:
        value.encode("utf-8", errors)
    except UnicodeEncodeError as error:
        raise InvalidError(
            "{} holds {!r} at index {}: half of a surrogate pair, which is no "
            "character".format(what, value[error.start], error.start)) from None
    return value


def is_bool(value: Any) -> bool:
    """Of Python or numpy."""
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def flag(value: Any, what: str) -> bool:
    """Only bools: of a string such as "no" nobody would guess what it says."""
    if not is_bool(value):
        raise TypeError("{} is {}; True or False is needed".format(
            what, shown(value)))
    return bool(value)


def seconds(value: Any, what: str, most: float = math.inf) -> float:
    """`value` as a float above 0, and not without end."""
    if is_bool(value) or not isinstance(value, numbers.Real):
        raise TypeError("{} is {}; a number of seconds is needed".format(
            what, shown(value)))
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not 0 < result < math.inf:
        raise InvalidError("{} is {!r}; it must be above 0 and finite".format(
            what, value))
    if result > most:
        raise InvalidError("{} is {!r}; it must be at most {}".format(
            what, value, most))
    return result


def path(value: Any, what: str, needed: str = "a path") -> str:
    """The path that a string or something like pathlib.Path is."""
    try:
        result = os.fspath(value)
    except TypeError:
        result = None
    if not isinstance(result, str):
        raise TypeError("{} is {}; {} is needed".format(
            what, shown(value), needed))
    if not result:
        raise InvalidError("{} is an empty path".format(what))
    return text(result, what, "surrogateescape")  # as Python has file names


def _view(values: Any) -> Optional[memoryview]:
    """A view of something like a numpy array, or None."""
    if isinstance(values, (bytes, bytearray, str)):
        return None
    try:
        view = memoryview(values)
    except (TypeError, ValueError):
        return None
    return view if view.ndim == 1 else None


def int64s(values: Any, what: str, count: Optional[int] = None) -> Any:
    """`values` as a C array of int64, without a copy where they are one
    already. `what` names the array in errors."""
    view = _view(values)
    if view is not None and view.format in ("l", "q") and view.itemsize == 8 \
            and view.c_contiguous and len(view) > 0:
        kind = ctypes.c_int64 * len(view)
        result = (kind.from_buffer_copy(view) if view.readonly
                  else kind.from_buffer(view))
    else:
        checked = array("q")
        for i, value in enumerate(column(values, what)):
            checked.append(integer(value, "{}[{}]".format(what, i)))
        result = (ctypes.c_int64 * len(checked)).from_buffer_copy(checked)
    if count is not None and len(result) != count:
        raise InvalidError("{} has {} entries; there are {} buffers".format(
            what, len(result), count))
    return result


def pairs(values: Any, what: str, count: int) -> Any:
    """Pairs of buffers as a flat C array of uint32."""
    checked = array("I")
    for i, pair in enumerate(each(values, what)):
        name = "{}[{}]".format(what, i)
        both = list(each(pair, name))
        if len(both) != 2:
            raise InvalidError("{} has {} entries; a pair is needed".format(
                name, len(both)))
        for one in both:
            checked.append(integer(one, name, 0, count - 1))
    return (ctypes.c_uint32 * len(checked)).from_buffer_copy(checked)


def given(values: Any, what: str) -> List[Any]:
    """What an optional sequence holds, be it an array, whose truth says nothing
    of its length; None stands for an empty one."""
    return [] if values is None else list(each(values, what))


def each(values: Any, what: str) -> Iterable[Any]:
    if isinstance(values, (str, bytes, bytearray, Mapping)) \
            or not hasattr(values, "__iter__"):
        raise TypeError("{} is {}; a sequence is needed".format(
            what, shown(values)))
    result: Iterable[Any] = values
    return result


def column(values: Any, what: str) -> Iterable[Any]:
    """What holds one entry a buffer, in their order."""
    if isinstance(values, (set, frozenset)):
        raise TypeError("{} is {}, which has no order; a sequence is needed".format(
            what, shown(values)))
    return each(values, what)
