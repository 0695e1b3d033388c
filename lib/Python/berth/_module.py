# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Planning MLIR modules as text, by running berth-opt."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _library, _values
from ._errors import ToolError
from ._plan import Plan
from ._problem import Buffer, Distance, Problem

__all__ = ["Allocation", "PlannedModule", "Scope", "plan"]


@dataclass(frozen=True)
class Allocation:
    """One allocation of a scope."""
    #: The value's name as MLIR prints it before the pass, and its type.
    name: str
    type: str
    line: int
    column: int
    #: Whether it has an offset; if not, `reason` says why.
    placed: bool
    reason: Optional[str]
    size: Optional[int]
    alignment: Optional[int]
    #: In bytes from the arena's start; None if it is computed at run time.
    offset: Optional[int]
    #: Whether it was written over a dying operand.
    in_place: bool
    #: When it is live: [lower, upper) in program points.
    segments: Tuple[Tuple[int, int], ...]


@dataclass(frozen=True)
class Scope:
    """A function (or a parallel loop's body) and its arena."""
    name: str
    line: int
    column: int
    space: str
    #: Sum of the placed sizes, and bytes of the arena.
    bytes_before: int
    bytes_after: int
    alignment: int
    load: int
    lower_bound: int
    #: As Plan.status.
    status: str
    packer: str
    allocations: Tuple[Allocation, ...]
    #: The scope's whole object in the report (docs/berth-arena.md).
    report: Dict[str, Any]

    @property
    def optimal(self) -> bool:
        return self.status == "optimal"

    def picture(self) -> Plan:
        """What has an offset, as a plan of the packing library: to_html() and
        to_svg() draw it. Its times are program points."""
        shown = [a for a in self.allocations if a.offset is not None and a.segments]
        problem = Problem()
        for allocation in shown:
            taken = any(b.id == allocation.name for b in problem.buffers)
            problem.buffers.append(Buffer(
                allocation.size or 0, segments=allocation.segments,
                id="{} at line {}".format(allocation.name, allocation.line)
                if taken else allocation.name))
        offsets = [a.offset or 0 for a in shown]
        # Results over dying operands, and lives of some bytes only, were found
        # to be right from more than the segments tell.
        for j, b in enumerate(problem.buffers):
            for i, a in enumerate(problem.buffers[:j]):
                apart = offsets[j] - offsets[i]
                if -b.size < apart < a.size and _meet(a.segments, b.segments):
                    problem.distances.append(Distance(i, j, apart, a.size))
        return problem.verify(offsets)

    def _repr_html_(self) -> str:
        """For notebooks: the picture."""
        return self.picture()._repr_html_()


@dataclass(frozen=True)
class PlannedModule:
    """What berth-opt made of a module."""
    #: The module as berth-opt printed it.
    text: str
    #: One entry for each scope that berth-arena looked at.
    scopes: Tuple[Scope, ...]
    #: Warnings and, where asked for, remarks.
    messages: str

    def scope(self, name: str) -> Scope:
        """The first scope of a name."""
        name = _values.text(name, "the name of a scope")
        for scope in self.scopes:
            if scope.name == name:
                return scope
        raise KeyError("no scope {!r}; there are {}".format(
            name, ", ".join(repr(s.name) for s in self.scopes) or "none"))

    def _repr_html_(self) -> str:
        """For notebooks: the pictures of all scopes."""
        return "".join("<h4>{}</h4>{}".format(
            html.escape(scope.name + ", " + scope.space), scope._repr_html_())
            for scope in self.scopes)


def _meet(a: Sequence[Tuple[int, int]], b: Sequence[Tuple[int, int]]) -> bool:
    return any(s[0] < t[1] and t[0] < s[1] for s in a for t in b)


#: The timeout that all of Python's platforms can hold: some 31 years.
_LONGEST = 1e9


