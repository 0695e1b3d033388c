# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends a command by signals while it has a temporary file.

    python3 signals.py Hold.so OUTPUT COMMAND...

COMMAND writes OUTPUT, under another name first, and Hold.so stops it there. For
each signal that ends a process it must die of that signal, and leave nothing
beside OUTPUT, which stays as it was. What ignores SIGHUP (nohup) goes on.
"""

import atexit
import os
import pathlib
import signal
import subprocess
import sys
import time

ENDS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGXCPU)
DEADLINE = 120  # seconds; nobody waits that long unless something is wrong


def start(library, command, folder, ignored=()):
    """The process, once it has a file of its own."""
    environment = dict(os.environ, LD_PRELOAD=library)
    for number in ENDS:  # whoever runs the tests may ignore some
        signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
    process = subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, restore_signals=False
    )
    atexit.register(process.kill)
    end = time.monotonic() + DEADLINE
    while not any(".tmp-" in p.name for p in folder.iterdir()):
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"no temporary file: {process.communicate()[1].decode()}")
        time.sleep(0.01)
    return process


def finish(process, number, folder, output):
    end = time.monotonic() + DEADLINE
    while process.poll() is None and time.monotonic() < end:
        os.kill(process.pid, number)  # the first SIGINT only stops a packer
        time.sleep(0.01)
    message = process.communicate(timeout=DEADLINE)[1].decode()
    if process.returncode != -number:
        sys.exit(f"{number.name}: ended with {process.returncode}\n{message}")
    left = sorted(p.name for p in folder.iterdir())
    if left != [output.name] or output.read_text() != "old":
        sys.exit(f"{number.name}: left behind: {left}")


def main():
    library, output, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    folder = output.parent
    folder.mkdir(parents=True)
    output.write_text("old")
    for number in ENDS:
        finish(start(library, command, folder), number, folder, output)
    process = start(library, command, folder, ignored=[signal.SIGHUP])
    os.kill(process.pid, signal.SIGHUP)
    finish(process, signal.SIGTERM, folder, output)
    print("nothing is left")


if __name__ == "__main__":
    main()
