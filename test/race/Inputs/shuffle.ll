; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The forms of NVVM's shuffles, each by warp.c's of the same kind, which
; returns the value in the lower half and whether it is another lane's above it.

declare i64 @race_shuffle_bfly(i32, i32, i32, i32)
declare i64 @race_shuffle_idx(i32, i32, i32, i32)
declare i64 @race_shuffle_down(i32, i32, i32, i32)
declare i64 @race_shuffle_up(i32, i32, i32, i32)

define i32 @race_shuffle_bfly_i32(i32 %mask, i32 %given, i32 %by, i32 %clamp) {
  %both = call i64 @race_shuffle_bfly(i32 %mask, i32 %given, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  ret i32 %low
}

define { i32, i1 } @race_shuffle_bfly_i32p(i32 %mask, i32 %given, i32 %by, i32 %clamp) {
  %both = call i64 @race_shuffle_bfly(i32 %mask, i32 %given, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %high = lshr i64 %both, 32
  %valid = trunc i64 %high to i1
  %half = insertvalue { i32, i1 } undef, i32 %low, 0
  %pair = insertvalue { i32, i1 } %half, i1 %valid, 1
  ret { i32, i1 } %pair
}

define float @race_shuffle_bfly_f32(i32 %mask, float %given, i32 %by, i32 %clamp) {
  %value = bitcast float %given to i32
  %both = call i64 @race_shuffle_bfly(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %result = bitcast i32 %low to float
  ret float %result
}

define { float, i1 } @race_shuffle_bfly_f32p(i32 %mask, float %given, i32 %by, i32 %clamp) {
  %value = bitcast float %given to i32
  %both = call i64 @race_shuffle_bfly(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %result = bitcast i32 %low to float
  %high = lshr i64 %both, 32
  %valid = trunc i64 %high to i1
  %half = insertvalue { float, i1 } undef, float %result, 0
  %pair = insertvalue { float, i1 } %half, i1 %valid, 1
  ret { float, i1 } %pair
}

define i32 @race_shuffle_idx_i32(i32 %mask, i32 %given, i32 %by, i32 %clamp) {
  %both = call i64 @race_shuffle_idx(i32 %mask, i32 %given, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  ret i32 %low
}

define { i32, i1 } @race_shuffle_idx_i32p(i32 %mask, i32 %given, i32 %by, i32 %clamp) {
  %both = call i64 @race_shuffle_idx(i32 %mask, i32 %given, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %high = lshr i64 %both, 32
  %valid = trunc i64 %high to i1
  %half = insertvalue { i32, i1 } undef, i32 %low, 0
  %pair = insertvalue { i32, i1 } %half, i1 %valid, 1
  ret { i32, i1 } %pair
}

define float @race_shuffle_idx_f32(i32 %mask, float %given, i32 %by, i32 %clamp) {
  %value = bitcast float %given to i32
  %both = call i64 @race_shuffle_idx(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %result = bitcast i32 %low to float
  ret float %result
}

define { float, i1 } @race_shuffle_idx_f32p(i32 %mask, float %given, i32 %by, i32 %clamp) {
  %value = bitcast float %given to i32
  %both = call i64 @race_shuffle_idx(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %result = bitcast i32 %low to float
  %high = lshr i64 %both, 32
  %valid = trunc i64 %high to i1
  %half = insertvalue { float, i1 } undef, float %result, 0
  %pair = insertvalue { float, i1 } %half, i1 %valid, 1
  ret { float, i1 } %pair
}

define i32 @race_shuffle_down_i32(i32 %mask, i32 %given, i32 %by, i32 %clamp) {
  %both = call i64 @race_shuffle_down(i32 %mask, i32 %given, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  ret i32 %low
}

define { i32, i1 } @race_shuffle_down_i32p(i32 %mask, i32 %given, i32 %by, i32 %clamp) {
  %both = call i64 @race_shuffle_down(i32 %mask, i32 %given, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %high = lshr i64 %both, 32
  %valid = trunc i64 %high to i1
  %half = insertvalue { i32, i1 } undef, i32 %low, 0
  %pair = insertvalue { i32, i1 } %half, i1 %valid, 1
  ret { i32, i1 } %pair
}

define float @race_shuffle_down_f32(i32 %mask, float %given, i32 %by, i32 %clamp) {
  %value = bitcast float %given to i32
  %both = call i64 @race_shuffle_down(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %result = bitcast i32 %low to float
  ret float %result
}

define { float, i1 } @race_shuffle_down_f32p(i32 %mask, float %given, i32 %by, i32 %clamp) {
  %value = bitcast float %given to i32
  %both = call i64 @race_shuffle_down(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %result = bitcast i32 %low to float
  %high = lshr i64 %both, 32
  %valid = trunc i64 %high to i1
  %half = insertvalue { float, i1 } undef, float %result, 0
  %pair = insertvalue { float, i1 } %half, i1 %valid, 1
  ret { float, i1 } %pair
}

define i32 @race_shuffle_up_i32(i32 %mask, i32 %given, i32 %by, i32 %clamp) {
  %both = call i64 @race_shuffle_up(i32 %mask, i32 %given, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  ret i32 %low
}

define { i32, i1 } @race_shuffle_up_i32p(i32 %mask, i32 %given, i32 %by, i32 %clamp) {
  %both = call i64 @race_shuffle_up(i32 %mask, i32 %given, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %high = lshr i64 %both, 32
  %valid = trunc i64 %high to i1
  %half = insertvalue { i32, i1 } undef, i32 %low, 0
  %pair = insertvalue { i32, i1 } %half, i1 %valid, 1
  ret { i32, i1 } %pair
}

define float @race_shuffle_up_f32(i32 %mask, float %given, i32 %by, i32 %clamp) {
  %value = bitcast float %given to i32
  %both = call i64 @race_shuffle_up(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %result = bitcast i32 %low to float
  ret float %result
}

define { float, i1 } @race_shuffle_up_f32p(i32 %mask, float %given, i32 %by, i32 %clamp) {
  %value = bitcast float %given to i32
  %both = call i64 @race_shuffle_up(i32 %mask, i32 %value, i32 %by, i32 %clamp)
  %low = trunc i64 %both to i32
  %result = bitcast i32 %low to float
  %high = lshr i64 %both, 32
  %valid = trunc i64 %high to i1
  %half = insertvalue { float, i1 } undef, float %result, 0
  %pair = insertvalue { float, i1 } %half, i1 %valid, 1
  ret { float, i1 } %pair
}
