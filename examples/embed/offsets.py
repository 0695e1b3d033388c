#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Offsets for a compiler that talks to MLIR in text, such as one in Python.

    offsets.py MLIR-OPT BERTH-PLUGIN FILE.mlir

Pipes the module through mlir-opt with the plugin and reads what
berth-arena{arena=annotate} leaves on each allocation. With xDSL, print the
module with its Printer and hand the answer to its Parser.
"""

import re
import subprocess
import sys


def annotate(mlir_opt, plugin, text):
    """The module with berth.offset and berth.size on its allocations."""
    command = [
        mlir_opt,
        f"--load-pass-plugin={plugin}",
        "--pass-pipeline=builtin.module(berth-arena{arena=annotate})",
    ]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def main():
    mlir_opt, plugin, path = sys.argv[1:]
    with open(path) as file:
        text = annotate(mlir_opt, plugin, file.read())
    size = re.search(r"berth\.arena_size = (\d+)", text)
    print(f"arena of {size[1]} bytes")
    for offset in re.findall(r"memref\.alloc.*berth\.offset = (\d+)", text):
        print(f"allocation at {offset}")


if __name__ == "__main__":
    main()
