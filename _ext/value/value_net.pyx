"""The expected result of a game for each power, by a small net over the rows of the prospect.

The rows of each power (`bordeaux._ext.value.prospect_rows`) are summed. This resembles the first layer of the nets
that chess programs update incrementally (Yu Nasu, *Efficiently Updatable Neural-Network-based Evaluation Functions*,
2018). Two numbers of a sum are added directly to the two logits, as in the prospect. All of them pass a ReLU.
Together with the mean of all living powers' sums they pass one more layer, which adds to the logits. Softmaxes over
the living powers give shares and probabilities of a solo.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from bordeaux._ext.net.kernels cimport net_dense, net_gather
from bordeaux._ext.net.weights import read_arrays
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.value.prospect cimport over, prepare, softmax
from bordeaux._ext.value.prospect import count_rows
from bordeaux._ext.value.prospect_rows cimport *

cdef float[WIDEST_SUM] ZEROS

# The arrays in the order in which they are laid out, and their widths by letters: rows, sums, twice them, the middle
# layer, heads, rows of nobody's solo.
ARRAYS: dict[str, str] = {"rows": "rw", "layer": "dm", "bias": "m", "out": "mh", "nobody": "n"}


cdef class ValueNet(EndValue):
    """A net laid out for a map.

    `arrays` by name: 32-bit floats of the shapes in `ARRAYS`. r is `count_rows` of the standard map (or only the rows
    without names). w is the width of the sums, a multiple of 8 up to 72, and d is twice w. m is the width of the next
    layer, a multiple of 8 up to 32, and h is 2. n are the rows of the logit that no power has a solo. With `names` the
    rows of names are used, which are for the standard map only. `first_year` is the year in which games on the map
    begin, `scale` the points of a whole share. Raises ValueError with the name of a wrong array.
    """

    def __cinit__(self, Tables tables not None, arrays: Mapping[str, Any], bint names, int first_year, float scale=1.0):
        cdef ValueWeights* w = &self.weights
        cdef int part
        cdef const char* data
        sizes = {"h": HEADS, "n": NOBODY_ROWS}
        read = read_arrays(arrays, ARRAYS, sizes, {"w": WIDEST_SUM, "m": WIDEST_MIDDLE})
        if sizes["d"] != 2 * sizes["w"]:
            raise ValueError(f"layer has {sizes['d']} rows where {2 * sizes['w']} are needed")
        if not count_rows(tables, names) <= sizes["r"] <= 0xFFFF:
            raise ValueError(f"{sizes['r']} rows where the map needs {count_rows(tables, names)}")
        w.weighing = &self.weighing
        prepare(&self.weighing, tables.map, names, first_year, scale)
        w.wide = wide_vectors()
        w.n_rows, w.width, w.middle = sizes["r"], sizes["w"], sizes["m"]
        self.widths = {letter: sizes[letter] for letter in "rwdmhn"}
        self.n_weights = sum([array.size for array in read.values()])
        self.memory = <float*>calloc(self.n_weights, sizeof(float))
        if self.memory == NULL:
            raise MemoryError
        for part, array in enumerate(read.values()):
            laid = array.tobytes()
            data = laid
            memcpy(self.memory + self.starts[part], data, len(laid))
            self.starts[part + 1] = self.starts[part] + len(laid) // sizeof(float)
        self.point(w, self.memory)
        self.value_by(scale)

    def __dealloc__(self):
        free(self.memory)

    cdef void judge(self, const State* s, float* share, float* solo) noexcept nogil:
        judge(&self.weights, s, share, solo)

    cdef void point(self, ValueWeights* w, float* memory) noexcept nogil:
        """Let `w` point to arrays with the layout of this net in `memory`."""
        w.rows = memory + self.starts[PART_ROWS]
        w.layer = memory + self.starts[PART_LAYER]
        w.bias = memory + self.starts[PART_BIAS]
        w.out = memory + self.starts[PART_OUT]
        w.nobody = memory + self.starts[PART_NOBODY]

    def arrays(self) -> dict[str, tuple[tuple[int, ...], bytes]]:
        """The present weights: of each array its shape and its 32-bit floats as bytes, by name."""
        cdef const char* data = <const char*>self.memory
        return {
            name: (
                tuple(self.widths[letter] for letter in letters),
                data[sizeof(float) * self.starts[part] : sizeof(float) * self.starts[part + 1]],
            )
            for part, (name, letters) in enumerate(ARRAYS.items())
        }

    def terms(self, Packed position not None, int power) -> dict[str, float]:
        """The loss of the logit of a power's share without the rows of each term, by name; all 0 for an eliminated one.
        Terms interact, so they do not add up to the logit. Raises ValueError for a position on another map, IndexError
        for a power that is not on it."""
        self.check(position, power)
        cdef Sight sight
        cdef Listed listed
        cdef Listed without
        cdef float whole
        cdef int i, first, last, other
        starts = self.first_rows
        parts = dict.fromkeys(starts, 0.0)
        look(&self.weighing, &position.state, &sight.scene)
        if not sight.scene.alive[power]:
            return parts
        for other in range(self.tables.map.n_powers):
            if sight.scene.alive[other]:
                list_rows(&self.weighing, &sight.scene, &position.state, other, &listed)
                sum_rows(&self.weights, &listed, sight.sums[other])
        reckon(&self.weights, &sight)
        whole = sight.logits[0][power]
        list_rows(&self.weighing, &sight.scene, &position.state, power, &listed)
        ends = list(starts.values())[1:] + [self.weights.n_rows]
        for (name, first), last in zip(starts.items(), ends):
            without.n_once = without.n_single = 0
            for i in range(listed.n_once):
                if not first <= listed.once[i] < last:
                    without.once[without.n_once] = listed.once[i]
                    without.n_once += 1
            for i in range(listed.n_single):
                if not first <= listed.single[i] < last:
                    without.single[without.n_single] = listed.single[i]
                    without.n_single += 1
            sum_rows(&self.weights, &without, sight.sums[power])
            reckon(&self.weights, &sight)
            parts[name] = whole - sight.logits[0][power]
        return parts


cdef void sum_rows(const ValueWeights* w, const Listed* listed, float* out) noexcept nogil:
    """Sum up the rows of a power."""
    cdef float single[WIDEST_SUM]
    cdef int i
    net_gather(w.wide, w.rows, listed.single, listed.n_single, ZEROS, w.width, single, 0)
    if w.weighing.factor != 1:
        for i in range(w.width):
            single[i] *= w.weighing.factor
    net_gather(w.wide, w.rows, listed.once, listed.n_once, single, w.width, out, 0)


cdef void reckon(const ValueWeights* w, Sight* x) noexcept nogil:
    """Compute the logits of living powers from their sums."""
    cdef int n = w.weighing.map.n_powers, power, i
    cdef int width = w.width, middle = w.middle
    cdef float mean[WIDEST_SUM]
    cdef float part = <float>1 / max(1, x.scene.n_alive)
    cdef float share, solo
    cdef float* both
    memset(mean, 0, sizeof(mean))
    for power in range(n):
        both = x.both + 2 * width * power
        if not x.scene.alive[power]:
            memset(both, 0, 2 * width * sizeof(float))
            continue
        for i in range(width):
            both[i] = max(<float>0, x.sums[power][i])
            mean[i] += both[i]
    for i in range(width):
        mean[i] *= part
    for power in range(n):
        memcpy(x.both + 2 * width * power + width, mean, width * sizeof(float))
    net_dense(w.wide, x.both, n, 2 * width, w.layer, w.bias, middle, x.middle, 1)
    for power in range(n):
        if not x.scene.alive[power]:
            continue
        share, solo = x.sums[power][0], x.sums[power][1]
        for i in range(middle):
            share += x.middle[middle * power + i] * w.out[HEADS * i]
            solo += x.middle[middle * power + i] * w.out[HEADS * i + 1]
        x.logits[0][power], x.logits[1][power] = share, solo
    x.nobody = 0
    list_common(&x.scene, x.common)
    for i in range(4):
        x.nobody += w.nobody[x.common[i]]


cdef void judge(const ValueWeights* w, const State* s, float* share, float* solo) noexcept nogil:
    """Write the shares of all powers and, unless NULL, their probabilities of a solo."""
    cdef Sight sight
    cdef Listed listed
    cdef int power, n = w.weighing.map.n_powers
    look(w.weighing, s, &sight.scene)
    if over(&sight.scene, s, n, share, solo):
        return
    for power in range(n):
        if sight.scene.alive[power]:
            list_rows(w.weighing, &sight.scene, s, power, &listed)
            sum_rows(w, &listed, sight.sums[power])
    reckon(w, &sight)
    softmax(&sight.scene, sight.logits[0], n, NULL, share)
    if solo != NULL:
        softmax(&sight.scene, sight.logits[1], n, &sight.nobody, solo)
