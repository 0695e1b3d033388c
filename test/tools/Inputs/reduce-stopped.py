# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interrupts a command on a terminal once it shows that it has found something.

    python3 reduce-stopped.py COMMAND...

Prints what it has shown last, what it says at the end, and its exit status.
"""

import os
import pty
import re
import signal
import subprocess
import sys

ours, theirs = pty.openpty()
# Whoever runs tests in the background may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
child = subprocess.Popen(sys.argv[1:], stderr=theirs, start_new_session=True)
os.close(theirs)
shown, stopped = b"", False
while True:
    try:
        more = os.read(ours, 1000)
    except OSError:  # the other end is closed
        break
    if not more:
        break
    shown += more
    if not stopped and re.search(rb"\r[1-9] lines, ", shown):
        os.killpg(child.pid, signal.SIGINT)
        stopped = True
print(re.sub(r"[\r\n]+", "\n", shown.decode()) + f"exit {child.wait()}")
