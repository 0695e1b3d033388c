# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Turns the kernels of a gpu.module into functions for the CPU: the module
# around the gpu.module goes, GPU ops become calls of a C harness, and all
# memory is in the default space. A thread is the only lane of its subgroup.
/^module/d
/^}$/d
s/, #gpu.address_space<[a-z]*>//g
s/gpu.func/func.func/
s/) kernel/)/
s/gpu.return/return/
s/gpu.thread_id *\([xyz]\)/func.call @thread_id_\1() : () -> index/
s/gpu.block_id *x/func.call @block_id_x() : () -> index/
s/gpu.block_dim *x/func.call @block_dim_x() : () -> index/
s/gpu.lane_id/arith.constant 0 : index/
s/gpu.barrier/func.call @workgroup_barrier() : () -> ()/
/gpu.module @kernels/a\
  func.func private @thread_id_x() -> index\
  func.func private @thread_id_y() -> index\
  func.func private @thread_id_z() -> index\
  func.func private @block_id_x() -> index\
  func.func private @block_dim_x() -> index\
  func.func private @workgroup_barrier()
s/gpu.module @kernels/module/
