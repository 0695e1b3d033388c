func.func @fine(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return
}
// -----
func.func @not_a_program( {
// -----
func.func @no_memref() {
  return
}
// -----
func.func @deadly(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return
}
