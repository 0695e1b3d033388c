#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs, and in how many of them each rule does something.

    python3 tools/berth-smith/rules.py [--build=DIR] [--first=SEED] [--count=N]
                                       [--rows=FILE] [--no-run] [--theme=NAME]
                                       [--kernel | --threads]

Programs are drawn 50 at a time, small ones, each batch with a theme that a few rules
are made for (--themes lists them). Each batch is planned and verified, and run before
and after with dead bytes poisoned; what is printed must be the same. Every second batch
is planned with `overlap=on schedule=on`, too. Then it is planned once more without each
rule: a rule did something in a program if that comes out otherwise without it, and saved
bytes if its arenas are larger then. (`overlap=on` does all that `narrower` does: that
one is held against `overlap=narrower`.)

    rule       without it: an option, or a rule broken on purpose (lib/IR/Ops/Rules.h)
    programs   that were planned with the rule on
    changed    of these, come out otherwise without it
    smaller    of these, have larger arenas without it
    larger     of these, have smaller arenas without it

With --kernel they are kernels, run on the race oracle; `barriers` is that Berth may
insert some. With --threads they are programs whose kernels' threads allocate
(test/exec/Inputs/expand.py), behind berth-expand, all threads in step; what is
`changed` are kernels, or what their host does.

With --rows=FILE each batch is a line of that file, and what it has already is not done
again. Stops at the first difference and leaves the module in the current folder.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXPAND = os.path.join(ROOT, "test", "exec")
sys.path.insert(0, os.path.join(ROOT, "bench"))

from berthbench import LLVM, Failure, print_table

BATCH = 50
THEMES = {
    "turns": "turns,-call,-views",
    "nests": "nests,-call,-views,-parallel,-vector,-cf,-while,-switch,-carry,"
             "-for,-linalg,-alloca,-select",
    "pieces": "pieces,-call,-views,-cf,-while",
    "loops": "nests,-call,-views,-while,-switch,-carry,-linalg,-alloca",
    "parts": "parts,refills,-call",
    "refills": "refills,tiles,-call",
    "all": "turns,nests,parts,refills,tiles,pieces,-call",
    "calls": "nests,parts,refills",
    "caches": "caches,-call,-views",
}
KERNEL_THEMES = {
    "names": "names",
    "fills": "fills",
    "both": "names,fills",
    "groups": "names,fills,groups",
    "atomics": "names,atomics,warps",
    "functions": "names,fills,functions",
    "clusters": "names,clusters,cluster-barriers",
}
SIZES = {"calls": 2, "nests": 7, "loops": 5}
SIZE = 3
KERNEL_SIZE = 9
COMMON = "steps=4096"
OFFERS = "overlap=on schedule=on"
RULES = {
    "one of several": "test-break-rule=no-names",
    "branches apart": "test-break-rule=no-alternatives",
    "rotate": "rotate=false",
    "in-place": "in-place=false",
    "narrower": "overlap=off",
    "overlap": "overlap=narrower",
    "covers": "test-break-rule=no-covers",
    "byte-ranges": "byte-ranges=false",
    "short-circuit": "short-circuit=false",
    "schedule": "schedule=off",
    "caches": "caches=keep",
    "drop-unread": "drop-unread=false",
    "refill": "refill=false",
    "split-lives": "split-lives=false",
}
OFFERED = {"overlap", "schedule"}
KERNEL_RULES = {
    "one of several": RULES["one of several"],
    "branches apart": RULES["branches apart"],
    "covers": RULES["covers"],
    "kills": "test-break-rule=no-kills",
    "barriers": "barriers=existing",
}

THREADS_RULES = {
    "interleaved": "layout=row",
    "one width": "test-break-rule=one-width",
    "words one by one": "test-break-rule=parts-of-vectors",
    "numbers of all blocks": "test-break-rule=numbers-of-blocks",
    "bytes within capacity": "test-break-rule=unchecked-blocks",
    "freed behind the launch": "test-break-rule=blocks-end-early",
    "sizes of all threads": "test-break-rule=size-of-one-thread",
    "small ones stay": "least=1K",
}
THREADS_BATCH = 25
THREADS_COMMON = "least=1"

FUNCTION = re.compile(r"^  func\.func (?:private )?@p(\d+)(?:_\w+)?\(", re.M)
KERNEL = re.compile(r"^    (?:gpu|func)\.func (?:private )?@seed_(\d+)(?:_\w+)?\(", re.M)
OF_THREADS = re.compile(r"^  (?:gpu\.module|func\.func) @(?:m|host)_(\d+)(?:_\w+)?\b", re.M)
ARENA = re.compile(r"memref\.alloca?\(\).*?: memref<((?:\d+x)*)([a-z]+)(\d*)[,>]")
SHARED = re.compile(r" workgroup\(%\w+ : memref<(\d+)xi8,")


