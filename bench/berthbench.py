# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmarks share: where the tools are, running them, tables."""

import os
import subprocess
import sys

LLVM = os.environ.get("LLVM_DIR_PREFIX", "/usr/lib/llvm-22")


class Failure(Exception):
    """A tool failed; the message is for people."""


def run(command, text=None):
    """Runs a command on `text` and returns what it wrote (stdout, stderr)."""
    done = subprocess.run(
        command, input=text, text=True, capture_output=True, check=False
    )
    if done.returncode != 0:
        shown = "\n".join(done.stderr.splitlines()[:10])
        raise Failure(f"{' '.join(command[:2])} failed:\n{shown}")
    return done.stdout, done.stderr


def mlir_opt(text, pipeline, build=None, options=()):
    """Runs the stock mlir-opt, with Berth's plugin if `build` is given."""
    command = [os.path.join(LLVM, "bin", "mlir-opt")]
    if build:
        plugin = os.path.join(build, "lib", "BerthPlugin.so")
        if not os.path.exists(plugin):
            raise Failure(f"{plugin} is missing: build Berth first")
        command.append("--load-pass-plugin=" + plugin)
    command += [f"--pass-pipeline=builtin.module({pipeline})", *options, "-"]
    return run(command, text)


def print_table(header, rows):
    """Columns as wide as they need; the first one to the left."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [
        max(len(row[i]) for row in [header] + rows)
        for i in range(len(header))
    ]
    for row in [header] + rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(w) for cell, w in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip())
    sys.stdout.flush()
