# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""man.py PAGE COMMAND...: names options of the command's help, and what stands
first in its indented lines, that its man page does not."""

import re
import subprocess
import sys

help_text = subprocess.run(sys.argv[2:], check=True, capture_output=True, text=True).stdout
with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read().replace("\\-", "-")
wanted = set(re.findall(r"--[a-z][a-z-]+", help_text))
wanted |= set(re.findall(r"^  ([a-z]\w+)  ", help_text, re.M))
missing = sorted(w for w in wanted if not re.search(rf"(?<![\w-]){w}(?![\w-])", page))
print("\n".join(missing))
sys.exit(bool(missing))
