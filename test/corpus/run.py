# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every piece of every .mlir file under a folder through every pass.

    python3 test/corpus/run.py [options] DIR...

A piece is what stands between two lines `// -----`. Pieces that the driver
itself cannot read, print and read again are left out. Each of the others goes
through each form (a pipeline, --list shows them); those without any memref, in
which there is nothing to do, go through all passes once, one after another
(no-memref). What a form has changed must be read again, and berth-verify must find
nothing in it. Hardly any piece has buffers in workgroup memory, so the forms for
it get kernels made of the pieces: all functions without results in a gpu.module,
and every buffer in workgroup memory.

Faults are told one a line, as FILE:LINE (of the piece), form, what happened:
  crash     the process died
  hang      the piece alone took more than --cpu seconds
  unreadable  the output does not parse, or MLIR's verifier refuses it
  disagree  berth-verify refuses a plan that the planner made
Then come a table of the forms, and how often each reason was given for leaving a
buffer alone (missed) or for refusing to run (error). The exit status is 1 if there
is any fault.

A good folder is the test tree of MLIR, from Debian's source package:

    echo 'deb-src http://deb.debian.org/debian sid main' \\
      > /etc/apt/sources.list.d/sid-src.list
    apt-get update
    apt-get source --download-only llvm-toolchain-22
    rm /etc/apt/sources.list.d/sid-src.list
    tar xf llvm-toolchain-22_22.*.orig.tar.xz --wildcards '*/mlir/test'

Many pieces go into one process. If it dies, it is run again in halves, until the
piece that did it stands alone; so the answer does not depend on the batches.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

MARK = "// -----"
OWN_MARK = "//===== next piece"  # in batches: a piece may hold the other in a comment
FORMS = {
    "liveness": "berth-print-liveness",
    "interference": "berth-print-interference",
    "arena": "berth-arena{verify=false}",
    "arena-nested": "func.func(berth-arena{verify=false})",
    "arena-alloc": "berth-arena{verify=false space=default arena=alloc}",
    "arena-alloca": "berth-arena{verify=false space=default arena=alloca}",
    "arena-argument": "berth-arena{verify=false arena=argument}",
    "arena-global": "berth-arena{verify=false arena=global}",
    "arena-annotate": "berth-arena{verify=false arena=annotate}",
    "arena-3": "berth-arena{verify=false space=3}",
    "arena-split-rotate":
        "berth-arena{verify=false split-arenas=true rotate=true poison=true}",
    "arena-plain": "berth-arena{verify=false dynamic=off in-place=false "
                   "refill=false split-lives=false unknown-ops=keep}",
    "merge": "berth-merge",
    "merge-same-type": "berth-merge{may-merge=same-type}",
    "fold": "berth-fold",
    "heap": "berth-heap",
    "heap-all": "berth-heap{allocations=all checked=true locked=true}",
    "pipeline": "berth{arena=verify=false verify=false}",
}
# What kernels go through.
KERNEL_FORMS = {
    "kernel-liveness": "berth-print-liveness{space=workgroup}",
    "kernel-attribution": "berth-arena{verify=false arena=attribution}",
    "kernel-dynamic": "berth-arena{verify=false arena=dynamic}",
    "kernel-global": "berth-arena{verify=false arena=global space=workgroup}",
    "kernel-existing": "berth-arena{verify=false barriers=existing}",
    "kernel-split": "berth-arena{verify=false split-arenas=true}",
    "kernel-private": "berth-arena{verify=false space=private}",  # there, instead
}
# What pieces without a memref go through instead.
NO_MEMREF = ("berth-print-liveness{print=false},berth-fold,berth-merge,"
             "berth-arena{verify=false},berth-heap")
READ = "builtin.module()"
VERIFY = "builtin.module(berth-verify)"
DIAGNOSTIC = re.compile(r"^[^\s:][^:]*:(\d+):\d+: (error|remark): (.*)$", re.M)
MISSED = re.compile(r'\[Missed\] (\S+).*?Remark="(.*)"$')

Piece = collections.namedtuple("Piece", "path line text")
# What became of one piece: kind is ok, error, crash or hang.
Result = collections.namedtuple("Result", "kind output messages")


def end_of_type(text, start):
    """The end of what `<` at start opens; the arrows of maps open nothing."""
    depth, i = 0, start
    while i < len(text):
        if text[i] in "<[({":
            depth += 1
        elif text[i] in "])}" or (text[i] == ">" and text[i - 1] != "-"):
            depth -= 1
            if depth == 0:
                return i
        i += 1
    return len(text)


