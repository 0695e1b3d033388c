# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From tensors to a memory map for a small NPU.

    python3 compile.py MLIR-OPT OUT

network.mlir (linalg on tensors)
  -> stock bufferization (mlir-opt)
  -> the NPU's own ops, in text (npu.py)
  -> berth-arena plans L1 and L3 in one run
  -> OUT/map.txt, OUT/map.html and OUT/l3.bin, what the host writes to L3
  -> two cores run it on these addresses (simulate.py)
"""

import itertools
import os
import random
import re
import subprocess
import sys

import berth
import npu
import simulate

HERE = os.path.dirname(os.path.abspath(__file__))
BUFFERIZE = ("builtin.module(one-shot-bufferize{bufferize-function-boundaries="
             "true function-boundary-type-conversion=identity-layout-map},"
             "canonicalize,cse,buffer-results-to-out-params{"
             "hoist-static-allocs=true modify-public-functions=true},"
             "canonicalize)")
PLAN = "berth-arena{arena=annotate}"


def bufferize(mlir_opt):
    return subprocess.run([mlir_opt, os.path.join(HERE, "network.mlir"),
                           "--pass-pipeline=" + BUFFERIZE], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout


def place_arguments(arguments, shapes):
    """What the host owns lies at the start of L3, one behind the other."""
    addresses, next_free = {}, npu.L3_START
    for i, name in enumerate(arguments):
        addresses["%arg{}".format(i)] = next_free
        m, n = map(int, shapes[name].split("x"))
        next_free += m * n * npu.ELEMENT_BYTES
    return addresses, next_free - npu.L3_START


def write_map(planned, path):
    """A line a buffer, by address."""
    lines = []
    for scope in planned.scopes:
        memory = scope.space.strip('"')
        start = npu.L1_START if memory == "L1" else npu.L3_START
        for a in scope.allocations:
            assert a.placed, a.reason
            bank = " bank {}".format(a.offset * 2 // npu.L1_BYTES) \
                if memory == "L1" else ""
            lines.append("{:#010x} - {:#010x}  {}{}  {:8} {}".format(
                start + a.offset, start + a.offset + a.size, memory, bank,
                a.name, a.type))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(sorted(lines)) + "\n")


def reference(layers, values):
    for layer in layers:
        values[layer.output] = simulate.matmul_relu(
            values[layer.rows], values[layer.weights], layer.m, layer.k, layer.n)
    return values[layers[-1].output]


def run_all_ways(planned, addresses, data):
    """The result, if it is the same however the two cores interleave."""
    program = simulate.Program(planned.text, addresses)
    results = []
    for late, order in itertools.product((False, True), ((0, 1), (1, 0))):
        memory = simulate.Memory()
        for name, words in data.items():
            memory.write(addresses[name], words)
        simulate.run(program, memory, late, order)
        results.append(memory)
    return results


def main():
    mlir_opt, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    arguments, inner, layers, shapes = npu.read_layers(bufferize(mlir_opt))
    module = npu.lower(arguments, inner, layers, shapes)
    addresses, reserved = place_arguments(arguments, shapes)
    target = npu.describe(reserved)

    planned = berth.plan(module, PLAN, target=target, generic=True)
    write_map(planned, os.path.join(out, "map.txt"))
    with open(os.path.join(out, "planned.mlir"), "w", encoding="utf-8") as file:
        file.write(planned.text)
    picture = os.path.join(out, "map.html")
    berth.plan(module, PLAN[:-1] + " report=" + picture + "}", target=target)
    for scope in planned.scopes:
        print("{}: {} buffers of {} bytes in {} bytes".format(
            scope.space.strip('"'), len(scope.allocations), scope.bytes_before,
            scope.bytes_after))

    random.seed(1)
    data = {}
    for i, name in enumerate(arguments[:-1]):
        m, n = map(int, shapes[name].split("x"))
        data["%arg{}".format(i)] = [random.randint(-8, 8) for _ in range(m * n)]
    with open(os.path.join(out, "l3.bin"), "wb") as file:
        for name in data:
            file.write(simulate.words_to_bytes(data[name]))
    wanted = reference(layers, {name: data["%arg{}".format(i)]
                                for i, name in enumerate(arguments[:-1])})
    last = "%arg{}".format(len(arguments) - 1)
    for memory in run_all_ways(planned, addresses, data):
        if memory.read(addresses[last], len(wanted)) != wanted:
            sys.exit("the planned program computes something else")
    print("both cores compute what the tensors say, in any order")

    # One byte less than a layer's weights and the next one's need.
    for memory in target["memories"]:
        if memory["space"] == "L1":
            memory["capacity"] -= 128
    try:
        berth.plan(module, PLAN, target=target)
        sys.exit("a smaller L1 was not refused")
    except berth.ToolError as error:
        print("with 128 bytes of L1 less: " +
              re.sub(r".*error: ", "", str(error)).split(":")[0])


main()
