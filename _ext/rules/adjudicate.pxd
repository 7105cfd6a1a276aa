from libc.stdint cimport uint8_t, uint16_t, uint64_t

from bordeaux._ext.rules.structures cimport MapTables, Order


cdef struct Battle:
    const MapTables* map
    const uint64_t* routes          # [army's province][WORDS]: the fleets of its route; NULL: any route
    int n_units
    int n_movers
    int n_supporters
    int n_convoyers
    bint in_cycles
    int missing                     # a province whose verdict was asked for and is not there
    uint8_t units[256]              # provinces with a unit
    uint8_t movers[256]             # and those of them with each kind of order
    uint8_t supporters[256]
    uint8_t convoyers[256]
    uint16_t token[256]
    uint8_t power[256]
    uint8_t kind[256]               # the order as it counts: void orders are holds
    uint8_t dest[256]               # province that a move goes to, or that a support reaches into
    uint16_t dest_location[256]
    uint8_t via[256]                # the move goes by convoy
    uint8_t first_attacker[256]     # chained lists of provinces, ended by NOTHING
    uint8_t next_attacker[256]
    uint8_t first_supporter[256]
    uint8_t next_supporter[256]
    uint8_t first_convoyer[256]
    uint8_t next_convoyer[256]
    uint8_t state[256]
    uint8_t verdict[256]            # 1 where the order succeeds
    uint8_t outcome[256]
    uint8_t arrival[256]            # where the unit that moved in came from


cdef void fight(
    Battle* b, const MapTables* map, const uint16_t* units, const Order* orders, int rules, const uint64_t* routes
) noexcept nogil
cdef bint is_contested(Battle* b, int province) noexcept nogil
cdef void record_outcomes(Battle* b) noexcept nogil
