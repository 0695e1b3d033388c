#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program that comes out wrong as small as it can.

    python3 tools/berth-reduce.py [--build BUILD] [--pipeline PASSES] FILE.mlir -o SMALL.mlir

A program is wrong if it runs, prints the same whatever fresh memory holds, and
prints something else after PASSES (default berth-arena); its @main takes and
returns nothing. --refused asks instead that the passes alone fail with the message
that they give for FILE, and runs nothing.

Ops are taken out, with all that needs their results, in ever smaller groups, and
the bodies of loops and branches put in their place, as long as the program stays
wrong. What does not parse any more is not wrong. The way is the same each time.
A terminal is shown how far it has come, unless --quiet is given. Whoever ends it by
Ctrl-C has the smallest program so far. FILE stays as it is: SMALL is another file.
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

VALUE = re.compile(r"%[\w$.-]+")
LLVM = os.environ.get("LLVM_DIR_PREFIX", "/usr/lib/llvm-22")
LOWER = "convert-bufferization-to-memref,test-lower-to-llvm"


def fresh(fill):
    """An environment in which memory that is allocated holds a byte: all of it, for
    glibc hands out what a thread has just freed as it is."""
    others = [s for s in os.environ.get("GLIBC_TUNABLES", "").split(":") if s]
    tunables = ":".join([*others, "glibc.malloc.tcache_count=0"])
    return dict(os.environ, MALLOC_PERTURB_=str(fill), GLIBC_TUNABLES=tunables)


class Program:
    """Lines, and for each the line that closes what it opens (itself if none)."""

    def __init__(self, lines):
        self.lines = lines
        self.ends = list(range(len(lines)))
        opened = []
        for i, line in enumerate(lines):
            text = line.strip()
            if text.startswith("}") and opened:
                self.ends[opened.pop()] = i
            if text.endswith("{"):
                opened.append(i)

    def results(self, i):
        head = self.lines[i].split(" = ")[0] if " = " in self.lines[i] else ""
        return set(re.findall(r"%[\w$.-]+", head)) if head.strip().startswith("%") else set()

    def without(self, first, last):
        """The lines without those from first to last, and what needs them."""
        gone = set(range(first, last + 1))
        names = set().union(*(self.results(i) for i in gone))
        for i in range(last + 1, len(self.lines)):
            if i in gone or self.lines[i].lstrip().startswith("func.func"):
                names = names if i in gone else set()
                continue
            used = {v.split("#")[0] for v in VALUE.findall(self.lines[i])} - self.results(i)
            if used & names:
                block = range(i, self.ends[i] + 1)
                gone.update(block)
                names |= set().union(*(self.results(k) for k in block))
        return [line for i, line in enumerate(self.lines) if i not in gone]

    def unwrapped(self, i):
        """The body of an op instead of the op."""
        body = self.lines[i + 1 : self.ends[i]]
        return self.lines[:i] + body + self.lines[self.ends[i] + 1 :]

    def siblings(self):
        """Lists of the ops of one body each, outermost first."""
        bodies, todo = [], [(0, len(self.lines))]
        while todo:
            begin, end = todo.pop(0)
            ops, i = [], begin
            while i < end:
                ops.append(i)
                if self.ends[i] > i:
                    todo.append((i + 1, self.ends[i]))
                i = self.ends[i] + 1
            if ops:
                bodies.append(ops)
        return bodies


