# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes views of one memory of what arena=annotate has placed, stdin to stdout.

What a backend does that believes in berth.offset and berth.offsets: each function
with berth.arena_size allocates that, each placed allocation is a view of it, and in
turn t of the loop around it, it lies at offset t modulo their number.
"""

import re
import sys

PLACED = re.compile(
    r"( *)(%\w+) = memref\.alloc\(\) \{berth\.offset = (\d+) : i64, "
    r"berth\.size = \d+ : i64\} : (.*)"
)
TURNS = re.compile(
    r"( *)(%\w+) = memref\.alloc\(\) \{berth\.offsets = \[([\d, ]+)\], "
    r"berth\.size = \d+ : i64\} : (.*)"
)
count, arena, loops = 0, None, []
for line in sys.stdin.read().splitlines():
    function = re.search(r"func\.func .*berth\.arena_size = (\d+) : i64", line)
    loop = re.match(r"( *).*scf\.for (%\w+) = (%\w+) to %\w+ step (%\w+)", line)
    placed, turns = PLACED.match(line), TURNS.match(line)
    while loops and re.match(loops[-1][0] + "}", line):
        loops.pop()
    if loop:
        loops.append(loop.groups())
    if placed or turns:
        count += 1
        space, name, offsets, kind = (placed or turns).groups()
        offset = f"%at{count}"
        print(f"{space}{offset} = arith.constant {offsets.split(',')[0]} : index")
        if turns:
            listed = offsets.split(", ")
            _, variable, lower, step = loops[-1]
            print(f"{space}%d{count} = arith.subi {variable}, {lower} : index")
            print(f"{space}%t{count} = arith.divui %d{count}, {step} : index")
            print(f"{space}%n{count} = arith.constant {len(listed)} : index")
            print(f"{space}%r{count} = arith.remui %t{count}, %n{count} : index")
            for i, place in enumerate(listed[1:], 1):
                own = f"{count}_{i}"
                print(f"{space}%i{own} = arith.constant {i} : index")
                print(f"{space}%p{own} = arith.constant {place} : index")
                print(f"{space}%c{own} = arith.cmpi eq, %r{count}, %i{own} : index")
                print(f"{space}%o{own} = arith.select %c{own}, %p{own}, {offset} : index")
                offset = f"%o{own}"
        print(f"{space}{name} = memref.view %arena[{offset}][] : "
              f"memref<{arena}xi8> to {kind}")
        continue
    print(re.sub(r" attributes \{berth\.arena_size = \d+ : i64\}", "", line))
    if function:
        arena = function.group(1)
        print(f"    %arena = memref.alloc() : memref<{arena}xi8>")
