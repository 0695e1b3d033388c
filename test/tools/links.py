# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows the links of all pages: files and headings that are not there.

    python3 links.py SOURCE
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(text):
    """The names that a page's headings go by."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    names = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", text):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        names.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return names


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    bad, count = [], 0
    for page in sorted(pages):
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
        for link in LINK.findall(text):
            if re.match(r"\w+:", link):
                continue
            count += 1
            path, _, name = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                bad.append(f"{page.relative_to(root)}: there is no '{path}'")
            elif name and name not in anchors(target.read_text(encoding="utf-8")):
                bad.append(f"{page.relative_to(root)}: '{path}' has no heading '{name}'")
    print("\n".join(bad + [f"{len(pages)} pages, {count} links, {len(bad)} lead nowhere"]))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
