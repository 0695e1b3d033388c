# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the bytes that a fitted program moves while it runs.

    count_moves.py MLIR_OPT PLUGIN MLIR_LIB PIPELINE FILE [--late=FOLDER] [--target=FILE]
                   [--spaces=A,B]

PIPELINE (berth-fit, once or several times; `drawn`: what the first line of the file, a
comment, has) is run with its remarks. Then each move and each copy between a slice and
its tile is followed by a call that adds up its bytes, and each function counts its runs.
Of each function that runs, and each memory that it is fitted into, what ran has to be
what the remark told; where that guesses branches or loops it is left out. Prints how
many figures were compared, how many bytes these are, and how many are those of slices.
"""

import os
import re
import subprocess
import sys
import tempfile

REMARK = re.compile(r":(\d+):\d+: remark: .*fitted into \d+ bytes of (\w+), .*?: (\d+) bytes are "
                    r"brought in, (\d+) taken out(?:.*\((\d+) of what moves slice by slice\))?(.*)")
SPACES = {"default": 0, "77": 1, "78": 2}  # --spaces=A,B,...: others, the fastest first
MOVE = re.compile(r"\{[^{}]*berth\.(move|tile) = ")
START = re.compile(r"memref\.dma_start .*, (%\w+)\[[^]]*\](?:, %\w+, %\w+)? : (memref<.*>), "
                   r"(memref<.*>), memref<")
TOLD = re.compile(r'(?:(%\w+) = )?"npu\.\w+"\(.*\).* : \((memref<.*>), (memref<.*>)\) -> ')


def size_of(text):
    shape = re.match(r"memref<((?:\d+x)*)(i\d+|f\d+|bf16|index)", text)
    size = 8 if shape[2] == "index" else -(-int(re.sub(r"\D", "", shape[2])) // 8)
    for extent in shape[1].split("x")[:-1]:
        size *= int(extent)
    return size


def space_of(text):
    space = re.search(r", (\d+)>$", text)
    return SPACES[space[1] if space else "default"]


def instrument(text):
    """The program that counts, and the function and memory of each counter. The first
    two of a function are its runs, and unused."""
    lines, counters, number, starts, function = [], [], 0, {}, None

    def count(line, key, amount):
        nonlocal number
        if key not in counters:
            counters.append(key)
        number += 1
        indent = re.match(" *", line)[0]
        lines.extend([f"{indent}%berth_n{number} = arith.constant {amount} : i64",
                      f"{indent}%berth_i{number} = arith.constant {counters.index(key)} : index",
                      f"{indent}func.call @berth_count(%berth_i{number}, %berth_n{number}) : "
                      "(index, i64) -> ()"])

    for line in text.splitlines():
        if line.strip() == "return" and function == "main":
            lines.append("    func.call @berth_report() : () -> ()")
        lines.append(line)
        named = re.search(r"func\.func .*?@(\w+)\(.*\{$", line)
        if named:
            function, starts = named[1], {}
            count(line + "  ", (function, None), 1)
        start = START.search(line) or TOLD.search(line)
        if start:
            starts[start[1]] = (start[2], start[3])
        mark = MOVE.search(line)
        if not mark:
            continue
        copy = re.search(r"memref\.copy .* : (memref<.*>) to (memref<.*>)$", line)
        waits = re.search(r'(?:memref\.dma_wait |"npu\.wait"\()(%\w+)', line)
        if copy:
            ends = copy.groups()
        elif waits:
            ends = starts[waits[1]]
        elif TOLD.search(line):
            ends = TOLD.search(line).groups()[1:]
        else:
            continue  # an allocation of a tile
        key = (function, min(map(space_of, ends)))
        count(line, key, size_of(ends[0]))
        if mark[1] == "tile":
            count(line, key + ("tile",), size_of(ends[0]))
    size = len(counters)
    # Where a program prints by these functions vector.print would declare them again.
    show = ("func.call @printI64(%%%s) : (i64) -> () func.call @printNewline() : () -> ()"
            if "func.func private @printI64(" in text else "vector.print %%%s : i64")
    report = [f"""
