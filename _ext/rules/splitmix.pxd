"""SplitMix64 (Steele, Lea and Flood 2014): the only random number generator and bit mixer of the core."""

from libc.stdint cimport uint64_t


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """The number that SplitMix64 gives in state `x`: well spread bits, as order-independent keys want them."""
    x += <uint64_t>0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t next_number(uint64_t* state) noexcept nogil:
    """The next of 64 random bits, all equally likely."""
    cdef uint64_t z = mix(state[0])
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return z
