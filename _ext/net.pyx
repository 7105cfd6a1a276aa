"""The weights of a learnt policy: `training` makes them, and `bordeaux._ext.net_scores` runs inference."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from bordeaux._ext.options cimport OPTIONS, ORDER_ROWS, PATTERN_ROWS

# Which arrays a net has, and their widths by letters: rows of the input and of orders, kinds, and those of layers.
SHAPES = {
    "input": "ra", "own2": "ab", "near2": "ab", "bias2": "b", "own3": "bc", "near3": "bc", "bias3": "c",
    "source": "ck", "goal": "ck", "helped": "ck", "other": "ak", "far": "ak", "kind_bias": "tk", "kind_out": "tk",
    "kind_base": "t", "context": "ce", "orders": "oe", "order_bias": "o", "second": "ts", "again": "g",
    "pattern": "p", "relation": "l", "sharpness": "u",
}

# How the arrays lie one after the other: each by itself, two of them as one matrix, or two side by side.
cdef tuple PLAIN = (
    "input", "", "bias2", "", "bias3", "", "", "other", "far", "kind_bias", "kind_out", "kind_base", "orders",
    "order_bias", "second", "again", "pattern", "relation", "sharpness",
)
cdef dict STACKED = {1: ("own2", "near2"), 3: ("own3", "near3")}
cdef dict BESIDE = {5: ("source", "context"), 6: ("goal", "helped")}


cdef class Net:
    """Weights from arrays by name, each of 32-bit floats of one or two dimensions.

    `SHAPES` has the names; letters stand for widths, which must agree: r rows of `Facts`, o `order_rows`,
    p `pattern_rows`, t 15 kinds of options, g 30, s 5, l 20, u 1, and a, b, c, k, e as trained, multiples of 8 up to
    64. `n_rows` is how many rows of the input there are. Raises ValueError that tells which array is wrong.
    """

    def __init__(self, arrays):
        sizes = {"t": OPTIONS, "g": 2 * OPTIONS, "s": SECONDS, "l": RELATIONS, "u": 1}
        sizes |= {"o": ORDER_ROWS, "p": PATTERN_ROWS}
        flat = {}
        for name, letters in SHAPES.items():
            if name not in arrays:
                raise ValueError(f"no array {name!r}")
            view = memoryview(arrays[name])
            if view.format != "f" or view.ndim != len(letters) or not view.c_contiguous:
                raise ValueError(f"{name} is no array of 32-bit floats of {len(letters)} dimensions")
            for letter, size in zip(letters, view.shape):
                if sizes.setdefault(letter, size) != size:
                    raise ValueError(f"{name} has shape {view.shape}, which does not fit the other arrays")
            flat[name] = bytes(view)
        for letter in "abcke":
            if sizes[letter] % 8 or not 0 < sizes[letter] <= WIDEST:
                raise ValueError(f"a width of {sizes[letter]}; widths are multiples of 8 up to {WIDEST}")
        if sizes["k"] + sizes["e"] > 2 * WIDEST:
            raise ValueError("options and names of orders are too wide together")
        self.n_rows = sizes["r"]
        self.keep(flat, sizes)

    cdef int keep(self, dict flat, dict sizes) except -1:
        """Lay the arrays out as they are needed."""
        cdef Weights* w = &self.weights
        cdef const char* data
        cdef float number
        cdef size_t k
        cdef int part
        w.n_rows, w.n_orders = sizes["r"], sizes["o"]
        w.a, w.b, w.c, w.k, w.e = sizes["a"], sizes["b"], sizes["c"], sizes["k"], sizes["e"]
        self.sizes = sizes
        self.n_weights = sum(map(len, flat.values())) // sizeof(float)
        self.memory = <float*>calloc(self.n_weights, sizeof(float))
        if self.memory == NULL:
            raise MemoryError
        parts = (
            flat["input"], flat["own2"] + flat["near2"], flat["bias2"], flat["own3"] + flat["near3"], flat["bias3"],
            beside(flat["source"], flat["context"], w.c), beside(flat["goal"], flat["helped"], w.c), flat["other"],
            flat["far"], flat["kind_bias"], flat["kind_out"], flat["kind_base"], flat["orders"], flat["order_bias"],
            flat["second"], flat["again"], flat["pattern"], flat["relation"], flat["sharpness"],
        )
        for part in range(PARTS):
            data = parts[part]
            memcpy(self.memory + self.starts[part], data, len(parts[part]))
            self.starts[part + 1] = self.starts[part] + len(parts[part]) // sizeof(float)
        for k in range(self.n_weights):
            number = self.memory[k]
            if not -1e6 < number < 1e6:
                raise ValueError("a weight that is no number, or far too large")
        self.point(w, self.memory)
        self.settle()
        return 0

    cdef void point(self, Weights* w, float* memory) noexcept nogil:
        """Have `w` point to where arrays like those of this net are laid out in `memory`."""
        w.n_rows, w.n_orders = self.weights.n_rows, self.weights.n_orders
        w.a, w.b, w.c = self.weights.a, self.weights.b, self.weights.c
        w.k, w.e = self.weights.k, self.weights.e
        w.input = memory + self.starts[0]
        w.layer2 = memory + self.starts[1]
        w.bias2 = memory + self.starts[2]
        w.layer3 = memory + self.starts[3]
        w.bias3 = memory + self.starts[4]
        w.source = memory + self.starts[5]
        w.goals = memory + self.starts[6]
        w.other = memory + self.starts[7]
        w.far = memory + self.starts[8]
        w.kind_bias = memory + self.starts[9]
        w.kind_out = memory + self.starts[10]
        w.kind_base = memory + self.starts[11]
        w.orders = memory + self.starts[12]
        w.order_bias = memory + self.starts[13]
        w.second = memory + self.starts[14]
        w.again = memory + self.starts[15]
        w.pattern = memory + self.starts[16]

    cdef void settle(self) noexcept nogil:
        """Take over what is kept twice after `memory` has changed."""
        memcpy(self.weights.relation, self.memory + self.starts[17], sizeof(self.weights.relation))
        self.weights.sharpness = self.memory[self.starts[18]]
        # Row 0 stands for what is not known.
        memset(self.memory, 0, self.weights.a * sizeof(float))

    def arrays(self):
        """The weights as they are: of each array its shape and its 32-bit floats as bytes, by name."""
        return self.split(self.memory)

    cdef dict split(self, const float* laid):
        """Arrays that are laid out like the weights, by name."""
        cdef const char* memory = <const char*>laid
        parts = [memory[4 * self.starts[i] : 4 * self.starts[i + 1]] for i in range(PARTS)]
        flat = {name: parts[i] for i, name in enumerate(PLAIN) if name}
        for i, (upper, lower) in STACKED.items():
            flat[upper], flat[lower] = parts[i][: len(parts[i]) // 2], parts[i][len(parts[i]) // 2 :]
        for i, (left, right) in BESIDE.items():
            width = 4 * self.sizes[SHAPES[left][1]]
            flat[left], flat[right] = apart(parts[i], width, self.sizes["c"])
        return {name: (tuple(self.sizes[letter] for letter in SHAPES[name]), flat[name]) for name in SHAPES}

    def __dealloc__(self):
        free(self.memory)


cdef bytes beside(bytes left, bytes right, int rows):
    """Two tables of as many rows side by side."""
    cdef int a = len(left) // rows, b = len(right) // rows, i
    return b"".join(left[i * a : (i + 1) * a] + right[i * b : (i + 1) * b] for i in range(rows))


cdef tuple apart(bytes both, int width, int rows):
    """Two tables that `beside` has put side by side, the left one's rows being `width` bytes."""
    cdef int step = len(both) // rows, i
    return (
        b"".join(both[i * step : i * step + width] for i in range(rows)),
        b"".join(both[i * step + width : (i + 1) * step] for i in range(rows)),
    )