def in_workgroup(text):
    """All memrefs of the default space, in workgroup memory."""
    parts, at = [], 0
    for match in re.finditer(r"\bmemref<", text):
        end = end_of_type(text, match.end() - 1)
        if match.start() < at or end == len(text):
            continue
        body = text[match.end():end]
        layout = re.match(r"[^,<]*(?:,\s*(.*))?$", body, re.S)
        if layout is None or not re.match(r"strided|affine_map|#map|$", layout[1] or ""):
            continue
        if layout[1] and end_of_layout(layout[1]) < len(layout[1]):
            continue  # it says where it lies
        parts += [text[at:end], ", #gpu.address_space<workgroup>"]
        at = end
    return "".join(parts) + text[at:]


def end_of_layout(text):
    opened = re.match(r"(?:strided|affine_map)<", text)
    return end_of_type(text, opened.end() - 1) + 1 if opened else len(
        re.match(r"#map\w*", text)[0])


def as_kernels(plain):
    """A printed program with its functions as kernels in a gpu.module."""
    rows, body, ends = [], False, None
    for row in in_workgroup(plain).splitlines():
        head = re.match(r"( *)func\.func (?:private |public )?(@[^(]*\(.*\))"
                        r"(?: attributes .*)? \{$", row)
        if not body and re.match(r"module\b.*\{$", row):
            body = True
            rows += [row, "gpu.module @corpus {"]
        elif head and "->" not in re.sub(r"affine_map<[^>]*->[^>]*>", "", head[2]):
            ends = head[1] + "}"
            rows.append(f"{head[1]}gpu.func {head[2]} kernel {{")
        elif ends and re.match(r" *return$", row):
            rows.append(row.replace("return", "gpu.return"))
        elif row == "}" and body:
            rows += ["}", "}"]
            body = False
        else:
            rows.append(row)
            ends = None if row == ends else ends
    return "\n".join(rows)


def read_pieces(folders):
    """All pieces, in the order of the files' names."""
    pieces = []
    for folder in folders:
        root = pathlib.Path(folder)
        for path in [root] if root.is_file() else sorted(root.rglob("*.mlir")):
            text = path.read_text(encoding="utf-8", errors="replace")
            line, part = 1, []
            for number, row in enumerate(text.splitlines() + [MARK], 1):
                if row.rstrip() != MARK:
                    part.append(row)
                    continue
                if any(part):
                    pieces.append(Piece(str(path), line, "\n".join(part)))
                line, part = number + 1, []
    return pieces


class Driver:
    """Runs pipelines on texts, many texts in a process."""

    def __init__(self, arguments):
        self.command = [arguments.mlir_opt, "--split-input-file=" + OWN_MARK,
                        "--output-split-marker=" + OWN_MARK, "--allow-unregistered-dialect", "--mlir-disable-threading",
                        "--remarks-filter=berth.*"]
        if arguments.plugin:  # first: with MLIR 19 it brings the remarks' option
            self.command.insert(1, "--load-pass-plugin=" + arguments.plugin)
        self.cpu = arguments.cpu
        self.memory = arguments.memory << 20
        self.batch = arguments.batch

    def limit(self):
        resource.setrlimit(resource.RLIMIT_CPU, (self.cpu, self.cpu + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.memory:
            resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))

    def process(self, pipeline, texts):
        """Exit status, chunks of output, and diagnostics of one process."""
        with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file:
            file.write(("\n" + OWN_MARK + "\n").join(texts))
            file.flush()
            done = subprocess.run(
                self.command + ["--pass-pipeline=" + pipeline, file.name],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                encoding="utf-8", errors="replace", preexec_fn=self.limit,
                check=False)
        chunks = re.split("^" + OWN_MARK + "$\n?", done.stdout, flags=re.M)
        return done.returncode, chunks, done.stderr

    def run(self, pipeline, texts):
        """A result for each text."""
        if not texts:
            return []
        status, chunks, stderr = self.process(pipeline, texts)
        if status not in (0, 1) or len(chunks) != len(texts):
            if len(texts) > 1:
                half = len(texts) // 2
                return (self.run(pipeline, texts[:half])
                        + self.run(pipeline, texts[half:]))
            if status not in (0, 1):
                hung = status in (-signal.SIGXCPU, 128 + signal.SIGXCPU)
                return [Result("hang" if hung else "crash", "", [stderr[-2000:]])]
            chunks = ["".join(chunks)]
        return collect(texts, chunks, stderr)

    def run_all(self, pool, pipeline, texts):
        parts = [texts[i:i + self.batch] for i in range(0, len(texts), self.batch)]
        done = pool.map(lambda part: self.run(pipeline, part), parts)
        return [result for part in done for result in part]


