"""The weights of a learnt policy: what `training` makes and `bordeaux._ext.net_scores` reckons with."""

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
        cdef size_t used = 0, total = sum(map(len, flat.values())) // sizeof(float)
        cdef const char* data
        cdef float number
        w.n_rows, w.n_orders = sizes["r"], sizes["o"]
        w.a, w.b, w.c, w.k, w.e = sizes["a"], sizes["b"], sizes["c"], sizes["k"], sizes["e"]
        self.memory = <float*>calloc(total, sizeof(float))
        if self.memory == NULL:
            raise MemoryError
        parts = (
            flat["input"], flat["own2"] + flat["near2"], flat["bias2"], flat["own3"] + flat["near3"], flat["bias3"],
            beside(flat["source"], flat["context"], w.c), beside(flat["goal"], flat["helped"], w.c), flat["other"],
            flat["far"], flat["kind_bias"], flat["kind_out"], flat["kind_base"], flat["orders"], flat["order_bias"],
            flat["second"], flat["again"], flat["pattern"], flat["relation"], flat["sharpness"],
        )
        starts = []
        for part in parts:
            data = part
            memcpy(self.memory + used, data, len(part))
            starts.append(used)
            used += len(part) // sizeof(float)
        for k in range(total):
            number = self.memory[k]
            if not -1e6 < number < 1e6:
                raise ValueError("a weight that is no number, or far too large")
        w.input = self.memory + <size_t>starts[0]
        w.layer2 = self.memory + <size_t>starts[1]
        w.bias2 = self.memory + <size_t>starts[2]
        w.layer3 = self.memory + <size_t>starts[3]
        w.bias3 = self.memory + <size_t>starts[4]
        w.source = self.memory + <size_t>starts[5]
        w.goals = self.memory + <size_t>starts[6]
        w.other = self.memory + <size_t>starts[7]
        w.far = self.memory + <size_t>starts[8]
        w.kind_bias = self.memory + <size_t>starts[9]
        w.kind_out = self.memory + <size_t>starts[10]
        w.kind_base = self.memory + <size_t>starts[11]
        w.orders = self.memory + <size_t>starts[12]
        w.order_bias = self.memory + <size_t>starts[13]
        w.second = self.memory + <size_t>starts[14]
        w.again = self.memory + <size_t>starts[15]
        w.pattern = self.memory + <size_t>starts[16]
        memcpy(w.relation, self.memory + <size_t>starts[17], sizeof(w.relation))
        w.sharpness = self.memory[<size_t>starts[18]]
        # Row 0 stands for what is not known.
        memset(self.memory, 0, w.a * sizeof(float))
        return 0

    def __dealloc__(self):
        free(self.memory)


cdef bytes beside(bytes left, bytes right, int rows):
    """Two tables of as many rows side by side."""
    cdef int a = len(left) // rows, b = len(right) // rows, i
    return b"".join(left[i * a : (i + 1) * a] + right[i * b : (i + 1) * b] for i in range(rows))
