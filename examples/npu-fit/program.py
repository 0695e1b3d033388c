# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two programs of run.py as code: fitted by berth-fit, and run.

    python3 examples/npu-fit/program.py [--build BUILD] [--mlir FOLDER] [--kib N]...

Each tensor becomes a buffer in L1 (what is given lies in the slow memory and is
copied in), each op loops that read all of its inputs and write all of its output.
berth-fit and berth-arena make it fit into an L1 of 64, 128 and 256 KiB, where ops may
work on the slow memory at the price of moving what they touch. Then the program is
run, as it was and as it is now; every copy counts its bytes while it runs. The table has what berth-fit says, in KiB, what was counted, and what
berth-pack fit finds for the same network. It fails where two of these differ.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/npu-fit"))
import run  # noqa: E402

SLOW = 77
REMARK = re.compile(r"(\d+) bytes are brought in, (\d+) taken out and (\d+) touched")
COPY = re.compile(r"( *)memref\.copy .* : memref<(\d+)xi16")
ARENA = re.compile(r"memref\.alloc\(\).* : memref<(\d+)xi8>")


def loop(text, variable, count, body):
    text.append(f"    scf.for %{variable} = %c0 to %n{count} step %c1 {{")
    text.extend("  " + line for line in body)
    text.append("    }")


