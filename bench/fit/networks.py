# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks as lists of ops, for the benchmark of fits.

An op makes one tensor from others; weights are backed (they come from the slow
memory). Sizes are bytes of float16. What each network is made of follows the
papers that its function names; only shapes count here.
"""

KIB = 1024


class Graph:
    """Tensors with a size and the times at which ops touch them."""

    def __init__(self):
        self.sizes, self.uses, self.backed, self.time = [], [], [], 0

    def _add(self, size, backed):
        self.sizes.append(int(size))
        self.uses.append([])
        self.backed.append(backed)
        return len(self.sizes) - 1

    def given(self, size):
        return self._add(size, True)

    def op(self, size, *inputs, weight=0):
        """The tensor that an op makes of its inputs, and of a weight."""
        inputs = list(dict.fromkeys(inputs))
        if weight:
            inputs.append(self.given(weight))
        for tensor in inputs:
            self.uses[tensor].append(f"{self.time}")
        out = self._add(size, False)
        self.uses[out].append(f"{self.time}w")
        self.time += 1
        return out

    def rows(self):
        for i, size in enumerate(self.sizes):
            uses = self.uses[i]
            lower = 0 if self.backed[i] else int(uses[0].rstrip("w"))
            upper = int(uses[-1].rstrip("w")) + 1
            yield f"t{i},{lower},{upper},{size},64,{' '.join(uses)},{int(self.backed[i])}"

    def csv(self):
        head = "id,lower,upper,size,alignment,uses,backed\n"
        return head + "\n".join(self.rows()) + "\n"

    def load(self):
        """The most that is live at one time, each from its first to its last use."""
        change = [0] * (self.time + 1)
        for size, uses in zip(self.sizes, self.uses):
            change[int(uses[0].rstrip("w"))] += -(-size // 64) * 64
            change[int(uses[-1].rstrip("w")) + 1] -= -(-size // 64) * 64
        most = load = 0
        for step in change:
            load += step
            most = max(most, load)
        return most

    def need(self):
        """The most that one op touches."""
        needs = [0] * self.time
        for size, uses in zip(self.sizes, self.uses):
            for use in uses:
                needs[int(use.rstrip("w"))] += -(-size // 64) * 64
        return max(needs)


def conv(g, x, side, channels, inputs, kernel=3):
    return g.op(2 * side * side * channels, x, weight=2 * kernel * kernel * channels * inputs)


def unet(depth=4, side=64, channels=16):
    """Ronneberger et al. 2015: skips that live across the whole valley."""
    g = Graph()
    x, skips, inputs = g.given(2 * side * side * 3), [], 3
    for level in range(depth):
        x = conv(g, x, side, channels, inputs)
        x = conv(g, x, side, channels, channels)
        skips.append((x, side, channels))
        x = g.op(2 * (side // 2) ** 2 * channels, x)
        side, inputs, channels = side // 2, channels, channels * 2
    x = conv(g, x, side, channels, inputs)
    for skip, side, channels in reversed(skips):
        x = g.op(2 * side * side * channels, x, weight=8 * channels * channels)
        x = g.op(4 * side * side * channels, x, skip)
        x = conv(g, x, side, channels, 2 * channels)
        x = conv(g, x, side, channels, channels)
    return g


def resnet(blocks=(3, 4, 6, 3), side=56, channels=64):
    """He et al. 2015, bottlenecks."""
    g = Graph()
    x, inputs = g.given(2 * side * side * channels), channels
    for stage, count in enumerate(blocks):
        for _ in range(count):
            y = conv(g, x, side, channels, inputs, 1)
            y = conv(g, y, side, channels, channels)
            y = conv(g, y, side, 4 * channels, channels, 1)
            if inputs != 4 * channels:
                x = conv(g, x, side, 4 * channels, inputs, 1)
            x = g.op(2 * side * side * 4 * channels, x, y)
            inputs = 4 * channels
        side, channels = max(side // 2, 7), channels * 2
    return g


def densenet(layers=24, side=28, growth=32):
    """Huang et al. 2016: every layer reads all before it."""
    g = Graph()
    made = [g.given(2 * side * side * 64)]
    for i in range(layers):
        wide = g.op(2 * side * side * 128, *made, weight=2 * 128 * (64 + i * growth))
        made.append(conv(g, wide, side, growth, 128))
    g.op(2 * side * side * growth, *made)
    return g


def transformer(blocks=6, tokens=128, width=256, heads=4):
    """Vaswani et al. 2017, with a residual around each half of a block."""
    g = Graph()
    x = g.given(2 * tokens * width)
    for _ in range(blocks):
        n = g.op(2 * tokens * width, x)
        q, k, v = (g.op(2 * tokens * width, n, weight=2 * width * width) for _ in range(3))
        parts = []
        for _ in range(heads):
            s = g.op(2 * tokens * tokens, q, k)
            p = g.op(2 * tokens * tokens, s)
            parts.append(g.op(2 * tokens * width // heads, p, v))
        a = g.op(2 * tokens * width, *parts)
        a = g.op(2 * tokens * width, a, weight=2 * width * width)
        x = g.op(2 * tokens * width, x, a)
        n = g.op(2 * tokens * width, x)
        h = g.op(8 * tokens * width, n, weight=8 * width * width)
        h = g.op(8 * tokens * width, h)
        h = g.op(2 * tokens * width, h, weight=8 * width * width)
        x = g.op(2 * tokens * width, x, h)
    return g


def encoder_decoder(blocks=4, tokens=96, width=192):
    """The encoder's result is read by every block of the decoder."""
    g = Graph()
    x = g.given(2 * tokens * width)
    for _ in range(blocks):
        h = g.op(8 * tokens * width, x, weight=8 * width * width)
        h = g.op(2 * tokens * width, h, weight=8 * width * width)
        x = g.op(2 * tokens * width, x, h)
    memory, y = x, g.given(2 * tokens * width)
    for _ in range(blocks):
        q = g.op(2 * tokens * width, y, weight=2 * width * width)
        k = g.op(2 * tokens * width, memory, weight=2 * width * width)
        v = g.op(2 * tokens * width, memory, weight=2 * width * width)
        s = g.op(2 * tokens * tokens, q, k)
        a = g.op(2 * tokens * width, s, v)
        y = g.op(2 * tokens * width, y, a)
        h = g.op(8 * tokens * width, y, weight=8 * width * width)
        h = g.op(2 * tokens * width, h, weight=8 * width * width)
        y = g.op(2 * tokens * width, y, h)
    return g


