# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pipelines of TMA loads in many forms: rings.py BERTH-OPT.

Each kernel loads tiles into the slots of one buffer some turns ahead, and has a
scratch buffer of the same size behind the loop. Where nothing is under way there,
berth-arena gives both the same bytes, and berth-verify agrees; else it holds the
slots. Each is planned as it stands and behind canonicalize and cse.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HEAD = """
!slots = memref<{slots}x8x8xf32, #gpu.address_space<workgroup>>
!box = memref<8x8xf32, #gpu.address_space<workgroup>>
!slot = memref<8x8xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
!scratch = memref<{words}xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !box, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = {slots}>
gpu.module @kernels {{
  gpu.func @ring(%map: !map, %out: memref<64xf32>, %lb: {type}, %ub: {type}, %s: {type}, %turns: index) kernel attributes {{known_block_size = array<i32: 64, 1, 1>}} {{
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %k0 = arith.constant 0 : {type}
    %k1 = arith.constant 1 : {type}
    %k2 = arith.constant 2 : {type}
    %k3 = arith.constant 3 : {type}
    %k4 = arith.constant 4 : {type}
    %k40 = arith.constant 40 : {type}
    %kn = arith.constant {slots} : {type}
    %ka = arith.constant {ahead} : {type}
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    {inits}
    gpu.barrier
    {outside}
"""

LOAD = """nvgpu.mbarrier.arrive.expect_tx %m[{number}], %bytes, predicate = {predicate} : !mbarriers
    nvgpu.tma.async.load %map[%c0, %c0], %m[{number}] to {slot}, predicate = {predicate} : !map, !mbarriers -> !slot
"""

LOOP = """
    scf.for {sign} %k = {lb} to {ub} step {step} {carry} : {type} {{
      {numbers}
      %slot = memref.subview %x[%n, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
      %slotl = memref.subview %x[%l, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
      {guard}
      {load}
      nvgpu.mbarrier.try_wait.parity %m[%n], %even, %t : !mbarriers
      {touch}
      gpu.barrier
      scf.yield {hands}
    }}
    {behind}
    %sb = memref.alloc() : !scratch
    memref.store %zero, %sb[%t] : !scratch
    %again = memref.load %sb[%t] : !scratch
    memref.store %again, %out[%t] : memref<64xf32>
    gpu.return
  }}
}}
"""

NUMBERS = """{turn}
      %n{suffix} = {rest} : {type}
      %later = arith.addi %turn, %ka : {type}
      %l{suffix} = {next} : {type}
      {casts}
"""

LEFT = """%end = arith.subi {ub}, %k1 : {type}
      %way = arith.subi %end, %k : {type}
      %left = arith.divui %way, {step} : {type}
      %more = arith.cmpi ule, %ka, %left : {type}
"""
READ = "%e = memref.load %slot[%c0, %c1] : !slot\n      memref.store %e, %out[%t] : memref<64xf32>"


def first(turn, f):
    """Of the turn, in front of the loop."""
    lines = []
    if f["first"] == "asked":
        lines.append(f"%any{turn} = arith.cmpi {'ult' if f['sign'] else 'slt'}, {f['lb']}, {f['ub']} : {f['type']}")
        name = f"%any{turn}"
        if turn:
            lines += [f"%e{turn} = arith.subi {f['ub']}, %k1 : {f['type']}",
                      f"%w{turn} = arith.subi %e{turn}, {f['lb']} : {f['type']}",
                      f"%f{turn} = arith.divui %w{turn}, {f['step']} : {f['type']}",
                      f"%g{turn} = arith.cmpi uge, %f{turn}, %k{turn} : {f['type']}",
                      f"%both{turn} = arith.andi %any{turn}, %g{turn} : i1"]
            name = f"%both{turn}"
        lines.append(f"scf.if {name} {{")
    lines += [f"%slot{turn} = memref.subview %x[%c{turn}, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot",
              LOAD.format(number=f"%c{turn}", slot=f"%slot{turn}", predicate="%first")]
    if f["first"] == "asked":
        lines.append("}")
    return "\n    ".join(lines)


