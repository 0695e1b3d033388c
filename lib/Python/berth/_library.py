# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds libberth-pack and berth-opt, and declares the C functions.

The one place that knows include/berth-c/Session.h.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import os
import shutil
from pathlib import Path
from typing import Any, List, Optional

from . import _values
from ._errors import BerthError, InvalidError

ABI = 1
_LIBRARY = "libberth-pack.so.0"

_SUCCESS, _INVALID = 0, 1

_INT64S = ctypes.POINTER(ctypes.c_int64)
_UINT32S = ctypes.POINTER(ctypes.c_uint32)
_UINT8S = ctypes.POINTER(ctypes.c_uint8)
INTERRUPTED = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)


class Arrays(ctypes.Structure):
    """BerthSessionArrays."""
    _fields_ = [
        ("structSize", ctypes.c_uint64),
        ("numBuffers", ctypes.c_uint64),
        ("sizes", _INT64S),
        ("lowers", _INT64S),
        ("uppers", _INT64S),
        ("alignments", _INT64S),
        ("fixedOffsets", _INT64S),
        ("hints", _INT64S),
        ("weights", _INT64S),
        ("groups", _INT64S),
        ("ids", ctypes.POINTER(ctypes.c_char_p)),
        ("numEdges", ctypes.c_uint64),
        ("edges", _UINT32S),
        ("capacity", ctypes.c_int64),
    ]


class Options(ctypes.Structure):
    """BerthSessionOptions."""
    _fields_ = [
        ("structSize", ctypes.c_uint64),
        ("packer", ctypes.c_char_p),
        ("steps", ctypes.c_uint64),
        ("timeLimit", ctypes.c_double),
        ("seed", ctypes.c_uint64),
        ("threads", ctypes.c_uint32),
        ("minimize", ctypes.c_uint32),
        ("proofFile", ctypes.c_char_p),
        ("interrupted", INTERRUPTED),
        ("userData", ctypes.c_void_p),
    ]


class Figures(ctypes.Structure):
    """BerthSessionFigures."""
    _fields_ = [
        ("structSize", ctypes.c_uint64),
        ("numBuffers", ctypes.c_uint64),
        ("numCuts", ctypes.c_uint64),
        ("numConflict", ctypes.c_uint64),
        ("capacity", ctypes.c_int64),
        ("peak", ctypes.c_int64),
        ("load", ctypes.c_int64),
        ("lowerBound", ctypes.c_int64),
        ("price", ctypes.c_int64),
        ("poolCost", ctypes.c_int64),
        ("hintDistance", ctypes.c_int64),
        ("steps", ctypes.c_uint64),
        ("packer", ctypes.c_char_p),
        ("status", ctypes.c_char_p),
        ("stopped", ctypes.c_char_p),
        ("provenLevels", ctypes.c_uint32),
        ("conflictIrreducible", ctypes.c_uint32),
        ("boundReason", ctypes.c_char_p),
        ("boundFrom", ctypes.c_int64),
        ("boundTo", ctypes.c_int64),
        ("numBoundBuffers", ctypes.c_uint64),
    ]


#: Result and arguments of each function; a session is a void pointer.
_FUNCTIONS = {
    "berthSessionCreate": (ctypes.c_void_p, []),
    "berthSessionDestroy": (None, [ctypes.c_void_p]),
    "berthSessionMessage": (ctypes.c_char_p, [ctypes.c_void_p]),
    "berthSessionErrorNumber": (ctypes.c_char_p, [ctypes.c_void_p]),
    "berthSessionErrorLine": (ctypes.c_uint64, [ctypes.c_void_p]),
    "berthSessionErrorColumn": (ctypes.c_uint64, [ctypes.c_void_p]),
    "berthSessionErrorBuffer": (ctypes.c_int64, [ctypes.c_void_p]),
    "berthSessionSetText": (ctypes.c_int32, [
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p,
        ctypes.c_int32]),
    "berthSessionSetArrays": (ctypes.c_int32, [
        ctypes.c_void_p, ctypes.POINTER(Arrays)]),
    "berthSessionPack": (ctypes.c_int32, [
        ctypes.c_void_p, ctypes.POINTER(Options)]),
    "berthSessionVerify": (ctypes.c_int32, [
        ctypes.c_void_p, _INT64S, _UINT32S, _UINT8S]),
    "berthSessionGetFigures": (ctypes.c_int32, [
        ctypes.c_void_p, ctypes.POINTER(Figures)]),
    "berthSessionOffsets": (_INT64S, [ctypes.c_void_p]),
    "berthSessionPools": (_UINT32S, [ctypes.c_void_p]),
    "berthSessionCuts": (_UINT8S, [ctypes.c_void_p]),
    "berthSessionConflict": (_UINT32S, [ctypes.c_void_p]),
    "berthSessionBound": (_UINT32S, [ctypes.c_void_p]),
    "berthSessionText": (ctypes.c_void_p, [
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_uint64)]),
    "berthSessionFit": (ctypes.c_void_p, [
        ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64,
        ctypes.c_int64, ctypes.c_char_p, ctypes.c_uint64,
        ctypes.POINTER(ctypes.c_uint64)]),
    "berthVersionString": (ctypes.c_char_p, []),
    "berthPackerCount": (ctypes.c_size_t, []),
    "berthPackerName": (ctypes.c_char_p, [ctypes.c_size_t]),
    "berthPackerSummary": (ctypes.c_char_p, [ctypes.c_size_t]),
}


