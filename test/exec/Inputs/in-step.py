#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes kernels functions, and launches loops that call them, to run on a CPU.

    in-step.py [--in-step | --threads=FILE.c] FILE.mlir

With --threads launches call what FILE.c has then: a thread of the machine for each
thread of the launch, all at the same time. What has a token is over when somebody
waits for that, and not before: launches that do not wait for each other run at the
same time, and memory that is freed with a token goes when what it waits for has ended.

With --in-step all threads of a launch run the first op of the kernel's body that
does something, then all run the second one, and so on: threads whose parts of a
block have bytes in common find what others have left there. What the kernel
makes by ops without effects is made again for each step, so it must not allocate.
Without either, one thread runs after the other.

What gpu.alloc makes is filled with ones first. The file is as mlir-opt prints it:
an op a line, each gpu.module with its kernels and with functions that they call, which
do not ask for the thread; launches without blocks on streams.
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
C_START = """// Written by in-step.py.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { kMost = 4096 };
struct task { void (*run)(void *); void *data; int64_t before[2]; int is_over; };
static struct task tasks[kMost];
static int64_t count = 1; // 0: nothing to wait for
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;

void token_wait(int64_t token) {
  pthread_mutex_lock(&mutex);
  while (token && !tasks[token].is_over)
    pthread_cond_wait(&over, &mutex);
  pthread_mutex_unlock(&mutex);
}
static void *run_task(void *data) {
  struct task *task = data;
  token_wait(task->before[0]);
  token_wait(task->before[1]);
  if (task->run)
    task->run(task->data);
  pthread_mutex_lock(&mutex);
  task->is_over = 1;
  pthread_cond_broadcast(&over);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
static int64_t start(void (*run)(void *), void *data, int64_t a, int64_t b) {
  pthread_t thread;
  if (count == kMost)
    abort();
  tasks[count] = (struct task){run, data, {a, b}, 0};
  if (pthread_create(&thread, NULL, run_task, &tasks[count]))
    abort();
  pthread_detach(thread);
  return count++;
}
int64_t token_both(int64_t a, int64_t b) { return start(NULL, NULL, a, b); }
"""
C_FREE = """
int64_t %s(void *base, void *data, int64_t offset, int64_t size, int64_t stride,
           int64_t before) {
  (void)data, (void)offset, (void)size, (void)stride;
  return start(free, base, before, 0);
}
"""
C_LAUNCH = """
void %(name)s(%(parameters)s, int64_t step);
struct %(name)s_thread {
  %(members)s;
};
static void *%(name)s_run(void *data) {
  struct %(name)s_thread *t = data;
  %(name)s(%(given)s, 0);
  return NULL;
}
static void launch_all_%(name)s(void *given) {
  struct %(name)s_thread all = *(struct %(name)s_thread *)given;
  int64_t %(sizes)s;
  int64_t count = sx * sy * sz * gx * gy * gz;
  struct %(name)s_thread *data = malloc((size_t)count * sizeof *data);
  pthread_t *threads = malloc((size_t)count * sizeof *threads);
  for (int64_t i = 0; i < count; ++i) {
    int64_t r = i;
    int64_t tx = r %% sx; r /= sx;
    int64_t ty = r %% sy; r /= sy;
    int64_t tz = r %% sz; r /= sz;
    int64_t bx = r %% gx; r /= gx;
    int64_t by = r %% gy; r /= gy;
    int64_t bz = r;
    data[i] = all;
    %(own)s;
    if (pthread_create(&threads[i], NULL, %(name)s_run, &data[i]))
      abort();
  }
  for (int64_t i = 0; i < count; ++i)
    pthread_join(threads[i], NULL);
  free(threads);
  free(data);
  free(given);
}
int64_t launch_%(name)s(%(launched)s, int64_t before) {
  struct %(name)s_thread *given = malloc(sizeof *given);
  *given = (struct %(name)s_thread){%(values)s};
  return start(launch_all_%(name)s, given, before, 0);
}
"""
OWN = ["tx", "ty", "tz", "bx", "by", "bz"]
SIZES = ["sx", "sy", "sz", "gx", "gy", "gz"]


