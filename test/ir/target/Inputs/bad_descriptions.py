# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs berth-opt on bad descriptions: bad_descriptions.py BERTH-OPT FOLDER."""

import os
import subprocess
import sys

CASES = [
    ('{"op": []}', "1:2: the description has no 'op'; it may have: "
     "berth_target, dialects, ops, functions, layouts, types, memories"),
    ('{"berth_target": 2}', "1:18: berth_target 2 is not within 1 to 1"),
    ('{"dialects": ["a-b"]}', "1:15: 'a-b' is no dialect's name"),
    ('{"ops": [{"reads": [0]}]}', "1:10: an op lacks 'name'"),
    ('{"ops": [{"name": "dma"}]}', "1:19: op 'dma' is no name with a namespace"),
    ('{"ops": [{"name": "a.b", "reeds": [0]}]}', "1:26: an op has no 'reeds'"),
    ('{"ops": [{"name": "a.b", "reads": [-1]}]}',
     "1:36: operand -1 is not within 0 to 63"),
    ('{"ops": [{"name": "a.b", "reads": [0, 0]}]}',
     "1:39: operand 0 of 'a.b' has another role already"),
    ('{"ops": [{"name": "a.b", "reads": [1],\n "views": [1]}]}',
     "2:12: operand 1 of 'a.b' has another role already"),
    ('{"ops": [{"name": "a.b"},\n {"name": "a.b"}]}',
     "2:2: 'a.b' stands twice in 'ops'"),
    ('{"ops": [{"name": "a.b", "pending": true, "barrier": true}]}',
     "1:10: 'a.b' cannot be both pending and a barrier"),
    ('{"ops": [{"name": "nvgpu.device_async_copy", "pending": true}]}',
     "1:10: when 'nvgpu.device_async_copy' ends is known"),
    ('{"ops": [{"name": "a.b", "if": [{"operand": 0, "space": "L1"}]},\n'
     ' {"name": "a.b"}, {"name": "a.b", "unit": "dma"}]}',
     "2:19: 'a.b' stands twice in 'ops'"),
    ('{"ops": [{"name": "a.b", "if": [{"operand": 0}]}]}',
     "1:33: a condition has 'operand' and 'space', or 'attribute'"),
    ('{"ops": [{"name": "a.b", "if": [{"attribute": "x", "space": "L1"}]}]}',
     "1:33: a condition has 'operand' and 'space', or 'attribute'"),
    ('{"ops": [{"name": "a.b", "allocates": {"size": {}}}]}',
     "1:48: size has exactly one of 'attribute' and 'operand'"),
    ('{"ops": [{"name": "a.b", "allocates": {"size": {"attribute": "n", '
     '"operand": 0}}}]}', "1:48: size has exactly one of 'attribute' and "),
    ('{"ops": [{"name": "a.b", "allocates": {"space": {"operand": 0}}}]}',
     "1:49: space has exactly one of 'attribute' and 'is'"),
    ('{"ops": [{"name": "a.b", "unit": ""}]}', "1:34: a unit has no name"),
    ('{"memories": [{"space": 1}]}',
     "1:25: a string for 'space' expected instead of '1'"),
    ('{"memories": [{"space": ""}]}', "1:25: a memory has no name: 'default'"),
    ('{"ops": [{"name": 3}]}', "1:19: a string for 'name' expected"),
    ('{"ops": [{"name": "a.b", "if": [{"attribute": ""}]}]}',
     "1:47: an attribute has no name"),
    ('{"ops": [{"name": "a.b", "allocates": {"size": {"attribute": ""}}}]}',
     "1:62: an attribute has no name"),
    ('{"functions": [{"name": "@f"}]}',
     "1:25: '@f': a symbol stands here without its '@'"),
    ('{"functions": [{"name": ""}]}', "1:25: '' is no symbol"),
    ('{"functions": [{"name": "f", "cores": 65}]}',
     "1:39: cores 65 is not within 1 to 64"),
    ('{"functions": [{"name": "f", "is_on": [1]}]}',
     "1:16: '@f' has 'is_on', but no 'cores'"),
    ('{"ops": [{"name": "a.b", "once": true}]}',
     "1:10: 'a.b' has 'once', but no 'unit'"),
    ('{"ops": [{"name": "a.b", "ports": [1]}]}',
     "1:35: 'a.b' has 'ports', which are two operands or more, each once"),
    ('{"ops": [{"name": "a.b", "ports": [1, 1]}]}',
     "1:35: 'a.b' has 'ports', which are two operands or more, each once"),
    ('{"memories": [{"space": "L1", "interleaved": {"banks": 4}}]}',
     "1:46: an interleaved memory lacks 'width'"),
    ('{"memories": [{"space": "L1", "interleaved": {"banks": 1, "width": 4}}]}',
     "1:56: banks 1 is not within 2 to 128"),
    ('{"memories": [{"space": "L1", "capacity": 64, "banks": 2, "interleaved": {"banks": 4, "width": 4}}]}',
     "1:15: memory 'L1' has banks one behind the other, or is 'interleaved', not both"),
    ('{"functions": [{"name": "f", "cores": 2, "is_on": [2]}]}',
     "1:16: '@f' is on a core that there is not"),
    ('{"functions": [{"name": "f", "cores": 2},\n {"name": "g", "cores": 3}]}',
     "2:2: '@g' tells of 3 cores, an entry before of 2"),
    ('{"layouts": [{"name": "a.b", "size": "small"}]}',
     "1:38: size 'small' is none of unknown, dense, bounds -> strides"),
    ('{"ops": [{"name": "a.b", "token": 64}]}',
     "1:35: token 64 is not within 0 to 63"),
    ('{"ops": [{"name": "a.b", "waits": [0], "views": [0]}]}',
     "1:50: operand 0 of 'a.b' has another role already"),
    ('{"ops": [{"name": "a.b", "reads": [0], "copies": true}]}',
     "1:10: 'a.b' copies: then it reads one operand and writes one"),
    ('{"ops": [{"name": "a.b", "reads": [0], "writes": [1], "frees": [2],\n'
     ' "copies": true}]}', "1:10: 'a.b' copies: then it reads one operand"),
    ('{"memories": [{"space": "1"}, {"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b"}}}]}',
     "2:37: moves by 'a.b', which stands in no entry of 'ops'"),
    ('{"ops": [{"name": "a.b", "reads": [0], "writes": [1]}], "memories": [\n'
     '{"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b"}}}]}',
     "3:37: moves by 'a.b', which does not say that it 'copies'"),
    ('{"ops": [{"name": "a.b", "reads": [0], "writes": [1], "token": 0,\n'
     ' "copies": true}], "memories": [{"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b"}}}]}',
     "3:37: moves by 'a.b', which has a token, and no 'wait' here"),
    ('{"ops": [{"name": "a.b", "reads": [0], "writes": [1],\n'
     ' "copies": true}], "memories": [{"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b", "token": "i32",'
     ' "wait": "a.w"}}}]}',
     "3:37: moves by 'a.b', which does not have result 0 as its token"),
    ('{"ops": [{"name": "a.b", "reads": [0], "writes": [1], "token": 0,\n'
     ' "copies": true}], "memories": [{"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b", "token": "i32",'
     ' "wait": "a.w"}}}]}',
     "3:37: waits by 'a.w', which no entry of 'ops' says to wait for"),
    ('{"ops": [{"name": "a.b", "reads": [0], "writes": [2], "copies": true}],\n'
     ' "memories": [{"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b"}}}]}',
     "3:37: moves by 'a.b', which reads or writes another operand than 0 and 1"),
    ('{"ops": [{"name": "a.b", "reads": [0], "writes": [1], "copies": true,\n'
     ' "pending": true}], "memories": [{"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b"}}}]}',
     "3:37: moves by 'a.b', which is pending until some barrier"),
    ('{"ops": [{"name": "a.b", "reads": [0], "writes": [1], "copies": true,\n'
     ' "barrier": true}], "memories": [{"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b"}}}]}',
     "3:37: moves by 'a.b', which is a barrier"),
    ('{"memories": [{"space": "2", "capacity": 8,\n'
     ' "backing": {"space": "1", "moves": {"op": "a.b", "token": "i32"}}}]}',
     "2:37: a move has both a 'token', the type of what is waited for"),
    ('{"memories": [{"space": "2", "capacity": 8, "backing": {"space": "1",\n'
     ' "transfers": "dma", "moves": {"op": "a.b"}}}]}',
     "1:56: either 'transfers' or 'moves' says how content moves"),
    ('{"types": [{"name": "fragment"}]}',
     "1:21: type 'fragment' is no name with a namespace, such as 'npu.dma'"),
    ('{"types": [{"name": "a.b", "size": "small"}]}',
     "1:36: size 'small' is none of unknown, dense and a number of bytes"),
    ('{"types": [{"name": "a.b", "size": -8}]}',
     "1:36: size -8 is not within 0 to 9223372036854775807"),
    ('{"types": [{"name": "a.b", "size": 8, "pointerless": true}]}',
     "1:12: 'a.b' has a size, but holds no address"),
    ('{"types": [{"name": "a.b"}, {"name": "a.b"}]}',
     "1:29: 'a.b' stands twice in 'types'"),
    ('{"layouts": [{"name": "a.b"}, {"name": "a.b"}]}',
     "1:31: 'a.b' stands twice in 'layouts'"),
    ('{"memories": [{"space": "L1", "capacity": -4}]}',
     "1:43: capacity -4 is not within 1 to 9223372036854775807"),
    ('{"memories": [{"space": "L1", "alignment": 12}]}',
     "1:44: alignment 12 is no power of two"),
    ('{"memories": [{"space": "L1", "start": "10"}]}',
     "1:40: start '10' is no address"),
    ('{"memories": [{"space": "L1", "start": 8, "alignment": 16}]}',
     "1:15: memory 'L1' starts at 8, which is no multiple of its alignment 16"),
    ('{"memories": [{"space": "L1", "start": 0, "capacity": 64},\n'
     ' {"space": "L2", "start": 63}]}',
     "2:2: the memories 'L1' and 'L2' overlap"),
    ('{"memories": [{"space": "L1", "banks": 2}]}',
     "1:15: memory 'L1' has banks, but no 'capacity'"),
    ('{"memories": [{"space": "L1", "capacity": 100, "banks": 3}]}',
     "1:15: memory 'L1' has 100 bytes, which are not 3 banks of whole "
     "multiples of 1"),
    ('{"memories": [{"space": "L1", "reserved": [[8, 8]]}]}',
     "1:44: a reserved range is [from, to]"),
    ('{"memories": [{"space": "L1", "reserved": [[8]]}]}',
     "1:44: a reserved range is [from, to]"),
    ('{"memories": [{"space": "L1", "capacity": 64, "reserved": [[0, 65]]}]}',
     "1:15: memory 'L1' has 64 bytes: it cannot reserve them up to 65"),
    ('{"memories": [{"space": "L1"}, {"space": "L1"}]}',
     "1:32: memory 'L1' stands twice"),
    ('{"types": [{"name": "a.b", "size": 8, "token": true}]}',
     "1:12: 'a.b' has a size, but is a token"),
    ('{"ops": [{"name": "a.*"},\n {"name": "a.*"}]}',
     "2:2: 'a.*' stands twice in 'ops'"),
    ('{"ops": [{"name": "a.b", "traits": ["uniform", "even"]}]}',
     "1:48: unknown trait 'even'"),
    ('{"ops": [{"name": "a.b", "kind": "total"}]}',
     "1:34: unknown kind 'total'"),
    ('{"ops": [{"name": "a.b", "async": {"starts": true}}]}',
     "1:35: async lacks 'kind'"),
    ('{"ops": [{"name": "a.b", "async": {"kind": "copy"}}]}',
     "1:35: async has 'starts', 'groups' or 'may_pend'"),
    ('{"ops": [{"name": "a.b", "async": {"kind": "copy", "may_pend": "n", '
     '"otherwise": "none"}}]}',
     "1:82: otherwise 'none' is neither a number nor 'all'"),
    ('{"ops": [{"name": "a.b", "async": {"kind": "copy", "starts": true}, '
     '"pending": true}]}', "1:10: 'a.b' has 'async', so that it ends by no "
     "barrier"),
    ('{"ops": [{"name": "a.b", "async_if": ""}]}',
     "1:38: an attribute has no name"),
    # What stands for the form of an op is for those alone that have it.
    ('{"ops": [{"name": "a.b", "kind": "sum"}]}',
     "1:10: the kind 'sum' stands for the form of an op that Berth knows, and "
     "'a.b' is none of those"),
    ('{"ops": [{"name": "memref.load", "kind": "store"}]}',
     "1:10: the kind 'store' stands for the form of an op"),
    ('{"ops": [{"name": "a.*", "traits": ["plain", "affine"]}]}',
     "1:10: the trait 'affine' stands for the form of an op"),
    ('{"ops": [{"name": "a.b", "async": {"kind": "load", "starts": true}}]}',
     "1:10: the kind of async 'load' stands for the form of an op"),
    ('{"ops": [{"name": "a.b", "chooses": [0, 1]}]}',
     "1:10: the key 'chooses' stands for the form of an op"),
    # A text that names no memory, and a type that needs no description.
    ('{"ops": [{"name": "a.b", "allocates": {"space": {"is": ""}}}]}',
     "1:56: a memory has no name: 'default' is that of types"),
    ('{"ops": [{"name": "a.b", "if": [{"operand": 0, "space": ""}]}]}',
     "1:57: a memory has no name: 'default'"),
    ('{"memories": [{"space": "L1", "capacity": 8,\n'
     ' "backing": {"space": ""}}]}', "2:23: a memory has no name: 'default'"),
    ('{"memories": [{"space": "2", "capacity": 8, "backing": {"space": "1",\n'
     ' "moves": {"op": "a.b", "token": ""}}}]}', "2:34: a token has no type"),
    ('{"types": [{"name": "builtin.memref", "size": 5}]}',
     "1:12: 'builtin.memref' is of MLIR's own types, which are known"),
    ('{"types": [{"name": "gpu.async.token", "size": 5}]}',
     "1:12: 'gpu.async.token' has a size, but Berth's own description calls it "
     "a token"),
    ('{"ops": [', "1:10: an object '{' expected, but the text ends"),
]


def main():
    berth_opt, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "bad.json")
    # Passes read a file as the tool does, so that one case shows it of all.
    ways = (("--berth-target=" + path, "berth-opt: error: "),
            ("--pass-pipeline=builtin.module(berth-verify{target=" + path +
             "})", "target: "))
    for index, (text, message) in enumerate(CASES):
        with open(path, "w") as file:
            file.write(text)
        for option, tool in ways[:1] if index else ways:
            done = subprocess.run([berth_opt, option], input="module {}",
                                  stdout=subprocess.PIPE, encoding="utf-8",
                                  stderr=subprocess.PIPE)
            expected = tool + path + ":" + message
            if done.returncode != 1 or done.stdout or \
                    expected not in done.stderr:
                sys.exit("{}\nexpected: {}\ngot: {} {}".format(
                    text, expected, done.returncode, done.stderr))


main()
