//===- Attributes.h - Attributes of ops, by name ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_ATTRIBUTES_H
#define BERTH_LIB_IR_OPS_ATTRIBUTES_H

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"

/// On an allocation of dynamic size: the most bytes that it ever has, by the
/// user's word. On its view too.
#define BERTH_UPPER_BOUND "berth.upper_bound"

/// On an allocation whose type does not tell its size: its bytes, by the user's
/// word. arena=annotate writes it on every allocation.
#define BERTH_SIZE "berth.size"

/// With it, on an allocation that has a place (arena=annotate): its first byte
/// in the arena, or memory.
#define BERTH_OFFSET "berth.offset"

/// With the size, on an allocation in a loop, of which each turn has another
/// one of some places (arena=annotate): the first bytes, that of turn 0 first
/// (Prepare/TurnSlots.h). And the same as addresses.
#define BERTH_OFFSETS "berth.offsets"
#define BERTH_ADDRESSES "berth.addresses"

/// On an op (arena=annotate): it writes a result over an operand, which has the
/// same place, element for element.
#define BERTH_IN_PLACE "berth.in_place"

/// Of a loop: a buffer is written over another one in there, which is right in
/// the order in which it is written down only.
#define BERTH_ORDERED "berth.ordered"

/// On a function (arena=annotate): the bytes of its arena, or a dictionary of
/// those of each memory.
#define BERTH_ARENA_SIZE "berth.arena_size"

/// Beside it, where that is more than malloc promises: what the address of the
/// arena has to be a multiple of.
#define BERTH_ARENA_ALIGNMENT "berth.arena_alignment"

/// On a function: C code calls it by a wrapper.
#define BERTH_C_INTERFACE "llvm.emit_c_interface"

/// On a module: the SPIR-V that its kernels are for.
#define BERTH_SPIRV_TARGET "spirv.target_env"

/// On any op: its results are equal in all threads of a workgroup.
#define BERTH_UNIFORM "berth.uniform"

/// On an allocation and its view: the declared memory that it stands for
/// (Prepare/Existing.h): "@NAME" of a global, "attribution" or "dynamic".
#define BERTH_EXISTING "berth.existing"

/// On a view of such: its first byte in the dynamic shared memory.
#define BERTH_DYNAMIC_OFFSET "berth.dynamic_offset"

/// On a view of an arena that is a buffer: the buffer's number.
#define BERTH_BUFFER_NUMBER "berth.buffer"

/// On such a view: the buffer keeps what other views of the number wrote there.
/// Else it is made anew.
#define BERTH_KEEPS "berth.keeps"

/// On such a view in a loop, and on the loop: a name for it (LoopNames.h).
#define BERTH_LOOP "berth.loop"

/// On an allocation in front of a call, while the run lasts: the arena of the
/// called function, where its size is known at run time (Dynamic/FrameSizes.h).
#define BERTH_FRAME "berth.frame"

/// On allocations that hold the same content at different times: its number
/// (Fit/Move.h), or, where such an allocation has been moved itself, the
/// numbers, the last one first; on a copy from one of them to another.
#define BERTH_CONTENT "berth.content"
#define BERTH_MOVE "berth.move"

/// On such an allocation, for each of its numbers: of how many allocations, or
/// contents, that content is made of. Where there are fewer, some pass has put
/// something else there.
#define BERTH_CONTENT_PLACES "berth.content_places"

/// On such an allocation, numbers: where it stands these contents are anything.
#define BERTH_CONTENT_BEGINS "berth.content_begins"

/// On an op, numbers: in front of it these contents were copied from other
/// memory, which is what moves bring in. And pairs of numbers: for a content it
/// reads that memory itself, as this operand.
#define BERTH_CONTENT_COPIED "berth.content_copied"
#define BERTH_CONTENT_READ "berth.content_read"

/// On an op, or on an argument of a function, numbers: its result, or that, is
/// the memory from which these contents were copied.
#define BERTH_CONTENT_SOURCE "berth.content_source"

