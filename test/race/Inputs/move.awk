# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Moves one view of an arena to offset 0 in each kernel of a printed plan: the
# one that is number `wanted` of those that do not stand there.
#
# Without `lines`, prints a module for each kernel that has such a view, with
# "// -----" in between, and to `starts` where each begins and its kernel's number.
# With `lines`, the lines of errors in that output, prints the plan with only
# those kernels changed that have no error, and to `summary` how many.

/^ *gpu\.func/ { inside = ++kernels; match($0, /^ */); margin = RLENGTH; split("", value) }
{ text[NR] = $0; kernel[NR] = inside }
/^ *}$/ { match($0, /^ */); if (RLENGTH == margin) inside = 0 }
/ = arith\.constant [0-9]+ : index/ { value[$1] = $4 }
/memref\.view .*berth\.buffer/ {
  match($0, /\[%[A-Za-z0-9_]+\]/)
  if (value[substr($0, RSTART + 1, RLENGTH - 2)] > 0 && ++views[inside] == wanted)
    moved[inside] = NR
}

# put N: a line; a view that is to be moved with its new offset before it.
function put(n,    line) {
  line = text[n]
  if (kernel[n] && moved[kernel[n]] == n) {
    print "%moved = arith.constant 0 : index"
    sub(/\[%[A-Za-z0-9_]+\]/, "[%moved]", line)
    ++at
  }
  print line
  ++at
}

function putEach(    k, n) {
  at = 1
  for (k = 1; k <= kernels; ++k) {
    if (!moved[k])
      continue
    print at, k >starts
    for (n = 1; n <= NR; ++n)
      if (!kernel[n] || kernel[n] == k)
        put(n)
    print "// -----"
    ++at
  }
}

# Forgets the moves with an error between the start of their module and the next.
function forgetRefused(    n, k, count, line, begin, of, i) {
  while ((getline line <starts) > 0) {
    split(line, i, " ")
    begin[++count] = i[1]
    of[count] = i[2]
  }
  n = 1
  while ((getline line <lines) > 0) {
    while (n < count && begin[n + 1] <= line + 0)
      ++n
    if (moved[of[n]]) {
      delete moved[of[n]]
      ++refused
    }
  }
  printf "offsets moved: %d, refused: %d\n", count, refused >summary
}

END {
  if (!lines) {
    putEach()
  } else {
    forgetRefused()
    for (n = 1; n <= NR; ++n)
      put(n)
  }
}