class Tools:
    """The programs of a build and of LLVM."""

    def __init__(self, build, folder, kernels, threads):
        self.build = build
        self.kernels = kernels
        self.threads = threads
        self.smith = os.path.join(build, "bin", "berth-smith")
        self.opt = os.path.join(build, "bin", "berth-opt")
        self.llvm = os.path.join(LLVM, "bin")
        self.libraries = [
            f"--shared-libs={LLVM}/lib/libmlir_{name}.so"
            for name in ("runner_utils", "c_runner_utils")
        ]
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command, out=None):
        """Standard output; a Failure with what it complains of."""
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure(f"{' '.join(command)}\n{done.stderr[-3000:]}")
        if out:
            with open(self.path(out), "w") as f:
                f.write(done.stdout)
        return done.stdout

    def draw(self, seed, count, theme):
        if self.threads:
            self.run([sys.executable, EXPAND + "/Inputs/expand.py", self.folder,
                      str(seed), str(seed + count - 1), str(count)])
            os.replace(self.path(f"{seed}.mlir"), self.path("program.mlir"))
            return
        size = KERNEL_SIZE if self.kernels else SIZES.get(theme, SIZE)
        features = (KERNEL_THEMES if self.kernels else THEMES)[theme]
        self.run([self.smith, f"--seed={seed}", f"--count={count}", f"--size={size}",
                  f"--features={features}", *["--kernel"] * self.kernels],
                 "program.mlir")

    def plan(self, options, out=None):
        if self.threads:
            passes = f"berth-expand{{{options}}},gpu-kernel-outlining"
            return self.run([self.opt, self.path("program.mlir"),
                             f"--pass-pipeline=builtin.module({passes})"], out)
        return self.run([self.opt, self.path("program.mlir"),
                         f"--pass-pipeline=builtin.module(berth-arena{{{options}}})"],
                        out)

    def execute(self, name):
        """What the module prints."""
        lowered = self.path("lowered.mlir")
        passes = "convert-bufferization-to-memref,test-lower-to-llvm"
        self.run([f"{self.llvm}/mlir-opt", self.path(name), "-o", lowered,
                  f"--pass-pipeline=builtin.module({passes})"])
        return self.run([f"{self.llvm}/mlir-runner", lowered, "-O0", "-e", "main",
                         "--entry-point-result=void", *self.libraries])

    def script(self, *command):
        """A script of the tests, which takes the tools from PATH."""
        path = f"{os.path.abspath(self.build)}/bin:{self.llvm}:{os.environ['PATH']}"
        self.run(["env", f"PATH={path}", "sh", *command, self.path("program.mlir")])

    def race(self, options):
        """Runs the kernels before and after on the race oracle."""
        batch = os.path.join(ROOT, "test", "race", "batch.sh")
        self.script(batch, f"--arena={options}")

    def step(self, options):
        """Runs the threads one after the other, and in step."""
        passes = f"berth-expand{{{options} poison=true}}".replace(" ", "__")
        self.script(EXPAND + "/expand.sh", self.opt, f"{LLVM}/lib", passes)


def programs(text):
    """seed -> the text of its functions."""
    found = {}
    starts = [(match, "\n  }\n") for match in FUNCTION.finditer(text)]
    starts += [(match, "\n    }\n") for match in KERNEL.finditer(text)]
    starts += [(match, "\n  }\n") for match in OF_THREADS.finditer(text)]
    for match, close in starts:
        end = text.index(close, match.start())
        seed = match.group(1)
        found[seed] = found.get(seed, "") + text[match.start():end]
    return found


def allocated(text):
    """Bytes of static allocations, and of kernels' shared arenas, in the text."""
    total = sum(map(int, SHARED.findall(text)))
    for dimensions, kind, bits in ARENA.findall(text):
        size = 8 if kind == "index" else (int(bits or 8) + 7) // 8
        for dimension in dimensions.split("x")[:-1]:
            size *= int(dimension)
        total += size
    return total


def rules_of(tools, has_offers):
    """rule -> what there is without it."""
    if tools.kernels or tools.threads:
        return KERNEL_RULES if tools.kernels else THREADS_RULES
    return {rule: off for rule, off in RULES.items()
            if has_offers or rule not in OFFERED}


def without(options, off):
    """The options, in which what `off` sets stands but once."""
    name = off.split("=")[0]
    kept = [word for word in options.split() if word.split("=")[0] != name]
    return " ".join(kept + [off])