/// The number of such a content: on an allocation that holds a slice of it, and
/// on the copies between the two (Fit/Tiles.h).
#define BERTH_TILE "berth.tile"

/// On such an allocation: it is two tiles, which the turns of a loop take one
/// after the other (MultiBuffer/TileTurns.h).
#define BERTH_TILE_TURNS "berth.tile_turns"

/// On an op that computes such content again: its number.
#define BERTH_RECOMPUTE "berth.recompute"

/// On an allocation: it is that many slots, which the turns of a loop use one
/// after the other (MultiBuffer/Slots.h).
#define BERTH_SLOTS "berth.slots"

/// On such: each turn allocated a buffer of its own, so that nothing is read
/// there but what the turn has written.
#define BERTH_SLOTS_ANEW "berth.slots_anew"

/// On what chooses among buffers in a loop: turn t has number t modulo so many,
/// for what it makes anew (Prepare/Rotate.h).
#define BERTH_TURNS "berth.turns"

/// On an argument of a function: its callers do not need what it held when they
/// called, by whatever name, and what the function returns as its new content
/// is the argument itself (Prepare/UpdateCaches.h).
#define BERTH_UPDATED "berth.updated"

/// On a copy of an argument, while that is checked: it goes, and the argument,
/// of this number, is changed itself.
#define BERTH_UPDATE "berth.update"

/// On an op with ports: how many passes over the banks of an interleaved memory
/// a step of it takes at most, where its operands begin.
#define BERTH_PASSES "berth.passes"

/// On an allocation, while it is planned: it is one of these buffers, and turns
/// free theirs, so that it may not stay.
#define BERTH_FREED_SLOT "berth.freed_slot"

/// On an allocation: its rows are longer than what is used of them, which is so
/// many elements each (Pad/PadRows.h).
#define BERTH_PADDED "berth.padded"

/// On such an allocation: what is used of a row is several rows of so many
/// elements each, side by side (Pad/JoinRows.h).
#define BERTH_JOINED "berth.joined"

/// On a gpu.alloc: a launch of a kernel has it, and each thread a part of it
/// (berth-expand).
#define BERTH_PER_THREAD "berth.per_thread"

/// On an allocation: constraints on its place (Plan/Constraints.h).
#define BERTH_PIN "berth.pin"
#define BERTH_HINT "berth.hint"
#define BERTH_WEIGHT "berth.weight"
#define BERTH_GROUP "berth.group"
#define BERTH_NO_REUSE "berth.no_reuse"
#define BERTH_BANK "berth.bank"

/// On an allocation: the memory space to plan it in, where types stay as they
/// are.
#define BERTH_SPACE "berth.space"

/// Null if the op has none of that name.
static inline MlirAttribute berthAttributeOf(MlirOperation op,
                                             const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

/// A whole number that 64 bits hold. A truth value is none, though an i1.
static inline bool berthAttributeGetNumber(MlirAttribute attribute,
                                           int64_t *number) {
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute) ||
      mlirAttributeIsABool(attribute))
    return false;
  MlirType type = mlirAttributeGetType(attribute);
  bool isUnsigned = mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64)
    return false;
  *number = isUnsigned ? (int64_t)mlirIntegerAttrGetValueUInt(attribute)
                       : mlirIntegerAttrGetValueInt(attribute);
  return !isUnsigned || *number >= 0;
}

/// True if the op has the attribute, alone or with any value but `false`.
static inline bool berthHasFlag(MlirOperation op, const char *name) {
  MlirAttribute flag = berthAttributeOf(op, name);
  return !mlirAttributeIsNull(flag) &&
         (!mlirAttributeIsABool(flag) || mlirBoolAttrGetValue(flag));
}

/// True if its place is bound: then it stays one buffer, as the user sees it.
static inline bool berthIsConstrained(MlirOperation alloc) {
  return !mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_PIN)) ||
         !mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_GROUP)) ||
         !mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_BANK)) ||
         berthHasFlag(alloc, BERTH_NO_REUSE);
}

#endif // BERTH_LIB_IR_OPS_ATTRIBUTES_H
