# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Gives each allocation of workgroup memory in a printed module a global of its
# own: upstream would lower it to a malloc in each thread.

{ lines[++numLines] = $0 }

/= memref\.alloc\(\).* : memref<.*#gpu\.address_space<workgroup>>$/ {
  type = $0
  sub(/.* : memref</, "memref<", type)
  globals[++numGlobals] = type
  sub(/memref\.alloc\(\).*/,
      "memref.get_global @race_buffer_" numGlobals " : " type)
  lines[numLines] = $0
}

/memref\.dealloc .*#gpu\.address_space<workgroup>>$/ { lines[numLines] = "" }

END {
  for (i = 1; i <= numLines; ++i) {
    print lines[i]
    if (lines[i] !~ /^ *gpu\.module @/)
      continue
    for (g = 1; g <= numGlobals; ++g)
      print "memref.global \"private\" @race_buffer_" g " : " globals[g]
  }
}
