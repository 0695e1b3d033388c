// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// A buffer of a device's memory in an arena of the host, and the other way round.

func.func @of_a_device_in_the_host(%h: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<256xi8> // expected-note {{this arena}}
  %a = memref.view %arena[%c0][] {berth.buffer = 0, berth.allocator = "gpu.alloc"} : memref<256xi8> to memref<8xf32> // expected-error {{makes a buffer in an arena of other memory than it was allocated in}}
  gpu.memcpy %a, %h : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @of_the_host_in_a_device(%h: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = gpu.alloc () : memref<256xi8> // expected-note {{this arena}}
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8xf32> // expected-error {{makes a buffer in an arena of other memory than it was allocated in}}
  memref.copy %h, %a : memref<8xf32> to memref<8xf32>
  return
}

// -----

// Right. But the second one takes the bytes while the first one's copy may go on.
func.func @too_early(%h: memref<8xf32>, %g: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = gpu.alloc () : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0, berth.allocator = "gpu.alloc"} : memref<256xi8> to memref<8xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %h, %a : memref<8xf32>, memref<8xf32> // expected-note {{started here}}
  %b = memref.view %arena[%c0][] {berth.buffer = 1, berth.allocator = "gpu.alloc"} : memref<256xi8> to memref<8xf32>
  gpu.memcpy %b, %g : memref<8xf32>, memref<8xf32> // expected-error {{work still under way may use}}
  gpu.wait [%t1]
  gpu.dealloc %arena : memref<256xi8>
  return
}

// -----

// A kernel on a stream may go on for ever.
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @k(%a: memref<8xf32>) kernel { gpu.return }
}
func.func @on_a_stream(%g: memref<8xf32>, %s: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8xf32>
  gpu.launch_func <%s : !llvm.ptr> @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>) // expected-note {{here}}
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8xf32>
  memref.copy %g, %b : memref<8xf32> to memref<8xf32> // expected-error {{an address of another buffer, which has got away}}
  return
}
}
