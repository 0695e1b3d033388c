//===- Facts.h - What MLIR's interfaces say, as plain C ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The fact table: every question that Berth asks of an op's *interfaces*, which
// MLIR's C API cannot answer. Implemented in lib/MLIR/Facts*.cpp, the only C++
// below the passes. Nothing here decides anything: rules live in lib/IR.
//
// Callbacks are called synchronously; values and ops are borrowed.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_FACTS_H
#define BERTH_LIB_IR_FACTS_FACTS_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

//===---------------------------------------------------------------------===//
// Memory effects
//===---------------------------------------------------------------------===//

enum {
  BERTH_EFFECT_READ = 1,
  BERTH_EFFECT_WRITE = 2,
  BERTH_EFFECT_ALLOCATE = 4,
  BERTH_EFFECT_FREE = 8
};

/// One memory effect. `value` is null where the effect is on no value (then it
/// concerns a resource: unknown memory, or something that is no memory). Its
/// full-region flag is left out: it proves nothing (see FactsOverwrite.cpp).
typedef struct BerthEffect {
  int kind;
  MlirValue value;
} BerthEffect;

typedef void (*BerthEffectCallback)(BerthEffect effect, void *userData);

/// Calls back for each effect of `op` itself (nested ops excluded). Returns
/// false if the op has no MemoryEffectOpInterface and so may do anything with
/// its own operands (what its regions do is asked of the ops in them). Ask
/// berthOpGetEffects (Effects.h), which knows of described ops too.
bool berthInterfaceGetEffects(MlirOperation op, BerthEffectCallback callback,
                              void *userData);

//===---------------------------------------------------------------------===//
// Aliases
//===---------------------------------------------------------------------===//

/// The viewed operand of a ViewLikeOpInterface op, else a null value.
MlirValue berthViewGetSource(MlirOperation op);

/// True if view `op` provably covers all bytes of its source: its result
/// addresses the same elements, so a full overwrite of one is one of the other.
bool berthViewIsWhole(MlirOperation op);

/// A memref's descriptor has two pointers: to what was allocated, which only
/// free needs, and to the first element. True if the op takes the former, or
/// all of a descriptor that nobody follows, out of a descriptor
/// (llvm.extractvalue, builtin.unrealized_conversion_cast), and something is
/// made of it but another descriptor.
bool berthOpUsesAllocatedPointer(MlirOperation op);

/// True for ops whose integer results do not carry a pointer (sizes, strides,
/// ranks): memref.dim, memref.rank, memref.extract_strided_metadata.
bool berthOpResultsAreShapes(MlirOperation op);

/// True for the start of memory that nobody writes while the function runs: an
/// argument that is llvm.noalias and llvm.readonly, or a memref.global that is
/// constant.
bool berthMemoryIsConstant(MlirValue value);

/// True if the op is a constant, of whatever dialect: it has no operands and no
/// effects and folds to a number, or several.
bool berthOpIsConstant(MlirOperation op);

/// True for types through which a pointer may travel: everything but integers,
/// floats, index, and vectors or complex numbers of these.
bool berthTypeMayCarryPointer(MlirType type);

//===---------------------------------------------------------------------===//
// Control flow
//===---------------------------------------------------------------------===//

/// A place in the control flow around a region op: the op itself (before its
/// regions, or after them) or the index of one of its regions.
#define BERTH_PARENT (-1)

/// Control may pass from the end of region `from` (or from the op's entry, if
/// BERTH_PARENT) to the start of region `to` (or to after the op). The operand
/// `forwarded[i]` becomes `received[i]` (block arguments or op results).
typedef struct BerthRegionEdge {
  int from;
  int to;
  intptr_t numValues;
  const MlirValue *forwarded;
  const MlirValue *received;
} BerthRegionEdge;

typedef void (*BerthRegionEdgeCallback)(const BerthRegionEdge *edge,
                                        void *userData);

/// Calls back for every edge of a RegionBranchOpInterface op. Returns false if
/// the op has no such interface, or if a block in it ends in an op that does
/// not say where it leads. One call per terminator for edges from a region, so
/// the same pair may come more than once.
bool berthOpGetRegionEdges(MlirOperation op, BerthRegionEdgeCallback callback,
                           void *userData);
bool berthOpIsRegionBranch(MlirOperation op);
/// True for such an op that runs one of its regions, of one block each, once,
/// or none of them, and returns nothing but what that hands on (scf.if,
/// scf.index_switch).
bool berthOpIsFork(MlirOperation op);