def compare(tools, options):
    """Fails if the planned program does something else."""
    if tools.kernels or tools.threads:
        (tools.race if tools.kernels else tools.step)(options)
        return
    tools.plan(options + " poison=true", "planned.mlir")
    before, after = tools.execute("program.mlir"), tools.execute("planned.mlir")
    if before != after:
        raise Failure("the output differs")


def one_batch(tools, seed, count, theme, has_offers, runs):
    """A row: what came of one batch."""
    options = COMMON + (" " + OFFERS if has_offers else "")
    options = THREADS_COMMON if tools.threads else options
    tools.draw(seed, count, theme)
    tools.plan(options)
    if runs:
        compare(tools, options)
    planned = {}
    for rule, off in rules_of(tools, has_offers).items():
        planned[rule] = programs(tools.plan(without(options, off) + " verify=false"))
    whole = programs(tools.plan(options + " verify=false"))
    row = {"seed": seed, "count": count, "theme": theme, "offers": has_offers,
           "ran": runs, "changed": {}, "smaller": {}, "larger": {}}
    for rule, other in planned.items():
        # What `overlap=on` does all of is measured without the rest.
        base = planned["overlap"] if rule == "narrower" and has_offers else whole
        changed = [name for name in base if base[name] != other[name]]
        row["changed"][rule] = len(changed)
        more = [allocated(other[name]) - allocated(base[name]) for name in changed]
        row["smaller"][rule] = sum(bytes > 0 for bytes in more)
        row["larger"][rule] = sum(bytes < 0 for bytes in more)
    return row


def report(rows, rules):
    total = sum(row["count"] for row in rows)
    ran = sum(row["count"] for row in rows if row["ran"])
    print(f"{total} programs planned and verified, {ran} run before and after with "
          "dead bytes poisoned, 0 differences")
    columns = ("changed", "smaller", "larger")
    counts, on = {name: Counter() for name in columns}, Counter()
    for row in rows:
        for name in columns:
            counts[name].update(row[name])
        on.update({rule: row["count"] for rule in row["changed"]})
    print_table(["rule", "programs", *columns],
                [[rule, on[rule], *(counts[name][rule] for name in columns)]
                 for rule in rules if on[rule]])


def read_rows(path):
    if not path or not os.path.exists(path):
        return []
    with open(path) as f:
        return [json.loads(line) for line in f]


def all_batches(tools, arguments):
    rows = read_rows(arguments.rows)
    done = {row["seed"] for row in rows}
    names = list(KERNEL_THEMES if tools.kernels else THEMES)
    names = ["threads"] if tools.threads else names
    batch = THREADS_BATCH if tools.threads else BATCH
    themes = [arguments.theme] if arguments.theme else names
    end = arguments.first + arguments.count
    for i, seed in enumerate(range(arguments.first, end, batch)):
        if seed in done:
            continue
        theme = themes[i % len(themes)]
        has_offers = not (tools.kernels or tools.threads) and i // len(themes) % 2 == 1
        count = min(batch, end - seed)
        try:
            row = one_batch(tools, seed, count, theme, has_offers,
                            not arguments.no_run)
        except Failure as failure:
            kept = f"smith-rules-{seed}.mlir"
            os.replace(tools.path("program.mlir"), kept)
            raise Failure(f"seeds {seed} to {seed + count - 1}, in {kept}: "
                          f"{failure}") from failure
        rows.append(row)
        if arguments.rows:
            with open(arguments.rows, "a") as f:
                f.write(json.dumps(row) + "\n")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--rows", help="a file that keeps what came of each batch")
    parser.add_argument("--no-run", action="store_true",
                        help="plan and verify, and run nothing")
    parser.add_argument("--kernel", action="store_true",
                        help="kernels, on the race oracle")
    parser.add_argument("--threads", action="store_true",
                        help="threads that allocate, behind berth-expand")
    parser.add_argument("--theme", choices=[*THEMES, *KERNEL_THEMES],
                        help="of all batches")
    parser.add_argument("--themes", action="store_true",
                        help="the features of berth-smith that batches have in turn")
    arguments = parser.parse_args()
    if arguments.themes:
        print_table(["theme", "features"],
                    (KERNEL_THEMES if arguments.kernel else THEMES).items())
        return
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(arguments.build, folder, arguments.kernel, arguments.threads)
        rules = THREADS_RULES if arguments.threads else RULES
        report(all_batches(tools, arguments),
               KERNEL_RULES if arguments.kernel else rules)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"rules.py: {failure}")
