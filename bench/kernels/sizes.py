#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory by Berth's report, and in what compilers make of the kernels.

    python3 bench/kernels/sizes.py [--build BUILD] [--only GROUP] [FILE.mlir ...]

Each kernel is planned by berth-arena, lowered, and compiled for NVIDIA (PTX) and AMD (GCN), or for
the one whose instructions it has; no GPU is needed. Groups:

    race      the kernels of test/race, planned as their tests say, and of examples/gpu-attention
    reuse     those of reuse.py: what Triton, IREE and Wave are compared by
    padding   those of padding.py, with padding=auto
    shapes    those of run.py, with 50 buffers each

Columns, in bytes:

    before    of all buffers, padded ones with their padding
    report    of the arenas that no caller hands over, by Berth's report
    ptx       of the .shared arrays in PTX, mbarriers apart, whose arrays are MLIR's
    lds       of the group segments of all kernels in GCN
    chips     what was compiled for

Below the table stands why a kernel is not compared. A line whose figures differ, or a kernel that
cannot be planned or lowered for another reason than these, is an error, and the exit status is 1 then.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

from berthbench import LLVM, Failure, mlir_opt, print_table, run

HEADER = ["kernel", "of", "before", "report", "ptx", "lds", "chips", ""]
RUN_LINE = re.compile(r"^// RUN: %race (.*)$", re.M)
HOPPER = re.compile(r"tma\.|mbarrier|warpgroup|wgmma|nvvm\.cluster|nvvm\.mapa|cp\.async\.bulk")
NVIDIA = re.compile(r"\bnvgpu\.|\bnvvm\.|subgroup_mma")
AMD = re.compile(r"\bamdgpu\.|\brocdl\.")
TRANSLATED = "expand-strided-metadata,lower-affine"
BEHIND = "lower-affine,convert-scf-to-cf"


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Case:
    def __init__(self, group, name, text, options="", before=""):
        self.group, self.name, self.text = group, name, text
        self.options, self.before = options, before

    def chips(self):
        """(for NVIDIA, for AMD), each None where the kernel has instructions of the other one."""
        nvidia = "sm_90a" if HOPPER.search(self.text) else "sm_80"
        amd = "gfx950" if "gather_to_lds" in self.text else "gfx90a"
        return (None if AMD.search(self.text) else nvidia, None if NVIDIA.search(self.text) else amd)


def race_case(path):
    """As the first line of its test plans it; None for what is no kernel of threads."""
    text = path.read_text(encoding="utf-8")
    if "gpu.func" not in text:
        return None
    options = before = ""
    for command in RUN_LINE.findall(text)[:1]:
        for word in shlex.split(command.split(" | ")[0].split(" 2>")[0]):
            if word.startswith("--arena="):
                options = word.partition("=")[2]
            elif word.startswith("--before="):
                before = word.partition("=")[2]
    return Case("race", path.stem, text, options, before)


def race_cases():
    for path in sorted((ROOT / "test/race").glob("*.mlir")):
        yield race_case(path)
    path = ROOT / "examples/gpu-attention/kernel.mlir"
    case = race_case(path)
    case.name = "examples/gpu-attention"
    yield case


def reuse_cases():
    reuse = load("reuse")
    for compiler, name, sizes, steps, _, _ in reuse.all_cases():
        yield Case("reuse", f"{compiler}: {name}", reuse.Kernel(sizes, steps).text())


def padding_cases():
    for kernel in load("padding").KERNELS:
        yield Case("padding", kernel.name, kernel.text(), "padding=auto")


def shape_cases():
    shapes = load("run")
    for shape in shapes.SHAPES + shapes.PARTS:
        yield Case("shapes", shape, shapes.generate(shape, 50))


GROUPS = {"race": race_cases, "reuse": reuse_cases, "padding": padding_cases, "shapes": shape_cases}


# Planning


class Plan:
    """What the report says, and the planned kernel."""

    def __init__(self, build, case):
        before = case.before + "," if case.before else ""
        pipeline = f"{before}berth-arena{{arena=attribution report=- {case.options}}},{BEHIND}"
        self.text, report = mlir_opt(case.text, pipeline, build)
        scopes = [json.loads(line.rstrip(",")) for line in report.splitlines()
                  if line.startswith('{"scope": ')]
        if not scopes:
            raise Failure("Berth reports no scope")
        self.before = sum(scope["bytes_before"] for scope in scopes)
        own = [scope for scope in scopes if scope["arena"] != "argument"]
        self.bytes = sum(scope["bytes_after"] for scope in own)
        self.left = [a for scope in scopes for a in scope["allocations"] if not a["placed"]]


