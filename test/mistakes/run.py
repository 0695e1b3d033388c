# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs commands that hold a mistake, and compares what they say, word by word.

    python3 run.py [--update] FILE INPUTS FOLDER

FILE has blocks such as

    # What the user meant.
    $ berth-pack nosuch.csv
    nosuch.csv: error: cannot open: No such file or directory [berth-E044]
    exit 2

where `bash$`, `zsh$` and `fish$` name another shell than sh (skipped where it is
absent), and INPUTS the files that the commands use, which run in a copy, FOLDER. Standard
error is shown, and standard output where nothing else is said. --update writes
what came out into FILE: read it as a user would before you keep it.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys


def blocks(text):
    """The comment, the command and what is expected, of each block."""
    for block in re.split(r"\n\n+", text.strip()):
        lines = block.split("\n")
        comments = [line for line in lines if line.startswith("# ")]
        rest = lines[len(comments) :]
        yield comments, rest[0] if rest else "", rest[1:]


def shell_of(command):
    """The shell of "bash$ ...", and what it is given."""
    prompt, _, text = command.partition("$ ")
    return prompt or "sh", text


def run(command, folder):
    shell, text = shell_of(command)
    done = subprocess.run(
        [shell, "-c", text],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    said = done.stderr or done.stdout
    said = re.sub(r"(?m)^\S*/(berth-pack|berth-opt): ", r"\1: ", said)
    # Which number is the last one changes with each new message.
    said = re.sub(r"(berth-E001 to berth-E)\d+", r"\1NNN", said)
    lines = [line.rstrip() for line in said.split("\n")]
    return [line for line in lines if line] + [f"exit {done.returncode}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("inputs", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    shutil.copytree(arguments.inputs, arguments.folder)
    wrong, count, skipped, new = 0, 0, 0, []
    for comments, command, expected in blocks(arguments.file.read_text()):
        if not re.match(r"\w*\$ ", command):
            new.append("\n".join(comments))
            continue
        if not shutil.which(shell_of(command)[0]):
            new.append("\n".join(comments + [command] + expected))
            skipped += 1
            continue
        said = run(command, arguments.folder)
        count += 1
        new.append("\n".join(comments + [command] + said))
        if said != expected and not arguments.update:
            wrong += 1
            print(command, "--- expected:", *expected, "--- said:", *said, sep="\n")
        if said[-1] == "exit 0" and len(said) == 1 and not arguments.update:
            wrong += 1
            print(command, "says nothing")
    if arguments.update:
        arguments.file.write_text("\n\n".join(new) + "\n")
    print(f"{count} mistakes, {wrong} not answered as they should be, {skipped} skipped")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