def kernel(**changes):
    f = {"slots": 3, "ahead": 2, "type": "index", "sign": "", "lb": "%lb", "ub": "%ub", "step": "%s",
         "first": "asked", "divide": "divui", "remain": "remui", "guarded": "if", "touch": READ,
         "casts": "", "suffix": "", "numbers": NUMBERS, "carry": "", "hands": "",  "outside": "", "behind": "", "left": LEFT}
    f.update(changes)
    if f["type"] != "index":
        f["suffix"] = "i"
        f["casts"] = (f"%n = arith.index_cast %ni : {f['type']} to index\n"
                      f"      %l = arith.index_cast %li : {f['type']} to index")
    f["words"] = 64 * f["slots"]
    f["inits"] = "\n    ".join(f"nvgpu.mbarrier.init %m[%c{i}], %c1, predicate = %first : !mbarriers"
                               for i in range(f["slots"]) if i < 4)
    type = f["type"]
    f.setdefault("turn", f"%since = arith.subi %k, {f['lb']} : {type}\n"
                         f"      %turn = arith.{f['divide']} %since, {f['step']} : {type}")
    f.setdefault("rest", f"arith.{f['remain']} %turn, %kn")
    f.setdefault("next", f"arith.{f['remain']} %later, %kn")
    f["numbers"] = f["numbers"].format(**f)
    f["guard"] = f["left"].format(**f)
    load = LOAD.format(number="%l", slot="%slotl", predicate="%first")
    if f["guarded"] == "if":
        load = f"scf.if %more {{\n    {load}    }}"
    elif f["guarded"] == "predicate":
        load = "%both = arith.andi %more, %first : i1\n    " + load.replace("= %first", "= %both")
    f["load"] = load
    alloc = "%x = memref.alloc() {alignment = 128 : i64} : !slots\n    "
    before = "".join(first(turn, f) + "\n    " for turn in range(f["ahead"]))
    if f["outside"]:
        f["behind"] = "}"
    text = HEAD.format(**f).replace("{outside}", f["outside"])
    where = f.get("alloc", "front")
    return text + (alloc if where == "front" else "") + before + LOOP.format(**f)


CONSTANTS = {"lb": "%k4", "ub": "%k40", "step": "%k3", "first": "free"}


def zero(type="index", **changes):
    return kernel(lb="%k0", step="%k1", type=type, turn=f"%turn = arith.addi %k, %k0 : {type}", **changes)


def inner(lower, upper):
    return f"scf.for %i = {lower} to {upper} step %c1 {{\n      {READ}\n      }}"


def carried(step, initial=("%c0", "%c2"), **changes):
    """The loop carries both numbers; `step` makes %y of %v."""
    numbers = "".join(step.replace("%v", f"%{v}").replace("%y", f"%y{v}").replace("%w", f"%w{v}").replace(
        "%z", f"%z{v}") for v in "nl")
    return kernel(numbers=numbers, hands="%yn, %yl : index, index",
                  carry=f"iter_args(%n = {initial[0]}, %l = {initial[1]}) -> (index, index)", **changes)


WRAPS = "%w = arith.addi %v, %c1 : index\n%z = arith.cmpi {} : index\n%y = arith.select %z, {} : index\n"

ALONE = """
    {front}
    scf.for {sign} %k = {lb} to {ub} step {step} : {type} {{
      {ahead}
      nvgpu.mbarrier.try_wait.parity %m[{waits}], %even, %t : !mbarriers
      {touch}
      gpu.barrier
      {guard}
      {behind}
    }}
"""
ONE = "%slot = memref.subview %x[{}, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot\n    "
ABOVE = "%next = arith.addi %k, {} : {{type}}\n      %more = arith.cmpi {} : {{type}}\n"


