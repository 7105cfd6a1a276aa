"""How a power plays that draws sets and takes the best of them."""

from libc.math cimport pow

# A set of a pool by number, with its share of the draws, and the sum of its values in some samples.
cdef struct Ranked:
    int number
    double share
    double value


cdef inline void rank(Ranked* sets, int n) noexcept nogil:
    """Sort sets by their values, best first; equals stay in order."""
    cdef Ranked moved
    cdef int i, k
    for i in range(1, n):
        moved, k = sets[i], i
        while k and sets[k - 1].value < moved.value:
            sets[k] = sets[k - 1]
            k -= 1
        sets[k] = moved


cdef inline void share_chosen(const Ranked* ranking, int n, double among, double* chosen) noexcept nogil:
    """Write for each set, by its number, the probability (0 to 1) that it is the best of `among` draws (1 or more), of
    sets from the best to the worst whose shares sum to 1."""
    cdef double left = 1, before
    cdef int i
    for i in range(n):
        # No draw is better than this set, and not all are worse.
        before = pow(left, among)
        left -= ranking[i].share
        left = left if left > 0 else 0
        chosen[ranking[i].number] = before - pow(left, among)
