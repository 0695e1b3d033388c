#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The time of planning one kernel with many buffers in workgroup memory.

    python3 bench/kernels/run.py [--build BUILD] [--buffers N]...

Each buffer is written by all threads and read by others; its size is 256 to 508
bytes. Shapes:

    chain      no barrier stands in the kernel: all are for Berth to choose
    barriers   one between the write and the reads of each buffer
    mixed      the same, but for every third buffer
    loop       as barriers, all of it in a loop, the allocations too
    hoisted    the same with the allocations in front of the loop; all threads
               overwrite all of each buffer, in a block of known shape
    loops      a loop for each buffer, with two barriers in each turn
    branches   of four buffers one is used in any case, three under a condition
               that all threads share, two of which under a second one or if not
    slices     each thread writes and reads bytes of its own, without barriers
    async      asynchronous copies, each its group, four of which are under way
    selects    what is read is one of two buffers

In seconds of CPU time, the fastest of three runs:

    io         mlir-opt parses and prints the file
    insert     what berth-arena adds to that, the check by berth-verify included
    existing   the same with barriers=existing
    growth     insert, relative to the smallest size of this shape; n log n from
               50 to 400 buffers would be 12.3
"""

import argparse
import os
import re
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from berthbench import Failure, LLVM, print_table

HEADER = ["shape", "buffers", "bytes", "arena", "barriers"]
HEADER += ["io", "insert", "existing", "growth"]
SHAPES = ("chain", "barriers", "mixed", "loop", "hoisted")
PARTS = ("loops", "branches", "slices", "async", "selects")


def buffer_type(i):
    return f"memref<{64 + i * 37 % 64}xf32, #gpu.address_space<workgroup>>"


def write(shape, i, value):
    if shape != "hoisted":
        return [f"memref.store {value}, %b{i}[%t] : {buffer_type(i)}"]
    return [
        f"%end{i} = arith.constant {64 + i * 37 % 64} : index",
        f"scf.for %j{i} = %t to %end{i} step %size {{",
        f"memref.store {value}, %b{i}[%j{i}] : {buffer_type(i)}",
        "}",
    ]


def copy(i):
    """Begins to fill the buffer."""
    return [
        f"%k{i} = nvgpu.device_async_copy %in[%t], %b{i}[%t], 1 : memref<64xf32> to {buffer_type(i)}",
        f"%g{i} = nvgpu.device_async_create_group %k{i}",
    ]


def pipeline(count):
    """Four copies are under way when a buffer is read."""
    lines, ahead = [], 4
    for i in range(count):
        lines += copy(i)
        if i >= ahead:
            lines += read_behind_copies(i - ahead, ahead)
    for i in range(max(count - ahead, 0), count):
        lines += read_behind_copies(i, count - 1 - i)
    return lines


def read_behind_copies(i, newer):
    return [
        f"nvgpu.device_async_wait %g{i} {{numGroups = {newer} : i32}}",
        "gpu.barrier",
        f"%r{i} = memref.load %b{i}[%other] : {buffer_type(i)}",
        f"memref.store %r{i}, %out[%t] : memref<64xf32>",
    ]


def use(i, barriers=1):
    lines = [f"memref.store %v, %b{i}[%t] : {buffer_type(i)}"]
    lines += ["gpu.barrier"] * barriers
    lines += [f"%r{i} = memref.load %b{i}[%other] : {buffer_type(i)}"]
    return lines + [f"memref.store %r{i}, %out[%t] : memref<64xf32>"]


def loop(i):
    lines = [f"scf.for %turn{i} = %zero to %n step %one {{"]
    return lines + use(i) + ["gpu.barrier", "}"]


def branch(i):
    """Of four buffers one is used by all, and of two of them one or the other."""
    lines = ["scf.if %is {"] + use(4 * i) + ["scf.if %too {"] + use(4 * i + 1)
    lines += ["} else {"] + use(4 * i + 2) + ["}", "}"]
    return lines + use(4 * i + 3)


def slice_(i):
    """Without a barrier each thread reads what it has written."""
    return [line.replace("%other", "%t") for line in use(i, 0)]


def select(i):
    """What is read is this buffer or the next one."""
    one, two, kind = 2 * i, 2 * i + 1, "memref<64xf32, #gpu.address_space<workgroup>>"
    lines = [f"memref.store %v, %b{k}[%t] : {kind}" for k in (one, two)]
    lines += [f"%p{i} = arith.select %is, %b{one}, %b{two} : {kind}", "gpu.barrier"]
    lines += [f"%r{i} = memref.load %p{i}[%other] : {kind}"]
    return lines + [f"memref.store %r{i}, %out[%t] : memref<64xf32>"]


def generate_parts(shape, count):
    """Shapes whose parts have nothing to do with each other."""
    lines = ["gpu.module @kernels {"]
    lines += ["gpu.func @k(%in: memref<64xf32>, %out: memref<64xf32>, %n: index,"]
    lines += ["%is: i1, %too: i1) kernel attributes"]
    lines += ["{known_block_size = array<i32: 64, 1, 1>} {"]
    lines += ["%t = gpu.thread_id x", "%last = arith.constant 63 : index"]
    lines += ["%zero = arith.constant 0 : index", "%one = arith.constant 1 : index"]
    lines += ["%other = arith.subi %last, %t : index"]
    lines += ["%v = memref.load %in[%t] : memref<64xf32>"]
    if shape == "async":
        body = pipeline(count)
    elif shape == "selects":
        body = flat(select(i) for i in range(count // 2))
    elif shape == "branches":
        body = flat(branch(i) for i in range(count // 4))
    else:
        part = {"loops": loop, "slices": slice_}[shape]
        body = flat(part(i) for i in range(count))
    same = "memref<64xf32, #gpu.address_space<workgroup>>"
    for i in range(count):
        kind = same if shape == "selects" else buffer_type(i)
        lines += [f"%b{i} = memref.alloc() : {kind}"]
    return "\n".join(lines + body + ["gpu.return", "}", "}"])


def flat(parts):
    return [line for part in parts for line in part]


def generate(shape, count):
    if shape in PARTS:
        return generate_parts(shape, count)
    known = "attributes {known_block_size = array<i32: 64, 1, 1>}"
    lines = ["gpu.module @kernels {"]
    lines += ["gpu.func @k(%in: memref<64xf32>, %out: memref<64xf32>) kernel"]
    lines += [known if shape == "hoisted" else "", "{"]
    lines += ["%t = gpu.thread_id x", "%last = arith.constant 63 : index"]
    lines += ["%other = arith.subi %last, %t : index"]
    lines += ["%size = arith.constant 64 : index"]
    loop = ["affine.for %turn = 0 to 8 {"]
    if shape == "loop":
        lines += loop
    lines += [f"%b{i} = memref.alloc() : {buffer_type(i)}" for i in range(count)]
    if shape == "hoisted":
        lines += loop
    lines += ["%v = memref.load %in[%t] : memref<64xf32>"]
    value = "%v"
    for i in range(count):
        lines += write(shape, i, value)
        if shape in ("barriers", "loop", "hoisted") or (shape == "mixed" and i % 3):
            lines += ["gpu.barrier"]
        lines += [f"%r{i} = memref.load %b{i}[%other] : {buffer_type(i)}"]
        value = f"%r{i}"
    lines += [f"memref.store {value}, %out[%t] : memref<64xf32>"]
    if shape == "hoisted":
        lines += ["gpu.barrier"]
    if shape in ("loop", "hoisted"):
        lines += ["}"]
    return "\n".join(lines + ["gpu.return", "}", "}"])


def cpu_time(build, text, pipeline):
    """The least CPU time of three runs, and the report."""
    command = [os.path.join(LLVM, "bin", "mlir-opt"), "-o", os.devnull, "-"]
    command += ["--load-pass-plugin=" + os.path.join(build, "lib", "BerthPlugin.so")]
    command += [f"--pass-pipeline=builtin.module({pipeline})"]
    times = []
    for _ in range(3):
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            command, input=text, text=True, capture_output=True, check=False
        )
        if done.returncode:
            raise Failure(done.stderr[:500])
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(
            end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
        )
    return min(times), done.stderr


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--buffers", type=int, action="append", help="sizes")
    parser.add_argument("--shape", action="append", help="shapes", choices=SHAPES + PARTS)
    args = parser.parse_args()
    rows = []
    for shape in args.shape or SHAPES + PARTS:
        first = None
        for count in args.buffers or (50, 100, 200, 400):
            text = generate(shape, count)
            io, _ = cpu_time(args.build, text, "")
            insert, report = cpu_time(args.build, text, "berth-arena{report=-}")
            existing, _ = cpu_time(
                args.build, text, "berth-arena{barriers=existing}"
            )
            first = first or insert - io
            figures = [
                re.search(f'"{name}": (\\d+)', report).group(1)
                for name in ("bytes_before", "bytes_after", "inserted")
            ]
            rows.append(
                [shape, count, *figures, f"{io:.3f}", f"{insert - io:.3f}"]
                + [f"{existing - io:.3f}", f"{(insert - io) / first:.1f}"]
            )
    print_table(HEADER, rows)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
