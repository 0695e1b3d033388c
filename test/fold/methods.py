# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cells of the arrays of programs by every method of berth-fold.

    python3 methods.py BERTH-OPT FILE...

Fails where a method takes more cells than another one. A method that folds fewer
arrays shows as "-".
"""

import re
import subprocess
import sys

METHODS = ["lefebvre-feautrier", "smo", "lattice", "turn", "exact", "auto"]
CELLS = re.compile(r", (\d+) cells of \d+")


def cells(tool, path, method):
    """The cells of each array that folds."""
    done = subprocess.run(
        [tool, path, "--berth-fold=max-operations=0 joint=false min-gain=0 method="
         + method, "--remarks-filter=berth-fold"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return [int(found) for found in CELLS.findall(done.stderr)]


def main():
    wrong = 0
    for path in sys.argv[2:]:
        found = [cells(sys.argv[1], path, method) for method in METHODS]
        most = max(len(arrays) for arrays in found)
        wrong += len({len(arrays) for arrays in found}) > 1
        wrong += len({sum(arrays) for arrays in found}) > 1
        print(path.rsplit("/", 1)[-1], *(sum(arrays) if len(arrays) == most else "-"
                                         for arrays in found))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
