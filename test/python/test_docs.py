# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in the pages and in the docstrings do what they say."""

import doctest
import os
import unittest
from pathlib import Path

import berth
from berth import _problem

SOURCE = Path(__file__).resolve().parents[2]


class Examples(unittest.TestCase):
    def test_docstrings(self):
        for module in (berth, _problem):
            failed, tried = doctest.testmod(module)
            self.assertGreater(tried, 0)
            self.assertEqual(failed, 0)

    @unittest.skipUnless("BERTH_OPT" in os.environ, "built without MLIR")
    def test_pages(self):
        for page in ("python.md", "own-dialect.md"):
            failed, tried = doctest.testfile(str(SOURCE / "docs" / page),
                                             module_relative=False)
            self.assertGreater(tried, 0)
            self.assertEqual(failed, 0)


if __name__ == "__main__":
    unittest.main()
