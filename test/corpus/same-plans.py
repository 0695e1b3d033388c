# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans .mlir files with two builds of Berth, and compares the plans.

    python3 test/corpus/same-plans.py BERTH-OPT BERTH-OPT FILE-OR-FOLDER...

The builds may be of two versions of MLIR. A piece (what stands between two lines
`// -----`) that one of them does not take is left out: an older MLIR lacks ops and
words. So is one that says "MLIR 19 plans otherwise", and why, and one that asks for
the address of a buffer, which MLIR 19 would lose. Of the others the reports of berth-arena must be the same but for the packer's steps: live ranges,
offsets, barriers, reasons. Says which are not, and how many were compared; fails if
any differs or none was compared.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "\n// -----"
OTHERWISE = re.compile("MLIR 19 plans otherwise|extract_aligned_pointer_as_index")
PIPELINE = "builtin.module(berth-arena{unknown-ops=use report=%s})"


def report(tool, text, folder):
    """The report of one module; None if the tool does not take it."""
    source, path = folder / "in.mlir", folder / "report.json"
    source.write_text(text)
    path.unlink(missing_ok=True)
    done = subprocess.run(
        [tool, source, "--allow-unregistered-dialect", "-o", os.devnull,
         "--pass-pipeline=" + PIPELINE % path],
        capture_output=True, check=False, timeout=300)
    if done.returncode != 0 or not path.exists():
        return None
    return re.sub(r'"steps": \d+', "", path.read_text())


def compare(tools, text):
    """Outcomes of a file: 'same', 'differs' or 'left out', one a piece."""
    outcomes = []
    with tempfile.TemporaryDirectory() as name:
        for piece in text.split(MARK):
            first, second = (
                None if OTHERWISE.search(piece) else
                report(tool, piece, pathlib.Path(name)) for tool in tools)
            outcomes.append("left out" if first is None or second is None else
                            "same" if first == second else "differs")
    return outcomes


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    tools = sys.argv[1:3]
    files = []
    for argument in map(pathlib.Path, sys.argv[3:]):
        files += [argument] if argument.is_file() else sorted(
            argument.rglob("*.mlir"))
    texts = [path.read_text(errors="replace") for path in files]
    counts = {"same": 0, "differs": 0, "left out": 0}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, outcomes in zip(files, pool.map(compare, [tools] * len(texts),
                                                  texts)):
            for number, outcome in enumerate(outcomes, 1):
                counts[outcome] += 1
                if outcome == "differs":
                    print(f"{path}: the plans of piece {number} differ")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["differs"] or not counts["same"] else 0


if __name__ == "__main__":
    sys.exit(main())
