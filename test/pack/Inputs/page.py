# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses a page in a headless browser: page.py IN.html SCRIPT.js BROWSER [WIDTH,HEIGHT]

Runs the script behind those of the page and prints what it says.
"""

import html
import pathlib
import re
import subprocess
import sys
import tempfile

page, script, browser, *size = sys.argv[1:]
text = pathlib.Path(page).read_text(encoding="utf-8")
before, _, after = text.rpartition("</body>")
body = pathlib.Path(script).read_text(encoding="utf-8")
used = pathlib.Path(page + ".used.html")
used.write_text(f"{before}<script>{body}</script></body>{after}", encoding="utf-8")
with tempfile.TemporaryDirectory() as profile:
    flags = "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
    command = [browser, *("--" + flag for flag in flags.split()), "--user-data-dir=" + profile]
    command += ["--window-size=" + each for each in size]
    done = subprocess.run(
        [*command, "--disable-component-update", "--disable-sync", "--dump-dom", used.resolve().as_uri()],
        check=True,
        capture_output=True,
        text=True,
    )
print(html.unescape(re.search("<pre>(.*?)</pre>", done.stdout, re.DOTALL).group(1)))
