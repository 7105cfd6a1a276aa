from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.battle cimport Battle
from bordeaux._ext.learn.game_log cimport GameLog
from bordeaux._ext.net.memory cimport Deeds, Record
from bordeaux._ext.net.policy cimport Policy
from bordeaux._ext.search.rollout cimport Rollout
from bordeaux._ext.rules.structures cimport MAX_POWERS, MapTables, Order, State
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.value.valuer cimport Value

cdef enum:
    MAX_MINDS = 32
    MAX_PARTS = 8           # policies of one mind
    MAX_DRAWS = 64          # sets that one power chooses among, and samples of the others
    MAX_ORDERS = 256        # of one set
    DIRECT = -1             # movement phases played on: none, not even retreats and builds
    SLOTS = 4096            # of the values known in one phase

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

cdef struct Known:
    uint64_t key
    float points[MAX_POWERS]


cdef class SelfPlay:
    cdef readonly Tables tables
    cdef readonly long long valued          # joint sets of orders judged, and how many of them anew
    cdef readonly long long judged
    cdef readonly long long sought          # best responses, and the different sets that they chose among
    cdef readonly long long differing
    cdef tuple choosers                     # keep alive what the policies and values work on
    cdef tuple rollouts
    cdef Policy policies[MAX_MINDS]
    cdef void* nets[MAX_MINDS]              # those that are nets, NULL for others
    cdef void* plays_on[MAX_MINDS]          # the rollouts, by number, and their values
    cdef Value judges[MAX_MINDS]
    cdef float temperatures[MAX_MINDS]      # that they came with
    cdef int n_policies
    cdef Mind minds[MAX_MINDS]
    cdef int n_minds
    cdef State state
    cdef State after
    cdef Battle battle
    cdef Deeds last
    cdef Deeds before
    cdef Record record
    cdef uint64_t chance
    cdef OrderSet* candidates               # [MAX_DRAWS], of the power that chooses
    cdef OrderSet* samples                  # [sample][power], of the mind that chooses
    cdef OrderSet played[MAX_POWERS]
    cdef Known* known                       # by slot
    cdef uint64_t nonce
    cdef Order joint[256]
    cdef Order listed[MAX_ORDERS]
    cdef uint8_t powers[MAX_ORDERS]
    cdef uint8_t outcome[512]
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
    cdef void resolve(self, const OrderSet* sets, int power, const OrderSet* own) noexcept nogil


cdef uint64_t digest(const MapTables* m, const State* s) noexcept nogil
