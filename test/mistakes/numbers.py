# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the numbers of messages against the sources and docs/messages.md.

    python3 numbers.py BERTH-PACK SOURCE [--update]

Each phrase of lib/Support/Messages.def stands in a string of the sources, else
nobody says it any more; docs/messages.md is what --explain-error=list prints.
"""

import pathlib
import re
import subprocess
import sys

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# Messages by number

Errors and warnings end in a number, such as `[berth-E005]`, that stays the same
when words change. `berth-opt --explain-error=berth-E005` and `berth-pack
--explain-error=berth-E005` say what stands here. This page is printed by
`--explain-error=list` from `lib/Support/Messages.def`.

"""


def strings(root):
    """All string literals of a file in one text, those that touch joined."""
    texts = []
    for folder in ("lib", "tools"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".cpp", ".h") and path.name != "Messages.c":
                text = re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8"))
                texts.append(text)
    return "\n".join(texts)


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    table = (root / "lib/Support/Messages.def").read_text(encoding="utf-8")
    rows = re.findall(r'BERTH_MESSAGE\("(E\d+)", "((?:[^"\\]|\\.)*)"', table)
    said = strings(root)
    bad = [f"{number}: nobody says '{phrase}'" for number, phrase in rows if phrase not in said]
    bad += [f"E{i + 1:03} is missing" for i, row in enumerate(rows) if row[0] != f"E{i + 1:03}"]
    listed = subprocess.run(
        [tool, "--explain-error=list"], check=True, capture_output=True, text=True
    ).stdout
    page = HEAD + re.sub(
        r"(berth-E\d+): \.\.\. (.*) \.\.\.\n    (.*)\n", r"**\1** "  r"\2" "\n: \\3\n\n", listed
    ).replace("<", "&lt;")
    page = HEAD + page[len(HEAD) :].rstrip() + "\n"
    target = root / "docs/messages.md"
    if "--update" in sys.argv:
        target.write_text(page, encoding="utf-8")
    elif not target.exists() or target.read_text(encoding="utf-8") != page:
        bad.append("docs/messages.md is another: numbers.py --update writes it")
    print("\n".join(bad) or f"{len(rows)} messages")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