def why_not(case, plan):
    """A reason why the kernel's shared memory is not what Berth reports; None: there is none."""
    if "gpu.all_reduce" in case.text:
        return "gpu.all_reduce gets memory of its own where it is lowered, behind Berth"
    if plan.left:
        reason = plan.left[0].get("reason", "see the remark")
        return f"{plan.left[0]['name']} has no place: {reason}"
    return None


# Compiling


def as_module(text):
    """The gpu.module as a module, as mlir-translate wants it."""
    lines, inside = [], False
    for line in text.splitlines():
        if line.startswith("  gpu.module"):
            inside = True
            lines.append("module {")
        elif inside:
            lines.append(line)
            if line == "  }":
                break
    return "\n".join(lines) + "\n"


def assembly(text, dialect, first, then, options):
    # What mlir-opt prints of a group of no copies it does not read.
    text = re.sub(r" nvgpu\.device_async_create_group *$",
                  ' "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token', text, flags=re.M)
    low, _ = mlir_opt(text, f"gpu.module({first}convert-scf-to-cf,{TRANSLATED},convert-gpu-to-{dialect},"
                            f"{then}canonicalize,cse,reconcile-unrealized-casts)")
    tool = lambda name: os.path.join(LLVM, "bin", name)
    ir, _ = run([tool("mlir-translate"), "--mlir-to-llvmir"], as_module(low))
    with tempfile.NamedTemporaryFile("w", suffix=".ll") as file:
        file.write(ir)
        file.flush()
        done = subprocess.run([tool("llc"), *options, file.name, "-o", "-"],
                              text=True, capture_output=True, check=False)
    if done.returncode:
        raise Failure(done.stderr.splitlines()[0])
    if re.search(r"\bmalloc\b", done.stdout):
        raise Failure("a malloc is left")
    return done.stdout


def ptx_bytes(text, chip):
    ptx = assembly(text, "nvvm{has-redux=true}", "convert-nvgpu-to-nvvm,", "convert-nvvm-to-llvm,",
                   ["-mtriple=nvptx64-nvidia-cuda", f"-mcpu={chip}", "-mattr=+ptx80"])
    arrays = re.findall(r"^.*\.shared .*\[(\d+)\];", ptx, re.M)
    mbarriers = re.findall(r"^.*\.shared .*__mbarrier.*\[(\d+)\];", ptx, re.M)
    return sum(map(int, arrays)) - sum(map(int, mbarriers))


def lds_bytes(text, chip):
    gcn = assembly(text, "rocdl", f"convert-amdgpu-to-rocdl{{chipset={chip}}},", "",
                   ["-mtriple=amdgcn-amd-amdhsa", f"-mcpu={chip}"])
    sizes = re.findall(r"\.amdhsa_group_segment_fixed_size (\d+)", gcn)
    return max(map(int, sizes))


# The table


def told(failure):
    """The line of a failure that says what is wrong."""
    lines = str(failure).splitlines()
    errors = [line for line in lines if "error:" in line]
    return (errors or lines)[0].split("error: ")[-1]


def row_of(build, case):
    """The row; why it is not compared, or None; and whether all is well."""
    nvidia, amd = case.chips()
    row = [case.name, case.group, "-", "-", "-", "-", " ".join(filter(None, (nvidia, amd))), ""]
    try:
        plan = Plan(build, case)
    except Failure as failure:
        return row, told(failure), False
    row[2:4] = [plan.before, plan.bytes]
    reason = why_not(case, plan)
    if reason:
        row[6] = "-"
        return row, reason, True
    try:
        found = [ptx_bytes(plan.text, nvidia) if nvidia else None, lds_bytes(plan.text, amd) if amd else None]
    except Failure as failure:
        return row, told(failure), False
    is_equal = all(size in (None, plan.bytes) for size in found)
    row[4:6] = ["-" if size is None else size for size in found]
    row[7] = "equal" if is_equal else "DIFFERENT"
    return row, None, is_equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"), help="Berth's build folder")
    parser.add_argument("--only", action="append", choices=GROUPS, help="these groups; all else")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="of the form of test/race")
    args = parser.parse_args()
    cases = [race_case(path) for path in args.files]
    for group in args.only or ([] if args.files else GROUPS):
        cases += GROUPS[group]()
    rows, reasons, wrong = [], [], 0
    for case in filter(None, cases):
        row, reason, is_right = row_of(args.build, case)
        rows.append(row)
        reasons += [f"{case.name}: {reason}"] if reason else []
        wrong += not is_right
    print_table(HEADER, rows)
    print("\nNot compared:", *reasons or ["none"], sep="\n- ", end="\n\n")
    equal = sum(row[7] == "equal" for row in rows)
    print(f"{len(rows)} kernels: {equal} have the bytes that Berth reports, "
          f"{len(rows) - equal - wrong} are not compared, {wrong} are wrong")
    return wrong > 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"error: {failure}")
