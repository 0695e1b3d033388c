# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Retargets a kernel in LLVM IR from NVVM to workgroup.c on the CPU. The kernel
# is the only `ptx_kernel`; race.sh renames it.

# One address space.
s/ addrspace([0-9]*)//g
s/addrspacecast/bitcast/g
/@llvm\.mem/s/\.p[0-9]*/.p0/g
/^target /d

# Shared memory whose size the launch says.
s/^\(@__dynamic_shmem__[0-9]* = .*\)\[0 x i8\]/\1[65536 x i8]/

# Threads that only the kernel's barriers order: an atomic orders nothing else.
s/ acq_rel/ monotonic/
s/ seq_cst/ monotonic/

# Intrinsics become calls of functions about which nothing is known.
/^declare/s/ #[0-9]*$//
/^declare/s/ range([^)]*)//
/^declare/s/ captures([^)]*)//g
/^declare/s/ \(immarg\|noalias\|readonly\|writeonly\|nocapture\)//g
s/@llvm\.nvvm\.read\.ptx\.sreg\.\([a-z]*\)\.\([xyz]\)/@race_\1_\2/g
s/@llvm\.nvvm\.read\.ptx\.sreg\.cluster\.\([a-z]*\)rank/@race_cluster_\1rank/g
s/@llvm\.nvvm\.read\.ptx\.sreg\.cluster\.\([a-z]*\)\.x/@race_cluster_\1_x/g
s/@llvm\.nvvm\.read\.ptx\.sreg\.laneid/@race_laneid/g
s/@llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all/@race_barrier/g
s/@llvm\.nvvm\.barrier\.cta\.sync\.aligned\.count/@race_part_barrier/g
s/@llvm\.nvvm\.bar\.warp\.sync/@race_warp_barrier/g
s/@llvm\.nvvm\.barrier\.cluster\.arrive\.relaxed\(\.aligned\)*/@race_cluster_arrive_relaxed/g
s/@llvm\.nvvm\.barrier\.cluster\.\([a-z]*\)\(\.aligned\)*/@race_cluster_\1/g
s/@llvm\.nvvm\.mapa\.shared\.cluster/@race_mapa/g
s/@llvm\.nvvm\.shfl\.sync\.\([a-z]*\)\.\([if]32p*\)/@race_shuffle_\1_\2/g
s/@llvm\.nvvm\.redux\.sync\.\([a-z]*\)/@race_redux_\1/g
s/@llvm\.nvvm\.cp\.async\.c[ag]\.shared\.global\.\([0-9]*\)/@race_copy_\1/g
s/@llvm\.nvvm\.cp\.async\.commit\.group/@race_copy_commit/g
s/@llvm\.nvvm\.cp\.async\.wait\.group/@race_copy_wait/g
s/@llvm\.nvvm\.cp\.async\.wait\.all/@race_copy_wait_all/g
s/@llvm\.nvvm\.cp\.async\.bulk\.commit\.group/@race_bulk_commit/g
s/@llvm\.nvvm\.cp\.async\.bulk\.wait\.group\(\.read\)*/@race_bulk_wait/g
s/@llvm\.nvvm\.wmma\.m16n16k16\.load\.\([ab]\)\.row\.stride\.f16\.p[03]/@race_wmma_load_\1/g
s/@llvm\.nvvm\.wmma\.m16n16k16\.load\.c\.row\.stride\.f32\.p[03]/@race_wmma_load_c/g
s/@llvm\.nvvm\.wmma\.m16n16k16\.store\.d\.row\.stride\.f32\.p[03]/@race_wmma_store_d/g
s/@llvm\.nvvm\.wmma\.m16n16k16\.mma\.row\.row\.f32\.f32/@race_wmma_mma/g
s/@__nv_/@/g

# Functions: all watched, and only the kernel visible.
/^define/s/ {$/ sanitize_thread {/
s/^define ptx_kernel void @[^(]*/define void @race_kernel/
/^define/{
/@race_kernel/!s/^define \(internal \)*/define internal /
}