def c_launch(name, arguments):
    """C that runs a kernel; memrefs have one dimension."""
    given = []
    for i, argument in enumerate(re.findall(r"%\w+: (memref<[^>]*>|\w+)",
                                            arguments)):
        if argument.startswith("memref"):
            given += ["void *a%d" % i, "void *b%d" % i, "int64_t o%d" % i,
                      "int64_t n%d" % i, "int64_t s%d" % i]
        else:
            given.append("int64_t i%d" % i)
    parameters = given + ["int64_t " + n for n in OWN + SIZES]
    names = [re.search(r"\w+$", p)[0] for p in parameters]
    return C_LAUNCH % {
        "name": name, "parameters": ", ".join(parameters),
        "members": ";\n  ".join(parameters),
        "given": ", ".join("t->" + n for n in names),
        "launched": ", ".join(given + ["int64_t " + n for n in SIZES]),
        "sizes": ", ".join("%s = all.%s" % (n, n) for n in SIZES),
        "own": ", ".join("data[i].%s = %s" % (n, n) for n in OWN),
        "values": ", ".join(".%s = %s" % (n, n) for n in names
                            if n not in OWN)}


FREED = {}


def token_after(names):
    """Lines, and the token behind all of these."""
    COUNT[0] += 1
    lines = ["%%token%d_0 = arith.constant 0 : i64" % COUNT[0]]
    tokens = [n.strip() for n in (names or "").split(",") if n.strip()]
    for i, token in enumerate(tokens):
        lines.append("%%token%d_%d = func.call @token_both(%%token%d_%d, %s) : "
                     "(i64, i64) -> i64" % (COUNT[0], i + 1, COUNT[0], i, token))
    return lines, "%%token%d_%d" % (COUNT[0], len(tokens))


def wait_for(token):
    return "func.call @token_wait(%s) : (i64) -> ()" % token


def at_once(line, name, given, sizes):
    """Calls the C function, with what it waits for; waits itself where the launch
    has no token."""
    match = re.search(r"(?:(%\w+) = )?gpu\.launch_func\s+(?:async\s*\[([^]]*)\])?",
                      line)
    lines, before = token_after(match[2])
    result = match[1] or before + "_end"
    lines.append("%s = func.call @launch_%s(%s) : (%s) -> i64" % (
        result, name, ", ".join([g[0] for g in given] + sizes + [before]),
        ", ".join([g[1].strip() for g in given] + ["index"] * 6 + ["i64"])))
    return lines if match[1] else lines + [wait_for(result)]


def with_tokens(line):
    """Lines for what waits, or frees; None for other ops."""
    match = re.match(r"\s*(?:(%\w+) = )?gpu\.wait(?: async)?(?: \[([^]]*)\])?",
                     line)
    if match:
        lines, token = token_after(match[2])
        lines.append("%s = arith.addi %s, %s_0 : i64" % (
            match[1], token, token.rsplit("_", 1)[0]) if match[1] else
                     wait_for(token))
        return lines
    match = re.match(r"\s*(%\w+) = gpu\.dealloc\s+async\s*\[([^]]*)\]\s*(%\w+).* : "
                     r"(.*)", line)
    if not match:
        return None
    name = "free_" + re.sub(r"\W", "_", match[4])
    FREED[name] = match[4]
    lines, token = token_after(match[2])
    return lines + ["%s = func.call @%s(%s, %s) : (%s, i64) -> i64" % (
        match[1], name, match[3], token, match[4])]


