; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Fragments of 16x16 in NVVM's form, by wmma.c, which has them in memory: of operands
; eight pairs of halves, of accumulators eight floats.

%operand = type { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> }
%sum = type { float, float, float, float, float, float, float, float }

declare void @race_wmma_load_operand(ptr, ptr, i32)
declare void @race_wmma_load_sum(ptr, ptr, i32)
declare void @race_wmma_store_sum(ptr, ptr, i32)
declare void @race_wmma_multiply(ptr, ptr, ptr)

define %operand @race_wmma_load_a(ptr %from, i32 %pitch) {
  %at = alloca %operand
  call void @race_wmma_load_operand(ptr %at, ptr %from, i32 %pitch)
  %value = load %operand, ptr %at
  ret %operand %value
}

define %operand @race_wmma_load_b(ptr %from, i32 %pitch) {
  %at = alloca %operand
  call void @race_wmma_load_operand(ptr %at, ptr %from, i32 %pitch)
  %value = load %operand, ptr %at
  ret %operand %value
}

define %sum @race_wmma_load_c(ptr %from, i32 %pitch) {
  %at = alloca %sum
  call void @race_wmma_load_sum(ptr %at, ptr %from, i32 %pitch)
  %value = load %sum, ptr %at
  ret %sum %value
}

define void @race_wmma_store_d(ptr %to, float %f0, float %f1, float %f2, float %f3, float %f4, float %f5, float %f6, float %f7, i32 %pitch) {
  %at = alloca %sum
  %at0 = getelementptr %sum, ptr %at, i32 0, i32 0
  store float %f0, ptr %at0
  %at1 = getelementptr %sum, ptr %at, i32 0, i32 1
  store float %f1, ptr %at1
  %at2 = getelementptr %sum, ptr %at, i32 0, i32 2
  store float %f2, ptr %at2
  %at3 = getelementptr %sum, ptr %at, i32 0, i32 3
  store float %f3, ptr %at3
  %at4 = getelementptr %sum, ptr %at, i32 0, i32 4
  store float %f4, ptr %at4
  %at5 = getelementptr %sum, ptr %at, i32 0, i32 5
  store float %f5, ptr %at5
  %at6 = getelementptr %sum, ptr %at, i32 0, i32 6
  store float %f6, ptr %at6
  %at7 = getelementptr %sum, ptr %at, i32 0, i32 7
  store float %f7, ptr %at7
  call void @race_wmma_store_sum(ptr %at, ptr %to, i32 %pitch)
  ret void
}

define %sum @race_wmma_mma(<2 x half> %x0, <2 x half> %x1, <2 x half> %x2, <2 x half> %x3, <2 x half> %x4, <2 x half> %x5, <2 x half> %x6, <2 x half> %x7, <2 x half> %y0, <2 x half> %y1, <2 x half> %y2, <2 x half> %y3, <2 x half> %y4, <2 x half> %y5, <2 x half> %y6, <2 x half> %y7, float %f0, float %f1, float %f2, float %f3, float %f4, float %f5, float %f6, float %f7) {
  %left = alloca %operand
  %right = alloca %operand
  %at = alloca %sum
  %left0 = getelementptr %operand, ptr %left, i32 0, i32 0
  store <2 x half> %x0, ptr %left0
  %left1 = getelementptr %operand, ptr %left, i32 0, i32 1
  store <2 x half> %x1, ptr %left1
  %left2 = getelementptr %operand, ptr %left, i32 0, i32 2
  store <2 x half> %x2, ptr %left2
  %left3 = getelementptr %operand, ptr %left, i32 0, i32 3
  store <2 x half> %x3, ptr %left3
  %left4 = getelementptr %operand, ptr %left, i32 0, i32 4
  store <2 x half> %x4, ptr %left4
  %left5 = getelementptr %operand, ptr %left, i32 0, i32 5
  store <2 x half> %x5, ptr %left5
  %left6 = getelementptr %operand, ptr %left, i32 0, i32 6
  store <2 x half> %x6, ptr %left6
  %left7 = getelementptr %operand, ptr %left, i32 0, i32 7
  store <2 x half> %x7, ptr %left7
  %right0 = getelementptr %operand, ptr %right, i32 0, i32 0
  store <2 x half> %y0, ptr %right0
  %right1 = getelementptr %operand, ptr %right, i32 0, i32 1
  store <2 x half> %y1, ptr %right1
  %right2 = getelementptr %operand, ptr %right, i32 0, i32 2
  store <2 x half> %y2, ptr %right2
  %right3 = getelementptr %operand, ptr %right, i32 0, i32 3
  store <2 x half> %y3, ptr %right3
  %right4 = getelementptr %operand, ptr %right, i32 0, i32 4
  store <2 x half> %y4, ptr %right4
  %right5 = getelementptr %operand, ptr %right, i32 0, i32 5
  store <2 x half> %y5, ptr %right5
  %right6 = getelementptr %operand, ptr %right, i32 0, i32 6
  store <2 x half> %y6, ptr %right6
  %right7 = getelementptr %operand, ptr %right, i32 0, i32 7
  store <2 x half> %y7, ptr %right7
  %at0 = getelementptr %sum, ptr %at, i32 0, i32 0
  store float %f0, ptr %at0
  %at1 = getelementptr %sum, ptr %at, i32 0, i32 1
  store float %f1, ptr %at1
  %at2 = getelementptr %sum, ptr %at, i32 0, i32 2
  store float %f2, ptr %at2
  %at3 = getelementptr %sum, ptr %at, i32 0, i32 3
  store float %f3, ptr %at3
  %at4 = getelementptr %sum, ptr %at, i32 0, i32 4
  store float %f4, ptr %at4
  %at5 = getelementptr %sum, ptr %at, i32 0, i32 5
  store float %f5, ptr %at5
  %at6 = getelementptr %sum, ptr %at, i32 0, i32 6
  store float %f6, ptr %at6
  %at7 = getelementptr %sum, ptr %at, i32 0, i32 7
  store float %f7, ptr %at7
  call void @race_wmma_multiply(ptr %at, ptr %left, ptr %right)
  %value = load %sum, ptr %at
  ret %sum %value
}
