# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole networks from tables of their published layer shapes.

Each network is a function that returns the text of one MLIR module; NETWORKS
lists them. Weights are arguments, so nothing here depends on trained values.
"""

from builder import Function
import layers as L


# ResNet-50 (He et al., "Deep Residual Learning", table 1):
# (blocks, width of the 3x3 convolutions, stride of the first block).
RESNET50 = [(3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2)]


def resnet50(stages=RESNET50, size=224, classes=1000, zeros=False):
    f = Function("resnet50", zeros)
    x = L.conv(f, f.argument([1, size, size, 3]), 64, 7, 2, "relu")
    x = L.max_pool(f, x, 3, 2)
    for blocks, width, stride in stages:
        for block in range(blocks):
            step = stride if block == 0 else 1
            y = L.conv(f, x, width, 1, 1, "relu")
            y = L.conv(f, y, width, 3, step, "relu")
            y = L.conv(f, y, 4 * width)
            skip = x if block else L.conv(f, x, 4 * width, 1, step)
            x = L.relu(f, f.add(y, skip))
    return f.text(L.linear(f, L.global_mean(f, x), classes))


# MobileNetV3-Large (Howard et al., "Searching for MobileNetV3", table 1):
# (kernel, expansion, channels, squeeze and excite, activation, stride).
MOBILENETV3 = [
    (3, 16, 16, False, "relu", 1),
    (3, 64, 24, False, "relu", 2),
    (3, 72, 24, False, "relu", 1),
    (5, 72, 40, True, "relu", 2),
    (5, 120, 40, True, "relu", 1),
    (5, 120, 40, True, "relu", 1),
    (3, 240, 80, False, "hswish", 2),
    (3, 200, 80, False, "hswish", 1),
    (3, 184, 80, False, "hswish", 1),
    (3, 184, 80, False, "hswish", 1),
    (3, 480, 112, True, "hswish", 1),
    (3, 672, 112, True, "hswish", 1),
    (5, 672, 160, True, "hswish", 2),
    (5, 960, 160, True, "hswish", 1),
    (5, 960, 160, True, "hswish", 1),
]


def mobilenetv3(table=MOBILENETV3, size=224, classes=1000):
    f = Function("mobilenetv3")
    x = L.conv(f, f.argument([1, size, size, 3]), 16, 3, 2, "hswish")
    for kernel, expansion, channels, excite, activation, stride in table:
        y = L.conv(f, x, expansion, 1, 1, activation)
        y = L.depthwise(f, y, kernel, stride, activation)
        if excite:
            y = L.squeeze_excite(f, y, expansion // 4)
        y = L.conv(f, y, channels)
        same = stride == 1 and x.shape[-1] == channels
        x = f.add(x, y) if same else y
    x = L.conv(f, x, 960, 1, 1, "hswish")
    x = L.hard_swish(f, L.linear(f, L.global_mean(f, x), 1280))
    return f.text(L.linear(f, x, classes))


def unet(widths=(64, 128, 256, 512, 1024), size=256):
    """U-Net (Ronneberger et al.), padded; its skips span the whole network."""
    f = Function("unet")
    x = f.argument([1, size, size, 3])
    skips = []
    for width in widths:
        if skips:
            x = L.max_pool(f, x, 2, 2)
        x = L.conv(f, x, width, 3, 1, "relu")
        x = L.conv(f, x, width, 3, 1, "relu")
        skips.append(x)
    for width, skip in zip(widths[-2::-1], skips[-2::-1]):
        x = f.concat_channels([skip, L.up_convolution(f, x, width)])
        x = L.conv(f, x, width, 3, 1, "relu")
        x = L.conv(f, x, width, 3, 1, "relu")
    return f.text(L.conv(f, x, 2))


# ConvNeXt-T (Liu et al., "A ConvNet for the 2020s"): (blocks, width).
CONVNEXT = [(3, 96), (3, 192), (9, 384), (3, 768)]


def convnext(stages=CONVNEXT, size=224, classes=1000):
    f = Function("convnext")
    x = f.argument([1, size, size, 3])
    for index, (blocks, width) in enumerate(stages):
        patch = 4 if index == 0 else 2
        x = L.conv(f, x, width, patch, patch, padded=False)
        for _ in range(blocks):
            y = L.layer_norm(f, L.depthwise(f, x, 7))
            y = L.gelu(f, L.conv(f, y, 4 * width))
            x = f.add(x, L.conv(f, y, width))
    return f.text(L.linear(f, L.global_mean(f, x), classes))


def bert(depth=12, tokens=128, width=768, heads=12):
    """BERT-base's encoder (Devlin et al.): post-norm, f32."""
    f = Function("bert")
    x = f.argument([tokens, width])
    for _ in range(depth):
        q, k, v = (
            L.split_heads(f, L.linear(f, x, width), heads) for _ in range(3)
        )
        y = L.linear(f, L.attend(f, q, k, v), width)
        x = L.layer_norm(f, f.add(x, y))
        y = L.linear(f, L.gelu(f, L.linear(f, x, 4 * width)), width)
        x = L.layer_norm(f, f.add(x, y))
    return f.text(x)


def feed_forward(f, x, hidden, weights=(None, None, None)):
    """LLaMA's gated MLP."""
    gate = L.silu(f, L.linear(f, x, hidden, False, weights[0]))
    up = L.linear(f, x, hidden, False, weights[1])
    return L.linear(f, f.multiply(gate, up), x.shape[-1], False, weights[2])


