# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the words of lib/IR/Target/TargetFacts.c against docs/op-table.md."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]


def main():
    source = (ROOT / "lib/IR/Target/TargetFacts.c").read_text(encoding="utf-8")
    page = (ROOT / "docs/op-table.md").read_text(encoding="utf-8")
    traits = re.findall(r'\{"(\w+)", (\w+), \w+\}', source)
    start = source.index("traitsOfForm =")
    form = re.findall(r"k\w+", source[start:source.index(";", start)])
    words = ["`{}`{}".format(word, " *" if bit in form else "")
             for word, bit in traits]
    words += re.findall(r'\[BERTH_OP_\w+\] = ("\w+")', source)
    rows = re.findall(r"^\| (`\w+`(?: \*)?) \|", page, re.M)
    missing = [w for w in words if w.replace('"', "`") not in rows]
    if missing or len(words) < 80:
        sys.exit("docs/op-table.md lacks {}".format(missing))


main()
