# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moves each placed buffer of a planned module by part of its alignment, and the
start of the memory by as much, and sees that berth-verify refuses each mutant for
that; what is moved by whole alignments it has to take.

    python3 alignment-mutants.py BERTH-OPT PLANNED.mlir FOLDER
"""

import json
import pathlib
import re
import subprocess
import sys

NEEDS = {"i8": 1, "i16": 2, "f16": 2, "i32": 4, "f32": 4, "f64": 8, "i64": 8,
         "index": 8, "complex<f64>": 8, "vector<4xf32>": 16}
PLACED = re.compile(r"(alignment = (\d+) : i64, )?berth\.offset = (\d+) : i64(.*)"
                    r": memref<(?:\d+x)*([^,]*), \"L1\">")


def refuses(opt, text, start, folder):
    """Whether berth-verify does so for an alignment."""
    target = folder / "target.json"
    target.write_text(json.dumps({"memories": [
        {"space": "L1", "start": start, "capacity": 1 << 20}]}))
    run = subprocess.run(
        [opt, "-", "-o", str(folder / "out"), "--berth-target=" + str(target),
         "--pass-pipeline=builtin.module(berth-verify)"],
        input=text, capture_output=True, text=True, check=False)
    found = re.search(r"no multiple of its own|its elements need", run.stderr)
    assert (run.returncode != 0) == bool(found), run.stderr
    return bool(found)


def main():
    opt, planned, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(exist_ok=True)
    text = re.sub(r"berth\.arena_size = \d+", "berth.arena_size = 1048576",
                  pathlib.Path(planned).read_text())
    counts = {"refused": 0, "taken": 0}
    most = 1
    for k, found in enumerate(PLACED.finditer(text)):
        needed = max(int(found.group(2) or 1), NEEDS[found.group(5)])
        alone = 65536 * (k + 1)  # where no other buffer is
        for shift in {needed // 2, 3 * needed} - {0}:
            mutant = text[:found.start(3)] + str(alone + shift) + text[found.end(3):]
            wanted = shift % needed != 0
            assert refuses(opt, mutant, 0, folder) == wanted, (found.group(0), shift)
            counts["refused" if wanted else "taken"] += 1
        most = max(most, needed)
    for start in (1, most // 2, 3 * most):
        wanted = start % most != 0
        assert refuses(opt, text, start, folder) == wanted, start
        counts["refused" if wanted else "taken"] += 1
    print("{refused} refused, {taken} taken".format(**counts))


main()
