//===- ByteRanges.h - Parts of a buffer with lives of their own ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Some of a buffer may be wanted while the rest is not:
//
//     bytes  0       4096      8192
//            |  %lo  |         |      copied into a part of the buffer,
//            |  %lo  |   %hi   |      and another one beside it;
//            |       |   %hi   |      %lo has been read for the last time
//
// The ranges of bytes that its uses go through cut the buffer into *pieces*. Of
// each the live range is found as if it were a buffer, with the uses that touch
// it. Where only some pieces are live, the plan needs to keep nothing but a
// *window*: the bytes from the first of them to the last.
//
// A use is known to touch less than all where only subviews with constant
// offsets and sizes, unit strides and casts lead from the buffer to it, and the
// op touches nothing outside of what it is given.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_BYTERANGES_H
#define BERTH_LIB_IR_LIVENESS_BYTERANGES_H

#include "IR/Scope/Job.h"

/// Finds the gaps of the buffers that will be placed, where asked for; needs
/// their segments. Not in memory that threads share, with several cores or
/// units, nor where the user says where buffers lie.
void berthFindByteRanges(BerthJob *job);

/// Makes the live ranges those of whole buffers again.
void berthForgetByteRanges(BerthJob *job);

#endif // BERTH_LIB_IR_LIVENESS_BYTERANGES_H
