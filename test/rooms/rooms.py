# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds lib against the table of rooms in docs/design.md.

A room is a folder of lib. The table lists them lowest first; a file may use its
own room and those above it in the table, nothing below. Told by two witnesses:
the #include lines, and the symbols that the objects of a build define and need.
No two files may need each other, not even by way of others (a circle), and
lib/IR/Verify uses its own rooms and its declared base only. A header declares
what the source of its name defines (those of lib/IR/Facts: what lib/MLIR/Facts
does). Names of ops stand in lib/IR/Ops and lib/IR/Target only.

    python3 test/rooms/rooms.py [--build BUILD] [--most N]

Prints one line for each breach, and fails if there is any. To show that the test
notices, --plant PATH=TEXT pretends that the file PATH holds TEXT too, and
--plant-object PATH=OBJECT that OBJECT is what it was compiled to.
"""

import argparse
import pathlib
import posixpath
import re
import subprocess
import sys
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `(lib/[\w/]+)` \| (.+) \|$")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)
ENDINGS = ("c", "cpp", "def", "h", "inc")

# What the verifier shares with the planner, without the endings; docs/design.md
# says what each is for.
VERIFY = "lib/IR/Verify"
VERIFY_BASE = {
    "lib/IR/Facts/DmaFacts",
    "lib/IR/Facts/Facts",
    "lib/IR/Facts/Fatal",
    "lib/IR/Facts/LoopFacts",
    "lib/IR/Facts/SliceFacts",
    "lib/IR/Facts/VerifyFacts",
    "lib/IR/Facts/Versions",
    "lib/IR/Ops/Attributes",
    "lib/IR/Ops/BlockShape",
    "lib/IR/Ops/Dealloc",
    "lib/IR/Ops/Effects",
    "lib/IR/Ops/EqualValues",
    "lib/IR/Ops/Fragments",
    "lib/IR/Ops/MBarriers",
    "lib/IR/Ops/WholeBarrier",
    "lib/IR/Ops/OpKinds",
    "lib/IR/Ops/OpRow",
    "lib/IR/Ops/OpRows",
    "lib/IR/Target/ForeignLayout",
    "lib/IR/Target/ForeignType",
    "lib/IR/Ops/OpTable",
    "lib/IR/Ops/OpList",
    "lib/IR/Ops/OrDie",
    "lib/IR/Ops/PointerMap",
    "lib/IR/Ops/RowOf",
    "lib/IR/Ops/Spaces",
    "lib/IR/Target/Target",
    "lib/IR/Target/TargetData",
    "lib/IR/Target/TargetParts",
    "lib/IR/Ops/ShortText",
    "lib/IR/Ops/Text",
    "lib/IR/Ops/Worklist",
    "lib/MLIR/Facts/Diagnostics",
    "lib/MLIR/Facts/FactsDma",
    "lib/MLIR/Facts/FactsFlow",
    "lib/MLIR/Facts/FactsLoop",
    "lib/MLIR/Facts/FactsMemory",
    "lib/MLIR/Facts/FactsOverwrite",
    "lib/MLIR/Facts/FactsSize",
    "lib/MLIR/Facts/FactsSlice",
    "lib/MLIR/Facts/FactsVerify",
    "lib/MLIR/Facts/Versions",
    "lib/MLIR/Facts/Fatal",
    "lib/Support/Allocate",
    "lib/Support/Bitset",
    "lib/Support/BumpMemory",
    "lib/Support/Messages",
    "lib/Support/Sort",
    "lib/Support/Support",
}

# Where the names of ops stand, and what looks like one.
OP_NAMES = ("lib/IR/Ops/", "lib/IR/Target/")
OP_NAME = re.compile(r'"([a-z]+\.[a-z_.0-9]+)"')
ATTRIBUTES = (
    "bufferization.manual_deallocation",
    "gpu.kernel",
    "linalg.memoized_indexing_maps",
    "llvm.align",
    "llvm.linkage",
)


def read_rooms():
    text = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    rows = (ROW.match(line) for line in text.splitlines())
    return [row.group(1) for row in rows if row]


def room_of(path, rooms):
    """The longest room that holds the file, or None."""
    return max((r for r in rooms if path.startswith(r + "/")), key=len, default=None)


def read_sources(plants):
    paths = [p for e in ENDINGS for p in (ROOT / "lib").rglob("*." + e)]
    sources = {str(p.relative_to(ROOT)): p.read_text(encoding="utf-8") for p in paths}
    for path, text in plants:
        sources[path] = sources.get(path, "") + "\n" + text + "\n"
    return sources


def include_arrows(sources):
    for path, text in sources.items():
        folder = path.rpartition("/")[0]
        for name in INCLUDE.findall(text):
            for used in ("lib/" + name, posixpath.normpath(f"{folder}/{name}")):
                if used in sources:
                    yield path, used, "includes it"


def includes_outside(sources):
    """Of the repository, lib uses itself and the public headers."""
    for path, text in sorted(sources.items()):
        folder = path.rpartition("/")[0]
        for name in INCLUDE.findall(text):
            used = posixpath.normpath(f"{folder}/{name}")
            if used not in sources and (ROOT / used).is_file():
                yield f"{path}: includes it: {used} is outside of lib"


def source_of(object_path):
    """lib/IR/Ops/Text.c of lib/IR/CMakeFiles/BerthIR.dir/Ops/Text.c.o"""
    return re.sub(r"/CMakeFiles/[^/]+\.dir/", "/", object_path)[: -len(".o")]


def find_objects(build, sources, plants):
    """The sources that have an object, each with one."""
    objects = {}
    for path in sorted(build.glob("lib/**/CMakeFiles/*.dir/**/*.o")):
        source = source_of(path.relative_to(build).as_posix())
        if source in sources:
            objects[source] = path
    objects.update(plants)
    return objects


def object_symbols(objects):
    """For each source with an object: the symbols it defines and needs."""
    sources = {str(path): source for source, path in objects.items()}
    lines = subprocess.run(
        ["nm", "-A", "-P", *sources], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    symbols = {source: (set(), set()) for source in objects}
    for line in lines:
        path, _, rest = line.partition(": ")
        name, kind = rest.split()[:2]
        defined, needed = symbols[sources[path]]
        if kind in "TDBRVWC":
            defined.add(name)
        elif kind in "Uvw":
            needed.add(name)
    return symbols


def symbol_arrows(objects):
    symbols = object_symbols(objects)
    definer = {name: path for path, (defined, _) in symbols.items() for name in defined}
    for path, (_, needed) in symbols.items():
        for name in sorted(needed):
            if definer.get(name, path) != path:
                yield path, definer[name], f"needs its {name}"


SEAM = "lib/IR/Facts/"  # C declares there what C++ defines


def declared(text):
    """What looks like a function or a variable that a header declares."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    while (flat := re.sub(r"\{[^{}]*\}", ";", text)) != text:
        text = flat
    return set(re.findall(r"\b(\w+)\s*(?:\([^;]*\)|\[[^;]*\])?[^;()]*;", text))


