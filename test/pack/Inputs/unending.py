# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a problem that no packer finishes on any machine.

At each time two of 30 buffers end, and two begin that have their bytes in sum,
divided anew. So the load is the same at all times; but buffers that end together
seldom lie side by side, the best plan is well above the load, and to prove that
takes for ever.
"""

LIVE, TIMES = 30, 300

state = 1


def below(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 32) % n


live = [(0, 1000 + below(100000)) for _ in range(LIVE)]
rows = []
for time in range(1, TIMES + 1):
    total = 0
    for _ in range(2):
        start, size = live.pop(below(len(live)))
        rows.append((start, time, size))
        total += size
    part = 1 + below(total - 1)
    live += [(time, part), (time, total - part)]
rows += [(start, TIMES + 1, size) for start, size in live]

print("id,lower,upper,size")
for number, (start, end, size) in enumerate(rows):
    print(f"{number},{start},{end},{size}")
