# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of a page does not fit a screen of 320 pixels: narrow.py BROWSER-FOLDER BROWSER PAGE"""

import pathlib
import sys

folder, browser, page = sys.argv[1:]
sys.path.insert(0, folder)

from browser import Browser  # noqa: E402

OUTSIDE = """[...document.querySelectorAll("body *")]
    .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => each.tagName + "#" + each.id).join(" ") || "nothing"
"""

with Browser(browser, 320, 640) as b:
    b.open(pathlib.Path(page).resolve().as_uri())
    b.wait("document.readyState === 'complete'")
    print("arenas:", b.run("document.querySelector('#scope').options.length"))
    print("outside:", b.run(OUTSIDE))
