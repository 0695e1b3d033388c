# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules as text, through berth-opt."""

import os
import re
import tempfile
import unittest
from unittest import mock

import berth

CHAIN = """
func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp  ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  memref.copy %c, %y : memref<1024xf32> to memref<1024xf32>
  return
}
"""


@unittest.skipUnless("BERTH_OPT" in os.environ, "built without MLIR")
class Modules(unittest.TestCase):
    def test_plan(self):
        planned = berth.plan(CHAIN, "berth-arena{in-place=false}")
        self.assertIn("memref<8192xi8>", planned.text)
        scope = planned.scope("chain")
        self.assertEqual((scope.bytes_before, scope.bytes_after), (12288, 8192))
        self.assertTrue(scope.optimal)
        self.assertEqual([a.offset for a in scope.allocations], [4096, 0, 4096])
        self.assertEqual(scope.allocations[0].line, 3)
        self.assertEqual(planned.messages, "")
        with self.assertRaisesRegex(KeyError, "'chain'"):
            planned.scope("train")

    def test_segments_are_a_problem(self):
        """What the plan says of itself is what the packing library finds."""
        scope = berth.plan(CHAIN, "berth-arena{in-place=false}").scope("chain")
        problem = berth.Problem([
            berth.Buffer(a.size, segments=a.segments, alignment=a.alignment)
            for a in scope.allocations])
        self.assertEqual(problem.pack().peak, scope.bytes_after)
        problem.verify([a.offset for a in scope.allocations])

    def test_pictures(self):
        """Also of what shares bytes while it is live: in place."""
        planned = berth.plan(CHAIN)
        scope = planned.scope("chain")
        self.assertIn(True, [a.in_place for a in scope.allocations])
        picture = scope.picture()
        self.assertEqual(picture.offsets, [0, 0, 0])
        self.assertEqual(picture.peak, scope.bytes_after)
        self.assertIn("<svg", picture.to_svg())
        self.assertTrue(scope._repr_html_().startswith("<iframe "))
        self.assertIn("<h4>chain, ", planned._repr_html_())
        empty = berth.plan("func.func @none() { return }\n" + CHAIN, "berth-arena")
        self.assertEqual(len(empty.scope("none").picture()), 0)

    def test_forms_of_passes(self):
        nested = berth.plan(CHAIN, "builtin.module(func.func(berth-arena))")
        self.assertEqual(nested.scope("chain").bytes_after, 4096)
        for passes in ("func.func(berth-arena)", ["func.func(berth-arena)", "cse"]):
            self.assertEqual(berth.plan(CHAIN, passes).scope("chain").bytes_after,
                             4096)
        # The pipeline `berth` has a berth-arena in it.
        self.assertEqual(berth.plan(CHAIN, "berth").scope("chain").bytes_after, 4096)
        several = berth.plan(CHAIN, ["berth-arena{arena=annotate}", "cse"],
                             generic=True)
        self.assertIn("berth.offset", several.text)
        self.assertIn('"func.func"', several.text)
        self.assertEqual(len(several.scopes), 1)
        self.assertEqual(berth.plan(CHAIN, "canonicalize").scopes, ())

    def test_reports_of_all(self):
        """Of an arena in a pipeline, and of one whose report goes to a file."""
        self.assertEqual(berth.plan(CHAIN, "berth").scope("chain").bytes_after, 4096)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.json")
            planned = berth.plan(CHAIN, "berth-arena{report=" + path + "}")
            self.assertEqual(len(planned.scopes), 1)
            self.assertTrue(os.path.exists(path))
        own = berth.plan(CHAIN, "berth-arena{report=-}")
        self.assertEqual((len(own.scopes), own.messages), (1, ""))

    def test_halves_of_characters(self):
        words = "half of a surrogate pair"
        for arguments in ((CHAIN + "// \ud800",), (CHAIN, "berth\ud800")):
            with self.assertRaisesRegex(berth.InvalidError, words):
                berth.plan(*arguments)
        with self.assertRaisesRegex(berth.InvalidError, "the target holds.*" + words):
            berth.plan(CHAIN, target={"dialects": ["\ud800"]})
        self.assertEqual(len(berth.plan(CHAIN + "// \udcff").scopes), 1)  # a byte

    def test_remarks(self):
        planned = berth.plan(CHAIN, remarks=True)
        self.assertIn("placed at offset", planned.messages)
        self.assertNotIn('{"scope"', planned.messages)

    def test_unregistered(self):
        text = '"npu.op"() : () -> ()'
        self.assertIn("npu.op", berth.plan(text, allow_unregistered=True).text)
        with self.assertRaisesRegex(berth.ToolError, "<stdin>:1:9: error:.*unregistered"):
            berth.plan(text)

    def test_target(self):
        text = """
func.func @f(%x: memref<8x8xi8>) {
  %a = memref.alloc() : memref<8x8xi8, #npu.tiled<[8] -> (16), [8] -> (1)>, "L1">
  "npu.load"(%x, %a) : (memref<8x8xi8>, memref<8x8xi8, #npu.tiled<[8] -> (16), [8] -> (1)>, "L1">) -> ()
  return
}"""
        target = {"ops": [{"name": "npu.load", "reads": [0], "writes": [1]}],
                  "layouts": [{"name": "npu.tiled", "size": "bounds -> strides"}],
                  "memories": [{"space": "L1", "start": "0x1000",
                                "capacity": 120}]}
        passes = "berth-arena{space=L1 arena=annotate}"
        planned = berth.plan(text, passes, target=target, generic=True)
        self.assertEqual(planned.scope("f").allocations[0].size, 120)
        self.assertIn("berth.address = 4096", planned.text)
        self.assertIn("#npu.tiled<[8] -> (16), [8] -> (1)>", planned.text)
        target["memories"][0]["capacity"] = 119
        with self.assertRaisesRegex(berth.ToolError, "119"):
            berth.plan(text, passes, target=target)
        with self.assertRaisesRegex(berth.ToolError, "npu.*tiled"):
            berth.plan(text, passes)
        target["memory"] = []
        with self.assertRaisesRegex(berth.ToolError, "<target>:1:.*'memory'"):
            berth.plan(text, passes, target=target)

    @unittest.skipUnless("BERTH_ACCELERATOR" in os.environ,
                         "BERTH_ACCELERATOR names no folder of a compiler's IR")
    def test_a_real_compiler(self):
        """Its IR right before allocation comes back whole, and is planned."""
        target = {
            "dialects": ["accfg", "kernel"],
            "ops": [{"name": "snax.cluster_sync_op", "barrier": True},
                    {"name": "snax.mcycle"},
                    {"name": "memref.copy", "pending": True},
                    {"name": "linalg.generic", "pending": True},
                    {"name": "dart.schedule", "segments": True, "reads": [0],
                     "writes": [1], "pending": True}],
            "layouts": [{"name": "tsl.tsl", "size": "bounds -> strides"}],
            "memories": [{"space": "L1", "start": "0x10000000",
                          "capacity": 65536}]}
        layout = re.compile(r"#tsl\.tsl<.*?\)>")
        for name, count, size in (("mlp", 13, 1408), ("quantized_matmul", 3, 1536),
                                  ("tiled_pipelined", 3, 3072)):
            path = os.path.join(os.environ["BERTH_ACCELERATOR"], name + ".mlir")
            with open(path) as file:
                text = file.read()
            planned = berth.plan(text, "berth-arena{space=L1 arena=annotate}",
                                 target=target, generic=True, verify_input=False)
            self.assertEqual(sorted(layout.findall(planned.text)),
                             sorted(layout.findall(text)))
            self.assertEqual(planned.text.count("berth.address"), count)
            self.assertEqual(planned.scopes[0].bytes_after, size)
            self.assertEqual(planned.scopes[0].report["load"], size)
            self.assertEqual(planned.scopes[0].picture().peak, size)
            self.assertIn("<iframe ", planned._repr_html_())
            self.check_picture(text, target)
            target["memories"][0]["capacity"] = size
            berth.plan(text, "berth-arena{space=L1 arena=annotate}",
                       target=target, verify_input=False)
            target["memories"][0]["capacity"] = size - 1
            with self.assertRaises(berth.ToolError):
                berth.plan(text, "berth-arena{space=L1 arena=annotate}",
                           target=target, verify_input=False)
            target["memories"][0]["capacity"] = 65536

    def check_picture(self, text, target):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "l1.svg")
            berth.plan(text, "berth-arena{space=L1 arena=annotate report=" +
                       picture + "}", target=target, verify_input=False)
            with open(picture) as file:
                self.assertIn("<svg", file.read())

    def test_errors(self):
        with self.assertRaisesRegex(berth.ToolError, "<stdin>:1:18: error:"):
            berth.plan("func.func @f() { foo }")
        with self.assertRaisesRegex(berth.ToolError, "capacity"):
            berth.plan(CHAIN, "berth-arena{capacity=100}")
        with self.assertRaises(berth.ToolError) as caught:
            berth.plan(CHAIN, "berth-arena{capacity=much}")
        self.assertEqual(caught.exception.number, "berth-E006")
        with self.assertRaises(berth.ToolError) as caught:
            berth.plan(CHAIN, "no-such-pass")
        self.assertIn("no-such-pass", caught.exception.messages)
        self.assertEqual(caught.exception.number, "")
        with self.assertRaisesRegex(berth.ToolError, "E026.*\n.*there are %alloc = "):
            berth.plan(CHAIN, "berth-arena{explain=%no,%none}")
        with self.assertRaisesRegex(TypeError, "the module is 3, an int"):
            berth.plan(3)

    def test_types(self):
        def fails(kind, words, **named):
            with self.assertRaisesRegex(kind, words):
                berth.plan(CHAIN, **named)

        for wrong in (None, 3, b"berth-arena"):
            fails(TypeError, r"passes is .*; a sequence is needed", passes=wrong)
        fails(TypeError, r"passes\[1\] is None, a NoneType; a string",
              passes=["berth-arena", None])
        for wrong in (3, [1], b"x"):
            fails(TypeError, r"the target is .*; a path or a dict is needed", target=wrong)
        fails(berth.InvalidError, "the target is an empty path", target="")
        fails(TypeError, r"the target holds \{1\}, a set", target={"ops": {1}})
        for wrong in ("9", True):
            fails(TypeError, "timeout is .*a number of seconds", timeout=wrong)
        fails(berth.InvalidError, "timeout is -1; it must be above 0", timeout=-1)
        fails(TypeError, "arguments is '-x', a str; a sequence", arguments="-x")
        for name in ("generic", "allow_unregistered", "verify_input", "remarks"):
            fails(TypeError, name + " is 'no', a str; True or False",
                  **{name: "no"})

    def test_numpy_target(self):
        try:
            import numpy
        except ImportError:
            raise unittest.SkipTest("numpy is not installed")
        target = {"memories": [{"space": "default", "capacity": numpy.int64(65536),
                                "reserved": numpy.array([[0, 64]])}]}
        planned = berth.plan(CHAIN, "berth-arena{arena=annotate}", target=target)
        offsets = [a.offset for a in planned.scopes[0].allocations]
        self.assertEqual(min(offsets), 64)

    def test_a_missing_tool(self):
        with mock.patch.dict(os.environ, {"BERTH_OPT": "/nonexistent"}):
            with self.assertRaisesRegex(berth.ToolError, "/nonexistent"):
                berth.plan(CHAIN)


if __name__ == "__main__":
    unittest.main()