def header_breaches(sources, objects):
    """Headers that declare what another source defines."""
    symbols = object_symbols(objects)
    definer = {name: path for path, (names, _) in symbols.items() for name in names}
    for path, text in sorted(sources.items()):
        if not path.endswith(".h") or path.startswith(SEAM):
            continue
        for name in sorted(declared(text) & definer.keys()):
            if module_of(definer[name]) != module_of(path):
                yield f"{path}: declares {name}, which {definer[name]} defines"


def upward(arrows, rooms):
    height = {room: i for i, room in enumerate(rooms)}
    for user, used, how in arrows:
        a, b = room_of(user, rooms), room_of(used, rooms)
        if a and b and height[b] > height[a]:
            yield f"{user}: {how}: {used} lies in a higher room"


def verify_breaches(arrows):
    """Neither Verify nor its base uses anything else."""
    for user, used, how in arrows:
        checks = user.startswith(VERIFY + "/")
        if not checks and module_of(user) not in VERIFY_BASE:
            continue
        if not used.startswith(VERIFY + "/") and module_of(used) not in VERIFY_BASE:
            yield f"{user}: {how}: {used} is not of the verifier's base"


def unused_base(arrows):
    used = {module_of(used) for user, used, _ in arrows if user.startswith((VERIFY + "/", *VERIFY_BASE))}
    for module in sorted(VERIFY_BASE - used):
        yield f"{module}: is in the verifier's base, but is not needed there"


def op_name_breaches(sources):
    """Names of ops outside of their room."""
    for path, text in sorted(sources.items()):
        if not path.startswith("lib/IR/") or path.startswith(OP_NAMES):
            continue
        for name in OP_NAME.findall(text):
            if name not in ATTRIBUTES and not name.startswith("berth."):
                yield f'{path}: names the op "{name}": ask lib/IR/Ops/OpTable.h'


def module_of(path):
    """A source and its header count as one."""
    return path.rsplit(".", 1)[0]


def circles(arrows):
    """Tarjan's strongly connected components with more than one file."""
    graph = defaultdict(set)
    for user, used, _ in arrows:
        if module_of(user) != module_of(used):
            graph[module_of(user)].add(module_of(used))
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
                on_stack.discard(part[-1])
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, help="a finished build: its symbols are read too")
    pair = lambda word: word.split("=", 1)
    parser.add_argument("--plant", action="append", type=pair, default=[], metavar="PATH=TEXT")
    parser.add_argument("--plant-object", action="append", type=pair, default=[], metavar="PATH=OBJECT")
    parser.add_argument("--most", type=int, default=1000, help="breaches to print")
    arguments = parser.parse_args()
    sys.setrecursionlimit(100000)
    rooms = read_rooms()
    sources = read_sources(arguments.plant + [(path, "") for path, _ in arguments.plant_object])
    arrows = list(include_arrows(sources))
    objects = {}
    if arguments.build:
        objects = find_objects(arguments.build, sources, arguments.plant_object)
        if not objects:
            parser.error(f"--build {arguments.build}: holds no object of lib")
        arrows += symbol_arrows(objects)
    breaches = [f"{p}: is in no room of docs/design.md" for p in sorted(sources) if not room_of(p, rooms)]
    breaches += [f"docs/design.md: {r}: there is no such room" for r in rooms if not (ROOT / r).is_dir()]
    breaches += sorted(set(upward(arrows, rooms)))
    breaches += includes_outside(sources)
    breaches += header_breaches(sources, objects)
    breaches += sorted(set(verify_breaches(arrows)))
    breaches += op_name_breaches(sources)
    if any(path.startswith(VERIFY + "/") for path in objects):
        breaches += unused_base(arrows)  # only symbols tell, and not every build has them
    breaches += ["circle: " + " ".join(part) for part in circles(arrows)]
    for line in breaches[: arguments.most]:
        print(line)
    print(f"{len(rooms)} rooms, {len(sources)} files, {len(objects)} objects, {len(arrows)} arrows, {len(breaches)} breaches")
    return 1 if breaches or not arrows else 0


if __name__ == "__main__":
    sys.exit(main())