/// The pairs of BranchOpInterface terminator `op` towards successor `index`:
/// `forwarded[i]` becomes `received[i]`. A null forwarded value is produced by
/// the terminator itself. Returns false if the op has no such interface.
typedef void (*BerthValuePairCallback)(MlirValue forwarded, MlirValue received,
                                       void *userData);
bool berthBranchGetOperands(MlirOperation op, intptr_t index,
                            BerthValuePairCallback callback, void *userData);

/// True if the operand becomes an argument of a block or region, or a result of
/// the op around the region that `op` ends, and RegionBranchOpInterface or
/// BranchOpInterface says so.
bool berthOperandIsHandedOn(MlirOperation op, intptr_t index);

/// The last op of a block; null if it is empty. It ends the block where the op
/// is one: of an unregistered op nobody can tell. mlirBlockGetTerminator gives
/// null for such an op, though it may name successors.
MlirOperation berthBlockGetLast(MlirBlock block);

/// The op in front of it in its block, or null.
MlirOperation berthOpGetPrevious(MlirOperation op);

bool berthOpIsLoop(MlirOperation op);
/// True if it is a constant how often the loop's body runs.
bool berthLoopGetTurns(MlirOperation op, int64_t *turns);

/// True if MLIR tells what the op's regions are for, by any interface or trait:
/// then they have run when the op is over.
bool berthOpTellsOfRegions(MlirOperation op);
bool berthOpIsFunction(MlirOperation op);
/// True if its results and operands return to the caller of the function.
bool berthOpIsReturn(MlirOperation op);

/// For CallOpInterface ops: true; `*callee` is the function if it is known
/// (resolved by symbol within the nearest symbol table), else null. A body may
/// still be missing.
bool berthOpGetCallee(MlirOperation op, MlirOperation *callee);

/// Until they are forgotten this thread keeps the functions that it has found
/// so. None may be made, renamed or erased meanwhile, nor what has one be
/// exchanged.
typedef struct BerthCallees BerthCallees;
BerthCallees *berthCalleesKeep(void);
void berthCalleesForget(BerthCallees *kept);
/// True if the callee has a body that a pass running on `root` must not look
/// into: it does not stand inside `root`, so that another thread may be
/// changing it. A null callee is not hidden, just unknown.
bool berthCalleeIsHidden(MlirOperation callee, MlirOperation root);
/// Calls back with each string that stands anywhere in the op's attributes, its
/// own symbol left out: all symbols that it names are among these, and so are
/// the names that some ops give as text. Each is a string attribute without a
/// type, as `sym_name` is.
typedef void (*BerthNameCallback)(MlirAttribute name, void *userData);
void berthOpForEachName(MlirOperation op, BerthNameCallback callback,
                        void *userData);
/// True if a symbol stands anywhere in the op's attributes.
bool berthOpNamesSymbol(MlirOperation op);
/// The callee's argument that operand `operandIndex` of a call becomes, or -1.
intptr_t berthCallGetArgument(MlirOperation call, intptr_t operandIndex);

/// When a region of an op runs, given that the op does.
typedef enum BerthRegionRuns {
  BERTH_RUNS_ALWAYS,     ///< once or more
  BERTH_RUNS_WHEN_TRUE,  ///< values[0], an i1, is true
  BERTH_RUNS_WHEN_FALSE, ///< values[0] is false
  BERTH_RUNS_WHEN_LESS,  ///< values[0] < values[1], signed: a loop's bounds
  BERTH_RUNS_WHEN_LESS_UNSIGNED, ///< the same of unsigned numbers
  BERTH_RUNS_UNKNOWN             ///< that is decided by something else
} BerthRegionRuns;

/// For scf.if, scf.for, scf.while, scf.execute_region, memref.alloca_scope:
/// no interface tells the condition as a value.
BerthRegionRuns berthRegionGetCondition(MlirOperation op, intptr_t region,
                                        MlirValue values[2]);

/// True if the op may run where it did not stand, and more often: it has no
/// effects, no regions and cannot go wrong.
bool berthOpIsSpeculatable(MlirOperation op);

//===---------------------------------------------------------------------===//
// Writes
//===---------------------------------------------------------------------===//

