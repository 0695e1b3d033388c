#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README, docs, a table of all options and the C interface as HTML pages.

Needs cmark-gfm (the package of that name), and mlir-tblgen (mlir-22-tools) for the
options, which are those of include/berth/Passes.td. Pages of include/berth-c are
Doxygen's, where that is installed. What pages link to of the sources is there too.
Links are checked before, and those of the pages that come out.
"""

import argparse
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LLVM = os.environ.get("LLVM_DIR_PREFIX", "/usr/lib/llvm-22")
PLAYGROUND = ROOT / "build/playground.html"  # where it is built
STYLE = """body{font:16px/1.5 sans-serif;max-width:54em;margin:2em auto;padding:0 1em}
h1,p,li{overflow-wrap:anywhere}pre{background:#8881;padding:.6em;overflow:auto}code{font-size:.9em}
table{border-collapse:collapse;display:block;overflow:auto;margin:1em 0}
td,th{border:1px solid #8886;padding:.2em .5em;text-align:left}[align=right]{text-align:right}
img{max-width:100%}
:root{color-scheme:light dark}"""


def tblgen(what):
    """What mlir-tblgen makes of Passes.td."""
    flags = ["-DBERTH_WITH_HEAP", "-DBERTH_WITH_FOLD", f"-I{LLVM}/include"]
    return subprocess.run(
        [f"{LLVM}/bin/mlir-tblgen", what, *flags, str(ROOT / "include/berth/Passes.td")],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def defaults():
    """By pass and option, what holds where it is not given."""
    declared = re.split(r'getArgumentName\(\) \{\s*return ::llvm::StringLiteral\("([^"]+)"\)',
                        tblgen("--gen-pass-decls"))
    option = re.compile(r'\*this, "([^"]+)", ::llvm::cl::desc\(R"PO\(.*?\)PO"\)'
                        r"(?:, ::llvm::cl::init\((.*?)\))?\};?\n", re.S)
    return {
        (name, each[1]): (each[2] or "").strip('"')
        for name, body in zip(declared[1::2], declared[2::2])
        for each in option.finditer(body)
    }


def options():
    """A page of all passes with their options, from Passes.td."""
    known = defaults()

    def table(name, match):
        rows = re.findall(r"(?m)^-(\S+)\s*: (.*)$", match.group(1))
        lines = ["| option | default | says |", "|---|---|---|"]
        for option, says in rows:
            value = f"`{known[name, option]}`" if known[name, option] else ""
            lines.append(f"| `{option}` | {value} | {says.replace('|', chr(92) + '|')} |")
        return "#### Options\n\n" + "\n".join(lines) + "\n"

    sections = re.split(r"(?m)^(### `-(\S+)`)$", tblgen("--gen-pass-doc").split("\n", 1)[1])
    text = "# All options\n" + sections[0]
    for heading, name, body in zip(sections[1::3], sections[2::3], sections[3::3]):
        text += heading + re.sub(
            r"#### Options\n\n```\n(.*?)```\n",
            lambda match, name=name: table(name, match), body, flags=re.S,
        )
    return text


def source_link(link, folder):
    """Sources have pages too: FILE.html, and FOLDER/index.html."""
    path = pathlib.Path(os.path.normpath(ROOT / folder / link))
    if path.is_dir():
        return f"{link}/index.html"
    return f"{link}.html" if path.suffix != ".html" and path.is_file() else link


def convert(text, title, folder):
    body = subprocess.run(
        ["cmark-gfm", "-e", "table", "--unsafe"],
        input=text,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    body = re.sub(r'href="([^":#]*)\.md(#[^"]*)?"', r'href="\1.html\2"', body)
    body = re.sub(r'href="([^":#]*)"', lambda m: f'href="{source_link(m[1], folder)}"', body)
    body = re.sub(
        r"<h([1-6])>(.*?)</h\1>",
        lambda m: f'<h{m[1]} id="{anchor(m[2])}">{m[2]}</h{m[1]}>',
        body,
    )
    return page(body, title, folder)


def page(body, title, folder):
    home = "../" * len(folder.parts)
    api = f' | <a href="{home}api/index.html">C interface</a>' if shutil.which("doxygen") else ""
    playground = f' | <a href="{home}playground.html">playground</a>' if PLAYGROUND.exists() else ""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}'
        f'</title><meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f'<body><nav><a href="{home}README.html">Berth</a> | <a href="{home}docs/tutorial/'
        f'README.html">tutorial</a> | <a href="{home}docs/which.html">which pass</a> | '
        f'<a href="{home}docs/options.html">options</a> | <a href="{home}docs/messages.html">'
        f'messages</a> | <a href="{home}docs/faq.html">questions</a>{api}{playground}</nav>'
        f"{body}</body></html>\n"
    )


def write_sources(path, output):
    """The page of a file, or of a folder and all that is in it."""
    name = path.relative_to(ROOT)
    if path.is_file():
        body, folder = f"<pre>{html.escape(path.read_text(encoding='utf-8'))}</pre>", name.parent
        target = output / f"{name}.html"
    else:
        inner = [p for p in sorted(path.iterdir()) if p.name != "__pycache__"]
        for each in inner:
            write_sources(each, output)
        links = (f'<li><a href="{source_link(p.name, name)}">{p.name}</a>' for p in inner)
        body, folder = f"<ul>{''.join(links)}</ul>", name
        target = output / name / "index.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(f"<h1>{name}</h1>{body}", str(name), folder), encoding="utf-8")


def front_page():
    """What Doxygen's pages begin with: the headers, and what each is for."""
    lines = []
    for header in sorted((ROOT / "include/berth-c").glob("*.h")):
        about = re.match(r"//===- \S+ - (.*?) -+ C -", header.read_text(encoding="utf-8"))
        lines.append(f" * - {header.name} - {about[1]}")
    return (
        "/** @mainpage The C interface\n"
        ' * <a href="../README.html">Berth</a> has a packing library, which needs libc and\n'
        " * libm only, and passes for MLIR. Begin with Pack.h, or with the\n"
        ' * <a href="../examples/embed/index.html">examples</a>.\n *\n'
        + "\n".join(lines)
        + "\n */\n"
    )


def write_api(output):
    """Doxygen's pages of the C interface."""
    front = output / "front.dox"
    front.write_text(front_page(), encoding="utf-8")
    settings = {
        "PROJECT_NAME": "Berth",
        "INPUT": f'"{ROOT}/include/berth-c" "{front}"',
        "OUTPUT_DIRECTORY": output,
        "HTML_OUTPUT": "api",
        "OPTIMIZE_OUTPUT_FOR_C": "YES",
        "EXTRACT_ALL": "YES",
        "JAVADOC_AUTOBRIEF": "YES",
        "MACRO_EXPANSION": "YES",
        "EXPAND_ONLY_PREDEF": "YES",
        "PREDEFINED": "BERTH_API= BERTH_EXTERN_C_BEGIN= BERTH_EXTERN_C_END=",
        "GENERATE_LATEX": "NO",
        "HAVE_DOT": "NO",
        "QUIET": "YES",
        "WARN_IF_UNDOCUMENTED": "NO",
    }
    text = "\n".join(f"{name} = {value}" for name, value in settings.items())
    subprocess.run(["doxygen", "-"], input=text, text=True, check=True)
    front.unlink()


def links_of(output):
    """Each link of our own pages as (page, link, file, anchor)."""
    for path in sorted(output.rglob("*.html")):
        if path.is_relative_to(output / "api"):
            continue
        for link in re.findall(r'(?:href|src)="([^"]*)"', path.read_text(encoding="utf-8")):
            if re.match(r"\w+:", link):
                continue
            name, _, anchor_name = html.unescape(link).partition("#")
            target = pathlib.Path(os.path.normpath(path.parent / name)) if name else path
            yield path.relative_to(output), link, target, anchor_name


def check(output):
    """Says which links of the pages lead nowhere."""
    count, bad = 0, 0
    for path, link, target, name in links_of(output):
        count += 1
        is_there = target.is_file()
        if is_there and name and target.suffix == ".html":
            is_there = f'id="{name}"' in target.read_text(encoding="utf-8")
        if not is_there:
            print(f"{path}: '{link}' leads nowhere")
            bad += 1
    print(f"{count} links of the pages, {bad} lead nowhere")
    return bad == 0


def anchor(heading):
    heading = html.unescape(re.sub(r"<[^>]*>", "", heading)).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def sources_named(pages):
    """What pages link to that is no page, from ROOT."""
    for path, text in pages.items():
        for link in re.findall(r"\]\(([^)\s#]+)\)", text):
            target = pathlib.Path(os.path.normpath(ROOT / path.parent / link))
            if target.suffix not in (".md", ".svg") and target.exists():
                yield target.relative_to(ROOT)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "output", nargs="?", type=pathlib.Path, default=ROOT / "build/site",
        help="folder of the pages, default build/site",
    )
    output = parser.parse_args().output
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
        target.write_text(convert(text, name, path.parent), encoding="utf-8")
    shutil.copy(output / "README.html", output / "index.html")  # what servers show first
    for picture in ROOT.glob("docs/*.svg"):
        shutil.copy(picture, output / "docs")
    if PLAYGROUND.exists():
        shutil.copy(PLAYGROUND, output)
    for name in sorted(sources_named(pages)):
        write_sources(ROOT / name, output)
    if shutil.which("doxygen"):
        write_api(output)
    else:
        print("no pages of the C interface: apt-get install doxygen makes them")
    if not check(output):
        sys.exit("error: there are pages with links that lead nowhere")
    print(f"{len(pages)} pages: {output}/index.html")


if __name__ == "__main__":
    main()
