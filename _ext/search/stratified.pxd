"""Stratified random numbers: a few of them cover the range more evenly than independent ones."""

from libc.stdint cimport uint64_t

from bordeaux._ext.rules.splitmix cimport mix

cdef enum:
    DIGITS = 12


cdef inline uint64_t stratified(uint64_t seed, uint64_t number) noexcept nogil:
    """Random bits number `number` of the sequence of a seed. Each number by itself is uniform. Of 2^k consecutive ones
    from a multiple of 2^k on (k up to `DIGITS`), one falls into each of 2^k equal intervals: the van der Corput
    sequence with Owen's scrambling (A. Owen, Randomly permuted (t,m,s)-nets, 1995)."""
    cdef uint64_t bits = 0, digit, before = 1
    cdef int i
    for i in range(DIGITS):
        digit = number >> i & 1
        # A digit is flipped or not by all digits before it.
        bits |= ((digit ^ mix(seed ^ mix(before))) & 1) << (63 - i)
        before = before << 1 | digit
    return bits | mix(seed + mix(number)) >> DIGITS


cdef inline double uniform(uint64_t bits) noexcept nogil:
    """A number from 0 to below 1 of random bits."""
    return (bits >> 11) * (1.0 / (<uint64_t>1 << 53))
