# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Numbers the barriers that Berth has inserted, those without the mark of the
# given ones, by a call in front of each.

/^ *gpu\.barrier$/ {
  ++count
  print "%race_" count " = llvm.mlir.constant(" count " : i32) : i32"
  print "llvm.call @race_inserted(%race_" count ") : (i32) -> ()"
}
{ print }
/^ *gpu\.module @/ { print "llvm.func @race_inserted(i32)" }
