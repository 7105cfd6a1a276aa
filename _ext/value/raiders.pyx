"""Limited raiding (paper 002, section 4.3.2): one unit among many empty centres can take one a year."""

from libc.stdint cimport uint64_t

from bordeaux._ext.rules.portable cimport count_bits
from bordeaux._ext.rules.structures cimport WORDS, lowest_bit
from bordeaux._ext.value.survey cimport Side, Survey


cdef void dilute_raiders(
    int n_words, int power, const Side* own, const Side* others, const uint64_t* vacant,
    const uint64_t (*owned)[WORDS], Survey* seen
) noexcept nogil:
    """Divide each unit over the vacant foreign centres to which it is nearest (section 4.3.2).

    One unit can take one centre a year; the rest stays with the owner.
    """
    cdef uint64_t raided[WORDS]
    cdef uint64_t bits[WORDS]
    cdef uint64_t any = 0
    cdef int k, w
    for k in range(own.n):
        for w in range(n_words):
            bits[w] = seen.own_covers[w][k] & vacant[w] & ~owned[power][w]
        spread(n_words, bits, bits, -1, seen)
    # Raids of others matter only where they touch a centre of ours.
    for w in range(n_words):
        raided[w] = vacant[w] & owned[power][w]
        any |= raided[w]
    if not any:
        return
    for k in range(others.n):
        any = 0
        for w in range(n_words):
            any |= seen.covers[w][k] & raided[w]
        if not any:
            continue
        for w in range(n_words):
            bits[w] = seen.covers[w][k] & vacant[w] & ~owned[others.power[k]][w]
        spread(n_words, bits, raided, 1, seen)


cdef inline void spread(
    int n_words, const uint64_t* covered, const uint64_t* counting, float sign, Survey* seen
) noexcept nogil:
    """Divide a unit over the centres that it covers, among those that count."""
    cdef int w, p, n = 0
    cdef uint64_t bits
    cdef float lost
    for w in range(n_words):
        n += count_bits(covered[w])
    if n < 2:
        return
    lost = sign * (1 - 1 / <float>n)
    for w in range(n_words):
        bits = covered[w] & counting[w]
        while bits:
            p = 64 * w + lowest_bit(bits)
            bits &= bits - 1
            seen.shares[p] += lost / seen.total[p]
