# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package is for Python 3.9 and newer, whichever runs the tests."""

import ast
import pathlib
import unittest

import berth

PACKAGE = pathlib.Path(berth.__file__).parent


class Versions(unittest.TestCase):
    def modules(self):
        for path in sorted(PACKAGE.glob("*.py")):
            yield path, path.read_text(encoding="utf-8")

    def test_syntax_of_3_9(self):
        for path, text in self.modules():
            with self.subTest(path.name):
                ast.parse(text, path.name, feature_version=(3, 9))

    def test_names_of_3_9(self):
        """Of the library's newer parts none is imported, and annotations are
        never evaluated where they say more than 3.9 knows."""
        newer = {"tomllib", "ParamSpec", "TypeAlias", "TypeGuard", "Self",
                 "LiteralString", "Never", "NotRequired", "Required", "Unpack",
                 "override", "StrEnum", "ExceptionGroup", "pairwise", "batched",
                 "EllipsisType", "NoneType", "UnionType"}
        dataclass_options = {"slots", "kw_only", "match_args"}
        for path, text in self.modules():
            with self.subTest(path.name):
                tree = ast.parse(text)
                names, options = set(), set()
                for node in ast.walk(tree):
                    if isinstance(node, ast.ImportFrom):
                        names |= {alias.name for alias in node.names}
                    elif isinstance(node, ast.Import):
                        names |= {alias.name for alias in node.names}
                    elif isinstance(node, ast.Name):
                        names.add(node.id)
                    elif isinstance(node, ast.Attribute):
                        names.add(node.attr)
                    elif isinstance(node, ast.Call) \
                            and getattr(node.func, "id", "") == "dataclass":
                        options |= {word.arg for word in node.keywords}
                    # zip(strict=) came with 3.10.
                    elif isinstance(node, ast.keyword):
                        self.assertNotEqual(node.arg, "strict")
                self.assertFalse(names & newer)
                self.assertFalse(options & dataclass_options)


if __name__ == "__main__":
    unittest.main()
