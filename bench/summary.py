#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table and the picture of README.md.

    python3 bench/summary.py [--build BUILD] [--reduced] [--suite FOLDER] [--write]

Bytes of the buffers of whole networks (bench/models) and of the kernel in
examples/gpu-attention:

    stock      each allocation has bytes of its own, as bufferization leaves it
    upstream   the planner of upstream MLIR (best fit in the order of start, the
               packer mlir-best-fit) on plain whole-op live ranges
    Berth      the arena that berth-arena makes

With --suite, the folder with the CSV files of minimalloc's benchmark, also the
seconds of CPU that minimalloc's algorithm (the packer minimalloc, a port) and
Berth take to fit each into its capacity. --write puts the tables into README.md
(without --suite the second stays as it is) and the arena of one network into
docs/arena.svg; without it they are printed.
"""

import argparse
import json
import pathlib
import resource
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "models")]

import interval_load
import networks
from berthbench import Failure, mlir_opt, run
from run import BUFFERIZE

SUITE = "| seconds of CPU to fit |"
BEGIN, END = "<!-- bench/summary.py -->\n", "<!-- end of bench/summary.py -->\n"
PICTURE = "mobilenetv3"


def berth_pack(build, *arguments):
    """What berth-pack tells, and the seconds of CPU that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _, told = run([f"{build}/bin/berth-pack", *arguments, "--stats", "-o", "/dev/null"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(told), seconds


def upstream(text, build, folder):
    """(bytes of all buffers, the peak of upstream's planner)."""
    generic, _ = mlir_opt(text, "", None, ["--mlir-print-op-generic"])
    spans = list(interval_load.intervals(interval_load.parse(generic.splitlines())))
    rows = ["id,lower,upper,size"]
    rows += [f"{i},{a},{b + 1},{size}" for i, (_, _, size, a, b) in enumerate(spans)]
    problem = folder / "problem.csv"
    problem.write_text("\n".join(rows) + "\n", encoding="ascii")
    told, _ = berth_pack(build, "--packer=mlir-best-fit", str(problem))
    return sum(size for _, size, _, _, _ in spans), told["peak"]


def arena(text, build, path, report):
    mlir_opt(text, f"berth-arena{{report={report}}}", build)
    if report.suffix != ".json":
        return None
    return max(json.loads(report.read_text())["scopes"], key=lambda s: s["bytes_after"])


def network_rows(args, folder):
    table = networks.REDUCED if args.reduced else networks.NETWORKS
    for name, generate in table:
        text, _ = mlir_opt(generate(), BUFFERIZE)
        stock, planner = upstream(text, args.build, folder)
        scope = arena(text, args.build, folder, folder / "report.json")
        yield name, scope["placed"], stock, planner, scope["bytes_after"]
        if name == PICTURE:
            arena(text, args.build, folder, folder / "arena.svg")


def kernel_row(args, folder):
    text = (HERE.parent / "examples/gpu-attention/kernel.mlir").read_text()
    scope = arena(text, args.build, folder, folder / "report.json")
    after = scope["bytes_after"]
    return "gpu-attention (kernel)", scope["placed"], scope["bytes_before"], None, after


def suite_rows(args):
    for path in sorted(pathlib.Path(args.suite).glob("*.[0-9]*.csv")):
        capacity = path.name.split(".")[-2]
        buffers = len(path.read_text().splitlines()) - 1
        row = [path.name.split(".")[0], buffers]
        if buffers < 100:
            continue
        for packer in ("minimalloc", "auto"):
            told, seconds = berth_pack(
                args.build, f"--packer={packer}", f"--capacity={capacity}", str(path)
            )
            assert told["peak"] <= int(capacity)
            row.append(f"{seconds:.2f}")
        yield row


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |"]
    lines += ["|---|" + "---:|" * (len(header) - 1)]
    for row in rows:
        cells = [f"{c:,}" if isinstance(c, int) else "-" if c is None else c for c in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def make(args, folder):
    rows = [*network_rows(args, folder), kernel_row(args, folder)]
    rows = [[*row, f"{row[4] / (row[3] or row[2]):.0%}"] for row in rows]
    text = markdown(["bytes", "buffers", "stock", "upstream", "Berth", ""], rows)
    if args.suite:
        text += "\n" + markdown(
            [SUITE.strip("| "), "buffers", "minimalloc", "Berth"], suite_rows(args)
        )
    return text


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--reduced", action="store_true", help="small shapes")
    parser.add_argument("--suite", help="the folder of minimalloc's benchmark")
    parser.add_argument("--write", action="store_true", help="into README.md")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = make(args, folder)
        print(text, end="")
        if not args.write:
            return
        readme = HERE.parent / "README.md"
        old = readme.read_text(encoding="utf-8")
        if not args.suite and SUITE in old:
            text += "\n" + old[old.index(SUITE) : old.index(END)].rstrip() + "\n"
        new = old[: old.index(BEGIN) + len(BEGIN)] + "\n" + text + "\n" + old[old.index(END) :]
        readme.write_text(new, encoding="utf-8")
        picture = (folder / "arena.svg").read_text(encoding="utf-8")
        (HERE.parent / "docs/arena.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
