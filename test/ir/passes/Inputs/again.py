# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs berth-arena on the programs of tests, and then on its own output.

    again.py BERTH-OPT PIPELINE... -- FOLDER-OR-FILE...

Each PIPELINE is a list of passes. Where the first of them alone takes a program,
all of them have to. Prints what fails, and how many programs were taken.
"""

import os
import re
import subprocess
import sys

CHUNK = re.compile(r"^//---.*$|^// -----.*$", re.MULTILINE)


def pieces(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return [part for part in CHUNK.split(file.read()) if "func" in part]


def run(tool, passes, text):
    """The error lines; none where all went well."""
    done = subprocess.run(
        [tool, "--allow-unregistered-dialect", "--split-input-file",
         f"--pass-pipeline=builtin.module({passes})", "-o", os.devnull],
        input=text, stderr=subprocess.PIPE, text=True)
    lines = [line for line in done.stderr.splitlines() if "error:" in line]
    return lines or (["no message"] if done.returncode else [])


def first_pass(passes):
    depth = 0
    for i, char in enumerate(passes):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            return passes[:i]
    return passes


def programs(places):
    for place in places:
        if os.path.isfile(place):
            yield place
        for folder, _, names in sorted(os.walk(place)):
            if os.path.basename(folder) != "Inputs":
                yield from (os.path.join(folder, name)
                            for name in sorted(names) if name.endswith(".mlir"))


def main():
    tool, rest = sys.argv[1], sys.argv[2:]
    split = rest.index("--")
    taken = failed = 0
    for path in programs(rest[split + 1:]):
        for passes in rest[:split]:
            first = first_pass(passes)
            texts = pieces(path)
            # All at once, unless one of them is not for this pass.
            if texts and not run(tool, first, "\n// -----\n".join(texts)):
                texts = ["\n// -----\n".join(texts)]
            else:
                texts = [text for text in texts if not run(tool, first, text)]
            for text in texts:
                taken += 1
                for line in run(tool, passes, text)[:1]:
                    failed += 1
                    print(f"{path}: {passes}: {line}")
    print(f"{taken} taken, {failed} failed")
    sys.exit(failed > 0)


main()
