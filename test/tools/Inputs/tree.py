# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every file of the tree must have: tree.py ROOT

A licence line where the format has comments, C and C++ within 80 columns under
a banner of one line, and links between pages that lead somewhere. Prints what
is wrong; the exit status says whether anything is.
"""

import os
import re
import sys

FOLDERS = ["bench", "docs", "examples", "include", "lib", "test", "tools"]
CODE = (".c", ".h", ".cpp")
TEXT = CODE + (".py", ".sh", ".test", ".mlir", ".md", ".1", ".7", ".td", ".awk")
TEXT += (".in", ".txt")
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def files(root):
    for name in sorted(os.listdir(root)):
        if name.endswith(".md") or name == "LICENSE":
            yield os.path.join(root, name)
    for top in FOLDERS:
        for folder, below, names in os.walk(os.path.join(root, top)):
            below[:] = sorted(set(below) - {"Output", "corpus"})
            yield from (os.path.join(folder, name) for name in sorted(names))


def check_code(lines):
    if not re.match(r"//===- .* -*.*===//$", lines[0]):
        yield 1, "no banner"
    for number, line in enumerate(lines, 1):
        if len(line) > 80:
            yield number, f"{len(line)} columns"


def anchor(heading):
    """As the usual viewers of Markdown make it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def headings(path):
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"^#+ (.*)$", file.read(), re.M)
    return {anchor(heading) for heading in found}


def check_links(path, lines):
    for number, line in enumerate(lines, 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"\w+://", target):
                continue
            name, _, heading = target.partition("#")
            there = os.path.join(os.path.dirname(path), name) if name else path
            if not os.path.exists(there):
                yield number, f"'{target}' leads nowhere"
            elif heading and heading not in headings(there):
                yield number, f"'{target}': there is no such heading"


def check(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    if path.endswith(TEXT) and not any(SPDX in line for line in lines[:6]):
        yield 1, "no licence line"
    if path.endswith(CODE):
        yield from check_code(lines)
    if path.endswith(".md"):
        yield from check_links(path, lines)


def main():
    root = sys.argv[1]
    failed = False
    for path in files(root):
        for number, what in check(path):
            print(f"{os.path.relpath(path, root)}:{number}: {what}")
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