def _prefixes() -> List[Path]:
    """The folders above this package: one is the prefix it was installed to."""
    return list(Path(__file__).resolve().parents)[1:6]


def _library_candidates() -> List[str]:
    found = []
    for prefix in _prefixes():
        for folder in ("lib", "lib64"):
            found.append(prefix / folder / _LIBRARY)
            found += sorted((prefix / folder).glob("*-linux-*/" + _LIBRARY))
    return [str(path) for path in found if path.is_file()]


def _open() -> Any:
    named = os.environ.get("BERTH_LIBRARY")
    if named:
        candidates = [named]
    else:
        candidates = _library_candidates()
        system = ctypes.util.find_library("berth-pack")
        candidates += [_LIBRARY] if system is None else [system]
    try:
        return ctypes.CDLL(candidates[0])
    except OSError as error:
        where = ("the file that BERTH_LIBRARY names" if named else
                 "beside this package or on the loader's path")
        way = "" if named else "; BERTH_LIBRARY may name the file"
        raise BerthError("cannot load libberth-pack from {}: {}{}".format(
            where, error, way)) from None


@functools.lru_cache(maxsize=None)
def library() -> Any:
    """The C library, loaded at the first use."""
    result = _open()
    try:
        result.berthSessionAbi.restype = ctypes.c_uint32
        abi = result.berthSessionAbi()
    except AttributeError:
        abi = 0
    if abi != ABI:
        raise BerthError(
            "{} has session interface {}, and this package needs {}: they are "
            "of different versions of Berth".format(result._name, abi, ABI))
    for name, (result_type, argument_types) in _FUNCTIONS.items():
        function = getattr(result, name)
        function.restype = result_type
        function.argtypes = argument_types
    return result


def find_tool(name: str, variable: str) -> str:
    """The path of a tool of Berth: named by an environment variable, else
    beside this package, else in PATH."""
    named = os.environ.get(variable)
    if named:
        return named
    for prefix in _prefixes():
        path = prefix / "bin" / name
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    path_found = shutil.which(name)
    if path_found:
        return path_found
    raise BerthError(
        "cannot find {}: it is neither beside this package nor in PATH; {} may "
        "name it".format(name, variable))


class Session:
    """A BerthSession, destroyed with this object."""

    _handle: Optional[int] = None

    def __init__(self) -> None:
        self._library = library()
        self._handle = self._library.berthSessionCreate()
        if not self._handle:
            raise MemoryError("no memory for a session of libberth-pack")

    def __del__(self) -> None:
        if self._handle:
            self._library.berthSessionDestroy(self._handle)
            self._handle = None

    def __reduce__(self) -> Any:
        raise TypeError(
            "a plan lies in memory of libberth-pack, and is neither pickled nor "
            "deep-copied: keep its to_json(), or its offsets")

    def _fail(self, status: int) -> BerthError:
        message = self._library.berthSessionMessage(self._handle).decode(
            "utf-8", "replace")
        if status != _INVALID:
            return BerthError(message)
        line = self._library.berthSessionErrorLine(self._handle)
        buffer = self._library.berthSessionErrorBuffer(self._handle)
        return InvalidError(
            message, line=line or None,
            column=self._library.berthSessionErrorColumn(self._handle)
            if line else None,
            buffer=buffer if buffer >= 0 else None,
            number=self._library.berthSessionErrorNumber(
                self._handle).decode().strip("[]"))

    def call(self, name: str, *arguments: Any) -> None:
        """A function of the library on this session that returns a status."""
        status = getattr(self._library, name)(self._handle, *arguments)
        if status != _SUCCESS:
            raise self._fail(status)

    def figures(self) -> Figures:
        result = Figures(structSize=ctypes.sizeof(Figures))
        self.call("berthSessionGetFigures", ctypes.byref(result))
        return result

    def array(self, name: str, count: int) -> List[int]:
        """What the pointer that the function `name` returns points to."""
        if count == 0:
            return []
        pointer = getattr(self._library, name)(self._handle)
        return list(pointer[:count])

    def pointer(self, name: str) -> Any:
        return getattr(self._library, name)(self._handle)

    def text(self, format: str, title: Optional[str] = None) -> str:
        length = ctypes.c_uint64()
        pointer = self._library.berthSessionText(
            self._handle, format.encode(),
            None if title is None else _values.text(title, "title", "replace").encode(
                "utf-8", "replace"), ctypes.byref(length))
        if not pointer:
            raise self._fail(_INVALID)
        return ctypes.string_at(pointer, length.value).decode()

    def fit(self, fill: int, spill: int, access: int, move: int,
            policy: Optional[str], steps: int) -> str:
        length = ctypes.c_uint64()
        pointer = self._library.berthSessionFit(
            self._handle, fill, spill, access, move,
            None if policy is None else policy.encode(), steps,
            ctypes.byref(length))
        if not pointer:
            raise self._fail(_INVALID)
        return ctypes.string_at(pointer, length.value).decode()
