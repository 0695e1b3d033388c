#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README, docs and a table of all options as a folder of HTML pages.

    python3 tools/site.py [OUTPUT]          (default build/site)

Needs cmark-gfm (the package of that name), and mlir-tblgen (mlir-22-tools) for the
options, which are those of include/berth/Passes.td. Links are checked first.
"""

import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LLVM = os.environ.get("LLVM_DIR_PREFIX", "/usr/lib/llvm-22")
STYLE = """body{font:16px/1.5 sans-serif;max-width:54em;margin:2em auto;padding:0 1em}
pre{background:#8881;padding:.6em;overflow:auto}code{font-size:.9em}
table{border-collapse:collapse;display:block;overflow:auto}
td,th{border:1px solid #8886;padding:.2em .5em;text-align:left}img{max-width:100%}
:root{color-scheme:light dark}"""


def options():
    """A page of all passes with their options, from Passes.td."""
    text = subprocess.run(
        [
            f"{LLVM}/bin/mlir-tblgen",
            "--gen-pass-doc",
            "-DBERTH_WITH_HEAP",
            "-DBERTH_WITH_FOLD",
            f"-I{LLVM}/include",
            str(ROOT / "include/berth/Passes.td"),
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout

    def table(match):
        rows = re.findall(r"(?m)^-(\S+)\s*: (.*)$", match.group(1))
        lines = ["| option | says |", "|---|---|"]
        lines += [f"| `{name}` | {says.replace('|', chr(92) + '|')} |" for name, says in rows]
        return "#### Options\n\n" + "\n".join(lines) + "\n"

    return "# All options\n\n" + re.sub(
        r"#### Options\n\n```\n(.*?)```\n", table, text.split("\n", 1)[1], flags=re.S
    )


def convert(text, title, depth):
    body = subprocess.run(
        ["cmark-gfm", "-e", "table", "--unsafe"],
        input=text,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    body = re.sub(r'href="([^":#]*)\.md(#[^"]*)?"', r'href="\1.html\2"', body)
    body = re.sub(
        r"<h([1-6])>(.*?)</h\1>",
        lambda m: f'<h{m[1]} id="{anchor(m[2])}">{m[2]}</h{m[1]}>',
        body,
    )
    home = "../" * depth
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}'
        f'</title><meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f'<body><nav><a href="{home}README.html">Berth</a> | <a href="{home}docs/tutorial/'
        f'README.html">tutorial</a> | <a href="{home}docs/which.html">which pass</a> | '
        f'<a href="{home}docs/options.html">options</a> | <a href="{home}docs/messages.html">'
        f'messages</a> | <a href="{home}docs/faq.html">questions</a></nav>{body}</body></html>\n'
    )


def anchor(heading):
    heading = html.unescape(re.sub(r"<[^>]*>", "", heading)).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def main():
    output = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/site")
    if not shutil.which("cmark-gfm"):
        sys.exit("error: cmark-gfm is missing: apt-get install cmark-gfm")
    if subprocess.run([sys.executable, ROOT / "test/tools/links.py", ROOT], check=False).returncode:
        sys.exit("error: there are links that lead nowhere")
    pages = {p.relative_to(ROOT): p.read_text(encoding="utf-8") for p in ROOT.glob("*.md")}
    for path in ROOT.glob("docs/**/*.md"):
        pages[path.relative_to(ROOT)] = path.read_text(encoding="utf-8")
    pages[pathlib.Path("docs/options.md")] = options()
    for path, text in sorted(pages.items()):
        title = re.search(r"(?m)^# (.*)$", text)
        target = (output / path).with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        name = title.group(1) if title else path.name
        target.write_text(convert(text, name, len(path.parts) - 1), encoding="utf-8")
    for picture in ROOT.glob("docs/*.svg"):
        shutil.copy(picture, output / "docs")
    print(f"{len(pages)} pages: {output}/README.html")


if __name__ == "__main__":
    main()
