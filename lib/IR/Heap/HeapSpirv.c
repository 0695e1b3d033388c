//===- HeapSpirv.c - What the conversion to SPIR-V leaves open ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three things that a heap needs in a Vulkan shader and that no op ahead of
// convert-gpu-to-spirv can say:
//
//   1. The storage buffer with the lock in it is Coherent: without that a
//      memory barrier does not order plain loads and stores of it (GLSL450
//      memory model), and a workgroup may see tags that another has replaced.
//   2. Atomics are relaxed. The conversion makes them AcquireRelease without
//      naming a storage class, which orders nothing; the barriers beside them
//      do.
//   3. A module that reads its lane's number needs the capability
//      GroupNonUniform, which spirv-update-vce does not find.
//
//===----------------------------------------------------------------------===//

#include "IR/Heap/HeapSpirv.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"
#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

static MlirAttribute parse(MlirOperation op, const char *text) {
  return mlirAttributeParseGet(mlirOperationGetContext(op),
                               mlirStringRefCreateFromCString(text));
}

//===----------------------------------------------------------------------===//
// Atomics and their buffers
//===----------------------------------------------------------------------===//

typedef struct Search {
  MlirAttribute name;
  MlirOperation found;
} Search;

static MlirWalkResult findVariable(MlirOperation op, void *userData) {
  Search *search = userData;
  if (!berthOpIs(op, BERTH_OP_SPIRV_VARIABLE) ||
      !mlirStringRefEqual(
          mlirStringAttrGetValue(berthAttributeOf(op, "sym_name")),
          mlirFlatSymbolRefAttrGetValue(search->name)))
    return MlirWalkResultAdvance;
  search->found = op;
  return MlirWalkResultInterrupt;
}

/// The variable that an access chain starts from; null for any other pointer.
static MlirOperation variableOf(MlirOperation module, MlirValue pointer) {
  Search search = {{NULL}, {NULL}};
  while (!mlirValueIsABlockArgument(pointer) &&
         mlirAttributeIsNull(search.name)) {
    MlirOperation op = mlirOpResultGetOwner(pointer);
    if (berthOpIs(op, BERTH_OP_SPIRV_ADDRESS))
      search.name = berthAttributeOf(op, "variable");
    else if (berthOpIs(op, BERTH_OP_SPIRV_CHAIN))
      pointer = mlirOperationGetOperand(op, 0);
    else
      return search.found;
  }
  if (!mlirAttributeIsNull(search.name))
    mlirOperationWalk(module, findVariable, &search, MlirWalkPreOrder);
  return search.found;
}

static MlirWalkResult finishAtomic(MlirOperation op, void *userData) {
  MlirOperation module = *(const MlirOperation *)userData;
  MlirAttribute semantics = berthAttributeOf(op, "semantics");
  MlirAttribute emptyOrder =
      parse(op, "#spirv.memory_semantics<AcquireRelease>");
  if (mlirAttributeIsNull(semantics) ||
      !mlirAttributeEqual(semantics, emptyOrder))
    return MlirWalkResultAdvance;
  berthSetAttribute(op, "semantics",
                    parse(op, "#spirv.memory_semantics<None>"));
  MlirOperation variable = variableOf(module, mlirOperationGetOperand(op, 0));
  if (!mlirOperationIsNull(variable))
    berthSetAttribute(variable, "coherent",
                      mlirUnitAttrGet(mlirOperationGetContext(op)));
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Capabilities
//===----------------------------------------------------------------------===//

static MlirWalkResult findLane(MlirOperation op, void *userData) {
  MlirAttribute what = berthAttributeOf(op, "built_in");
  if (mlirAttributeIsNull(what) || !mlirAttributeIsAString(what))
    return MlirWalkResultAdvance;
  MlirStringRef name = mlirStringAttrGetValue(what);
  bool isLane = name.length >= 8 && strncmp(name.data, "Subgroup", 8) == 0;
  *(bool *)userData |= isLane;
  return isLane ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The triple's text with the capability in front of its others, and the first
/// version that has it.
static void addCapability(MlirOperation module) {
  MlirAttribute triple = berthAttributeOf(module, "vce_triple");
  if (mlirAttributeIsNull(triple))
    return;
  BerthText old = {0}, text = {0};
  mlirAttributePrint(triple, berthTextCallback, &old);
  const char *capabilities = strchr(old.data, '[');
  if (capabilities && !strstr(old.data, "GroupNonUniform")) {
    bool isEarly = strstr(old.data, "<v1.0") || strstr(old.data, "<v1.1") ||
                   strstr(old.data, "<v1.2");
    const char *version = strchr(old.data, '<');
    berthTextAppend(&text, "#spirv.vce%.*s, [GroupNonUniform, %s",
                    isEarly ? 5 : (int)(strchr(version, ',') - version),
                    isEarly ? "<v1.3" : version, capabilities + 1);
    berthSetAttribute(module, "vce_triple", parse(module, text.data));
  }
  berthTextFree(&old);
  berthTextFree(&text);
}

static MlirWalkResult finishModule(MlirOperation op, void *userData) {
  (void)userData;
  if (!berthOpIs(op, BERTH_OP_SPIRV_MODULE))
    return MlirWalkResultAdvance;
  bool readsLane = false;
  mlirOperationWalk(op, finishAtomic, &op, MlirWalkPreOrder);
  mlirOperationWalk(op, findLane, &readsLane, MlirWalkPreOrder);
  if (readsLane)
    addCapability(op);
  return MlirWalkResultSkip;
}

void berthHeapFinishSpirv(MlirOperation root) {
  mlirOperationWalk(root, finishModule, NULL, MlirWalkPreOrder);
}
