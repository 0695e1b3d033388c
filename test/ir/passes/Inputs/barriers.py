# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a kernel with so many barriers: barriers.py NUMBER"""

import sys

SPACE = "#gpu.address_space<workgroup>"
print("gpu.module @m {\n  gpu.func @k(%x: memref<64xf32>, %i: index) kernel {")
print(f"    %a = memref.alloc() : memref<64xf32, {SPACE}>")
print("    %t = gpu.thread_id x\n    %v = memref.load %x[%t] : memref<64xf32>")
print(f"    memref.store %v, %a[%t] : memref<64xf32, {SPACE}>")
print("    gpu.barrier\n" * int(sys.argv[1]), end="")
print(f"    %w = memref.load %a[%i] : memref<64xf32, {SPACE}>")
print("    memref.store %w, %x[%t] : memref<64xf32>\n    gpu.return\n  }\n}")
