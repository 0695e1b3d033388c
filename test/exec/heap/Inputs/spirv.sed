# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the kernels of examples/heap/slots.mlir ones for Vulkan: all memory is in
# storage buffers, the arena a storage buffer of words.
s/memref<?xi8>/memref<?xi32>/g
s/memref<?x\([fi]32\|!block\)>/memref<?x\1, #spirv.storage_class<StorageBuffer>>/g
s/index) kernel/index) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32, 1, 1]>}/
/^gpu.module/i\
module attributes {gpu.container_module, spirv.target_env = #spirv.target_env<#spirv.vce<v1.3, [Shader, GroupNonUniform], [SPV_KHR_storage_buffer_storage_class]>, #spirv.resource_limits<>>} {
$a\
}
