# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fit of a network as a 0/1 program, for a general solver to judge.

The model is that of docs/fit.md, written down anew: per tensor a walk over its
uses (where the content is, and how each use comes by it), coupled by the
capacity at each time. Offsets are left out, so its optimum is a bound.
"""

import re
import subprocess

OUT, CLEAN, DIRTY = range(3)


def ways(kind, place, size, access):
    """(choice, cost, next place) for a use that finds its content at `place`."""
    if kind == "w":
        yield "fill", 0, DIRTY
        if access:
            yield "slow", access * size, OUT
        return
    spill = size if place == DIRTY else 0
    if place != OUT:
        yield "keep", 0, place
    yield "fill", spill + size, CLEAN
    if access:
        yield "slow", spill + access * size, OUT


def program(graph, capacity, access):
    """Its text in CPLEX' LP format."""
    objective, rows, variables = [], [], []
    held = [[] for _ in range(graph.time)]
    for tensor, uses in enumerate(graph.uses):
        size = graph.sizes[tensor]
        rounded = -(-size // 64) * 64
        times = [(int(use.rstrip("w")), "w" if use.endswith("w") else "r") for use in uses]
        flow = {(0, OUT): []}
        for i, (time, kind) in enumerate(times):
            for place in range(3):
                arrivals = flow.get((i, place))
                if arrivals is None:
                    continue
                leaving = []
                for choice, cost, after in ways(kind, place, size, access):
                    name = f"x{tensor}_{i}_{place}{choice[0]}"
                    variables.append(name)
                    leaving.append(name)
                    if cost:
                        objective.append(f"{cost} {name}")
                    flow.setdefault((i + 1, after), []).append(name)
                    first = times[i - 1][0] + 1 if choice == "keep" else time
                    for t in range(first, time + 1) if choice != "slow" else ():
                        held[t].append(f"{rounded} {name}")
                left = " + ".join(leaving)
                if i == 0:
                    rows.append(f"{left} = 1")
                else:
                    rows.append(f"{left} - " + " - ".join(arrivals) + " = 0")
    room = -(-capacity // 64) * 64
    rows += [" + ".join(terms) + f" <= {room}" for terms in held if terms]

    def folded(text):  # cbc wants short lines
        return re.sub(r"((?:\S+\s+){12})", r"\1\n ", text)

    return ("Minimize\n obj: " + folded(" + ".join(objective) or "0 x") + "\nSubject To\n"
            + "\n".join(" c%d: %s" % (i, folded(row)) for i, row in enumerate(rows))
            + "\nBinary\n" + "\n".join(variables) + "\nEnd\n")


def solve(cbc, graph, capacity, access, path, seconds):
    """(least cost found, what no plan is below), or None."""
    path.write_text(program(graph, capacity, access), encoding="ascii")
    run = subprocess.run([cbc, str(path), "sec", str(seconds), "ratio", "0.0001", "solve", "quit"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    value = re.search(r"Objective value:\s+([-\d.e+]+)", run.stdout)
    bound = re.search(r"Lower bound:\s+([-\d.e+]+)", run.stdout)
    if not value:
        return None
    cost = round(float(value.group(1)))
    return cost, round(float(bound.group(1))) if bound else cost
