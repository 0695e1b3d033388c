// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @h(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx,%by,%bz) in (%gx=%c1,%gy=%c1,%gz=%c1) threads(%tx,%ty,%tz) in (%sx=%c64,%sy=%c1,%sz=%c1) {
      %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %v = memref.load %x[%tx] : memref<64xf32>
      memref.store %v, %a[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = memref.load %a[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %r, %x[%tx] : memref<64xf32>
      gpu.terminator
  }
  return
}
