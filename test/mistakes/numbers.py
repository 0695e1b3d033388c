# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the numbers of messages against the sources and docs/messages.md.

    python3 numbers.py BERTH-PACK SOURCE [--update]

Each phrase of lib/Support/Messages.def stands in a string of the sources, else
nobody says it any more; each error and warning has a number, but for those of
Inputs/internal.txt, which only pass on what another says, or tell of a fault of
Berth; docs/messages.md is what --explain-error=list prints.
"""

import pathlib
import re
import subprocess
import sys

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# Messages by number

Errors and warnings end in a number, such as `[berth-E005]`, that stays the same
when words change. `berth-opt --explain-error=berth-E005` and `berth-pack
--explain-error=berth-E005` say what stands here. `--explain-error=list`
prints them all, as plain text.

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


CALLS = re.compile(
    r"(?<!\w)(?:berthErrorSet|berthSpanFail|berthJsonFail|berthCheckBlame|berthEmitError"
    r"|berthEmitWarning|emitError|emitWarning|reject|blame|toolComplain|complain|fail|failAt|check->callback"
    r"|berthFailBuffer|failValue)\("
)
# A message of one or another text: each has a number.
EITHER = re.compile(r'\?\s*"((?:[^"\\\n]|\\.)*)"\s*:\s*"((?:[^"\\\n]|\\.)*)"')
# One that is put together first.
APPENDED = re.compile(r"berthTextAppend\(")
MADE = re.compile(r"(?:berthEmitError|berthEmitWarning|fail|failThere)\([^;]*?&?text(?:\.data)?[,)]")
TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)'|[();]|//[^\n]*")


def spelled(root, text):
    """The text with the names of attributes for the macros that stand for them."""
    names = (root / "lib/IR/Ops/Attributes.h").read_text(encoding="utf-8")
    for macro, name in re.findall(r"#define (BERTH_\w+) (\"berth\.\w+\")", names):
        text = re.sub(rf"\b{macro}\b", name, text)
    return re.sub(r'"\s*\n?\s*"', "", text)


def arguments(text, call):
    """The strings in a call, and its text."""
    depth, found, is_stream = 1, [], "emit" in call.group(0)
    for token in TOKEN.finditer(text, call.end()):
        word = token.group(0)
        depth += (word == "(") - (word == ")")
        if word[0] == '"':
            found.append(word[1:-1])
        if word == ";" or (depth == 0 and not is_stream):
            return found, text[call.end() : token.end()]
    return found, text[call.end() :]


def messages(text):
    """The strings of each call that makes an error or a warning, in one text; of a
    function that puts one together, all that it appends."""
    for call in CALLS.finditer(text):
        found, source = arguments(text, call)
        either = [e for e in EITHER.findall(source) if all(x.count(" ") > 1 for x in e)]
        others = [x for x in found if not any(x in e for e in either)]
        for one in either[0] if either else [""]:
            if any(others) or one:
                yield " ".join(others + [one] if one else others)
    for function in re.split(r"^}\n", text, flags=re.M):
        if MADE.search(function):
            found = [x for call in APPENDED.finditer(function) for x in arguments(function, call)[0]]
            if any(x.count(" ") > 1 for x in found):
                yield " ".join(found)


def unnumbered(root, phrases):
    """Those that no number is for, one a line. An option's name alone stands in
    front of what another string says of its value."""
    bare = set()
    for folder in ("lib", "tools"):
        for path in (root / folder).rglob("*"):
            if path.suffix not in (".c", ".cpp", ".h"):
                continue
            text = path.read_text(encoding="utf-8")
            text = re.sub(r'"\s*PRI[a-zA-Z0-9]+\s*"', "d", text)
            text = re.sub(r'"\s*PRI[a-zA-Z0-9]+', 'd"', text)
            text = spelled(root, re.sub(r'"\s*\n\s*"', "", text))
            bare.update(
                m
                for m in messages(text)
                if not any(p in m for p in phrases) and not re.fullmatch("--[a-z-]+", m)
            )
    return sorted(bare)


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    table = (root / "lib/Support/Messages.def").read_text(encoding="utf-8")
    rows = re.findall(r'BERTH_MESSAGE\("(E\d+)", "((?:[^"\\]|\\.)*)"', table)
    said = strings(root)
    bad = [f"{number}: nobody says '{phrase}'" for number, phrase in rows if phrase not in said]
    bad += [f"E{i + 1:03} is missing" for i, row in enumerate(rows) if row[0] != f"E{i + 1:03}"]
    internal = root / "test/mistakes/Inputs/internal.txt"
    bare = unnumbered(root, [phrase for _, phrase in rows])
    known = [x for x in internal.read_text(encoding="utf-8").splitlines() if x[:2] != "# "]
    bad += [f"no number for '{m}': give it one in lib/Support/Messages.def" for m in bare if m not in known]
    bad += [f"internal.txt: nobody says '{m}'" for m in known if m not in bare]
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