def plan(module: str, passes: Union[str, Sequence[str]] = "berth-arena", *,
         target: Union[None, str, "os.PathLike[str]", Dict[str, Any]] = None,
         generic: bool = False, allow_unregistered: bool = False,
         verify_input: bool = True, remarks: bool = False, arguments: Sequence[str] = (),
         timeout: Optional[float] = None) -> PlannedModule:
    """Runs passes on the text of a module and returns the new text and the plan.

    `passes` is a pipeline in MLIR's notation, "builtin.module(...)"; or a pass
    or a list of passes with their options, which run on the module, or nested as
    "func.func(berth-arena)". Whatever
    berth-arena plans in it is in the result's `scopes`.

    `target` describes ops, layouts and memories of dialects that berth-opt does
    not know (docs/own-dialect.md): a file's path, or what would stand in it.
    `generic` prints in generic form, `allow_unregistered` takes ops of any other
    dialect, `verify_input=False` takes input that MLIR's verifier rejects (and
    then rejects no output either), `remarks` puts Berth's remarks into `messages`, `arguments` are
    handed to berth-opt as they are, `timeout` is in seconds. A module or a
    pipeline that berth-opt refuses is a ToolError.

    berth-opt is the one that the environment variable BERTH_OPT names, else
    the one installed with this package, else the one in PATH.
    """
    text = _values.text(module, "the module", "surrogateescape")
    command = ["-", "--berth-report", "--pass-pipeline=" + _pipeline(passes)]
    if not _values.flag(verify_input, "verify_input"):
        command.append("--berth-unverified-input")
    if _values.flag(generic, "generic"):
        command.append("--mlir-print-op-generic")
    if _values.flag(allow_unregistered, "allow_unregistered"):
        command.append("--allow-unregistered-dialect")
    if _values.flag(remarks, "remarks"):
        command.append("--remarks-filter=berth.*")
    command += [_values.text(a, "arguments[{}]".format(i), "surrogateescape")
                for i, a in enumerate(_values.each(arguments, "arguments"))]
    if timeout is not None:
        timeout = _values.seconds(timeout, "timeout", _LONGEST)
    if not isinstance(target, dict):
        if target is not None:
            command.append("--berth-target=" + _values.path(
                target, "the target", "a path or a dict"))
        return _run(command, text, timeout)
    description = _description(target)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "target.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(description)
        # The file is gone when somebody reads the messages.
        return _run(command + ["--berth-target=" + path], text, timeout,
                    hidden=path)


def _description(target: Dict[str, Any]) -> str:
    """The JSON of a target; numpy's numbers and arrays are welcome."""
    def plain(value: Any) -> Any:
        if hasattr(value, "tolist"):
            return value.tolist()
        raise TypeError("the target holds {}, which JSON has not".format(
            _values.shown(value)))
    return _values.text(json.dumps(target, default=plain, ensure_ascii=False),
                        "the target")


def _run(arguments: List[str], text: str, timeout: Optional[float],
         hidden: Optional[str] = None) -> PlannedModule:
    """Runs berth-opt; messages have "<target>" in place of the path `hidden`."""
    command = [_library.find_tool("berth-opt", "BERTH_OPT")] + arguments
    try:
        done = subprocess.run(command, input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8",
                              errors="surrogateescape", timeout=timeout)
    except OSError as error:
        raise ToolError("cannot run {}: {}".format(
            command[0], error.strerror)) from error
    except subprocess.TimeoutExpired:
        raise ToolError("berth-opt took longer than {} seconds".format(
            timeout)) from None
    said = done.stderr if hidden is None else done.stderr.replace(
        hidden, "<target>")
    scopes, messages = _split(said)
    if done.returncode != 0:
        raise ToolError(_why(done.returncode, messages), messages=messages,
                        returncode=done.returncode)
    return PlannedModule(done.stdout, tuple(scopes), messages)


def _pipeline(passes: Union[str, Sequence[str]]) -> str:
    if not isinstance(passes, str):
        passes = ",".join(_values.text(one, "passes[{}]".format(i))
                          for i, one in enumerate(_values.each(passes, "passes")))
    passes = _values.text(passes, "passes")
    if re.match(r"\s*(builtin\.module|any)\s*\(", passes):
        return passes
    return "builtin.module({})".format(passes)


def _split(stderr: str) -> Tuple[List[Scope], str]:
    """The lines of the report, and all others."""
    scopes, others = [], []
    for line in stderr.splitlines(keepends=True):
        report = None
        if line.startswith('{"scope": '):
            try:
                report = json.loads(line)
            except ValueError:
                pass
        if isinstance(report, dict) and "allocations" in report:
            scopes.append(_scope(report))
        else:
            others.append(line)
    return scopes, "".join(others)


def _scope(report: Dict[str, Any]) -> Scope:
    return Scope(
        report["scope"], report["line"], report["column"], report["space"],
        report["bytes_before"], report["bytes_after"], report["alignment"],
        report["load"], report["lower_bound"], report["status"],
        report["packer"],
        tuple(_allocation(a) for a in report["allocations"]), report)


def _allocation(report: Dict[str, Any]) -> Allocation:
    return Allocation(
        report["name"], report["type"], report["line"], report["column"],
        report["placed"], report.get("reason"), report.get("size"),
        report.get("alignment"), report.get("offset"),
        report.get("in_place", False),
        tuple((lower, upper) for lower, upper in report.get("segments", [])))


def _why(returncode: int, messages: str) -> str:
    """The first error that berth-opt printed, or how it ended. Above an error
    of explain= stand the names that there are."""
    names = []
    for line in messages.splitlines():
        if line.startswith("explain of "):
            names.append(line)
        if "error:" in line:
            return "\n".join([line] + (names if "explain" in line else []))
    if returncode < 0:
        return "berth-opt was ended by signal {}".format(-returncode)
    return "berth-opt ended with {}: {}".format(
        returncode, messages.strip() or "it said nothing")
