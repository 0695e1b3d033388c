# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes device functions that each call the next one twice; 2^DEPTH ways lead to
the last.

  call-chain.py DEPTH
"""

import sys

depth = int(sys.argv[1])
print("gpu.module @chain {")
for level in range(depth):
    print(f"  func.func private @f{level}() {{")
    if level + 1 < depth:
        print(f"    func.call @f{level + 1}() : () -> ()\n" * 2, end="")
    print("""    %one = arith.constant 1.0 : f32
    %tid = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %one, %a[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    return
  }""")
print("  gpu.func @kernel() kernel {\n    func.call @f0() : () -> ()")
print("    gpu.return\n  }\n}")
