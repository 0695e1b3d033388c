# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fits cost on ten networks, against three policies of eviction.

    python3 bench/fit/run.py [--build BUILD] [--network NAME] [--judge] [--scale]

A row for each network, capacity (a share of what is live where most is) and kind
of machine: `priced` serves a use from the slow memory at 1 a byte, `strict` needs
every operand in the fast one, and is left out where some op alone does not fit.
Columns: the cost (bytes moved or served), the gap to the proven bound in percent,
the best policy and the worst, each divided by the cost, and processor seconds of
berth-pack. --judge has cbc (Debian: coinor-cbc) solve the same model without
offsets: its cost, and its bound divided by ours. --scale runs 2,000 and 20,000
scattered tensors instead. Fails if a policy is ever cheaper.
"""

import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import judge
import networks

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICIES = ("furthest-use", "least-recent", "largest")


def fit(tool, path, capacity, access, *options):
    """(figures, processor seconds); figures are None where nothing was found."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    priced = [f"--access={access}"] if access else []
    run = subprocess.run([tool, "fit", f"--capacity={capacity}", "--stats", "-o", "/dev/null",
                          *priced, *options, str(path)],
                         stderr=subprocess.PIPE, text=True, check=False)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if run.returncode > 1:
        sys.exit(run.stderr)
    return (json.loads(run.stderr.splitlines()[-1]) if run.returncode == 0 else None), seconds


def row(tool, folder, name, graph, share, access, cbc):
    path = folder / "network.csv"
    path.write_text(graph.csv(), encoding="ascii")
    capacity = graph.load() * share // 100
    figures, seconds = fit(tool, path, capacity, access)
    if figures is None:
        print(f"| {name} | {share} % | no fit found |")
        return True
    cost = max(1, figures["cost"])
    others = [fit(tool, path, capacity, access, f"--policy={policy}")[0] for policy in POLICIES]
    costs = [other["cost"] for other in others if other]
    gap = 100 * (figures["cost"] - figures["cost_bound"]) / max(1, figures["cost_bound"])
    cells = [name, f"{share} %", "priced" if access else "strict", str(figures["cost"]),
             "proven" if figures["status"] == "optimal" else f"{gap:.1f}",
             f"{min(costs) / cost:.2f}" if costs else "none",
             f"{max(costs) / cost:.2f}" if costs else "none", f"{seconds:.1f}"]
    if cbc:
        judged = judge.solve(cbc, graph, capacity, access, folder / "network.lp", 60)
        cells += ["none", ""] if judged is None else [
            str(judged[0]), f"{judged[1] / max(1, figures['cost_bound']):.3f}"]
    print("| " + " | ".join(cells) + " |", flush=True)
    return all(other >= figures["cost"] for other in costs)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--network", choices=sorted(networks.NETWORKS))
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--scale", action="store_true")
    options = parser.parse_args()
    cbc = shutil.which("cbc") if options.judge else None
    if options.judge and not cbc:
        sys.exit("cbc is not installed (Debian: coinor-cbc)")
    tool = str(options.build / "bin/berth-pack")
    head = ["network", "capacity", "machine", "cost", "gap", "best policy", "worst", "s"]
    head += ["cbc", "its bound"] if cbc else []
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    good = True
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if options.scale:
            for count in (2000, 20000):
                graph = networks.scattered(count)
                good &= row(tool, folder, f"scattered, {count}", graph, 50, 0, None)
            return 0 if good else 1
        for name, make in networks.NETWORKS.items():
            if options.network not in (None, name):
                continue
            graph = make()
            for share in (25, 50, 75):
                for access in (1, 0):
                    if access or graph.need() <= graph.load() * share // 100:
                        good &= row(tool, folder, name, graph, share, access, cbc)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
