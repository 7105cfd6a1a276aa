from bordeaux._ext.rules.structures cimport MapTables, Order, State


cdef inline bint on_map(const MapTables* m, const Order* order, int last_kind) noexcept nogil:
    """Whether an order is of a kind up to `last_kind` and names nothing but locations of the map."""
    return (
        order.kind <= last_kind and order.unit < m.n_locations and order.target < m.n_locations
        and order.destination < m.n_locations
    )


cdef int count_codes(bytes orders) except -1
cdef int read_code(const MapTables* m, bytes orders, int k, int last_kind, Order* into) except -1
cdef int check_order(const MapTables* m, const Order* order, int last_kind) except -1
cdef int check_legal(const MapTables* m, const State* s, const Order* order, int power) except -1
cdef int giver_of(const MapTables* m, const State* s, const Order* order) noexcept nogil
cdef int lay(const MapTables* m, bytes orders, Order* by_province) except -1
cdef list codes_of(const Order* orders, int n)
