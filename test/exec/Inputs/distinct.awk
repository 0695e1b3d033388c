# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Says of the first two views of an arena in a printed module that they are
# distinct objects, which is true of their bytes; and uses them through that.

# The line with every use of `name` (but no longer name) replaced.
function replaced(line, name, by,    result, at, next_char) {
  result = ""
  while ((at = index(line, name)) > 0) {
    next_char = substr(line, at + length(name), 1)
    result = result substr(line, 1, at - 1) \
      (next_char ~ /[A-Za-z0-9_]/ ? name : by)
    line = substr(line, at + length(name))
  }
  return result line
}

BEGIN { count = 0 }

count < 2 && /= memref\.view .*berth\.buffer/ {
  view[count] = $1
  type[count] = $0
  sub(/.* to /, "", type[count])
  print
  if (++count == 2)
    print "%distinct:2 = memref.distinct_objects " view[0] ", " view[1] " : " \
      type[0] ", " type[1]
  next
}
count == 2 { for (i = 0; i < 2; ++i) $0 = replaced($0, view[i], "%distinct#" i) }
{ print }