class Judge:
    """Says whether lines are a program that is wrong."""

    def __init__(self, args, folder):
        self.args, self.folder, self.runs, self.refusal = args, folder, 0, None
        self.left = None  # lines of the smallest program so far
        self.shows = sys.stderr.isatty() and not args.quiet
        self.plugin = os.path.join(args.build, "lib", "BerthPlugin.so")

    def write(self, lines):
        source = self.folder / "program.mlir"
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return source

    def opt(self, source, pipeline, target):
        return subprocess.run(
            [f"{LLVM}/bin/mlir-opt", f"--load-pass-plugin={self.plugin}", str(source)]
            + [f"--pass-pipeline=builtin.module({pipeline})", "-o", str(target)],
            capture_output=True,
            text=True,
            check=False,
        )

    def execute(self, source, fill):
        """What a program prints, None if it does not run."""
        lowered = self.folder / "lowered.mlir"
        if self.opt(source, LOWER, lowered).returncode:
            return None
        libraries = ("mlir_runner_utils", "mlir_c_runner_utils")
        shared = [f"--shared-libs={LLVM}/lib/lib{name}.so" for name in libraries]
        try:
            done = subprocess.run(
                [f"{LLVM}/bin/mlir-runner", str(lowered), "-e", "main"]
                + ["--entry-point-result=void", *shared],
                env=fresh(fill),
                capture_output=True,
                check=False,
                timeout=60,
            )
        except subprocess.TimeoutExpired:
            return None
        # Addresses are no output.
        return None if done.returncode else re.sub(rb"0x[0-9a-f]+", b"", done.stdout)

    def check_pipeline(self, lines):
        """Ends if the passes fail whatever they are given: no line is to blame."""
        if not self.args.refused:
            return
        source = self.folder / "empty.mlir"
        source.write_text("module {}\n", encoding="utf-8")
        done = self.opt(source, self.args.pipeline, "/dev/null")
        if done.returncode and self.message(source) == self.message(self.write(lines)):
            sys.exit(
                f"error: '{self.args.pipeline}' fails on an empty module, too: "
                f"nothing to reduce:\n{done.stderr.strip()}"
            )

    def complain(self, lines):
        """Ends, and says why there is nothing to reduce."""
        name, pipeline = self.args.file, self.args.pipeline
        source, planned = self.write(lines), self.folder / "planned.mlir"
        done = self.opt(source, "", planned)
        if done.returncode:
            sys.exit(f"error: {name} is no program:\n{done.stderr.strip()}")
        done = self.opt(source, pipeline, planned)
        if self.args.refused:
            sys.exit(f"error: {name} is not refused by '{pipeline}': nothing to reduce")
        if done.returncode:
            sys.exit(
                f"error: '{pipeline}' refuses {name}, so it does not run (--refused "
                f"reduces what is refused):\n{done.stderr.strip()}"
            )
        if self.execute(source, 85) is None:
            sys.exit(f"error: {name} does not run by itself: its @main must take and return nothing")
        if self.execute(source, 85) != self.execute(source, 170):
            sys.exit(f"error: {name} prints what fresh memory holds, whatever Berth does")
        sys.exit(f"error: {name} is not wrong: nothing to reduce")

    def message(self, source):
        """The first error of the passes, without its place and its numbers."""
        done = self.opt(source, self.args.pipeline, "/dev/null")
        found = re.search(r"error: (.*)", done.stderr)
        is_parsed = self.opt(source, "", "/dev/null").returncode == 0
        return re.sub(r"\d+", "N", found.group(1)) if found and is_parsed else None

    def keep(self, lines):
        """Asks, and keeps what is wrong: whoever ends the search has that."""
        wrong = self.is_wrong(lines)
        if wrong:
            # Whole or as it was: an interrupt may come at any time.
            try:
                part = part_of(self.args.output)
                part.write_text("\n".join(lines) + "\n", encoding="utf-8")
                os.replace(part, self.args.output)
            except OSError as error:
                sys.exit(f"error: {self.args.output}: {error.strerror}")
            self.left = len(lines)
        self.show()
        return wrong

    def show(self):
        if self.shows and self.left is not None:
            print(f"\r{self.left} lines, {self.runs} programs tried", end="", file=sys.stderr, flush=True)

    def end_line(self):
        if self.shows and self.left is not None:
            print(file=sys.stderr)

    def is_wrong(self, lines):
        self.runs += 1
        source, planned = self.write(lines), self.folder / "planned.mlir"
        if self.args.refused:
            message = self.message(source)
            self.refusal = self.refusal or message
            return message is not None and message == self.refusal
        if self.opt(source, self.args.pipeline, planned).returncode:
            return False
        before = self.execute(source, 85)
        if before is None or before == self.execute(planned, 85):
            return False
        return before == self.execute(source, 170)


