# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Direct loads to LDS in a printed module become asynchronous copies, which
# workgroup.c runs: a group each, so that a wait that lets n loads pend is one
# that lets n groups. The place that such a load names is that of its wave's
# first lane; the others go behind it.

# wait N: for all but the N newest.
function wait(n) {
  print "%race_all_" ++numWaits " = nvgpu.device_async_create_group"
  print "nvgpu.device_async_wait %race_all_" numWaits \
    " {numGroups = " n + 1 " : i32}"
}

/^ *amdgpu\.gather_to_lds / {
  line = $0
  sub(/^ *amdgpu\.gather_to_lds /, "", line)
  colon = index(line, " : ")
  types = substr(line, colon + 3)
  line = substr(line, 1, colon - 1)
  comma = index(types, ", memref<")
  element = substr(types, 1, comma - 1)
  types = substr(types, comma + 2)
  comma = index(types, ", memref<")
  count = 1
  if (element ~ /^vector</) {
    count = element
    sub(/^vector</, "", count)
    sub(/x.*/, "", count)
  }
  n = ++numLoads
  # The last subscript of the target.
  at = line
  sub(/\]$/, "", at)
  sub(/.*[[ ]/, "", at)
  sub(/[^[ ]*\]$/, "%race_to_" n "]", line)
  print "%race_thread_" n " = gpu.thread_id x"
  print "%race_wave_" n " = arith.constant 64 : index"
  print "%race_lane_" n " = arith.remui %race_thread_" n ", %race_wave_" n " : index"
  print "%race_count_" n " = arith.constant " count " : index"
  print "%race_behind_" n " = arith.muli %race_lane_" n ", %race_count_" n " : index"
  print "%race_to_" n " = arith.addi " at ", %race_behind_" n " : index"
  print "%race_copy_" n " = nvgpu.device_async_copy " line ", " count " : " \
    substr(types, 1, comma - 1) " to " substr(types, comma + 2)
  print "%race_group_" n " = nvgpu.device_async_create_group %race_copy_" n
  next
}

/^ *amdgpu\.memory_counter_wait load\([0-9]*\)$/ {
  sub(/.*\(/, "")
  wait($0 + 0)
  next
}

# The bits of gfx9 that count loads.
/^ *rocdl\.s\.waitcnt [0-9]+$/ {
  wait($2 % 16 + int($2 / 16384) % 4 * 16)
  next
}

{ print }