def launch(line, steps):
    COUNT[0] += 1
    k = COUNT[0]
    match = re.search(r"@(\w+)::@(\w+) blocks in \(([^)]*)\) threads in "
                      r"\(([^)]*)\)(?:.*?args\((.*)\))?", line)
    name = "%s_%s" % (match[1], match[2])
    sizes = [s.strip() for s in (match[4] + "," + match[3]).split(",")]
    given = re.findall(r"(%[\w#]+) : ([^%]*?)(?:, (?=%)|$)", match[5] or "")
    if steps is None:
        return at_once(line, name, given, sizes)
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
    made = with_tokens(line) if steps is None else None
    if made is not None:
        return made
    if re.search(r"\bgpu\.wait\b", line):
        return []
    match = re.search(r"(%\w+)(?:, (%\w+))? = gpu\.alloc\s*(?:async \[([^]]*)\]\s*)?"
                      r"\(([^)]*)\).* : (memref<[^>]*>)", line)
    if match:
        lines = []
        if steps is None and match[2]:
            lines, token = token_after(match[3])
            lines += [wait_for(token), "%s = arith.constant 0 : i64" % match[2]]
        return lines + [
            "%s = memref.alloc(%s) : %s" % (match[1], match[4], match[5]),
            "%%ones%s = arith.constant -1 : i8" % match[1][1:],
            "linalg.fill ins(%%ones%s : i8) outs(%s : %s)" % (
                match[1][1:], match[1], match[5])]
    match = re.search(r"gpu\.dealloc\s*(?:async \[[^]]*\]\s*)?(%\w+).* : (.*)",
                      line)
    if match:
        return ["memref.dealloc %s : %s" % (match[1], match[2])]
    return [line]


def read(lines):
    """Kernels, other functions of modules, and what is outside of these."""
    kernels, functions, rest = [], [], []
    module, current, depth = None, None, 0
    for line in lines:
        start = re.match(r"\s*gpu\.module @(\w+)", line)
        kernel_start = re.match(r"\s*gpu\.func @(\w+)\((.*?)\) kernel", line)
        if start:
            module, depth = start[1], 1
            continue
        if module is None:
            rest.append(line)
            continue
        if kernel_start and depth == 1:
            current = [module + "_" + kernel_start[1], kernel_start[2], []]
            kernels.append(current)
        elif depth == 1 and re.match(r"\s*func\.func ", line):
            current = None
            functions.append([])
        elif current and depth > 1:
            current[2].append(line)
        if current is None and functions and (depth > 1 or "func.func" in line):
            functions[-1].append(line)
        depth += line.count("{") - line.count("}")
        if depth == 1 and current:
            current[2].pop()
            current = None
        module = module if depth else None
    return kernels, functions, rest


def main():
    in_step = "--in-step" in sys.argv[1:]
    c_file = [a[10:] for a in sys.argv[1:] if a.startswith("--threads=")]
    with open([a for a in sys.argv[1:] if a[0] != "-"][0]) as file:
        kernels, functions, rest = read(file.read().split("\n"))
    steps, made = {}, [line for function in functions for line in function]
    for name, arguments, body in kernels:
        lines, steps[name] = kernel(name, arguments, body, in_step)
        if c_file:
            lines[0] = lines[0].replace(" private ", " ")
        made += lines
    text = []
    for line in rest:
        text += host(line, None if c_file else steps)
    declared = []
    if c_file:
        with open(c_file[0], "w") as file:
            file.write(C_START + "".join(C_FREE % name for name in sorted(FREED)) +
                       "".join(c_launch(n, a) for n, a, _ in kernels))
        for name, arguments, _ in kernels:
            types = re.findall(r"%\w+: (memref<[^>]*>|\w+)", arguments)
            declared.append("func.func private @launch_%s(%s) -> i64" % (
                name, ", ".join(types + ["index"] * 6 + ["i64"])))
        declared += ["func.func private @%s(%s, i64) -> i64" % item
                     for item in sorted(FREED.items())]
        declared += ["func.func private @token_wait(i64)",
                     "func.func private @token_both(i64, i64) -> i64"]
    end = max(i for i, line in enumerate(text) if line.strip() == "}")
    print("\n".join(text[:end] + declared + made + text[end:]))


main()