def take_out(lines, judge):
    """One round over all bodies; returns the lines that are left."""
    sizes = [len(ops) for ops in Program(lines).siblings()]
    size = max(sizes)
    while size:
        program, place = Program(lines), 0
        groups = [
            (ops[k], program.ends[ops[min(k + size, len(ops)) - 1]])
            for ops in program.siblings()
            for k in range(0, len(ops), size)
        ]
        while place < len(groups):
            first, last = groups[place]
            place += 1
            if last >= len(program.lines):
                continue
            fewer = program.without(first, last)
            if fewer and len(fewer) < len(lines) and judge.keep(fewer):
                lines, program = fewer, Program(fewer)
                groups = [
                    (ops[k], program.ends[ops[min(k + size, len(ops)) - 1]])
                    for ops in program.siblings()
                    for k in range(0, len(ops), size)
                ]
                place = next((n for n, g in enumerate(groups) if g[0] >= first), len(groups))
        size //= 2
    return lines


def unwrap(lines, judge):
    i = 0
    while i < len(lines):
        program = Program(lines)
        if program.ends[i] > i and not re.match(r"\s*(func\.func|module|gpu\.)", lines[i]):
            fewer = program.unwrapped(i)
            if judge.keep(fewer):
                lines = fewer
                continue
        i += 1
    return lines


def reduce(lines, judge):
    old = None
    while old != lines:
        old = lines
        lines = unwrap(take_out(lines, judge), judge)


def part_of(output):
    """Where the output is written before it is whole."""
    return output.with_name(output.name + ".part")


def check_output(file, output):
    """Ends, before any work, if the output cannot be written or is the input."""
    for path in (output, part_of(output)):
        if path.exists() and os.path.samefile(path, file):
            sys.exit(f"error: --output and FILE name the same file, '{path}'")
        if path.exists() and not path.is_file():
            sys.exit(f"error: {path}: it is no regular file, so none can take its place")
    if not output.parent.is_dir():
        sys.exit(f"error: {output}: there is no folder '{output.parent}'")
    if not os.access(output.parent, os.W_OK | os.X_OK):
        sys.exit(f"error: {output}: nothing may be written to '{output.parent}'")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--build", default="build", help="Berth's build folder")
    parser.add_argument("--pipeline", default="berth-arena", help="passes to blame")
    parser.add_argument("--refused", action="store_true", help="the passes fail")
    parser.add_argument("--quiet", action="store_true", help="show no progress on a terminal")
    args = parser.parse_args()
    try:
        text = args.file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"error: {args.file}: {getattr(error, 'strerror', None) or 'it is no text'}")
    # Through links, as what takes the place of a file would take the link's.
    args.output = pathlib.Path(os.path.realpath(args.output))
    check_output(args.file, args.output)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as name:
        judge = Judge(args, pathlib.Path(name))
        for needed in (f"{LLVM}/bin/mlir-opt", judge.plugin):
            if not os.path.exists(needed):
                sys.exit(f"error: there is no {needed} (--build, LLVM_DIR_PREFIX)")
        lines = [x for x in text.split("\n") if x.strip()]
        lines = [x for x in lines if not x.strip().startswith("//")]
        count = len(lines)
        try:
            judge.check_pipeline(lines)
            if not judge.keep(lines):
                judge.complain(lines)
            reduce(lines, judge)
        except KeyboardInterrupt:
            judge.end_line()
            left = f"{count} lines -> {judge.left or count}, {judge.runs} programs tried"
            print(f"stopped: {left}", file=sys.stderr)
            sys.exit(130)
        judge.end_line()
    print(f"{count} lines -> {judge.left}, {judge.runs} programs tried")


if __name__ == "__main__":
    main()
