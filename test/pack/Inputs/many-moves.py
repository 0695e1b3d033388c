# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A fit whose content comes and goes in boxes of less than a pixel."""

COUNT = 200
print("id,lower,upper,size,uses")
print(f"a,0,{100 * COUNT},64,0w", *(100 * k + 50 for k in range(COUNT)))
for k in range(COUNT):
    print(f"w{k},{100 * k + 10},{100 * k + 11},90,{100 * k + 10}w")
