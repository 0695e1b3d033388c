# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers that the networks are made of, unfused, as front ends emit them.

Every function takes a builder.Function, appends ops, and returns a Value.
"""

from builder import LOWEST

# -- activations: lines over %a0 that end with the value to yield -------------


def _constants(element, **values):
    return [
        f"%{name} = arith.constant {text} : {element}"
        for name, text in values.items()
    ]


def relu(f, x):
    e = x.element
    return f.elementwise(
        [x],
        _constants(e, zero="0.0")
        + [f"%r = arith.maximumf %a0, %zero : {e}", "%r"],
    )


def hard_sigmoid(f, x):
    e = x.element
    return f.elementwise(
        [x],
        _constants(e, zero="0.0", three="3.0", six="6.0")
        + [
            f"%t = arith.addf %a0, %three : {e}",
            f"%u = arith.maximumf %t, %zero : {e}",
            f"%v = arith.minimumf %u, %six : {e}",
            f"%r = arith.divf %v, %six : {e}",
            "%r",
        ],
    )


def hard_swish(f, x):
    return f.multiply(x, hard_sigmoid(f, x))


def gelu(f, x):
    e = x.element
    return f.elementwise(
        [x],
        _constants(e, half="0.5", one="1.0", root="0.7071067")
        + [
            f"%t = arith.mulf %a0, %root : {e}",
            f"%u = math.erf %t : {e}",
            f"%v = arith.addf %u, %one : {e}",
            f"%w = arith.mulf %a0, %half : {e}",
            f"%r = arith.mulf %w, %v : {e}",
            "%r",
        ],
    )


def silu(f, x):
    e = x.element
    return f.elementwise(
        [x],
        _constants(e, one="1.0")
        + [
            f"%n = arith.negf %a0 : {e}",
            f"%x = math.exp %n : {e}",
            f"%d = arith.addf %x, %one : {e}",
            f"%r = arith.divf %a0, %d : {e}",
            "%r",
        ],
    )


ACTIVATIONS = {"relu": relu, "hswish": hard_swish, None: lambda f, x: x}

# -- convolutional layers ------------------------------------------------------


def bias(f, x, weight=None):
    """Adds a vector along the last dimension."""
    rank = len(x.shape)
    weight = weight or f.argument([x.shape[-1]], x.element)
    return f.elementwise(
        [x, weight],
        [f"%r = arith.addf %a0, %a1 : {x.element}", "%r"],
        maps=[list(range(rank)), [rank - 1]],
    )


def same_padding(f, x, kernel, text=None):
    """Padding that keeps the size at stride 1."""
    low = (kernel - 1) // 2
    high = kernel - 1 - low
    return f.pad(x, low, high, text) if kernel > 1 else x


def _strided(kernel, stride, size):
    return (size - kernel) // stride + 1


def _window(stride):
    return (
        f"{{dilations = dense<1> : tensor<2xi64>, "
        f"strides = dense<{stride}> : tensor<2xi64>}}"
    )


def conv(f, x, channels, kernel=1, stride=1, activation=None, padded=True):
    """Convolution with its batch norm folded into the bias."""
    padded_x = same_padding(f, x, kernel) if padded else x
    n, h, w, c = padded_x.shape
    weight = f.argument([kernel, kernel, c, channels], x.element)
    shape = [n, _strided(kernel, stride, h), _strided(kernel, stride, w)]
    target = f.filled(shape + [channels], x.element)
    y = f.named(
        "conv_2d_nhwc_hwcf", [padded_x, weight], target, _window(stride)
    )
    return ACTIVATIONS[activation](f, bias(f, y))


def depthwise(f, x, kernel, stride=1, activation=None):
    padded_x = same_padding(f, x, kernel)
    n, h, w, c = padded_x.shape
    weight = f.argument([kernel, kernel, c], x.element)
    shape = [n, _strided(kernel, stride, h), _strided(kernel, stride, w), c]
    target = f.filled(shape, x.element)
    y = f.named(
        "depthwise_conv_2d_nhwc_hwc",
        [padded_x, weight],
        target,
        _window(stride),
    )
    return ACTIVATIONS[activation](f, bias(f, y))


def max_pool(f, x, kernel, stride):
    lowest = LOWEST[x.element]
    padded = same_padding(f, x, kernel, lowest) if kernel > stride else x
    n, h, w, c = padded.shape
    shape = [n, _strided(kernel, stride, h), _strided(kernel, stride, w), c]
    window = f.empty([kernel, kernel], x.element)
    target = f.filled(shape, x.element, lowest)
    return f.named(
        "pooling_nhwc_max", [padded, window], target, _window(stride)
    )


def global_mean(f, x):
    """[1, h, w, c] to [1, c]."""
    n, h, w, c = x.shape
    target = f.filled([n, c], x.element)
    total = f.generic(
        [x],
        [[0, 1, 2, 3]],
        target,
        [0, 3],
        [f"%r = arith.addf %acc, %a0 : {x.element}", "%r"],
        loops=4,
    )
    e = x.element
    return f.elementwise(
        [total],
        _constants(e, size=f"{float(h * w)}")
        + [f"%r = arith.divf %a0, %size : {e}", "%r"],
    )


def squeeze_excite(f, x, width):
    """Scales every channel by a gate computed from all pixels."""
    squeezed = relu(f, linear(f, global_mean(f, x), width))
    gate = hard_sigmoid(f, linear(f, squeezed, x.shape[-1]))
    return f.elementwise(
        [x, gate],
        [f"%r = arith.mulf %a0, %a1 : {x.element}", "%r"],
        maps=[[0, 1, 2, 3], [0, 3]],
    )


def up_convolution(f, x, channels):
    """Transposed convolution, 2x2 with stride 2, as a matmul and a shuffle."""
    n, h, w, c = x.shape
    rows = f.reshape(x, [h * w, c], [[0, 1, 2], [3]])
    wide = linear(f, rows, 4 * channels, with_bias=False)
    cells = f.reshape(
        wide, [h, w, 2, 2, channels], [[0, 1], [2, 3, 4]]
    )
    shuffled = f.transpose(cells, [0, 2, 1, 3, 4])
    y = f.reshape(
        shuffled, [2 * h, 2 * w, channels], [[0, 1], [2, 3], [4]]
    )
    image = f.reshape(y, [n, 2 * h, 2 * w, channels], [[0, 1], [2], [3]])
    return bias(f, image)


# -- transformer layers --------------------------------------------------------


def matmul(f, x, weight, element=None):
    """x * weight; sums are kept in `element`."""
    e = element or x.element
    target = f.filled([x.shape[0], weight.shape[1]], e)
    return f.named("matmul", [x, weight], target)


def linear(f, x, width, with_bias=True, weight=None):
    """A matmul with f32 sums, cast back to the element type of x."""
    weight = weight or f.argument([x.shape[-1], width], x.element)
    y = f.cast(matmul(f, x, weight, "f32"), x.element)
    return bias(f, y) if with_bias else y


def _center(f, x):
    """x minus its mean along the last dimension."""
    rank = len(x.shape)
    total = f.reduce_last(x, "addf", "0.0")
    return f.elementwise(
        [x, total],
        _constants("f32", size=f"{float(x.shape[-1])}")
        + [
            "%m = arith.divf %a1, %size : f32",
            "%r = arith.subf %a0, %m : f32",
            "%r",
        ],
        maps=[list(range(rank)), list(range(rank - 1))],
    )


def rms_norm(f, x, gain=None):
    """x / sqrt(mean(x^2)) * gain, computed in f32."""
    rank = len(x.shape)
    every, rows = list(range(rank)), list(range(rank - 1))
    gain = gain or f.argument([x.shape[-1]], x.element)
    wide = f.cast(x, "f32")
    squares = f.reduce_last(f.multiply(wide, wide), "addf", "0.0")
    scaled = f.elementwise(
        [wide, squares],
        _constants("f32", size=f"{float(x.shape[-1])}", eps="1.0e-5")
        + [
            "%m = arith.divf %a1, %size : f32",
            "%s = arith.addf %m, %eps : f32",
            "%d = math.rsqrt %s : f32",
            "%r = arith.mulf %a0, %d : f32",
            "%r",
        ],
        maps=[every, rows],
    )
    narrow = f.cast(scaled, x.element)
    return f.elementwise(
        [narrow, gain],
        [f"%r = arith.mulf %a0, %a1 : {x.element}", "%r"],
        maps=[every, [rank - 1]],
    )


def layer_norm(f, x):
    return bias(f, rms_norm(f, _center(f, x)))


def softmax(f, x):
    """Along the last dimension, in f32."""
    rank = len(x.shape)
    every, rows = list(range(rank)), list(range(rank - 1))
    top = f.reduce_last(x, "maximumf", LOWEST["f32"])
    powers = f.elementwise(
        [x, top],
        [
            "%b = arith.subf %a0, %a1 : f32",
            "%r = math.exp %b : f32",
            "%r",
        ],
        maps=[every, rows],
    )
    total = f.reduce_last(powers, "addf", "0.0")
    return f.elementwise(
        [powers, total],
        ["%r = arith.divf %a0, %a1 : f32", "%r"],
        maps=[every, rows],
    )


def split_heads(f, x, heads):
    """[tokens, width] to [heads, tokens, width / heads]."""
    tokens, width = x.shape
    split = f.reshape(x, [tokens, heads, width // heads], [[0], [1, 2]])
    return f.transpose(split, [1, 0, 2])


def merge_heads(f, x):
    heads, tokens, lane = x.shape
    joined = f.transpose(x, [1, 0, 2])
    return f.reshape(joined, [tokens, heads * lane], [[0], [1, 2]])


def attend(f, q, k, v):
    """softmax(q k^T / sqrt(lane)) v on [heads, tokens, lane]."""
    heads, tokens, lane = q.shape
    context = k.shape[1]
    keys = f.transpose(k, [0, 2, 1])
    target = f.filled([heads, tokens, context], "f32")
    scores = f.named("batch_matmul", [q, keys], target)
    scaled = f.elementwise(
        [scores],
        _constants("f32", root=f"{lane ** 0.5}")
        + ["%r = arith.divf %a0, %root : f32", "%r"],
    )
    weights = f.cast(softmax(f, scaled), v.element)
    mixed = f.named(
        "batch_matmul", [weights, v], f.filled([heads, tokens, lane], "f32")
    )
    return merge_heads(f, f.cast(mixed, q.element))


def rotate(f, x, cosine, sine):
    """Rotary position embedding on [heads, tokens, lane]: the two halves of
    the lanes are the parts of complex numbers; the tables are [tokens, half].
    """
    heads, tokens, lane = x.shape
    half = [heads, tokens, lane // 2]
    e = x.element
    a = f.extract(x, [0, 0, 0], half, half)
    b = f.extract(x, [0, 0, lane // 2], half, half)

    def part(op, left, right):
        return f.elementwise(
            [left, right, cosine, sine],
            [
                f"%p = arith.mulf %a0, %a2 : {e}",
                f"%q = arith.mulf %a1, %a3 : {e}",
                f"%r = arith.{op} %p, %q : {e}",
                "%r",
            ],
            maps=[[0, 1, 2], [0, 1, 2], [1, 2], [1, 2]],
        )

    return f.concat_channels([part("subf", a, b), part("addf", b, a)])
