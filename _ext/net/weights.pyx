"""The weights of a learnt policy: `training` makes them, and `bordeaux._ext.net.scores` runs inference."""

import math

import numpy as np

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

# The arrays of each part, which lie one after the other; those of a wide net last.
cdef tuple LAYOUT = (
    ("input",), ("own2", "near2"), ("bias2",), ("own3", "near3"), ("bias3",), ("source", "context"), ("goal", "helped"),
    ("other",), ("far",), ("kind_bias",), ("kind_out",), ("kind_base",), ("orders",), ("order_bias",), ("second",),
    ("again",), ("pattern",), ("relation",), ("sharpness",), ("round_own", "round_near"), ("round_whole",),
    ("round_bias",), ("ask_source",), ("ask_goal",), ("ask_kind",), ("ask_order",), ("tell_source",), ("tell_goal",),
    ("tell_kind",), ("tell_order",), ("fitting",),
)
# Of these two arrays lie side by side, row by row; of others with two the second is below the first, round by round.
cdef tuple BESIDE = (PART_SOURCE, PART_GOALS)


def read_arrays(
    arrays: Mapping[str, Any], shapes: Mapping[str, str], sizes: dict[str, int], widths: Mapping[str, int]
) -> dict[str, Any]:
    """Arrays of 32-bit floats with the widths of `shapes`, by name. `sizes` has the known widths by letter and gets the
    others, which must be multiples of 8 up to those of `widths`. Raises ValueError with the name of a wrong array."""
    read = {}
    for name, letters in shapes.items():
        if name not in arrays:
            raise ValueError(f"no array {name!r}")
        read[name] = array = np.asarray(arrays[name])
        if array.dtype != np.float32 or array.ndim != len(letters):
            raise ValueError(f"{name} is no array of 32-bit floats of {len(letters)} dimensions")
        for letter, size in zip(letters, array.shape):
            if sizes.setdefault(letter, size) != size:
                raise ValueError(f"{name} has shape {array.shape}, which does not fit the other arrays")
        if not np.all(np.abs(array) < 1e6):
            raise ValueError("a weight that is no number, or far too large")
    for letter, widest in widths.items():
        if letter in sizes and (sizes[letter] % 8 or not 0 < sizes[letter] <= widest):
            raise ValueError(f"a width of {sizes[letter]}; widths are multiples of 8 up to {widest}")
    return read


cdef class Net:
    """Weights from arrays by name, each of 32-bit floats of one or two dimensions.

    `SHAPES` has the names. `WIDE_SHAPES` has the further names of a net with further rounds; a net has all of them or
    none. Letters stand for widths, which must agree: r rows of `Facts`, o `order_rows`, p `pattern_rows`, t 15 kinds of
    options, g 30, s 5, l 20, u 1. n is the number of rounds, and d is n times c. a, b, c, k, e and q are chosen in
    training, multiples of 8 up to 128, and q up to 32. `n_rows` is the number of rows of the input, `rounds` the number
    of further rounds. Raises ValueError with the name of a wrong array.
    """

    def __cinit__(self, arrays: Mapping[str, Any]):
        cdef Weights* w = &self.weights
        cdef const char* data
        cdef int part
        self.shapes = SHAPES | WIDE_SHAPES if "round_own" in arrays else SHAPES
        self.sizes = sizes = {
            "t": OPTIONS, "g": 2 * OPTIONS, "s": SECONDS, "l": RELATIONS, "u": 1, "o": ORDER_ROWS, "p": PATTERN_ROWS
        }
        read = read_arrays(arrays, self.shapes, sizes, WIDTHS)
        if sizes["k"] + sizes["e"] > 2 * WIDEST:
            raise ValueError("options and names of orders are too wide together")
        if sizes.setdefault("n", 0) * sizes["c"] != sizes.setdefault("d", 0):
            raise ValueError(f"{sizes['n']} rounds of {sizes['c']} numbers, and {sizes['d']} rows of them")
        self.n_rows, self.rounds = sizes["r"], sizes["n"]
        w.n_rows, w.n_orders = sizes["r"], sizes["o"]
        w.a, w.b, w.c, w.k, w.e = sizes["a"], sizes["b"], sizes["c"], sizes["k"], sizes["e"]
        w.rounds, w.q = sizes["n"], sizes.setdefault("q", 0)
        self.n_weights = sum([array.size for array in read.values()])
        self.memory = <float*>calloc(self.n_weights, sizeof(float))
        if self.memory == NULL:
            raise MemoryError
        for part, names in enumerate(LAYOUT):
            together = [read[name].reshape(self.rows_of(part), -1) for name in names if name in read]
            packed = np.hstack(together).tobytes() if together else b""
            data = packed
            memcpy(self.memory + self.starts[part], data, len(packed))
            self.starts[part + 1] = self.starts[part] + len(packed) // sizeof(float)
        self.point(w, self.memory)
        self.settle()

    cdef int rows_of(self, int part):
        """How many pieces the arrays of a part are cut into, which lie in turn."""
        return self.sizes["c"] if part in BESIDE else max(1, self.sizes["n"]) if part == PART_LAYERS else 1

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
        cdef int part
        shapes = {name: tuple(self.sizes[letter] for letter in letters) for name, letters in self.shapes.items()}
        split = {}
        for part, names in enumerate(LAYOUT):
            whole = np.frombuffer(memory[4 * self.starts[part] : 4 * self.starts[part + 1]], np.float32)
            rows, first = self.rows_of(part), 0
            for name in names if len(whole) else ():
                width = math.prod(shapes[name]) // rows
                split[name] = shapes[name], whole.reshape(rows, -1)[:, first : first + width].tobytes()
                first += width
        return {name: split[name] for name in self.shapes}

    def __dealloc__(self):
        free(self.memory)