def collect(texts, chunks, stderr):
    """Tells the diagnostics apart by the lines of the texts."""
    owner = []
    for number, text in enumerate(texts):
        owner += [number] * (text.count("\n") + 2)
    messages = [[] for _ in texts]
    for line, severity, message in DIAGNOSTIC.findall(stderr):
        # A piece may be a test of its own, which --verify-diagnostics reads.
        if int(line) <= len(owner) and not message.startswith("expected "):
            messages[owner[int(line) - 1]].append((severity, message))
    return [Result("ok" if chunk.strip() else "error", chunk, told)
            for chunk, told in zip(chunks, messages)]


def first_error(result):
    if result.kind in ("crash", "hang"):
        rows = [row for row in result.messages[0].splitlines()
                if re.search(r"LLVM ERROR|Assertion|error:|ERROR: ", row)]
        return rows[0] if rows else ""
    errors = [text for severity, text in result.messages if severity == "error"]
    return errors[0] if errors else "no message"


def reason_of(message):
    """A message without the names and numbers of one program."""
    message = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", message)
    return re.sub(r"\d+", "N", message)


class Survey:
    def __init__(self, driver, pool, pieces):
        self.driver, self.pool, self.pieces = driver, pool, pieces
        self.faults = []
        self.reasons = collections.Counter()
        self.rows = []

    def run_all(self, pipeline, texts):
        return self.driver.run_all(self.pool, pipeline, texts)

    def find_programs(self):
        """The pieces that the driver reads, prints and reads again alike."""
        first = self.run_all(READ, [piece.text for piece in self.pieces])
        kept = [i for i, result in enumerate(first) if result.kind == "ok"]
        again = self.run_all(READ, [first[i].output for i in kept])
        self.programs = [i for i, result in zip(kept, again) if result.kind == "ok"]
        self.plain = [first[i].output for i in self.programs]

    def find_kernels(self):
        """Of these the ones that are programs as kernels, too."""
        chosen = [(i, as_kernels(plain)) for i, plain in zip(self.programs, self.plain)
                  if re.search(r"memref\.alloca?\b", plain)]
        printed = self.run_all(READ, [text for _, text in chosen])
        self.kernels = [(i, result.output)
                        for (i, _), result in zip(chosen, printed)
                        if result.kind == "ok"]

    def blame(self, index, form, kind, message):
        piece = self.pieces[index]
        self.faults.append((piece, form, kind, message))
        print(f"{piece.path}:{piece.line}: {form}: {kind}: {message}", flush=True)

    def count_reasons(self, form, result):
        for severity, text in result.messages:
            missed = MISSED.match(text)
            if severity == "error" and result.kind == "error":
                self.reasons[form.split("-")[0], "error", reason_of(text)] += 1
            elif missed:
                self.reasons[missed.group(1), "missed", reason_of(missed.group(2))] += 1

    def check_outputs(self, form, changed, outputs):
        """Counts outputs that cannot be read, and those that are refused."""
        faults = 0
        verified = self.run_all(VERIFY, outputs)
        bad = [i for i, result in enumerate(verified) if result.kind != "ok"]
        readable = self.run_all(READ, [outputs[i] for i in bad])
        for i, read in zip(bad, readable):
            if read.kind != "ok":
                kind, told = "unreadable", read
            else:
                told = verified[i]
                kind = "disagree" if told.kind == "error" else told.kind
            self.blame(changed[i], form, kind, first_error(told))
            faults += 1
        return faults

    def run_form(self, form, pipeline, has_memref=True):
        chosen = [(i, plain) for i, plain in zip(self.programs, self.plain)
                  if ("memref" in plain) == has_memref]
        self.run_on(form, pipeline, chosen, [self.pieces[i].text for i, _ in chosen])

    def run_kernel_form(self, form, pipeline):
        space = "private" if form == "kernel-private" else "workgroup"
        kernels = [(i, text.replace("address_space<workgroup>", f"address_space<{space}>"))
                   for i, text in self.kernels]
        self.run_on(form, pipeline, kernels, [text for _, text in kernels])

    def run_on(self, form, pipeline, chosen, texts):
        results = self.run_all("builtin.module(" + pipeline + ")", texts)
        changed, outputs, counts = [], [], collections.Counter()
        for (index, plain), result in zip(chosen, results):
            if result.kind in ("crash", "hang"):
                self.blame(index, form, result.kind, first_error(result))
            else:
                self.count_reasons(form, result)
            if result.kind == "ok" and result.output != plain:
                changed.append(index)
                outputs.append(result.output)
            counts[result.kind] += 1
        wrong = self.check_outputs(form, changed, outputs)
        self.rows.append((form, len(chosen), len(changed), counts["error"],
                          counts["crash"] + counts["hang"], wrong))

    def write(self, top):
        print(f"\npieces {len(self.pieces)}, programs {len(self.programs)}")
        print(f"{'form':<20}{'pieces':>8}{'changed':>9}{'refused':>9}{'died':>6}{'wrong':>7}")
        for row in self.rows:
            print("{:<20}{:>8}{:>9}{:>9}{:>6}{:>7}".format(*row))
        print("\ntimes  given by       reason")
        order = sorted(self.reasons.items(), key=lambda item: (-item[1], item[0]))
        for (giver, severity, reason), times in order[:top or None]:
            print(f"{times:>5}  {giver:<13} {severity}: {reason}")
        print(f"\nfaults {len(self.faults)}")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="DIR", help="or single files")
    parser.add_argument("--mlir-opt", default="mlir-opt-22",
                        help="the driver (default: mlir-opt-22)")
    parser.add_argument("--plugin", default="build/lib/BerthPlugin.so",
                        help="loaded into it; '' if the driver has the passes")
    parser.add_argument("--forms", default="", help="only those whose name has this "
                        "as a part; several with commas")
    parser.add_argument("--list", action="store_true", help="list the forms")
    parser.add_argument("--cpu", type=int, default=10,
                        help="seconds of CPU for a piece (default: 10)")
    parser.add_argument("--memory", type=int, default=8192, metavar="MIB",
                        help="for a process; 0: no limit, for sanitizers")
    parser.add_argument("--batch", type=int, default=100, metavar="N",
                        help="pieces in a process (default: 100)")
    parser.add_argument("-j", type=int, default=len(os.sched_getaffinity(0)),
                        dest="jobs", help="processes at a time")
    parser.add_argument("--top", type=int, default=0, metavar="N",
                        help="only the N most frequent reasons")
    parser.add_argument("--keep", metavar="DIR",
                        help="write each piece with a fault into this folder")
    return parser, parser.parse_args()


