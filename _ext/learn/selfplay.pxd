from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.learn.game_log cimport GameLog
from bordeaux._ext.net.memory cimport Deeds, Record
from bordeaux._ext.net.policy cimport Policy
from bordeaux._ext.rules.resolve cimport Joint
from bordeaux._ext.rules.structures cimport MAX_POWERS, Order, State
from bordeaux._ext.rules.tables cimport Tables

cdef enum:
    MAX_MINDS = 32
    MAX_PARTS = 8           # policies of one mind
    MAX_DRAWS = 64          # sets that one power chooses among, and samples of the others
    MAX_ORDERS = 256        # of one set

# Who proposes sets, or is believed of others.
cdef struct Part:
    int policy
    int draws               # of a proposer
    float share             # of a belief
    float temperature

cdef struct Mind:
    int n_proposers, n_beliefs, samples, rounds, movements, value
    Part proposers[MAX_PARTS]
    Part beliefs[MAX_PARTS]

# Orders of one power.
cdef struct OrderSet:
    int n
    int drawn               # how often the first proposer drew it
    int tried               # samples that it was valued against, and the sum of its values
    uint64_t key
    double total
    Order orders[MAX_ORDERS]


cdef class SelfPlay:
    cdef readonly Tables tables
    cdef readonly long long sought          # best responses, and the different sets that they chose among
    cdef readonly long long differing
    cdef tuple choosers                     # keeps alive what the policies work on
    cdef Policy policies[MAX_MINDS]
    cdef float temperatures[MAX_MINDS]      # that they came with
    cdef tuple judges                       # `JointValues`, by number
    cdef void* judge[MAX_MINDS]             # the same, for use without the GIL
    cdef int n_policies
    cdef Mind minds[MAX_MINDS]
    cdef int n_minds
    cdef State state
    cdef State after
    cdef Joint joint
    cdef Deeds last
    cdef Deeds before
    cdef Record record
    cdef uint64_t chance
    cdef OrderSet* candidates               # [MAX_DRAWS], of the power that chooses
    cdef OrderSet* samples                  # [sample][power], of the mind that chooses
    cdef OrderSet played[MAX_POWERS]
    cdef uint64_t salt                      # of the chance in rollouts
    cdef float gains[MAX_POWERS]
    cdef float values[MAX_POWERS]
    cdef GameLog log

    cdef int add_mind(self, mind) except -1
    cdef int read_part(self, Part* part, given, bint proposes) except -1
    cdef void game(self, const uint8_t* seats, int until) noexcept nogil
    cdef bint owes(self, int power) noexcept nogil
    cdef void ask(self, const Part* part, int power, OrderSet* out) noexcept nogil
    cdef void choose(self, const uint8_t* seats) noexcept nogil
    cdef int propose(self, const Mind* mind, int power) noexcept nogil
    cdef void sample(self, const Mind* mind) noexcept nogil
    cdef void respond(self, int number, int power, int n) noexcept nogil
    cdef void rank(self, int* left, int n) noexcept nogil
    cdef double mean_of(self, int candidate) noexcept nogil
    cdef void lay_deeds(self) noexcept nogil
    cdef float worth(
        self, const Mind* mind, int power, const OrderSet* sets, const OrderSet* own, int c
    ) noexcept nogil
    cdef void lay(self, Joint* joint, const OrderSet* sets, int power, const OrderSet* own) noexcept nogil
    cdef void remind(self, const Record* record) noexcept nogil
