// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports hold names whatever their bytes: text stays as it is, what is no text
// becomes U+FFFD, and nothing in a name ends a string, a tag or a script. The
// packer's name is as odd as the functions'.
// RUN: berth-opt %s --pass-pipeline='builtin.module(berth-arena{packer-plugin=%plugins/odd.so isolation=none report=%t.json})' -o /dev/null
// RUN: berth-opt %s --pass-pipeline='builtin.module(berth-arena{packer-plugin=%plugins/odd.so isolation=none report=-})' -o /dev/null 2> %t.lines
// RUN: berth-opt %s --pass-pipeline='builtin.module(berth-arena{packer-plugin=%plugins/odd.so isolation=none report=%t.svg})' -o /dev/null
// RUN: berth-opt %s --pass-pipeline='builtin.module(berth-arena{packer-plugin=%plugins/odd.so isolation=none report=%t.html})' -o /dev/null
// RUN: %python %S/Inputs/report-names.py %t.json %t.lines %t.svg %t.html

func.func @"h\C3\A4fen"(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

func.func @"\FF\01\22</script><!-- \EF\BF\BF&"(%x: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.exp ins(%a : memref<1024xf32>) outs(%x : memref<1024xf32>)
  return
}
