"""The weights of a learnt policy: `training` makes them, and `bordeaux._ext.net.scores` runs inference."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from bordeaux._ext.net.options cimport OPTIONS, ORDER_ROWS, PATTERN_ROWS

# Which arrays a net has, and their widths by letters: rows of the input and of orders, kinds, and those of layers.
SHAPES: Mapping[str, str] = {
    "input": "ra", "own2": "ab", "near2": "ab", "bias2": "b", "own3": "bc", "near3": "bc", "bias3": "c",
    "source": "ck", "goal": "ck", "helped": "ck", "other": "ak", "far": "ak", "kind_bias": "tk", "kind_out": "tk",
    "kind_base": "t", "context": "ce", "orders": "oe", "order_bias": "o", "second": "ts", "again": "g",
    "pattern": "p", "relation": "l", "sharpness": "u",
}
# Further weights of a wide net, and weights that are wider there.
WIDE_SHAPES: Mapping[str, str] = {
    "other": "ck", "far": "ck", "round_own": "dc", "round_near": "dc", "round_whole": "dc", "round_bias": "nc",
    "ask_source": "cq", "ask_goal": "cq", "ask_kind": "tq", "ask_order": "oq",
    "tell_source": "cq", "tell_goal": "cq", "tell_kind": "tq", "tell_order": "oq", "fitting": "lt",
}
# The largest width of each letter, all multiples of 8.
WIDTHS: Mapping[str, int] = {"a": WIDEST, "b": WIDEST, "c": WIDEST, "k": WIDEST, "e": WIDEST, "q": MOST_TOLD}

# How the arrays lie one after the other: each by itself, two of them as one matrix, or two side by side; those of a
# wide net last.
cdef tuple PLAIN = (
    "input", "", "bias2", "", "bias3", "", "", "other", "far", "kind_bias", "kind_out", "kind_base", "orders",
    "order_bias", "second", "again", "pattern", "relation", "sharpness", "", "round_whole", "round_bias",
    "ask_source", "ask_goal", "ask_kind", "ask_order", "tell_source", "tell_goal", "tell_kind", "tell_order", "fitting",
)
cdef dict STACKED = {
    PART_LAYER2: ("own2", "near2"), PART_LAYER3: ("own3", "near3"), PART_LAYERS: ("round_own", "round_near")
}
cdef dict BESIDE = {PART_SOURCE: ("source", "context"), PART_GOALS: ("goal", "helped")}


cdef class Net:
    """Weights from arrays by name, each of 32-bit floats of one or two dimensions.

    `SHAPES` has the names. `WIDE_SHAPES` has the further names of a net with further rounds; a net has all of them or
    none. Letters stand for widths, which must agree: r rows of `Facts`, o `order_rows`, p `pattern_rows`, t 15 kinds of
    options, g 30, s 5, l 20, u 1. n is the number of rounds, and d is n times c. a, b, c, k, e and q are chosen in
    training, multiples of 8 up to 128, and q up to 32. `n_rows` is the number of rows of the input, `rounds` the number
    of further rounds. Raises ValueError with the name of a wrong array.
    """

    def __cinit__(self, arrays: Mapping[str, Any]):
        sizes = {"t": OPTIONS, "g": 2 * OPTIONS, "s": SECONDS, "l": RELATIONS, "u": 1}
        sizes |= {"o": ORDER_ROWS, "p": PATTERN_ROWS}
        self.shapes = SHAPES | WIDE_SHAPES if "round_own" in arrays else SHAPES
        flat = {}
        for name, letters in self.shapes.items():
            if name not in arrays:
                raise ValueError(f"no array {name!r}")
            view = memoryview(arrays[name])
            if view.format != "f" or view.ndim != len(letters) or not view.c_contiguous:
                raise ValueError(f"{name} is no array of 32-bit floats of {len(letters)} dimensions")
            for letter, size in zip(letters, view.shape):
                if sizes.setdefault(letter, size) != size:
                    raise ValueError(f"{name} has shape {view.shape}, which does not fit the other arrays")
            flat[name] = bytes(view)
        for letter, widest in WIDTHS.items():
            if letter in sizes and (sizes[letter] % 8 or not 0 < sizes[letter] <= widest):
                raise ValueError(f"a width of {sizes[letter]}; widths are multiples of 8 up to {widest}")
        if sizes["k"] + sizes["e"] > 2 * WIDEST:
            raise ValueError("options and names of orders are too wide together")
        if sizes.setdefault("n", 0) * sizes["c"] != sizes.setdefault("d", 0):
            raise ValueError(f"{sizes['n']} rounds of {sizes['c']} numbers, and {sizes['d']} rows of them")
        sizes.setdefault("q", 0)
        self.n_rows = sizes["r"]
        self.rounds = sizes["n"]
        self.keep(flat, sizes)

    cdef int keep(self, dict flat, dict sizes) except -1:
        """Store the arrays in the layout for inference."""
        cdef Weights* w = &self.weights
        cdef const char* data
        cdef float number
        cdef size_t k
        cdef int part
        w.n_rows, w.n_orders = sizes["r"], sizes["o"]
        w.a, w.b, w.c, w.k, w.e = sizes["a"], sizes["b"], sizes["c"], sizes["k"], sizes["e"]
        w.rounds, w.q = sizes["n"], sizes["q"]
        self.sizes = sizes
        self.n_weights = sum(map(len, flat.values())) // sizeof(float)
        self.memory = <float*>calloc(self.n_weights, sizeof(float))
        if self.memory == NULL:
            raise MemoryError
        for part in range(PARTS):
            if part in STACKED:
                upper, lower = STACKED[part]
                packed = stacked(flat.get(upper, b""), flat.get(lower, b""), self.height(part))
            elif part in BESIDE:
                left, right = BESIDE[part]
                packed = beside(flat[left], flat[right], w.c)
            else:
                packed = flat.get(PLAIN[part], b"")
            data = packed
            memcpy(self.memory + self.starts[part], data, len(packed))
            self.starts[part + 1] = self.starts[part] + len(packed) // sizeof(float)
        for k in range(self.n_weights):
            number = self.memory[k]
            if not -1e6 < number < 1e6:
                raise ValueError("a weight that is no number, or far too large")
        self.point(w, self.memory)
        self.settle()
        return 0

    cdef int height(self, int part):
        """The size in bytes of each of the matrices that are stacked in a part."""
        cdef dict sizes = self.sizes
        width = sizes["b"] if part == PART_LAYER2 else sizes["c"]
        upper = sizes["a"] if part == PART_LAYER2 else sizes["b"] if part == PART_LAYER3 else sizes["c"]
        return sizeof(float) * width * upper

    cdef void point(self, Weights* w, float* memory) noexcept nogil:
        """Let `w` point to arrays with the layout of this net in `memory`."""
        w.n_rows, w.n_orders = self.weights.n_rows, self.weights.n_orders
        w.a, w.b, w.c = self.weights.a, self.weights.b, self.weights.c
        w.k, w.e = self.weights.k, self.weights.e
        w.rounds, w.q = self.weights.rounds, self.weights.q
        w.input = memory + self.starts[PART_INPUT]
        w.layer2 = memory + self.starts[PART_LAYER2]
        w.bias2 = memory + self.starts[PART_BIAS2]
        w.layer3 = memory + self.starts[PART_LAYER3]
        w.bias3 = memory + self.starts[PART_BIAS3]
        w.source = memory + self.starts[PART_SOURCE]
        w.goals = memory + self.starts[PART_GOALS]
        w.other = memory + self.starts[PART_OTHER]
        w.far = memory + self.starts[PART_FAR]
        w.kind_bias = memory + self.starts[PART_KIND_BIAS]
        w.kind_out = memory + self.starts[PART_KIND_OUT]
        w.kind_base = memory + self.starts[PART_KIND_BASE]
        w.orders = memory + self.starts[PART_ORDERS]
        w.order_bias = memory + self.starts[PART_ORDER_BIAS]
        w.second = memory + self.starts[PART_SECOND]
        w.again = memory + self.starts[PART_AGAIN]
        w.pattern = memory + self.starts[PART_PATTERN]
        w.layers = memory + self.starts[PART_LAYERS]
        w.wholes = memory + self.starts[PART_WHOLES]
        w.biases = memory + self.starts[PART_BIASES]
        w.ask.source = memory + self.starts[PART_ASK_SOURCE]
        w.ask.goal = memory + self.starts[PART_ASK_GOAL]
        w.ask.kind = memory + self.starts[PART_ASK_KIND]
        w.ask.order = memory + self.starts[PART_ASK_ORDER]
        w.tell.source = memory + self.starts[PART_TELL_SOURCE]
        w.tell.goal = memory + self.starts[PART_TELL_GOAL]
        w.tell.kind = memory + self.starts[PART_TELL_KIND]
        w.tell.order = memory + self.starts[PART_TELL_ORDER]

    cdef void settle(self) noexcept nogil:
        """Update duplicated data after `memory` has changed."""
        cdef const float* more = self.memory + self.starts[PART_FITTING]
        cdef int kind, r
        memcpy(self.weights.relation, self.memory + self.starts[PART_RELATION], sizeof(self.weights.relation))
        self.weights.sharpness = self.memory[self.starts[PART_SHARPNESS]]
        for kind in range(OPTIONS):
            for r in range(RELATIONS):
                self.weights.fits[kind][r] = self.weights.relation[r]
                if self.rounds:
                    self.weights.fits[kind][r] += more[r * OPTIONS + kind]
        # Row 0 stands for what is not known.
        memset(self.memory, 0, self.weights.a * sizeof(float))

    def arrays(self) -> dict[str, tuple[tuple[int, ...], bytes]]:
        """The present weights: of each array its shape and its 32-bit floats as bytes, by name."""
        return self.split(self.memory)

    cdef dict split(self, const float* laid):
        """Arrays in the layout of the weights, by name."""
        cdef const char* memory = <const char*>laid
        parts = [memory[4 * self.starts[i] : 4 * self.starts[i + 1]] for i in range(PARTS)]
        flat = {name: parts[i] for i, name in enumerate(PLAIN) if name}
        for i, (upper, lower) in STACKED.items():
            flat[upper], flat[lower] = unstacked(parts[i], self.height(i))
        for i, (left, right) in BESIDE.items():
            width = 4 * self.sizes[SHAPES[left][1]]
            flat[left], flat[right] = apart(parts[i], width, self.sizes["c"])
        return {
            name: (tuple(self.sizes[letter] for letter in letters), flat[name])
            for name, letters in self.shapes.items()
        }

    def __dealloc__(self):
        free(self.memory)


cdef bytes stacked(bytes upper, bytes lower, int height):
    """Matrices of so many bytes each, the first one of `upper` above the first one of `lower`, and so on."""
    cdef int i
    return b"".join(upper[i : i + height] + lower[i : i + height] for i in range(0, len(upper), height))


cdef tuple unstacked(bytes both, int height):
    """The inverse of `stacked`."""
    cdef int i
    return (
        b"".join(both[i : i + height] for i in range(0, len(both), 2 * height)),
        b"".join(both[i + height : i + 2 * height] for i in range(0, len(both), 2 * height)),
    )


cdef bytes beside(bytes left, bytes right, int rows):
    """Two tables with the same number of rows side by side."""
    cdef int a = len(left) // rows, b = len(right) // rows, i
    return b"".join(left[i * a : (i + 1) * a] + right[i * b : (i + 1) * b] for i in range(rows))


cdef tuple apart(bytes both, int width, int rows):
    """The inverse of `beside`; the left table's rows have `width` bytes."""
    cdef int step = len(both) // rows, i
    return (
        b"".join(both[i * step : i * step + width] for i in range(rows)),
        b"".join(both[i * step + width : (i + 1) * step] for i in range(rows)),
    )
