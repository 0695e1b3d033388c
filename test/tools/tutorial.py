# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what a page of docs/tutorial says, and compares what it shows.

    python3 tutorial.py [--update] FOLDER PAGE...

A line `File NAME:` makes a file of the code block behind it. A block of `console`
has commands ("$ ..." and lines that go on, indented or behind a backslash), each
with its output, standard error too. `[...]` in an output stands for lines that
are not shown. --update writes the outputs, but for those with `[...]`.
"""

import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"```(\w*)\n(.*?)```\n", re.S)
FILE = re.compile(r"File `([^`]+)`:\n\n$")


def commands(block):
    """(command, output) of each in a block."""
    parts = re.split(r"(?m)^\$ ", block)[1:]
    for part in parts:
        lines = part.split("\n")[:-1]
        count = 1
        while lines[count - 1].endswith("\\"):
            count += 1
        yield "\n".join(lines[:count]), "\n".join(lines[count:])


def run(command, folder):
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    return "\n".join(line.rstrip() for line in done.stdout.rstrip("\n").split("\n"))


def is_shown(expected, said):
    pattern = ".*".join(re.escape(part) for part in expected.split("[...]"))
    return re.fullmatch(pattern, said, re.S) is not None


def follow(page, folder, update):
    """The page with the outputs that came, and how many were others."""
    text, wrong, new, end = page.read_text(encoding="utf-8"), 0, "", 0
    for match in FENCE.finditer(text):
        new += text[end : match.start()]
        end = match.end()
        kind, body = match.groups()
        name = FILE.search(text[: match.start()])
        if name:
            (folder / name.group(1)).write_text(body, encoding="utf-8")
        if kind != "console":
            new += match.group(0)
            continue
        new += "```console\n"
        for command, expected in commands(body):
            said = run(command, folder)
            if not is_shown(expected, said):
                wrong += 1
                if not update:
                    print(f"{page.name}: $ {command}\n--- shown:\n{expected}\n--- said:\n{said}")
            keeps = "[...]" in expected or not update
            shown = expected if keeps else said
            new += f"$ {command}\n" + (shown + "\n" if shown else "")
        new += "```\n"
    return new + text[end:], wrong


def main():
    update = "--update" in sys.argv
    folder, *pages = [pathlib.Path(a) for a in sys.argv[1:] if a != "--update"]
    wrong = 0
    for page in pages:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        new, others = follow(page, folder, update)
        wrong += others
        if update:
            page.write_text(new, encoding="utf-8")
    print(f"{len(pages)} pages, {wrong} outputs are others")
    return wrong > 0 and not update


if __name__ == "__main__":
    sys.exit(main())
