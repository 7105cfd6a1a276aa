"""The vectorised loops over provinces in an evaluation (survey.h)."""

from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.structures cimport WORDS


cdef extern from "value/survey.h" nogil:
    enum:
        SURVEY_SOURCES

    ctypedef struct Side:
        int n_units
        int n
        const uint8_t* rows[SURVEY_SOURCES]
        uint8_t power[SURVEY_SOURCES]

    ctypedef struct Survey:
        uint8_t total[256]
        uint8_t own_beside[256]
        float shares[256]
        uint64_t own_covers[WORDS][SURVEY_SOURCES]
        uint64_t covers[WORDS][SURVEY_SOURCES]

    void survey_look(int wide, Survey* s, const Side* own, const Side* others, int n, int n_centres)
    void survey_weigh(
        int wide, const float* altitude, const float* shares, const float** pulls, int count, int n, float* control,
        float* gravity
    )
    void survey_equal(uint64_t* words, const uint8_t* bytes, uint8_t value, int n)
    int survey_danger(
        const Survey* s, const uint8_t* owner, const uint8_t* standing, uint8_t power, uint8_t taken, int n
    )
