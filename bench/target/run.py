# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a target description costs: a module of 100,000 ops, 500 ops described.

    python3 bench/target/run.py [BUILD] [--ops=N] [--described=N] [--runs=N]

Each row is one way to plan one module; its time is the least of all runs, in
seconds of the processor, from start to end of berth-opt, and what of them stays
when the same module is only read and printed (`builtin.module()`), which is not
Berth's doing. The rows of a module take turns, so that a slow minute is slow for
all of them. Percentages are of the first row's total: what a row takes more, and
what of that is more in Berth's passes.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

CHAIN = 16  # buffers of a function: 3 ops each


def write_module(path, ops, foreign):
    """Functions of chains: each op reads one buffer and writes the next."""
    with open(path, "w", encoding="utf-8") as out:
        for f in range(ops // (3 * CHAIN)):
            out.write("func.func @f{}(%x: memref<64xf32>) {{\n".format(f))
            last = "%x"
            for i in range(CHAIN):
                out.write("  %b{} = memref.alloc() : memref<64xf32>\n".format(i))
                out.write(foreign(last, "%b{}".format(i), f * CHAIN + i))
                last = "%b{}".format(i)
            for i in range(CHAIN):
                out.write("  memref.dealloc %b{} : memref<64xf32>\n".format(i))
            out.write("  return\n}\n")


def known(source, to, _):
    return "  memref.copy {}, {} : memref<64xf32> to memref<64xf32>\n".format(
        source, to)


def described(count):
    def write(source, to, number):
        return '  "npu.op{}"({}, {}) : (memref<64xf32>, memref<64xf32>) -> ()\n' \
            .format(number % count, source, to)
    return write


def attributed(source, to, _):
    return '  "npu.op"({}, {}) {{berth.reads = [0], berth.writes = [1]}} : ' \
        "(memref<64xf32>, memref<64xf32>) -> ()\n".format(source, to)


def write_target(path, count):
    ops = [{"name": "npu.op{}".format(i), "reads": [0], "writes": [1]}
           for i in range(count)]
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"ops": ops}, out)


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", default="build")
    parser.add_argument("--ops", type=int, default=100000)
    parser.add_argument("--described", type=int, default=500)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    opt = os.path.join(arguments.build, "bin", "berth-opt")
    with tempfile.TemporaryDirectory() as folder:
        def at(name):
            return os.path.join(folder, name)
        write_module(at("known.mlir"), arguments.ops, known)
        write_module(at("described.mlir"), arguments.ops,
                     described(arguments.described))
        write_module(at("attributed.mlir"), arguments.ops, attributed)
        write_target(at("target.json"), arguments.described)
        plain = "builtin.module(berth-arena)"
        target = "builtin.module(berth-arena{target=" + at("target.json") + "})"
        modules = [
            ("stock ops", [("the built-in table", "known.mlir", plain),
                           ("with the description", "known.mlir", target)]),
            ("foreign ops", [("nothing said", "described.mlir", plain),
                             ("described", "described.mlir", target),
                             ("said by attributes", "attributed.mlir", plain)])]
        for name, rows in modules:
            times = [[[], []] for _ in rows]
            for _ in range(arguments.runs):
                for row, (_, module, pipeline) in enumerate(rows):
                    for i, passes in enumerate((pipeline, "builtin.module()")):
                        times[row][i].append(seconds(
                            [opt, at(module), "--allow-unregistered-dialect",
                             "-o", os.devnull, "--mlir-disable-threading",
                             "--pass-pipeline=" + passes]))
            print("{} ({} ops)".format(name, arguments.ops))
            print("  {:24} {:>9}   {:>9}   {:>8} {:>8}".format(
                "", "total", "read only", "more", "Berth's"))
            least = [[min(kind) for kind in row] for row in times]
            first, first_read = least[0]
            for (how, _, _), (total, read) in zip(rows, least):
                own = (total - read) - (first - first_read)
                print("  {:24} {:7.3f} s {:9.3f} s {:+8.1f} % {:+6.1f} %".format(
                    how, total, read, 100 * (total / first - 1),
                    100 * own / first))
            sys.stdout.flush()


main()
