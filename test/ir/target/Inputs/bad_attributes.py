# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs berth-opt on bad attributes: bad_attributes.py BERTH-OPT."""

import subprocess
import sys

HEAD = "func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {\n"
TAIL = "\n  return\n}\nfunc.func @g(%x: memref<4xi8>) {\n  return\n}\n"
OP = '  "npu.op"(%x, %y) {{{}}} : (memref<4xi8>, memref<4xi8>) -> ()'
TAKE = '  "npu.take"(%x) {{{}}} : (memref<4xi8>) -> memref<4xi8>'
MAKE = '  "npu.make"() {{{}}} : () -> memref<4xi8>'
COPY = "  memref.copy %x, %y {{{}}} : memref<4xi8> to memref<4xi8>"
CALL = "  func.call @g(%x) {{{}}} : (memref<4xi8>) -> ()"

CASES = [
    (OP, "berth.reads = 1", "berth.reads = 1 : i64: an array '[' expected"),
    (OP, 'berth.reads = ["a"]', "berth.reads = [\"a\"]: operand '"),
    (OP, "berth.reads = [-1]",
     "berth.reads = [-1]: operand -1 is not within 0 to 63"),
    (OP, "berth.reads = [1.5]",
     "berth.reads = [1.500000e+00]: it is no number, string, list or "
     "dictionary"),
    (OP, "berth.reads = [0, 2]",
     "berth.reads = [0, 2] names operand 2, which it does not have"),
    (OP, "berth.segments, berth.reads = [0]",
     "berth.reads = [0] names segment 0 of its operands, which its "
     "operandSegmentSizes does not have"),
    (OP, "berth.reads = [0], berth.views = [0]",
     "berth.views = [0]: operand 0 of 'npu.op' has another role already"),
    (OP, "berth.pending = 1 : i32", "berth.pending = 1 : i32: pending"),
    (OP, "berth.unit = 3", "berth.unit = 3 : i64: a string for 'unit' "
     "expected"),
    (OP, 'berth.unit = ""', 'berth.unit = "": a unit has no name'),
    (OP, "berth.cores = 65", "berth.cores = 65 : i64: cores 65 is not within"),
    (OP, "berth.is_on = [0]", "'npu.op' has 'is_on', but no 'cores'"),
    (OP, "berth.once", "'npu.op' has 'once', but no 'unit'"),
    (OP, "berth.ports = [0, 0]", "berth.ports = [0, 0]: 'npu.op' has 'ports', which are two operands or more, each once"),
    (OP, "berth.ports = [0, 9]", "berth.reads and the like names operand 9, which it does not have"),
    (OP, "berth.pending, berth.barrier",
     "'npu.op' cannot be both pending and a barrier"),
    (OP, "berth.token = 0", "berth.token names result 0, which it does not have"),
    (OP, "berth.allocates = {bytes = 4}",
     "berth.allocates = {bytes = 4 : i64}: an allocation has no 'bytes'"),
    (MAKE, "berth.size = -100",
     "berth.size = -100 : i64: a number of bytes expected"),
    (MAKE, 'berth.size = "a"', 'berth.size = "a": a number of bytes expected'),
    (OP, "berth.allocates = {}",
     "berth.allocates tells of an allocation, but it has no results"),
    (MAKE, "berth.allocates = {size = {operand = 5}}",
     "berth.allocates names operand 5, which it does not have"),
    (MAKE, 'n = -5, berth.allocates = {size = {attribute = "n"}}',
     "berth.allocates reads its size from n = -5 : i64: a number of bytes "
     "expected"),
    (MAKE, 'n = -5, berth.allocates = {alignment = {attribute = "n"}}',
     "berth.allocates reads its alignment from n = -5 : i64: a power of two "
     "expected"),
    (MAKE, 'n = 0, berth.allocates = {alignment = {attribute = "n"}}',
     "berth.allocates reads its alignment from n = 0 : i64: a power of two "
     "expected"),
    (MAKE, 'n = "64", berth.allocates = {size = {attribute = "n"}}',
     'berth.allocates reads its size from n = "64": a number of bytes expected'),
    (MAKE, 'n = true, berth.allocates = {size = {attribute = "n"}}',
     "berth.allocates reads its size from n = true: a number of bytes"),
    (MAKE, 'n = 4 : i128, berth.allocates = {size = {attribute = "n"}}',
     "berth.allocates reads its size from n = 4 : i128: a number of bytes"),
    (MAKE, 'berth.allocates = {size = {attribute = "n"}}',
     "berth.allocates reads its size from the attribute 'n', which it does not "
     "have"),
    (TAKE, 'berth.allocates = {size = {operand = 0}}',
     "berth.allocates reads its size from operand 0 of type memref<4xi8>: a "
     "number of bytes expected"),
    (MAKE, 'n = 48, berth.allocates = {alignment = {attribute = "n"}}',
     "berth.allocates reads its alignment from n = 48 : i64: a power of two "
     "expected"),
    (MAKE, 'n = "a", berth.allocates = {alignment = {attribute = "n"}}',
     'berth.allocates reads its alignment from n = "a": a power of two'),
    (MAKE, 'n = 1.0, berth.allocates = {space = {attribute = "n"}}',
     "berth.allocates reads its memory space from n = 1.000000e+00 : f64: a "
     "name, a number"),
    (MAKE, "berth.space = [1]",
     "berth.space = [1]: a name, a number, a dictionary or an attribute of a "
     "dialect expected"),
    (MAKE, 'berth.upper_bound = "a"',
     'berth.upper_bound = "a": a number of bytes expected'),
    (MAKE, 'berth.slots = "a"', 'berth.slots = "a": a number expected'),
    (MAKE, "berth.existing = 1", "berth.existing = 1 : i64: a string expected"),
    (MAKE, "berth.content = [1, unit]",
     "berth.content = [1, unit]: a list of numbers expected"),
    (COPY, 'berth.in_place = "a"',
     'berth.in_place = "a": the name alone expected'),
    (COPY, "berth.ordered = 1", "berth.ordered = 1 : i64: the name alone expected"),
    (COPY, 'berth.uniform = "yes"', 'berth.uniform = "yes": the name alone, true or '
     "false expected"),
    (MAKE, "berth.life = 3", "berth.life = 3 : i64: the name alone expected"),
    (OP, "berth.arena = 0", "berth.arena = 0 : i64: the name alone expected"),
    (MAKE, 'berth.buffer = "a"', 'berth.buffer = "a": a number expected'),
    (MAKE, "berth.allocator", "berth.allocator = unit: a string expected"),
    (OP, "berth.heap = 1", "berth.heap = 1 : i64: a string expected"),
    (OP, 'berth.arena_size = {L1 = "a"}',
     'berth.arena_size = {L1 = "a"}: a number, or a dictionary of numbers '
     "expected"),
    (COPY, "berth.move", "berth.move = unit: a number expected"),
    (MAKE, 'berth.offset = "a", berth.size = 4',
     'berth.offset = "a": a number expected'),
    (MAKE, 'berth.offset = 0, berth.size = 4, berth.address = "a"',
     'berth.address = "a": a number expected'),
    (COPY, "berth.reads = [0, 1]",
     "what berth.reads = [0, 1] says of operand 1 is not what the op's own "
     "interface says"),
    (COPY, "berth.reads = [0]",
     "what berth.reads and the like says of operand 1 is not what the op's own "
     "interface says"),
    (OP, "berth.reads = [0], berth.write = [1]",
     "there is no attribute 'berth.write': the nearest one is 'berth.writes'"),
    (OP, "berth.Reads = [0]",
     "there is no attribute 'berth.Reads': the nearest one is 'berth.reads'"),
    (OP, "berth.", "there is no attribute 'berth.'"),
    (OP, "berth.pinn = 1",
     "there is no attribute 'berth.pinn': the nearest one is 'berth.pin'"),
    (COPY, "berth.noreuse",
     "there is no attribute 'berth.noreuse': the nearest one is "
     "'berth.no_reuse'"),
    (OP, 'berth.kind = "sum"',
     "the kind 'sum' stands for the form of "
     "an op that Berth knows, and 'npu.op' is none of those"),
    (OP, 'berth.traits = ["even"]',
     "berth.traits = [\"even\"]: unknown trait 'even'"),
    (CALL, "berth.reads = [0]",
     "berth.reads and the like tell what the called function does, which has "
     "a body that tells it"),
]