def alone(**changes):
    """One tile, which is loaded for the next turn behind its use."""
    f = {"type": "index", "sign": "", "lb": "%lb", "ub": "%ub", "step": "%s", "touch": READ, "guard": LEFT,
         "asks": "%more", "front": "asked", "ahead": "", "place": "behind", "waits": "%c0", "slot": "%c0",
         "tells": "%c0"}
    f.update(changes)
    load = LOAD.format(number=f["tells"], slot="%slot", predicate="%first")
    f["guard"] = f["guard"].format(**f).replace("%ka", "%k1")
    guarded = f"scf.if {f['asks']} {{\n    {load}    }}" if f["asks"] else load
    f[f["place"]] = guarded
    if f["place"] == "ahead":
        f["ahead"], f["guard"], f["behind"] = f["guard"] + guarded, "", ""
    asked = f"%any = arith.cmpi {'ult' if f['sign'] else 'slt'}, {f['lb']}, {f['ub']} : {f['type']}\n    scf.if %any {{\n{load}}}"
    f["front"] = ONE.format(f["slot"]) + {"asked": asked, "free": load, "": ""}[f["front"]]
    head = HEAD.format(slots=2, ahead=1, words=128, type=f["type"], outside="",
                       inits="\n    ".join(f"nvgpu.mbarrier.init %m[%c{i}], %c1, predicate = %first : !mbarriers"
                                           for i in range(2)))
    tail = LOOP[LOOP.index("    {behind}"):].format(behind="")
    return head + "%x = memref.alloc() {alignment = 128 : i64} : !slots\n    " + ALONE.format(**f) + tail


NUMBERS_ONLY = {"lb": "%k0", "ub": "%k40", "step": "%k2", "front": "free"}

CASES = [
    ("a tile, loaded behind its use", True, alone()),
    ("a tile, without sign", True, alone(sign="unsigned")),
    ("a tile, 32 bits", True, alone(type="i32")),
    ("a tile, below the end", True, alone(guard=ABOVE.format("%k2", "slt, %next, %k40"), **NUMBERS_ONLY)),
    ("a tile, not above the last", True, alone(guard="%k38 = arith.constant 38 : {type}\n" + ABOVE.format(
        "%k2", "ule, %next, %k38"), **NUMBERS_ONLY)),
    ("a tile, the end is above", True, alone(guard=ABOVE.format("%k2", "sgt, %k40, %next"), **NUMBERS_ONLY)),
    ("a tile, asked for by the variable", True, alone(guard="%k38 = arith.constant 38 : {type}\n"
        "%more = arith.cmpi slt, %k, %k38 : {type}\n", **NUMBERS_ONLY)),
    ("a tile for this turn", True, alone(place="ahead", asks="", front="")),
    ("a tile, asked for nothing", False, alone(asks="")),
    ("a tile, not asked for in front", False, alone(front="free")),
    ("a tile, below more than the end", False, alone(guard=ABOVE.format("%k2", "sle, %next, %k40"), **NUMBERS_ONLY)),
    ("a tile, by too small a step", False, alone(guard=ABOVE.format("%k1", "sle, %next, %k40"), **NUMBERS_ONLY)),
    ("a tile, below any end", False, alone(guard=ABOVE.format("%s", "slt, %next, %ub"))),
    ("a tile, another mbarrier", False, alone(waits="%c1")),
    ("a tile, the other way", False, alone(guard=ABOVE.format("%k2", "sgt, %next, %k40"), **NUMBERS_ONLY)),
    ("a tile, some bits", False, alone(type="i8", guard=ABOVE.format("%k2", "slt, %next, %k40"), **NUMBERS_ONLY)),
    ("any bounds", True, kernel()),
    ("a predicate", True, kernel(guarded="predicate")),
    ("without sign", True, kernel(sign="unsigned")),
    ("constant bounds", True, kernel(**CONSTANTS)),
    ("constant bounds, signed", True, kernel(divide="divsi", remain="remsi", **CONSTANTS)),
    ("from zero", True, zero()),
    ("from zero, signed", True, zero(divide="divsi", remain="remsi")),
    ("from zero by a step, signed", True, kernel(lb="%k0", divide="divsi", remain="remsi")),
    ("a mask", True, kernel(slots=2, ahead=1, rest="arith.andi %turn, %k1", next="arith.andi %later, %k1")),
    ("32 bits", True, kernel(type="i32")),
    ("32 bits, without sign", True, kernel(type="i32", sign="unsigned")),
    ("two slots", True, kernel(slots=2, ahead=1)),
    ("more slots than turns ahead", True, kernel(slots=3, ahead=1)),
    ("read in a loop", True, kernel(touch=inner("%c0", "%c3"))),
    ("one turn more is asked for", True, kernel(left=LEFT.replace("ule, %ka", "ult, %ka"))),
    ("carried, by a remainder", True, carried(
        "%w = arith.addi %v, %c1 : index\n%y = arith.remui %w, %c3 : index\n")),
    ("carried, by a mask", True, carried(
        "%w = arith.addi %v, %c1 : index\n%y = arith.andi %w, %c1 : index\n", ("%c0", "%c1"), slots=2, ahead=1)),
    ("carried, by a select", True, carried(WRAPS.format("eq, %w, %c3", "%c0, %w"))),
    ("carried, by another select", True, carried(WRAPS.format("slt, %w, %c3", "%w, %c0"))),
    ("carried, by the last number", True, carried(WRAPS.format("sge, %v, %c2", "%c0, %w"))),
    # Something may be under way.
    ("carried to another number", False, carried(WRAPS.format("eq, %w, %c2", "%c0, %w"))),
    ("carried from another number", False, carried(WRAPS.format("eq, %w, %c3", "%c0, %w"), ("%c1", "%c2"))),
    ("carried on to 1", False, carried(WRAPS.format("eq, %w, %c3", "%c1, %w"))),
    ("carried the other way", False, carried(WRAPS.format("eq, %w, %c3", "%w, %c0"))),
    ("carried by twos", False, carried(WRAPS.format("eq, %w, %c3", "%c0, %w").replace("%v, %c1", "%v, %c2"))),
    ("no guard", False, kernel(guarded="no")),
    ("no guard in front", False, kernel(first="free")),
    ("a turn too few", False, kernel(left=LEFT.replace("ule, %ka", "ule, %k1"))),
    ("the wrong bound", False, kernel(left=LEFT.replace("{ub}", "{lb}"))),
    ("another step", False, kernel(left=LEFT.replace("%way, {step}", "%way, %k3"))),
    ("from another start", False, kernel(turn="%turn = arith.divui %k, %s : index")),
    ("signed from anywhere", False, kernel(divide="divsi", remain="remsi")),
    ("32 bits, signed, ahead of the end", False, zero("i32", divide="divsi", remain="remsi")),
    ("slots of another number", False, kernel(next="arith.remui %later, %k2")),
    ("read in a loop that may take no turn", False, kernel(touch=inner("%c0", "%turns"))),
    ("read by some", False, kernel(touch=f"scf.if %first {{\n      {READ}\n      }}")),
    ("nobody reads", False, kernel(touch="")),
    ("no fixed slot", False, kernel(rest="arith.remui %turn, %s")),
    ("in slots made in each turn", False, kernel(**CONSTANTS).replace(
        "%x = memref.alloc()", "%x0 = memref.alloc()").replace("%x[%c", "%x0[%c").replace(
        "      %slot = ", "      %x = memref.alloc() {alignment = 128 : i64} : !slots\n      %slot = ")),
]


