# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# TMA and mbarriers in the nvvm dialect become calls of tma.c. Those that one
# thread starts have a predicate. Fences say nothing to ThreadSanitizer.

s/nvvm\.mbarrier\.init \(%[^,]*\), \(%[^,]*\), predicate = \(%[^ ]*\) .*/llvm.call @race_mbarrier_init(\1, \2, \3) : (!llvm.ptr<3>, i32, i1) -> ()/
s/nvvm\.mbarrier\.arrive\.expect_tx \(%[^,]*\), \(%[^,]*\), predicate = \(%[^ ]*\) .*/llvm.call @race_mbarrier_expect(\1, \2, \3) : (!llvm.ptr<3>, i32, i1) -> ()/
s/nvvm\.mbarrier\.try_wait\.parity \(%[^,]*\), \(%[^,]*\), .*/llvm.call @race_mbarrier_wait(\1, \2) : (!llvm.ptr<3>, i32) -> ()/
s/nvvm\.cp\.async\.bulk\.tensor\.shared\.cluster\.global \(%[^,]*\), \(%[^,]*\), \(%[^,]*\), box\[\(%[^,]*\), \(%[^]]*\)\] multicast_mask = \(%[^ ]*\) predicate = \(%[^ ]*\) .*/llvm.call @race_tma_multicast(\1, \2, \3, \4, \5, \6, \7) : (!llvm.ptr<7>, !llvm.ptr, !llvm.ptr<3>, i32, i32, i16, i1) -> ()/
s/nvvm\.cp\.async\.bulk\.tensor\.shared\.cluster\.global \(%[^,]*\), \(%[^,]*\), \(%[^,]*\), box\[\(%[^,]*\), \(%[^]]*\)\] predicate = \(%[^ ]*\) .*/llvm.call @race_tma_load(\1, \2, \3, \4, \5, \6) : (!llvm.ptr<7>, !llvm.ptr, !llvm.ptr<3>, i32, i32, i1) -> ()/
s/nvvm\.cp\.async\.bulk\.tensor\.global\.shared\.cta \(%[^,]*\), \(%[^,]*\), box\[\(%[^,]*\), \(%[^]]*\)\], predicate = \(%[^ ]*\) .*/llvm.call @race_tma_store(\1, \2, \3, \4, \5) : (!llvm.ptr, !llvm.ptr<3>, i32, i32, i1) -> ()/
/nvvm\.fence\.proxy/d
/^module {/a\
llvm.func @race_mbarrier_init(!llvm.ptr<3>, i32, i1)\
llvm.func @race_mbarrier_expect(!llvm.ptr<3>, i32, i1)\
llvm.func @race_mbarrier_wait(!llvm.ptr<3>, i32)\
llvm.func @race_tma_load(!llvm.ptr<7>, !llvm.ptr, !llvm.ptr<3>, i32, i32, i1)\
llvm.func @race_tma_multicast(!llvm.ptr<7>, !llvm.ptr, !llvm.ptr<3>, i32, i32, i16, i1)\
llvm.func @race_tma_store(!llvm.ptr, !llvm.ptr<3>, i32, i32, i1)
