#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes memory that launches bring in one place; berth-verify has to see it."""
import re
import subprocess
import sys

# What is found, what it becomes, and what is said.
MUTANTS = [
    (r"\[64\]", "[63]", "E495"),
    (r"\[1920, 64\]", "[1919, 64]", "E495"),
    (r"\b300(?=\]|xf32)", "301", "E494"),
    (r"memref<76800xi8>", "memref<76799xi8>", "E494"),
    (r"memref<2432xi8>", "memref<2399xi8>", "E494"),
    # Both launches of a kernel have one block.
    (r"(%[\w]+) = memref\.cast (%[\w]+) : memref<76800xi8> to memref<\?xi8>"
     r"((?:.|\n)*?)memref\.cast %[\w]+ : memref<76800xi8>",
     r"\1 = memref.cast \2 : memref<76800xi8> to memref<?xi8>\3"
     r"memref.cast \2 : memref<76800xi8>", "E491"),
    # It is freed first.
    (r"(    gpu\.launch_func  @m::@fixed.*\n)(    gpu\.dealloc.*\n)", r"\2\1",
     "E490"),
    # The launch does not wait for the memory, nor its end for the launch.
    (r"(gpu\.wait async\n(?:.|\n)*?)async \[%asyncToken\]", r"\1async [%0]",
     "E492"),
    (r"gpu\.dealloc async \[%\w+\]", "gpu.dealloc async [%asyncToken]", "E490"),
    # The number of the thread, and how many there are.
    (r"%block_id_x = gpu\.block_id  x", "%block_id_x = arith.constant 0 : index",
     "E495"),
    (r"%grid_dim_x = gpu\.grid_dim  x", "%grid_dim_x = arith.constant 1 : index",
     "E495"),
    # The words of a buffer begin elsewhere, by half as wide words.
    (r"divui %(\w+), %c8 : index(\n *%\w+ = arith.muli)",
     r"divui %\1, %c1 : index\2", "E494"),
    # The block has fewer words than that, or any number of them.
    (r"divui %(\w+), %c4 : index(\n *%\w+ = memref\.view)",
     r"divui %\1, %c1 : index\2", "E494"),
    (r"divui %(\w+), %c4 : index(\n *%\w+ = memref\.view)",
     r"divui %\1, %c0 : index\2", "E534"),
    # Host and kernel divide by the same number, which may be 0.
    (r"divui (%arg\d+), %c4 : index", r"divui \1, \1 : index", "E534"),
    # What is a part is cast to more.
    (r"memref\.store %cst, (%\w+)\[%c1\] : (memref<300xf32, [^\n]*)",
     r"%more = memref.reinterpret_cast \1 to offset: [0], sizes: [300], "
     r"strides: [1] : \2 to memref<300xf32>\n"
     r"memref.store %cst, %more[%c1] : memref<300xf32>", "E495"),
    # Nobody has looked at the sizes, or at what all threads need.
    (r' *cf\.assert %\w+, "berth: the memory that the threads.*\n', "", "E524"),
    (r' *cf\.assert %\w+, "berth: the size of the buffer.*\n', "", "E494|E524"),
]


def main():
    opt, path = sys.argv[1:]
    with open(path) as file:
        text = file.read()
    refused = 0
    for found, becomes, number in MUTANTS:
        mutant = re.sub(found, becomes, text)
        if mutant == text:
            sys.exit("not found: " + found)
        with open(path + ".mutant", "w") as file:
            file.write(mutant)
        run = subprocess.run(
            [opt, path + ".mutant", "-o", "/dev/null",
             "--pass-pipeline=builtin.module(berth-verify)"],
            stderr=subprocess.PIPE, text=True, check=False)
        if run.returncode == 0 or not re.search(number, run.stderr):
            print("not refused with", number, ":", found, run.stderr)
        else:
            refused += 1
    print(refused, "mutants refused")


main()
