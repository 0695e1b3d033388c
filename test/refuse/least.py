# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with ever less memory, down to where the loader fails.

    python3 least.py COMMAND...

Each run does its job without a word, or says in one line that there is no memory.
"""

import resource
import subprocess
import sys


def run(command, mebibytes):
    limit = mebibytes << 20
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )


def is_good(done):
    if done.returncode == 0:
        return not done.stderr
    return (
        done.returncode == 1
        and done.stderr.count("\n") == 1
        and "out of memory" in done.stderr
    )


def main():
    command = sys.argv[1:]
    loads, fails = 4096, 16  # mebibytes
    while loads - fails > 1:  # where the loader begins to find its libraries
        middle = (loads + fails) // 2
        if "shared libraries" in run(command, middle).stderr:
            fails = middle
        else:
            loads = middle
    for above in (0, 1, 2, 4, 8, 32, 64):
        done = run(command, loads + above)
        if not is_good(done):
            sys.exit(f"{loads}+{above} MiB: {done.returncode}\n{done.stderr}")


if __name__ == "__main__":
    main()