def isKept(opt, name, text):
    """With the rule broken that asks for the turn, berth-verify refuses what shares."""
    run = subprocess.run([*opt, "--pass-pipeline=builtin.module(berth-arena{test-break-rule=loads-of-no-turn})"],
                         input=text, text=True, capture_output=True, check=False)
    if run.returncode:
        return "may still use" in run.stderr
    views = [line.split("[", 1)[1].split("]", 1)[0] for line in run.stdout.splitlines() if "berth.buffer" in line]
    if len(views) < 2 or len(set(views)) == len(views):
        return True
    print(f"{name}: accepted with the rule broken")
    return False


def main():
    opt = sys.argv[1:]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        for name, isFree, text in CASES:
            for before in ("", "canonicalize,cse,"):
                run = subprocess.run(
                    [*opt, f"--pass-pipeline=builtin.module({before}berth-arena{{report={report}}})",
                     "-o", "/dev/null"], input=text, text=True, capture_output=True, check=False)
                if run.returncode:
                    print(f"{name}, {before}: {run.stderr[:600]}")
                    wrong += 1
                    continue
                if not isFree and not before:
                    wrong += not isKept(opt, name, text)
                found = json.loads(report.read_text())
                scope = found[0] if isinstance(found, list) else found["scopes"][0]
                after, all_ = scope["bytes_after"], scope["bytes_before"]
                if scope["placed"] == scope["buffers"] and (after < all_) != isFree:
                    print(f"{name}, {before}: {all_} -> {after}")
                    wrong += 1
    print(f"{len(CASES)} forms, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