def keep(folder, faults):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for piece, form, kind, message in faults:
        name = f"{kind}-{form}-{pathlib.Path(piece.path).stem}-{piece.line}.mlir"
        text = f"// {piece.path}:{piece.line}: {message}\n{piece.text}\n"
        (folder / name).write_text(text, encoding="utf-8")


def main():
    parser, arguments = parse_arguments()
    parts = arguments.forms.split(",")
    forms, kernel_forms, no_memref = (
        {form: text for form, text in some.items()
         if any(part in form for part in parts)}
        for some in (FORMS, KERNEL_FORMS, {"no-memref": NO_MEMREF}))
    if arguments.list:
        for form, text in {**forms, **kernel_forms, **no_memref}.items():
            print(f"{form:<20}{text}")
        return 0
    if not forms and not kernel_forms and not no_memref:
        parser.error(f"no form has a name with '{arguments.forms}' (see --list)")
    pieces = read_pieces(arguments.folders)
    if not pieces:
        parser.error("no .mlir file was found under "
                     + (" ".join(arguments.folders) or "no folder"))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        survey = Survey(Driver(arguments), pool, pieces)
        survey.find_programs()
        for form, text in forms.items():
            survey.run_form(form, text)
        for form, text in no_memref.items():
            survey.run_form(form, text, has_memref=False)
        if kernel_forms:
            survey.find_kernels()
        for form, text in kernel_forms.items():
            survey.run_kernel_form(form, text)
    survey.write(arguments.top)
    if arguments.keep:
        keep(arguments.keep, survey.faults)
    return 1 if survey.faults else 0


if __name__ == "__main__":
    sys.exit(main())
