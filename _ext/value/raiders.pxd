from libc.stdint cimport uint64_t

from bordeaux._ext.rules.structures cimport WORDS
from bordeaux._ext.value.survey cimport Side, Survey


cdef void dilute_raiders(
    int n_words, int power, const Side* own, const Side* others, const uint64_t* vacant,
    const uint64_t (*owned)[WORDS], Survey* seen
) noexcept nogil