def inception(blocks=8, side=28, channels=192):
    """Szegedy et al. 2014: four branches, concatenated."""
    g = Graph()
    x = g.given(2 * side * side * channels)
    for i in range(blocks):
        a = conv(g, x, side, 64, channels, 1)
        b = conv(g, conv(g, x, side, 96, channels, 1), side, 128, 96)
        c = conv(g, conv(g, x, side, 16, channels, 1), side, 32, 16, 5)
        d = conv(g, g.op(2 * side * side * channels, x), side, 32, channels, 1)
        channels = 256
        x = g.op(2 * side * side * channels, a, b, c, d)
        side = max(7, side // 2) if i % 3 == 2 else side
    return g


def mobilenet(blocks=16, side=56):
    """Sandler et al. 2018: narrow residuals around wide middles."""
    g = Graph()
    channels = 24
    x = g.given(2 * side * side * channels)
    for i in range(blocks):
        h = conv(g, x, side, 6 * channels, channels, 1)
        h = g.op(2 * side * side * 6 * channels, h, weight=2 * 9 * 6 * channels)
        y = conv(g, h, side, channels, 6 * channels, 1)
        x = g.op(2 * side * side * channels, x, y)
        if i % 4 == 3:
            side, channels = side // 2, channels * 2
            x = conv(g, x, side, channels, channels // 2, 1)
    return g


def hourglass(stacks=3, depth=3, side=32, channels=64):
    """Newell et al. 2016: nets of skips, one after the other."""
    g = Graph()
    x = g.given(2 * side * side * channels)
    for _ in range(stacks):
        first, skips, s = x, [], side
        for _ in range(depth):
            skips.append((conv(g, x, s, channels, channels), s))
            s //= 2
            x = conv(g, g.op(2 * s * s * channels, x), s, channels, channels)
        for skip, s in reversed(skips):
            x = g.op(2 * s * s * channels, g.op(2 * s * s * channels, x), skip)
        x = g.op(2 * side * side * channels, x, first)
    return g


def training(layers=24, width=512, batch=64):
    """A chain and its gradient: what is made first is wanted last."""
    g = Graph()
    made, weights = [g.given(2 * batch * width)], []
    for i in range(layers):
        size = width * (1 + i % 3)
        weights.append((g.given(2 * width * size), size))
        made.append(g.op(2 * batch * size, made[-1], weights[-1][0]))
    grad = g.op(2 * batch * weights[-1][1], made[-1])
    for i in reversed(range(layers)):
        weight, size = weights[i]
        g.op(2 * width * size, grad, made[i])
        grad = g.op(2 * batch * (weights[i - 1][1] if i else width), grad, weight, made[i])
    return g


def recurrent(steps=48, width=256, layers=3):
    """An unrolled LSTM: weights used at every step, states at the next."""
    g = Graph()
    weights = [g.given(8 * width * width) for _ in range(layers)]
    states = [g.given(2 * width * 16) for _ in range(2 * layers)]
    outs = []
    for _ in range(steps):
        x = g.op(2 * width * 16, states[0])
        for i in range(layers):
            gates = g.op(8 * width * 16, x, states[2 * i], weights[i])
            states[2 * i + 1] = g.op(2 * width * 16, gates, states[2 * i + 1])
            x = states[2 * i] = g.op(2 * width * 16, gates, states[2 * i + 1])
        outs.append(x)
    g.op(2 * width * 16, *outs)
    return g


NETWORKS = {
    f.__name__.replace("_", "-"): f
    for f in (unet, resnet, densenet, transformer, encoder_decoder, inception, mobilenet,
              hourglass, training, recurrent)
}


def scattered(buffers, seed=1):
    """Uses at random, some near, some far: for scale."""
    state = seed
    def draw(most):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % most
    g = Graph()
    alive = [g.given(1024)]
    while len(g.sizes) < buffers:
        inputs = [alive[-1 - draw(min(8, len(alive)))]]
        if draw(3) == 0:
            inputs.append(alive[-1 - draw(min(200, len(alive)))])
        alive.append(g.op(64 * (1 + draw(256)), *inputs, weight=64 * draw(64) if draw(4) == 0 else 0))
    return g
