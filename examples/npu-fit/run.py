# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A transformer block and a U-Net on an accelerator with little fast memory.

    python3 examples/npu-fit/run.py [--build BUILD] [--picture FILE.svg]

What moves between the slow memory and an L1 of 64, 128 and 256 KiB, in KiB, when
ops may also work on the slow memory at the price of moving what they touch: with
everything in the slow memory, with two policies of eviction, and with Berth's fit,
beside what no fit is below. --picture draws the block at 64 KiB: L1 over time, a
box a stay, an arrow up for each fill and down for each spill.
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/fit"))
import networks  # noqa: E402

PROGRAMS = {
    "transformer block": lambda: networks.transformer(blocks=1, tokens=64, width=128),
    "U-Net": lambda: networks.unet(depth=3, side=64, channels=8),
}


def fit(tool, graph, capacity, *options):
    run = subprocess.run([tool, "fit", f"--capacity={capacity}", "--access=1", "--format=json",
                          *options, "-"],
                         input=graph.csv(), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout)


def all_slow(graph):
    """Every op works on the slow memory."""
    return sum(size * len(uses) for size, uses in zip(graph.sizes, graph.uses))


def picture(document):
    """L1 over time as SVG."""
    fast, scale = document["capacity"], 640 / document["capacity"]
    end = max(stay["upper"] for stay in document["fit"]["stays"])
    wide, high = 24, fast * scale
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="11" '
             f'viewBox="-8 -24 {end * wide + 16} {high + 116:.0f}">',
             f'<text x="0" y="-8">L1, {fast // 1024} KiB</text>',
             f'<rect width="{end * wide}" height="{high:.0f}" fill="#f4f4f4" stroke="#888"/>',
             f'<rect y="{high + 40:.0f}" width="{end * wide}" height="24" fill="#ddd"/>',
             f'<text x="4" y="{high + 56:.0f}">slow memory</text>',
             f'<text x="0" y="{high + 82:.0f}">time runs to the right; blue: weights and inputs, '
             f'which the slow memory has; orange: what ops made</text>']
    fills, spills = {}, {}
    for stay in document["fit"]["stays"]:
        buffer = document["buffers"][stay["buffer"]]
        left, right = stay["lower"] * wide, stay["upper"] * wide
        top = high - (stay["offset"] + buffer["size"]) * scale
        color = "#9bc4e2" if buffer.get("backed") else "#f2c88f"
        parts.append(f'<rect x="{left}" y="{top:.1f}" width="{right - left}" height='
                     f'"{buffer["size"] * scale:.1f}" fill="{color}" stroke="#555">'
                     f'<title>{buffer["id"]}, {buffer["size"]} bytes</title></rect>')
        if buffer["size"] * scale > 14 and right - left > 7 * len(buffer["id"]):
            parts.append(f'<text x="{(left + right) / 2}" text-anchor="middle" y='
                         f'"{top + buffer["size"] * scale / 2 + 4:.1f}">{buffer["id"]}</text>')
        # Several at one time stand side by side.
        name = f'<title>{buffer["id"]}, {buffer["size"]} bytes</title></path>'
        if stay.get("fill"):
            at = left + 5 + 7 * fills.get(left, 0)
            fills[left] = fills.get(left, 0) + 1
            parts.append(f'<path d="M{at} {high + 40:.0f}v-36l-3 8m3-8l3 8" fill="none" '
                         f'stroke="#06c">{name}')
        if stay.get("spill"):
            at = right - 5 - 7 * spills.get(right, 0)
            spills[right] = spills.get(right, 0) + 1
            parts.append(f'<path d="M{at} {high + 2:.0f}v36l-3-8m3 8l3-8" fill="none" '
                         f'stroke="#c30">{name}')
    return "\n".join(parts + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    options = parser.parse_args()
    tool = str(options.build / "bin/berth-pack")
    print(f"{'':18} {'L1':>4} {'all slow':>9} {'largest':>8} {'LRU':>6} {'Berth':>6} {'bound':>6}")
    for name, make in PROGRAMS.items():
        graph = make()
        for kib in (64, 128, 256):
            costs = [all_slow(graph)]
            for policy in ("largest", "least-recent"):
                costs.append(fit(tool, graph, kib * 1024, f"--policy={policy}")["fit"]["cost"])
            document = fit(tool, graph, kib * 1024)
            costs += [document["fit"]["cost"], document["fit"]["cost_bound"]]
            figures = [-(-cost // 1024) for cost in costs]
            print(f"{name:18} {kib:4} {figures[0]:9} {figures[1]:8} {figures[2]:6} {figures[3]:6} "
                  f"{figures[4]:6}")
            if options.picture and kib == 64 and name == "transformer block":
                options.picture.write_text(picture(document), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
