# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""    interrupt.py SHOWN COMMAND...

Runs the command with standard error on a terminal, sends SIGINT as soon as it
shows there how far it is, and exits with its status. SHOWN gets what it showed,
a line for each state of the terminal's line.
"""

import os
import pty
import signal
import subprocess
import sys

terminal, slave = pty.openpty()
process = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stderr=slave)
os.close(slave)
shown = b""
interrupted = False
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:  # nobody holds the other end any more
        break
    if not piece:
        break
    shown += piece
    if not interrupted and b"steps (" in shown:
        process.send_signal(signal.SIGINT)
        interrupted = True
status = process.wait()
with open(sys.argv[1], "wb") as file:
    file.write(shown.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
if not interrupted:
    sys.exit("it ended before it showed anything:\n" + shown.decode())
sys.exit(status if status >= 0 else 128 - status)
