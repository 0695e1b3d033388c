# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares berth-pack's exact packer with MiniZinc (Gecode).

    minizinc.py BERTH-PACK FOLDER [COUNT]

Draws COUNT (50) problems of 15 to 30 buffers with alignments, holes, pins,
edges and reserved bytes among them. MiniZinc gets its own model of each, made
from the problem alone. Where both have proven a smallest peak it must be the
same; where one of them has not, the other's plan and bound must allow it.
"""

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SECONDS = 5
AT_ONCE = 2  # solvers that run beside each other
STEPS = 20000000
CHANCES = {"segments": 0.4, "alignment": 0.3, "edges": 0.4, "reserved": 0.2,
           "pins": 0.4}


def draw_buffer(source, index, features):
    lower = source.randrange(0, 36)
    segments = [[lower, lower + source.randrange(1, 6)]]
    if "segments" in features and source.random() < 0.3:
        again = segments[0][1] + source.randrange(1, 4)
        segments.append([again, again + source.randrange(1, 4)])
    buffer = {"id": f"b{index}", "size": source.randrange(1, 9),
              "segments": segments}
    if "alignment" in features:
        buffer["alignment"] = source.choice([1, 1, 1, 2, 4])
    return buffer


def draw(seed):
    """A problem of berth-pack's JSON schema."""
    source = random.Random(seed)
    features = {f for f, chance in CHANCES.items() if source.random() < chance}
    count = source.randrange(15, 31)
    problem = {"buffers": [draw_buffer(source, i, features)
                           for i in range(count)]}
    if "edges" in features:
        problem["edges"] = [{"between": source.sample(range(count), 2)}
                            for _ in range(3)]
    if "reserved" in features:
        low = source.randrange(0, 20)
        problem["reserved"] = [[low, low + source.randrange(1, 4)]]
    if "pins" in features and "reserved" not in features:
        pinned = problem["buffers"][0]
        pinned["fixed"] = 12 * source.randrange(0, 2)
    return problem


def live_sets(buffers):
    """The maximal sets of buffers that are live together."""
    times = sorted({s[0] for b in buffers for s in b["segments"]})
    sets = [frozenset(i for i, b in enumerate(buffers)
                      if any(s[0] <= t < s[1] for s in b["segments"]))
            for t in times]
    return {s for s in sets if not any(s < other for other in sets)}


def model_of(problem):
    """The same in MiniZinc's words."""
    buffers = problem["buffers"]
    most = 64 + sum(b["size"] + b.get("alignment", 1) for b in buffers)
    lines = ['include "disjunctive.mzn";', f"var 0..{most}: peak;"]
    for i, b in enumerate(buffers):
        alignment = b.get("alignment", 1)
        lines.append(f"var 0..{most}: o{i};")
        lines.append(f"constraint o{i} + {b['size']} <= peak;")
        if alignment > 1:
            lines.append(f"constraint o{i} mod {alignment} = 0;")
        if "fixed" in b:
            lines.append(f"constraint o{i} = {b['fixed']};")
        for low, high in problem.get("reserved", []):
            lines.append(f"constraint o{i} + {b['size']} <= {low} "
                         f"\\/ o{i} >= {high};")
    apart = live_sets(buffers)
    apart |= {frozenset(e["between"]) for e in problem.get("edges", [])}
    for group in sorted(map(sorted, apart)):
        if len(group) > 1:
            offsets = ", ".join(f"o{i}" for i in group)
            sizes = ", ".join(str(buffers[i]["size"]) for i in group)
            lines.append(f"constraint disjunctive([{offsets}], [{sizes}]);")
    every = ", ".join(f"o{i}" for i in range(len(buffers)))
    lines.append("solve :: seq_search([int_search([peak], input_order, "
                 "indomain_min), int_search(["
                 f"{every}], smallest, indomain_min)]) minimize peak;")
    lines.append('output ["peak=\\(peak)\\n"];')
    return "\n".join(lines) + "\n"


def ask_berth(tool, path):
    run = subprocess.run([tool, "--packer=exact", f"--steps={STEPS}",
                          "--format=json", str(path)],
                         capture_output=True, text=True, check=True)
    plan = json.loads(run.stdout)["plan"]
    return plan["lower_bound"], plan["peak"]


def ask_minizinc(path):
    """The smallest peak, or None where that takes too long."""
    run = subprocess.run(["minizinc", "--solver", "gecode", "--time-limit",
                          str(SECONDS * 1000), str(path)],
                         capture_output=True, text=True, check=True)
    if "==========" not in run.stdout:
        return None
    return int(run.stdout.split("peak=")[-1].split()[0])


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 50
    folder.mkdir(parents=True, exist_ok=True)

    def ask(seed):
        problem = draw(seed)
        text, model = folder / f"{seed}.json", folder / f"{seed}.mzn"
        text.write_text(json.dumps(problem))
        model.write_text(model_of(problem))
        return *ask_berth(tool, text), ask_minizinc(model)

    agreed = wrong = undecided = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(ask, range(count)))
    for seed, (bound, peak, least) in enumerate(answers):
        if least is not None and not bound <= least <= peak:
            wrong += 1
            print(f"seed {seed}: berth-pack {bound} to {peak}, MiniZinc {least}")
        elif bound == least == peak:
            agreed += 1
        else:
            undecided += 1
    print(f"{agreed} agreed, {wrong} wrong, {undecided} undecided")
    return 1 if wrong or agreed < count // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
