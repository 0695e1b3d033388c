//===- ThreadCovers.h - Buffers that threads overwrite together ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all threads of a workgroup come, they may overwrite a shared buffer
// together (Covers.h), each thread some of it. What each surely writes is found
// thread by thread (WrittenBytes.h). In the graph of what threads do
// (ThreadGraph.h) nobody may read a byte in the phase in which another thread
// writes it so; and what was copied asynchronously, before the thread that
// copies has waited for it.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_THREADCOVERS_H
#define BERTH_LIB_IR_VERIFY_THREADS_THREADCOVERS_H

#include "IR/Verify/Bytes/Covers.h"
#include "IR/Verify/Threads/ThreadCode.h"

/// Adds where they begin.
void berthAddThreadCovers(const BerthThreads *threads, BerthCovers *covers);

#endif // BERTH_LIB_IR_VERIFY_THREADS_THREADCOVERS_H