module {{
  memref.global "private" @berth_counts : memref<{size}xi64> = dense<0>
  func.func @berth_count(%i: index, %n: i64) {{
    %m = memref.get_global @berth_counts : memref<{size}xi64>
    %a = memref.load %m[%i] : memref<{size}xi64>
    %b = arith.addi %a, %n : i64
    memref.store %b, %m[%i] : memref<{size}xi64>
    return
  }}
  func.func @berth_report() {{
    %m = memref.get_global @berth_counts : memref<{size}xi64>
    %begin = arith.constant -77777777 : i64
    {show % "begin"}"""]
    for i in range(size):
        report += [f"    %i{i} = arith.constant {i} : index",
                   f"    %n{i} = memref.load %m[%i{i}] : memref<{size}xi64>",
                   "    " + show % f"n{i}"]
    report += ["    return", "  }"]
    body = "\n".join(lines)
    if body.lstrip().startswith("#") or "\nmodule" in body:
        head, body = body.split("\nmodule", 1) if "\nmodule" in body else ("", body)
        return head + "\n".join(report) + "\n" + body.split("{\n", 1)[1], counters
    return "\n".join(report) + "\n" + body.split("{\n", 1)[1], counters


def run(command, text=None, env=None):
    ran = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, check=False, env=env)
    if ran.returncode:
        sys.exit(f"count_moves: {command[0]} fails: {ran.stderr[:2000]}")
    return ran.stdout, ran.stderr


def main():
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    opt, plugin, lib, pipeline, path = [w for w in sys.argv[1:] if not w.startswith("--")]
    late, env = options.get("late"), dict(os.environ)
    if "spaces" in options:
        SPACES.clear()
        SPACES.update((name, i) for i, name in enumerate(options["spaces"].split(",")))
    described = []
    if "target" in options:
        env["BERTH_TARGET"] = options["target"]
        described = [f"--load-dialect-plugin={plugin}"]
    with open(path, encoding="utf-8") as file:
        source = file.read()
    if pipeline == "drawn":
        pipeline = source.splitlines()[0][3:]
    fitted, told = run([opt, *described, f"--load-pass-plugin={plugin}",
                        "--remarks-filter=berth-fit", f"--pass-pipeline=builtin.module({pipeline})",
                        path], env=env)
    text, counters = instrument(fitted)
    text = re.sub(rf", ({'|'.join(SPACES)})>", ">", text)
    passes = "lower-affine,test-late-transfers," if late else ""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as lowered:
        lowered.write(run([opt, *([f"--load-pass-plugin={late}/LateTransfers.so"] if late else []),
                           *(["--allow-unregistered-dialect"] if described else []),
                           f"--pass-pipeline=builtin.module({passes}"
                           "convert-bufferization-to-memref,test-lower-to-llvm)"], text)[0])
        lowered.flush()
        libraries = [f"{lib}/libmlir_{name}.so" for name in ("runner_utils", "c_runner_utils")]
        libraries += [f"{late}/LateRuntime.so"] if late else []
        printed = run(["mlir-runner", lowered.name, "-O0", "-e", "main",
                       "--entry-point-result=void",
                       *(f"--shared-libs={path}" for path in libraries)])[0]
    counts = printed.split("-77777777\n")[1].split()
    ran = dict(zip(counters, map(int, counts)))
    compared = moved = slices = wrong = 0
    lines = source.splitlines()
    for line, memory, came, went, tiled, rest in REMARK.findall(told):
        function = re.search(r"@(\w+)\(", lines[int(line) - 1])[1]
        runs, space = ran.get((function, None), 0), SPACES[memory]
        if "guessed" in rest or runs == 0:
            continue
        expected = ((int(came) + int(went)) * runs, int(tiled or 0) * runs)
        actual = (ran.get((function, space), 0), ran.get((function, space, "tile"), 0))
        if expected != actual:
            print(f"{function}, {memory}: {actual} bytes were moved (in slices), {expected} told")
            wrong += 1
        compared, moved, slices = compared + 1, moved + actual[0], slices + actual[1]
    print(f"{compared} figures, {moved} bytes, {slices} in slices")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