# What is well spelt and stands where nobody looks for it.
ALLOCATES = ": it belongs on an op that allocates"
RUNS = ": it belongs on an op that runs"
CASES += [
    (op, mark, mark.split(" ")[0] + " counts for nothing on '" + name + "'" +
     ALLOCATES)
    for op, name in ((MAKE, "npu.make"), (OP, "npu.op"), (COPY, "memref.copy"),
                     (CALL, "func.call"))
    for mark in ("berth.pin = 4096", 'berth.pin = "a"', "berth.bank = 0",
                 "berth.group = 1", "berth.no_reuse", "berth.weight = 2",
                 "berth.hint = 0", 'berth.space = "L1"',
                 "berth.upper_bound = 64")
]
CASES += [
    (COPY, "berth.arena", "berth.arena counts for nothing on 'memref.copy': it "
     "belongs on an argument"),
]

# As an attribute of the function, and of a module.
SYMBOL_CASES = [
    (mark, ALLOCATES) for mark in (
        "berth.pin = 0", "berth.no_reuse", "berth.size = 4", "berth.offset = 0",
        "berth.address = 0", 'berth.space = "L1"')
] + [
    ("berth.life", ": it belongs on an op that makes a buffer or a view"),
] + [
    (mark, RUNS) for mark in (
        'berth.unit = "dma"', "berth.barrier", "berth.reads = [0]",
        "berth.cores = 2", "berth.uniform", "berth.in_place")
]

