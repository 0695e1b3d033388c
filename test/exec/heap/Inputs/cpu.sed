# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Turns the kernels of a gpu.module into functions for the CPU: the module
# around the gpu.module goes, GPU ops become calls of workgroup.c, and all
# memory is in the default space.
/^module/d
/^}$/d
s/gpu.module @kernels/module/
s/, #gpu.address_space<[a-z]*>//g
s/gpu.func/func.func/
s/) kernel/)/
s/gpu.return/return/
s/gpu.thread_id *\([xyz]\)/func.call @thread_id_\1() : () -> index/
s/gpu.block_dim *x/func.call @block_dim_x() : () -> index/
s/gpu.barrier/func.call @workgroup_barrier() : () -> ()/