def llama_prefill(depth=32, tokens=128, width=4096, heads=32, hidden=11008):
    """LLaMA-2 7B (Touvron et al.), f16 with f32 sums, a whole prompt."""
    f = Function("llama_prefill")
    x = f.argument([tokens, width], "f16")
    lane = width // heads
    tables = [f.argument([tokens, lane // 2], "f16") for _ in range(2)]
    for _ in range(depth):
        n = L.rms_norm(f, x)
        q, k, v = (
            L.split_heads(f, L.linear(f, n, width, False), heads)
            for _ in range(3)
        )
        q, k = L.rotate(f, q, *tables), L.rotate(f, k, *tables)
        x = f.add(x, L.linear(f, L.attend(f, q, k, v), width, False))
        x = f.add(x, feed_forward(f, L.rms_norm(f, x), hidden))
    return f.text(x)


def llama_decode(depth=32, context=2048, width=4096, heads=32, hidden=11008):
    """One token against a key and value cache of `context` places."""
    f = Function("llama_decode")
    x = f.argument([1, width], "f16")
    lane = width // heads
    tables = [f.argument([1, lane // 2], "f16") for _ in range(2)]
    cache = [heads, context, lane]
    for _ in range(depth):
        n = L.rms_norm(f, x)
        q, k, v = (
            L.split_heads(f, L.linear(f, n, width, False), heads)
            for _ in range(3)
        )
        q, k = L.rotate(f, q, *tables), L.rotate(f, k, *tables)
        offsets = [0, context - 1, 0]
        keys = f.insert(k, f.argument(cache, "f16"), offsets, k.shape)
        values = f.insert(v, f.argument(cache, "f16"), offsets, v.shape)
        x = f.add(x, L.linear(f, L.attend(f, q, keys, values), width, False))
        x = f.add(x, feed_forward(f, L.rms_norm(f, x), hidden))
    return f.text(x)


def llama_loop(depth=32, tokens=128, width=4096, heads=32, hidden=11008):
    """The prefill as one scf.for over layers with stacked weights."""
    f = Function("llama_loop")
    x = f.argument([tokens, width], "f16")
    stacks = {
        name: f.argument([depth] + shape, "f16")
        for name, shape in {
            "gain1": [width],
            "q": [width, width],
            "k": [width, width],
            "v": [width, width],
            "o": [width, width],
            "gain2": [width],
            "gate": [width, hidden],
            "up": [width, hidden],
            "down": [hidden, width],
        }.items()
    }

    def layer(index, carried):
        def weight(name):
            stack = stacks[name]
            rest = stack.shape[1:]
            offsets = [index] + [0] * len(rest)
            return f.extract(stack, offsets, [1] + rest, rest)

        n = L.rms_norm(f, carried, weight("gain1"))
        q, k, v = (
            L.split_heads(f, L.linear(f, n, width, False, weight(w)), heads)
            for w in "qkv"
        )
        mixed = L.attend(f, q, k, v)
        x = f.add(carried, L.linear(f, mixed, width, False, weight("o")))
        n = L.rms_norm(f, x, weight("gain2"))
        weights = [weight(w) for w in ("gate", "up", "down")]
        x = f.add(x, feed_forward(f, n, hidden, weights))
        return f.store_into(x, carried)

    return f.text(f.loop(depth, x, layer))


def moe(tokens=64, width=4096, hidden=14336, experts=8):
    """A mixture-of-experts layer with Mixtral 8x7B's shapes (Jiang et al.):
    each expert runs only if its gate is open, else a small adapter does."""
    f = Function("moe")
    x = f.argument([tokens, width], "f16")
    gates = f.argument([experts], "f32")
    n = L.rms_norm(f, x)
    threshold = f.constant("0.125", "f32")
    for expert in range(experts):
        place = f.constant(str(expert), "index")
        gate, is_open = f"%gate{expert}", f"%open{expert}"
        f.line(f"{gate} = tensor.extract {gates.name}[{place}] : {gates.type}")
        f.line(f"{is_open} = arith.cmpf ogt, {gate}, {threshold} : f32")
        x = f.branch(
            is_open,
            x,
            lambda: f.add(x, feed_forward(f, n, hidden)),
            lambda: f.add(x, feed_forward(f, n, hidden // 8)),
        )
    return f.text(x)


NETWORKS = [
    ("resnet50", resnet50),
    ("resnet50_zeros", lambda: resnet50(zeros=True)),
    ("mobilenetv3", mobilenetv3),
    ("unet", unet),
    ("convnext", convnext),
    ("bert", bert),
    ("llama_prefill", llama_prefill),
    ("llama_decode", llama_decode),
    ("llama_loop", llama_loop),
    ("moe", moe),
]

# The same networks at a size that the tests can afford.
REDUCED = [
    ("resnet50", lambda: resnet50([(2, 8, 1), (2, 16, 2)], 32, 10)),
    (
        "resnet50_zeros",
        lambda: resnet50([(2, 8, 1), (2, 16, 2)], 32, 10, zeros=True),
    ),
    ("mobilenetv3", lambda: mobilenetv3(MOBILENETV3[:6], 32, 10)),
    ("unet", lambda: unet((4, 8, 16), 16)),
    ("convnext", lambda: convnext([(1, 8), (2, 16)], 32, 10)),
    ("bert", lambda: bert(2, 8, 32, 4)),
    ("llama_prefill", lambda: llama_prefill(2, 8, 32, 4, 88)),
    ("llama_decode", lambda: llama_decode(2, 16, 32, 4, 88)),
    ("llama_loop", lambda: llama_loop(2, 8, 32, 4, 88)),
    ("moe", lambda: moe(4, 32, 64, 3)),
]
