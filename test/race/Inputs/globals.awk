# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Gives each allocation of workgroup memory in a printed module a global of its
# own: upstream would lower it to a malloc in each thread. An allocation that
# runs again makes a new instance, which may be in use beside the last one, so
# the global has room for many, one behind the other. (Of types whose size is not
# computed here all instances are one.)

# bytesOf TYPE: what a memref of numbers with identity layout takes, rounded up
# to a cache line; 0 for anything else.
function bytesOf(type,    dims, n, i, count, element) {
  sub(/^memref</, "", type)
  sub(/, #gpu\.address_space<workgroup>>$/, "", type)
  sub(/xindex$/, "xi64", type)
  n = split(type, dims, "x")
  element = dims[n]
  if (element !~ /^(i|f|bf)[0-9]+$/)
    return 0
  sub(/^[a-z]+/, "", element)
  count = int((element + 7) / 8)
  for (i = 1; i < n; ++i)
    if (dims[i] ~ /^[0-9]+$/)
      count *= dims[i]
    else
      return 0
  return int((count + 63) / 64) * 64
}

# chooseInstance RESULT TYPE BYTES: the global's next instance in this thread.
function chooseInstance(result, type, bytes,    n) {
  n = numGlobals
  globals[n] = "memref<" bytes * instances "xi8, #gpu.address_space<workgroup>>"
  return "%race_id_" n " = arith.constant " n " : i32\n" \
    "%race_at_" n " = func.call @race_instance(%race_id_" n ") : (i32) -> index\n" \
    "%race_bytes_" n " = arith.constant " bytes " : index\n" \
    "%race_offset_" n " = arith.muli %race_at_" n ", %race_bytes_" n " : index\n" \
    "%race_base_" n " = memref.get_global @race_buffer_" n " : " globals[n] "\n" \
    result " = memref.view %race_base_" n "[%race_offset_" n "][] : " \
    globals[n] " to " type
}

# As many as workgroup.c counts up to; -v instances=0: plain globals.
BEGIN { if (instances == "") instances = 64 }

{ lines[++numLines] = $0 }

/= memref\.alloc\(\).* : memref<.*#gpu\.address_space<workgroup>>$/ {
  ++numGlobals
  type = $0
  sub(/.* : memref</, "memref<", type)
  bytes = instances ? bytesOf(type) : 0
  if (bytes) {
    lines[numLines] = chooseInstance($1, type, bytes)
    next
  }
  globals[numGlobals] = type
  global = "@race_buffer_" numGlobals
  lines[numLines] = $1 " = memref.get_global " global " : " type
}

/memref\.dealloc .*#gpu\.address_space<workgroup>>$/ { lines[numLines] = "" }

END {
  for (i = 1; i <= numLines; ++i) {
    print lines[i]
    if (lines[i] !~ /^ *gpu\.module @/)
      continue
    if (instances)
      print "func.func private @race_instance(i32) -> index"
    for (g = 1; g <= numGlobals; ++g)
      print "memref.global \"private\" @race_buffer_" g " : " globals[g] \
        (instances ? " {alignment = 64 : i64}" : "")
  }
}