def program(graph):
    """@net, and a @main that runs it on numbers and prints the last tensor's."""
    ops = [[] for _ in range(graph.time)]
    for tensor, uses in enumerate(graph.uses):
        for use in uses:
            ops[int(use.rstrip("w"))].append((tensor, use.endswith("w")))
    counts = [size // 2 for size in graph.sizes]
    given = [t for t, backed in enumerate(graph.backed) if backed]
    text = ["  func.func @net(" +
            ", ".join(f"%x{t}: memref<{counts[t]}xi16, {SLOW}>" for t in given) +
            ") -> i16 {",
            "    %c0 = arith.constant 0 : index", "    %c1 = arith.constant 1 : index",
            "    %zero = arith.constant 0 : i16"]
    for count in sorted(set(counts)):
        text.append(f"    %n{count} = arith.constant {count} : index")
    there = set()
    for time, touched in enumerate(ops):
        for tensor, _ in touched:
            if tensor not in there:
                there.add(tensor)
                text.append(f"    %t{tensor} = memref.alloc() : memref<{counts[tensor]}xi16>")
                if graph.backed[tensor]:
                    text.append(f"    memref.copy %x{tensor}, %t{tensor} : memref<{counts[tensor]}"
                                f"xi16, {SLOW}> to memref<{counts[tensor]}xi16>")
        # One op of the network is one op of the block: a loop of one turn.
        text.append(f"    scf.for %op{time} = %c0 to %c1 step %c1 {{")
        inputs = [t for t, writes in touched if not writes]
        out = next(t for t, writes in touched if writes)
        total = "%zero"
        for i, tensor in enumerate(inputs):
            text += [f"      %s{time}_{i} = scf.for %i = %c0 to %n{counts[tensor]} step %c1 "
                     f"iter_args(%a = {total}) -> (i16) {{",
                     f"        %v = memref.load %t{tensor}[%i] : memref<{counts[tensor]}xi16>",
                     "        %b = arith.muli %a, %a : i16",
                     "        %c = arith.addi %b, %v : i16",
                     "        scf.yield %c : i16", "      }"]
            total = f"%s{time}_{i}"
        text += [f"      scf.for %i = %c0 to %n{counts[out]} step %c1 {{",
                 "        %k = arith.index_cast %i : index to i16",
                 f"        %v = arith.addi %k, {total} : i16",
                 f"        memref.store %v, %t{out}[%i] : memref<{counts[out]}xi16>",
                 "      }", "    }"]
    text += [f"    %r = memref.load %t{out}[%c1] : memref<{counts[out]}xi16>",
             "    return %r : i16", "  }",
             "  memref.global @moved : memref<1xi64> = dense<0>",
             "  func.func @count(%bytes: i64) {",
             "    %c0 = arith.constant 0 : index",
             "    %m = memref.get_global @moved : memref<1xi64>",
             "    %a = memref.load %m[%c0] : memref<1xi64>",
             "    %b = arith.addi %a, %bytes : i64",
             "    memref.store %b, %m[%c0] : memref<1xi64>",
             "    return", "  }",
             "  func.func @main() {",
             "    %c0 = arith.constant 0 : index", "    %c1 = arith.constant 1 : index"]
    for t in given:
        text += [f"    %x{t} = memref.alloc() : memref<{counts[t]}xi16, {SLOW}>",
                 f"    %n{t} = arith.constant {counts[t]} : index",
                 f"    %s{t} = arith.constant {3 * t + 1} : i16",
                 f"    scf.for %i = %c0 to %n{t} step %c1 {{",
                 "      %k = arith.index_cast %i : index to i16",
                 f"      %v = arith.muli %k, %s{t} : i16",
                 f"      memref.store %v, %x{t}[%i] : memref<{counts[t]}xi16, {SLOW}>",
                 "    }"]
    text += ["    %r = func.call @net(" + ", ".join(f"%x{t}" for t in given) + ") : (" +
             ", ".join(f"memref<{counts[t]}xi16, {SLOW}>" for t in given) + ") -> i16",
             "    vector.print %r : i16",
             "    %m = memref.get_global @moved : memref<1xi64>",
             "    %a = memref.load %m[%c0] : memref<1xi64>",
             "    vector.print %a : i64",
             "    return", "  }"]
    return "module {\n" + "\n".join(text) + "\n}\n"


def counting(text):
    """With a call that counts behind each copy: all of them are moves."""
    lines, number = [], 0
    for line in text.splitlines():
        lines.append(line)
        match = COPY.match(line)
        if match:
            number += 1
            lines += [f"{match[1]}%moved{number} = arith.constant {2 * int(match[2])} : i64",
                      f"{match[1]}func.call @count(%moved{number}) : (i64) -> ()"]
    return "\n".join(lines) + "\n"


def execute(mlir, text):
    """What it prints: the result, and the bytes that were moved."""
    text = text.replace(f", {SLOW}>", ">")  # the CPU has one memory
    lowered = subprocess.run([f"{mlir}/mlir-opt", "--test-lower-to-llvm"], input=text,
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    libraries = [f"--shared-libs={mlir}/../lib/libmlir_{name}.so"
                 for name in ("runner_utils", "c_runner_utils")]
    ran = subprocess.run([f"{mlir}/mlir-runner", "-O2", "-e", "main",
                          "--entry-point-result=void", *libraries],
                         input=lowered, stdout=subprocess.PIPE, text=True, check=True)
    return [int(word) for word in ran.stdout.split()]


def fit(build, text, capacity):
    """The program in so many bytes of L1, its arena there, and what berth-fit says
    of it: nothing where it fits as it is."""
    passes = (f"builtin.module(berth-fit{{space=default backing={SLOW} capacity={capacity} "
              f"access=1 alignment=64}},berth-arena{{capacity={capacity} alignment=64}},"
              f"berth-arena{{space={SLOW}}})")
    ran = subprocess.run([f"{build}/bin/berth-opt", "--remarks-filter=berth-fit",
                          f"--pass-pipeline={passes}"], input=text, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=True)
    told = REMARK.search(ran.stderr)
    return (ran.stdout, int(ARENA.search(ran.stdout)[1]),
            [int(number) for number in told.groups()] if told else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--mlir", default="/usr/lib/llvm-22/bin", help="mlir-opt and mlir-runner")
    parser.add_argument("--kib", type=int, action="append", help="of L1")
    options = parser.parse_args()
    tool = str(options.build / "bin/berth-pack")
    print(f"{'':18} {'L1':>4} {'arena':>5} {'in':>5} {'out':>5} {'slow':>5} {'sum':>5} "
          f"{'counted':>8} {'pack fit':>9}")
    status = 0
    for name, make in run.PROGRAMS.items():
        graph = make()
        text = program(graph)
        expected = execute(options.mlir, text)[0]
        for kib in options.kib or (64, 128, 256):
            fitted, arena, told = fit(options.build, text, kib * 1024)
            given = sum(s for s, backed in zip(graph.sizes, graph.backed) if backed)
            came, went, slow = told or (given, 0, 0)
            result, moved = execute(options.mlir, counting(fitted))
            cost = run.fit(tool, graph, kib * 1024)["fit"]["cost"]
            figures = [-(-number // 1024) for number in (arena, came, went, slow,
                                                         came + went + slow, moved, cost)]
            print(f"{name:18} {kib:4} {figures[0]:5} {figures[1]:5} {figures[2]:5} "
                  f"{figures[3]:5} {figures[4]:5} {figures[5]:8} {figures[6]:9}")
            if result != expected:
                print(f"wrong result: {result} instead of {expected}")
                status = 1
            if moved != came + went:
                print(f"{moved} bytes were moved, {came + went} told")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