/// True if `op` provably overwrites every element of its operand's memref
/// before reading any element of it: memref.copy's target, a linalg init whose
/// map covers the shape and whose payload does not read it, a whole unmasked
/// vector write. The caller must check that no other operand aliases it.
bool berthOpFullyOverwrites(MlirOperation op, intptr_t operandIndex);

/// True for memrefs of which elements at equal subscripts have equally many
/// bytes, equally far from the first one. (`at` has the data layout.)
bool berthMemRefsHaveOneForm(MlirType a, MlirType b, MlirOperation at);

/// True if `op` reads the memref of operand `input` and fully overwrites that
/// of operand `output` element for element: element i of the one is last read
/// before or while element i of the other is written, in whatever order the
/// elements come. Both have one shape, and elements of equally many bytes.
/// (Elementwise linalg with equal permutation maps, but for what loops of one
/// turn are called in them.)
bool berthOpIsElementwise(MlirOperation op, intptr_t input, intptr_t output);

/// True if `op` does nothing but copy the memref of operand 0 to operand 1.
bool berthOpIsCopy(MlirOperation op);

/// The same of linalg ops too, which may convert each element.
bool berthOpCopiesElements(MlirOperation op);

//===---------------------------------------------------------------------===//
// Attributes
//===---------------------------------------------------------------------===//

/// The dictionary of the attributes that the op's own dialect does not define;
/// of an op of no known dialect all of them. There is one of equal ones in a
/// context, as long as that lives.
MlirAttribute berthOpGetOwnAttributes(MlirOperation op);

//===---------------------------------------------------------------------===//
// Types, from the data layout in force at an op
//===---------------------------------------------------------------------===//

typedef enum BerthSizeResult {
  BERTH_SIZE_OK,
  BERTH_SIZE_DYNAMIC, ///< a dimension is known only at run time
  BERTH_SIZE_LAYOUT,  ///< a layout that is not strided, or negative strides
  BERTH_SIZE_TYPE,    ///< no memref
  BERTH_SIZE_ELEMENT, ///< an element type with no known size
  BERTH_SIZE_OVERFLOW
} BerthSizeResult;

/// Bytes that a memref type occupies as the LLVM lowering lays it out, the
/// bytes from one element to the next, and the least alignment of an element
/// (the larger of its ABI and preferred alignment).
typedef struct BerthTypeSize {
  int64_t bytes;
  int64_t elementBytes;
  int64_t elementAlignment;
} BerthTypeSize;

/// For BERTH_SIZE_DYNAMIC the element's fields are filled in too.
BerthSizeResult berthMemRefGetSize(MlirType type, MlirOperation at,
                                   BerthTypeSize *size);

/// Until they are forgotten this thread keeps the sizes that it has found. No
/// data layout may change meanwhile, nor an op that has one be replaced by one
/// with another.
typedef struct BerthSizes BerthSizes;
BerthSizes *berthSizesKeep(void);
void berthSizesForget(BerthSizes *kept);

/// The largest number that an index holds: offsets and sizes in bytes are such.
int64_t berthIndexMax(MlirOperation at);

/// A constant that an index value never exceeds: by ValueBoundsOpInterface
/// (affine.min, the dimensions of static types, loops with constant bounds),
/// and arith.minui, arith.minsi. Returns false if none is known.
bool berthValueGetUpperBound(MlirValue value, int64_t *bound);

//===---------------------------------------------------------------------===//
// Diagnostics that the C API lacks
//===---------------------------------------------------------------------===//

typedef enum BerthRemarkKind {
  BERTH_REMARK_PASSED,
  BERTH_REMARK_MISSED,
  BERTH_REMARK_ANALYSIS
} BerthRemarkKind;

/// Sends a remark to MLIR's remark engine (shown with
/// --remarks-filter='berth.*'); `category` is the pass's name.
void berthEmitRemark(MlirOperation at, BerthRemarkKind kind,
                     const char *category, const char *message);

/// Emits an ordinary error at an op, with a note if `note` is not NULL;
/// `noteAt` may be null: then it stands at the same op.
void berthEmitError(MlirOperation at, const char *message, MlirOperation noteAt,
                    const char *note);

/// Emits an ordinary warning at an op, with a note there.
void berthEmitWarning(MlirOperation at, const char *message, const char *note);

/// Line (from 1) and column of an op's location; 0 where it has none. Looks
/// through names, call sites and fusions for the first file position.
void berthOpGetPosition(MlirOperation op, int *line, int *column);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_FACTS_FACTS_H
