#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes kernels functions, and launches loops that call them, to run on a CPU.

    in-step.py [--in-step] FILE.mlir

With --in-step all threads of a launch run the first op of the kernel's body that
does something, then all run the second one, and so on: threads whose parts of a
block have bytes in common find what others have left there. What the kernel
makes by ops without effects is made again for each step, so it must not allocate.
Without, one thread runs after the other.

What gpu.alloc makes is filled with ones first. The file is as mlir-opt prints it:
an op a line, each gpu.module with its kernels, launches without blocks on streams.
"""
import re
import sys

NUMBERS = ["thread_id", "block_id", "block_dim", "grid_dim"]
PURE = ("arith.", "memref.view", "memref.reinterpret_cast", "memref.dim",
        "memref.subview", "memref.cast", "affine.apply", "affine.min",
        "affine.max", "gpu.thread_id", "gpu.block_id", "gpu.block_dim",
        "gpu.grid_dim")


def own_numbers(line):
    """gpu.thread_id and the like are arguments of the function."""
    def replace(match):
        return "arith.addi %%own_%s_%s, %%none : index" % (match[1], match[2])
    return re.sub(r"gpu\.(%s)\s+([xyz])\b" % "|".join(NUMBERS), replace, line)


def statements(body):
    """Ops of the body: lists of lines."""
    depth, found = 0, []
    for line in body:
        if depth == 0:
            found.append([])
        found[-1].append(line)
        depth += line.count("{") - line.count("}")
    return found


def is_pure(statement):
    text = statement[0].strip()
    if "=" in text:
        text = text.split("=", 1)[1].strip()
    return len(statement) == 1 and text.startswith(PURE)


def join_results(found):
    """Ops up to the last one that uses what an op with effects returns are one
    step, as are those that follow from them."""
    joined, i = [], 0
    while i < len(found):
        end, k = i, i
        while k <= end:
            result = re.match(r"\s*(%\w+)(?::\d+)? = ", found[k][0])
            is_kept = result and not (end == i and is_pure(found[k]))
            for later in range(k + 1, len(found)) if is_kept else []:
                if any(re.search(re.escape(result[1]) + r"\b", line)
                       for line in found[later]):
                    end = max(end, later)
            k += 1
        joined.append([line for one in found[i:end + 1] for line in one])
        i = end + 1
    return joined


def kernel(name, arguments, body, in_step):
    """The function, and how many steps it has."""
    numbers = ["%%own_%s_%s: index" % (n, d) for n in NUMBERS for d in "xyz"]
    lines = ["func.func private @%s(%s) {" % (
        name, ", ".join([a for a in [arguments] if a] + numbers +
                        ["%step: index"])),
             "%none = arith.constant 0 : index"]
    steps = 0
    found = statements(body)
    for statement in join_results(found) if in_step else found:
        text = [own_numbers(line) for line in statement]
        if text[0].strip() == "gpu.return":
            text = ["return"]
        elif "gpu.barrier" in text[0]:
            continue
        elif in_step and not is_pure(statement):
            lines += ["%%step_%d = arith.constant %d : index" % (steps, steps),
                      "%%is_%d = arith.cmpi eq, %%step, %%step_%d : index" % (
                          steps, steps), "scf.if %%is_%d {" % steps]
            text += ["}"]
            steps += 1
        lines += text
    return lines + ["}"], max(steps, 1)


COUNT = [0]


def launch(line, steps):
    COUNT[0] += 1
    k = COUNT[0]
    match = re.search(r"@(\w+)::@(\w+) blocks in \(([^)]*)\) threads in "
                      r"\(([^)]*)\)(?:.*?args\((.*)\))?", line)
    name = "%s_%s" % (match[1], match[2])
    sizes = [s.strip() for s in (match[4] + "," + match[3]).split(",")]
    given = re.findall(r"(%[\w#]+) : ([^%]*?)(?:, (?=%)|$)", match[5] or "")
    ids = ["%%i%d_%d" % (k, n) for n in range(6)]
    lines = ["%%z%d = arith.constant 0 : index" % k,
             "%%o%d = arith.constant 1 : index" % k,
             "%%s%d = arith.constant %d : index" % (k, steps[name]),
             "scf.for %%p%d = %%z%d to %%s%d step %%o%d {" % (k, k, k, k)]
    for i in range(5, -1, -1):
        lines.append("scf.for %s = %%z%d to %s step %%o%d {" % (
            ids[i], k, sizes[i], k))
    values = [g[0] for g in given] + ids + sizes + ["%%p%d" % k]
    types = [g[1].strip() for g in given] + ["index"] * 13
    lines.append("func.call @%s(%s) : (%s) -> ()" % (
        name, ", ".join(values), ", ".join(types)))
    return lines + ["}"] * 7


def host(line, steps):
    if "gpu.launch_func" in line:
        return launch(line, steps)
    if re.search(r"\bgpu\.wait\b", line):
        return []
    match = re.search(r"(%\w+)(?:, %\w+)? = gpu\.alloc\s*(?:async \[[^]]*\]\s*)?"
                      r"\(([^)]*)\).* : (memref<[^>]*>)", line)
    if match:
        return ["%s = memref.alloc(%s) : %s" % (match[1], match[2], match[3]),
                "%%ones%s = arith.constant -1 : i8" % match[1][1:],
                "linalg.fill ins(%%ones%s : i8) outs(%s : %s)" % (
                    match[1][1:], match[1], match[3])]
    match = re.search(r"gpu\.dealloc\s*(?:async \[[^]]*\]\s*)?(%\w+).* : (.*)",
                      line)
    if match:
        return ["memref.dealloc %s : %s" % (match[1], match[2])]
    return [line]


def main():
    in_step = "--in-step" in sys.argv[1:]
    with open([a for a in sys.argv[1:] if a[0] != "-"][0]) as file:
        lines = file.read().split("\n")
    kernels, steps, rest = [], {}, []
    module, current = None, None
    for line in lines:
        start = re.match(r"\s*gpu\.module @(\w+)", line)
        function = re.match(r"\s*gpu\.func @(\w+)\((.*?)\) kernel", line)
        if start:
            module = start[1]
        elif module and current is None and function:
            current = [function[1], function[2], []]
        elif current is not None:
            current[2].append(line)
            if line.strip() == "gpu.return":
                name = "%s_%s" % (module, current[0])
                made, steps[name] = kernel(name, current[1], current[2], in_step)
                kernels += made
                current = "closed"
                module_depth = True
        if current == "closed":
            current = None
            continue
        if module:
            if not start and current is None and line.strip() == "}":
                # of the function, then of the module
                module = None if not module_depth else module
                module_depth = False
            continue
        rest.append(line)
    text = []
    for line in rest:
        text += host(line, steps)
    end = max(i for i, line in enumerate(text) if line.strip() == "}")
    print("\n".join(text[:end] + kernels + text[end:]))


main()
