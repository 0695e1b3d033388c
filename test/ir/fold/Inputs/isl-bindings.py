# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and tells whose isl its libraries were bound to.

  isl-bindings.py DIR COMMAND...

Prints `USER takes isl from LIBRARY`, once for each pair. The dynamic linker writes
each binding into a file in DIR, which must not be there yet.
"""

import os
import pathlib
import re
import subprocess
import sys

BINDING = re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: .* symbol `isl_")

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True)
environment = dict(os.environ, LD_DEBUG="bindings", LD_BIND_NOW="1",
                   LD_DEBUG_OUTPUT=str(folder / "log"))
done = subprocess.run(sys.argv[2:], env=environment, stdout=subprocess.DEVNULL,
                      check=False)
pairs = set()
for log in folder.iterdir():
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        found = BINDING.search(line)
        if found:
            pairs.add(tuple(os.path.basename(path) for path in found.groups()))
for user, library in sorted(pairs):
    print(f"{user} takes isl from {library}")
sys.exit(done.returncode)
