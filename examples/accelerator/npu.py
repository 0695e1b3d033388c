# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The NPU: its description for Berth, and code for it.

Two cores run one function. Core 1 moves data between L3 and L1 by DMA, core 0
has the matrix engine. Both meet at `npu.barrier`; what a core has started is
done at the next one. L1 has two banks, since the engine reads rows from one and
weights from the other at the same time.
"""

import re

L1_START, L1_BYTES = 0x10000000, 64 * 1024
L3_START = 0x80000000
TILE_ROWS = 4
ELEMENT_BYTES = 4


def describe(reserved):
    """The target description; the host keeps `reserved` bytes of L3."""
    return {
        "ops": [
            {"name": "npu.alloc", "allocates": {}},
            {"name": "npu.panel", "allocates": {"space": {"is": "L1"}}},
            {"name": "npu.load", "reads": [0], "writes": [1], "pending": True},
            {"name": "npu.load_panel", "reads": [0], "writes": [1],
             "pending": True},
            {"name": "npu.store", "reads": [0], "writes": [1], "pending": True},
            {"name": "npu.matmul_relu", "reads": [0, 1], "writes": [2],
             "pending": True},
            {"name": "npu.barrier", "barrier": True},
        ],
        "functions": [{"name": "npu_core", "cores": 2}],
        # A panel holds weights as the engine reads them; no memref does.
        "types": [{"name": "npu.weights", "size": "dense"}],
        "memories": [
            {"space": "L1", "start": hex(L1_START), "capacity": L1_BYTES,
             "alignment": 64, "banks": 2},
            {"space": "L3", "start": hex(L3_START), "capacity": 1 << 20,
             "alignment": 64, "reserved": [[0, reserved]]},
        ],
    }


class Layer:
    """output = relu(rows x weights); names and shapes of memrefs in L3."""

    def __init__(self, rows, weights, output, shape):
        self.rows, self.weights, self.output = rows, weights, output
        self.m, self.k, self.n = shape


def read_layers(text):
    """The layers of a bufferized function: (arguments, allocations, layers)."""
    shapes = dict(re.findall(r"(%\w+): memref<(\w+)xi32>", text))
    arguments = list(shapes)
    shapes.update(re.findall(r"(%\w+) = memref\.alloc\(\).* : memref<(\w+)xi32>",
                             text))
    products = {out: (rows, weights) for rows, weights, out in re.findall(
        r"linalg\.matmul ins\((%\w+), (%\w+) .*outs\((%\w+) ", text)}
    layers = []
    for product, output in re.findall(
            r"linalg\.max ins\((%\w+), .*outs\((%\w+) ", text):
        rows, weights = products[product]
        m, k = map(int, shapes[rows].split("x"))
        n = int(shapes[output].split("x")[1])
        layers.append(Layer(rows, weights, output, (m, k, n)))
    inner = [layer.output for layer in layers if layer.output not in arguments]
    return arguments, inner, layers, shapes


class Writer:
    """Ops in generic form."""

    def __init__(self):
        self.lines, self.types, self.count = [], {}, 0

    def op(self, name, operands=(), attributes="", result=""):
        value = ""
        if result:
            value = "%t{}".format(self.count)
            self.count += 1
            self.types[value] = result
        self.lines.append("{}\"{}\"({}){} : ({}) -> {}".format(
            value + " = " if value else "", name, ", ".join(operands),
            " {" + attributes + "}" if attributes else "",
            ", ".join(self.types[o] for o in operands), result or "()"))
        return value


def lower(arguments, inner, layers, shapes):
    """The module for the NPU.

    Each tile has buffers of its own, as if L1 were large. Tile t is loaded in
    step t, multiplied in step t + 1 and stored in step t + 2, a barrier behind
    each step: so two tiles are in L1 at a time, and it is Berth that finds out
    that the third one may have the bytes of the first.
    """
    writer = Writer()
    for name in arguments + inner:
        writer.types[name] = 'memref<{}xi32, "L3">'.format(shapes[name])
    core = writer.op("func.call", (), "callee = @npu_core", "i32")
    one = writer.op("arith.constant", (), "value = 1 : i32", "i32")
    is_mover = writer.op("arith.cmpi", (core, one), "predicate = 0 : i64", "i1")
    names = {}
    for name in inner:
        names[name] = writer.op("npu.alloc", (), "", writer.types[name])
    mover, engine = [], []  # what each core does, by step
    for layer in layers:
        panel = writer.op("npu.panel", (), "berth.bank = 1",
                          "!npu.weights<{}x{}xi32>".format(layer.k, layer.n))
        for row in range(0, layer.m, TILE_ROWS):
            tiles = [writer.op("npu.alloc", (), "berth.bank = 0",
                               'memref<{}x{}xi32, "L1">'.format(TILE_ROWS, width))
                     for width in (layer.k, layer.n)]
            step = len(mover) - 2 if mover else 0
            while len(mover) < step + 3:
                mover.append([])
                engine.append([])
            at = "row = {} : i64".format(row)
            if row == 0:
                mover[step].append(("npu.load_panel", (layer.weights, panel), ""))
            mover[step].append(("npu.load", (layer.rows, tiles[0]), at))
            engine[step + 1].append(
                ("npu.matmul_relu", (tiles[0], panel, tiles[1]), ""))
            mover[step + 2].append(("npu.store", (tiles[1], layer.output), at))
    writer.lines.append('"scf.if"({}) ({{'.format(is_mover))
    for number, program in enumerate((mover, engine)):
        for step in program:
            for name, operands, attributes in step:
                writer.op(name, [names.get(o, o) for o in operands], attributes)
            writer.op("npu.barrier")
        writer.op("scf.yield")
        writer.lines.append("}, {" if number == 0 else "}) : (i1) -> ()")
    writer.op("func.return")
    signature = ", ".join(writer.types[a] for a in arguments)
    block = ", ".join("{} : {}".format(a, writer.types[a]) for a in arguments)
    return "\n".join(
        ['"builtin.module"() ({',
         '"func.func"() <{sym_name = "npu_core", function_type = () -> i32, '
         'sym_visibility = "private"}> ({}) : () -> ()',
         '"func.func"() <{{sym_name = "network", function_type = ({}) -> ()}}> ({{'
         .format(signature),
         "^bb0({}):".format(block)] + writer.lines +
        ["}) : () -> ()", "}) : () -> ()", ""])
