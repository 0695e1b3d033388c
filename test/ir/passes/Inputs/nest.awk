# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A function whose regions are nested `depth` deep, of all kinds in turn, with
# an allocation in each. The first one is read in the innermost region.
function open(kind, i) {
  if (kind == "if") {
    print "scf.if %c {"
  } else if (kind == "for") {
    print "scf.for %i" i " = %c0 to %c1 step %c1 {"
  } else if (kind == "while") {
    print "scf.while : () -> () {"
    print "scf.condition(%c)"
    print "} do {"
  } else {
    print "scf.execute_region {"
  }
}

function close_(kind) {
  if (kind == "while" || kind == "execute_region")
    print "scf.yield"
  print "}"
}

BEGIN {
  numKinds = split("if for while execute_region", kinds, " ")
  print "func.func @deep(%c: i1, %f: f32, %out: memref<8xf32>) {"
  print "%c0 = arith.constant 0 : index"
  print "%c1 = arith.constant 1 : index"
  for (i = 0; i < depth; ++i) {
    print "%a" i " = memref.alloc() : memref<8xf32>"
    print "linalg.fill ins(%f : f32) outs(%a" i " : memref<8xf32>)"
    open(kinds[i % numKinds + 1], i)
  }
  print "memref.copy %a0, %out : memref<8xf32> to memref<8xf32>"
  for (i = depth - 1; i >= 0; --i)
    close_(kinds[i % numKinds + 1])
  print "return"
  print "}"
}