# As an attribute of the first argument.
ARGUMENT_CASES = [
    ('berth.arena = "a"', 'berth.arena = "a": the name alone expected'),
    ("berth.arenas", "there is no attribute 'berth.arenas': the nearest one "
     "is 'berth.arena'"),
] + [
    (mark, mark.split(" ")[0] + " counts for nothing on an argument or a result "
     "of a function" + belongs) for mark, belongs in SYMBOL_CASES
] + [
    (mark, mark.split(" ")[0] + " counts for nothing on an argument or a result "
     "of a function" + RUNS)
    for mark in ("berth.token = 0", "berth.waits = [0]", "berth.uniform = true")
]


def main():
    """All in one input: each text stands behind the one before."""
    texts = [(HEAD + op.format(attributes) + TAIL, 1, 3, message)
             for op, attributes, message in CASES]
    texts += [("func.func @f(%x: memref<4xi8> {" + attributes +
               "}) {\n  return\n}\n", 0, 1, message)
              for attributes, message in ARGUMENT_CASES]
    texts += [("func.func private @f(memref<4xi8>) attributes {" + mark + "}\n", 0,
               1, mark.split(" ")[0] + " counts for nothing on 'func.func'" +
               belongs) for mark, belongs in SYMBOL_CASES]
    texts += [("module attributes {" + mark + "} {\n}\n", 0, 1,
               mark.split(" ")[0] + " counts for nothing on 'builtin.module'" +
               belongs) for mark, belongs in SYMBOL_CASES]
    expected, line = [], 1
    for text, below, column, message in texts:
        expected.append("<stdin>:{}:{}: error: {}".format(
            line + below, column, message))
        line += text.count("\n") + 1
    for name in ("berth-arena", "berth-verify"):
        done = subprocess.run(
            [sys.argv[1], "--allow-unregistered-dialect", "--split-input-file",
             "--pass-pipeline=builtin.module(" + name + ")"],
            input="// -----\n".join(text for text, *_ in texts),
            stdout=subprocess.PIPE, encoding="utf-8", stderr=subprocess.PIPE)
        missing = [one for one in expected if one not in done.stderr]
        if done.returncode != 1 or "func" in done.stdout or missing:
            sys.exit("{}: not said: {}\ngot: {} {}".format(
                name, "\n".join(missing), done.returncode, done.stderr))


main()
