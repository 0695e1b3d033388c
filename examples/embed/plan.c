//===- plan.c - A module built in C, planned by Berth --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Builds this with MLIR's C API:
//
//   func.func @chain(%x : memref<1024xf32>, %y : memref<1024xf32>) {
//     %a, %b, %c = memref.alloc() ...
//     call @step(%x, %a), @step(%a, %b), @step(%b, %c), @step(%c, %y)
//   }
//
// runs berth-arena in a pass manager of its own, and reads the offsets from the
// allocations. A compiler with an assembler of its own goes on from there.
//
//===---------------------------------------------------------------------===//

#include "berth-c/Passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include <stdio.h>

enum { kBuffers = 3 };

static MlirStringRef text(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

static MlirNamedAttribute attribute(MlirContext context, const char *name,
                                    const char *value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, text(name)),
                               mlirAttributeParseGet(context, text(value)));
}

/// An op at the end of the block.
static MlirOperation append(MlirBlock block, MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  mlirBlockAppendOwnedOperation(block, op);
  return op;
}

static MlirOperationState start(MlirContext context, const char *name) {
  return mlirOperationStateGet(text(name), mlirLocationUnknownGet(context));
}

static MlirValue buildAlloc(MlirContext context, MlirBlock block,
                            MlirType type) {
  MlirOperationState state = start(context, "memref.alloc");
  MlirNamedAttribute segments =
      attribute(context, "operandSegmentSizes", "array<i32: 0, 0>");
  mlirOperationStateAddAttributes(&state, 1, &segments);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationGetResult(append(block, &state), 0);
}

static void buildStep(MlirContext context, MlirBlock block, MlirValue from,
                      MlirValue to) {
  MlirOperationState state = start(context, "func.call");
  MlirNamedAttribute callee = attribute(context, "callee", "@step");
  MlirValue operands[] = {from, to};
  mlirOperationStateAddAttributes(&state, 1, &callee);
  mlirOperationStateAddOperands(&state, 2, operands);
  append(block, &state);
}

static void buildFunction(MlirContext context, MlirBlock module,
                          const char *name, MlirRegion body) {
  const char *type = "(memref<1024xf32>, memref<1024xf32>) -> ()";
  MlirOperationState state = start(context, "func.func");
  MlirNamedAttribute attributes[] = {
      attribute(context, "sym_name", name),
      attribute(context, "function_type", type),
      attribute(context, "sym_visibility", "\"private\"")};
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  append(module, &state);
}

static MlirModule build(MlirContext context, MlirValue *buffers) {
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  MlirType type = mlirTypeParseGet(context, text("memref<1024xf32>"));
  MlirType arguments[] = {type, type};
  MlirLocation unknown = mlirLocationUnknownGet(context);
  MlirLocation locations[] = {unknown, unknown};
  MlirBlock block = mlirBlockCreate(2, arguments, locations);
  for (int i = 0; i < kBuffers; ++i)
    buffers[i] = buildAlloc(context, block, type);
  MlirValue last = mlirBlockGetArgument(block, 0);
  for (int i = 0; i < kBuffers; ++i) {
    buildStep(context, block, last, buffers[i]);
    last = buffers[i];
  }
  buildStep(context, block, last, mlirBlockGetArgument(block, 1));
  MlirOperationState end = start(context, "func.return");
  append(block, &end);
  MlirRegion body = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(body, block);
  buildFunction(context, mlirModuleGetBody(module), "\"step\"",
                mlirRegionCreate());
  buildFunction(context, mlirModuleGetBody(module), "\"chain\"", body);
  return module;
}

static void print(MlirStringRef string, void *userData) {
  fwrite(string.data, 1, string.length, userData);
}

static bool plan(MlirModule module) {
  berthRegisterPasses();
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  bool done = mlirLogicalResultIsSuccess(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      text("builtin.module(berth-arena{arena=annotate alignment=64})"), print,
      stderr));
  done = done && mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                     manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  return done;
}

int main(void) {
  MlirContext context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__memref__(), context);
  MlirValue buffers[kBuffers];
  MlirModule module = build(context, buffers);
  bool done = plan(module);
  for (int i = 0; done && i < kBuffers; ++i) {
    MlirAttribute offset = mlirOperationGetAttributeByName(
        mlirOpResultGetOwner(buffers[i]), text("berth.offset"));
    printf("%c at %lld\n", "abc"[i],
           (long long)mlirIntegerAttrGetValueInt(offset));
  }
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return done ? 0 : 1;
}
