"""The loss of a learnt policy on given orders, and the gradient of its scores."""

from libc.stdint cimport uint16_t

from bordeaux._ext.net.weights cimport Weights
from bordeaux._ext.learn.net_gradient cimport Slopes
from bordeaux._ext.net.looker cimport Looker, Scratch, Table
from bordeaux._ext.rules.structures cimport Order, State

# Sums over the examples of a lesson.
cdef struct Tally:
    double loss         # of choices by their weights, those of the second look
    double weight
    double likely       # probability of what was chosen, summed over choices
    long long choices
    long long first     # choices of which the likeliest option was taken

cdef int labels(
    const Looker* look, const State* s, const Table* t, const Order* given, int n, int* chosen
) noexcept nogil
cdef void of_units(
    const Looker* look, const State* s, int power, const Table* t, const int* chosen, const Scratch* joint,
    float weight, float first, Slopes* d, Weights* grad, Tally* tally
) noexcept nogil
cdef void of_adjustments(
    const Table* t, const Order* given, int n, float weight, Slopes* d, Tally* tally
) noexcept nogil
