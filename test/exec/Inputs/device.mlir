// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a device, which the host runs as its own.

func.func private @twice(%from: memref<8xi32>, %to: memref<8xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%from : memref<8xi32>) outs(%to : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %v = arith.addi %in, %in : i32
    linalg.yield %v : i32
  }
  return
}

func.func @chain(%h: memref<8xi32>) {
  %a = gpu.alloc () : memref<8xi32>
  gpu.memcpy %a, %h : memref<8xi32>, memref<8xi32>
  %b = gpu.alloc () : memref<8xi32>
  func.call @twice(%a, %b) : (memref<8xi32>, memref<8xi32>) -> ()
  gpu.dealloc %a : memref<8xi32>
  %c = gpu.alloc () : memref<8xi32>
  func.call @twice(%b, %c) : (memref<8xi32>, memref<8xi32>) -> ()
  gpu.dealloc %b : memref<8xi32>
  gpu.memcpy %h, %c : memref<8xi32>, memref<8xi32>
  gpu.dealloc %c : memref<8xi32>
  return
}

// Made again each turn, and copied from behind a branch.
func.func @in_a_loop(%h: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = gpu.alloc () : memref<8xi32>
  gpu.memcpy %sum, %h : memref<8xi32>, memref<8xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %t = gpu.alloc () : memref<8xi32>
    func.call @twice(%sum, %t) : (memref<8xi32>, memref<8xi32>) -> ()
    %is = arith.cmpi eq, %i, %c1 : index
    scf.if %is {
      %u = gpu.alloc () : memref<8xi32>
      func.call @twice(%t, %u) : (memref<8xi32>, memref<8xi32>) -> ()
      gpu.memcpy %t, %u : memref<8xi32>, memref<8xi32>
      gpu.dealloc %u : memref<8xi32>
    }
    gpu.memcpy %sum, %t : memref<8xi32>, memref<8xi32>
    gpu.dealloc %t : memref<8xi32>
  }
  gpu.memcpy %h, %sum : memref<8xi32>, memref<8xi32>
  gpu.dealloc %sum : memref<8xi32>
  return
}

func.func @main() {
  %one = arith.constant 1 : i32
  %h = memref.alloc() : memref<8xi32>
  call @count(%h, %one) : (memref<8xi32>, i32) -> ()
  call @chain(%h) : (memref<8xi32>) -> ()
  call @show(%h) : (memref<8xi32>) -> ()
  call @in_a_loop(%h) : (memref<8xi32>) -> ()
  call @show(%h) : (memref<8xi32>) -> ()
  memref.dealloc %h : memref<8xi32>
  return
}
