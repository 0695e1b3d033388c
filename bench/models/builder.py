# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes linalg on tensors, one op a call.

A Function collects the text of one func.func. Every method appends an op and
returns its result as a Value, a name with a shape and an element type. Weights
are function arguments, so that a model is its layers' shapes and nothing else.
Images are [height, width, channels] behind a leading batch dimension of 1.
"""

ZERO = {"f32": "0.0", "f16": "0.0"}
LOWEST = {"f32": "0xFF7FFFFF", "f16": "0xFBFF"}


class Value:
    def __init__(self, name, shape, element):
        self.name = name
        self.shape = list(shape)
        self.element = element

    @property
    def type(self):
        return tensor_type(self.shape, self.element)


def tensor_type(shape, element):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


def affine_map(rank, results):
    """An indexing map that picks the loops `results` (None: the constant 0)."""
    loops = ", ".join(f"d{i}" for i in range(rank))
    picks = ", ".join("0" if r is None else f"d{r}" for r in results)
    return f"affine_map<({loops}) -> ({picks})>"


class Function:
    """One function under construction, in the order of its ops."""

    def __init__(self, name, zeros=False):
        """With `zeros`, an elementwise op picks a dimension of one element by
        the constant 0, as torch-mlir writes it."""
        self.name = name
        self.zeros = zeros
        self.arguments = []
        self.lines = []
        self.depth = 1
        self.counter = 0

    # -- text ---------------------------------------------------------------

    def fresh(self, shape, element):
        self.counter += 1
        return Value(f"%{self.counter}", shape, element)

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def text(self, result):
        arguments = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        return "\n".join(
            [f"func.func @{self.name}({arguments}) -> {result.type} {{"]
            + self.lines
            + [f"  return {result.name} : {result.type}", "}", ""]
        )

    def argument(self, shape, element="f32"):
        value = Value(f"%arg{len(self.arguments)}", shape, element)
        self.arguments.append(value)
        return value

    def constant(self, text, element):
        self.counter += 1
        name = f"%c{self.counter}"
        self.line(f"{name} = arith.constant {text} : {element}")
        return name

    # -- tensors ------------------------------------------------------------

    def empty(self, shape, element="f32"):
        value = self.fresh(shape, element)
        self.line(f"{value.name} = tensor.empty() : {value.type}")
        return value

    def filled(self, shape, element="f32", text=None):
        target = self.empty(shape, element)
        scalar = self.constant(text or ZERO[element], element)
        value = self.fresh(shape, element)
        self.line(
            f"{value.name} = linalg.fill ins({scalar} : {element}) "
            f"outs({target.name} : {value.type}) -> {value.type}"
        )
        return value

    def named(self, op, inputs, target, attributes=""):
        """A linalg named op; the result takes the shape of `target`."""
        value = self.fresh(target.shape, target.element)
        names = ", ".join(v.name for v in inputs)
        types = ", ".join(v.type for v in inputs)
        self.line(
            f"{value.name} = linalg.{op} {attributes} ins({names} : {types}) "
            f"outs({target.name} : {target.type}) -> {target.type}"
        )
        return value

    def pad(self, x, low, high, text=None):
        """Pads height and width by `low` before and `high` after."""
        n, h, w, c = x.shape
        value = self.fresh([n, h + low + high, w + low + high, c], x.element)
        scalar = self.constant(text or ZERO[x.element], x.element)
        self.line(
            f"{value.name} = tensor.pad {x.name} "
            f"low[0, {low}, {low}, 0] high[0, {high}, {high}, 0] {{"
        )
        self.line("^bb0(%i: index, %j: index, %k: index, %l: index):")
        self.line(f"  tensor.yield {scalar} : {x.element}")
        self.line(f"}} : {x.type} to {value.type}")
        return value

    def reshape(self, x, shape, groups):
        """Splits (more dimensions) or joins (fewer) along `groups`."""
        value = self.fresh(shape, x.element)
        grouped = "[" + ", ".join(str(list(g)) for g in groups) + "]"
        if len(shape) > len(x.shape):
            self.line(
                f"{value.name} = tensor.expand_shape {x.name} {grouped} "
                f"output_shape {list(shape)} : {x.type} into {value.type}"
            )
        else:
            self.line(
                f"{value.name} = tensor.collapse_shape {x.name} {grouped} "
                f": {x.type} into {value.type}"
            )
        return value

    def transpose(self, x, permutation):
        target = self.empty([x.shape[p] for p in permutation], x.element)
        value = self.fresh(target.shape, x.element)
        self.line(
            f"{value.name} = linalg.transpose ins({x.name} : {x.type}) "
            f"outs({target.name} : {target.type}) permutation = {permutation}"
        )
        return value

    def extract(self, x, offsets, sizes, shape):
        """A slice; `shape` may drop unit dimensions."""
        value = self.fresh(shape, x.element)
        ones = [1] * len(x.shape)
        self.line(
            f"{value.name} = tensor.extract_slice {x.name}"
            f"{slice_list(offsets)} {slice_list(sizes)} {slice_list(ones)} "
            f": {x.type} to {value.type}"
        )
        return value

    def insert(self, x, into, offsets, sizes):
        value = self.fresh(into.shape, into.element)
        ones = [1] * len(into.shape)
        self.line(
            f"{value.name} = tensor.insert_slice {x.name} into {into.name}"
            f"{slice_list(offsets)} {slice_list(sizes)} {slice_list(ones)} "
            f": {x.type} into {into.type}"
        )
        return value

    def store_into(self, x, place):
        """x, but in the buffer of `place`."""
        value = self.fresh(x.shape, x.element)
        self.line(
            f"{value.name} = bufferization.materialize_in_destination "
            f"{x.name} in {place.name} : ({x.type}, {x.type}) -> {x.type}"
        )
        return value

    def concat_channels(self, values):
        shape = list(values[0].shape)
        shape[-1] = sum(v.shape[-1] for v in values)
        result = self.empty(shape, values[0].element)
        at = 0
        for v in values:
            offsets = [0] * (len(shape) - 1) + [at]
            result = self.insert(v, result, offsets, v.shape)
            at += v.shape[-1]
        return result

    # -- computation --------------------------------------------------------

    def generic(self, inputs, maps, target, target_map, body, loops=None):
        """A linalg.generic. `maps` pick the loops of each input; `body` lists
        lines over %a0, %a1, ... (inputs) and %acc (target), and the last line
        is the value to yield. Loops that the target lacks are reductions."""
        rank = loops or len(target.shape)
        kinds = ", ".join(
            '"parallel"' if i in target_map else '"reduction"'
            for i in range(rank)
        )
        every = ", ".join(affine_map(rank, m) for m in maps + [target_map])
        value = self.fresh(target.shape, target.element)
        names = ", ".join(v.name for v in inputs)
        types = ", ".join(v.type for v in inputs)
        self.line(
            f"{value.name} = linalg.generic {{indexing_maps = [{every}], "
            f"iterator_types = [{kinds}]}} ins({names} : {types}) "
            f"outs({target.name} : {target.type}) {{"
        )
        arguments = [f"%a{i}: {v.element}" for i, v in enumerate(inputs)]
        arguments.append(f"%acc: {target.element}")
        self.line(f"^bb0({', '.join(arguments)}):")
        for text in body[:-1]:
            self.line("  " + text)
        self.line(f"  linalg.yield {body[-1]} : {target.element}")
        self.line(f"}} -> {target.type}")
        return value

    def elementwise(self, inputs, body, maps=None, element=None):
        """An elementwise op over the shape of the first input."""
        first = inputs[0]
        every = list(range(len(first.shape)))
        target = self.empty(first.shape, element or first.element)
        maps = maps or [every] * len(inputs)
        if self.zeros:
            maps = [
                [None if size == 1 else r for size, r in zip(v.shape, m)]
                for v, m in zip(inputs, maps)
            ]
        return self.generic(inputs, maps, target, every, body)

    def reduce_last(self, x, op, start):
        """Reduces the last dimension with an arith op."""
        rank = len(x.shape)
        target = self.filled(x.shape[:-1], x.element, start)
        return self.generic(
            [x],
            [list(range(rank))],
            target,
            list(range(rank - 1)),
            [f"%r = arith.{op} %acc, %a0 : {x.element}", "%r"],
            loops=rank,
        )

    def add(self, a, b):
        return self.elementwise(
            [a, b], [f"%r = arith.addf %a0, %a1 : {a.element}", "%r"]
        )

    def multiply(self, a, b):
        return self.elementwise(
            [a, b], [f"%r = arith.mulf %a0, %a1 : {a.element}", "%r"]
        )

    def cast(self, x, element):
        if x.element == element:
            return x
        op = "extf" if element == "f32" else "truncf"
        return self.elementwise(
            [x],
            [f"%r = arith.{op} %a0 : {x.element} to {element}", "%r"],
            element=element,
        )

    # -- branches and loops -------------------------------------------------

    def branch(self, condition, like, then, otherwise):
        """An scf.if that yields what `then()` or `otherwise()` return."""
        value = self.fresh(like.shape, like.element)
        self.line(f"{value.name} = scf.if {condition} -> ({like.type}) {{")
        self._yielding(then)
        self.line("} else {")
        self._yielding(otherwise)
        self.line("}")
        return value

    def loop(self, count, start, body):
        """An scf.for that carries one tensor; `body(index, value)`."""
        zero = self.constant("0", "index")
        one = self.constant("1", "index")
        end = self.constant(str(count), "index")
        value = self.fresh(start.shape, start.element)
        index, carried = f"%i{self.counter}", f"%x{self.counter}"
        self.line(
            f"{value.name} = scf.for {index} = {zero} to {end} step {one} "
            f"iter_args({carried} = {start.name}) -> ({start.type}) {{"
        )
        inner = Value(carried, start.shape, start.element)
        self._yielding(lambda: body(index, inner))
        self.line("}")
        return value

    def _yielding(self, body):
        self.depth += 1
        result = body()
        self.line(f"scf.yield {result.name} : {result.type}")
        self.depth -= 1


def slice_list(items):
    return "[" + ", ".join(str(i) for i in items) + "]"
