"""All orders that can ever be legal on a map, and the number of each of them in a table."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.codes cimport check_order
from bordeaux._ext.rules.legal cimport Convoys, find_convoys, orders_of_unit
from bordeaux._ext.rules.structures cimport *

cdef enum:
    ROOM = 1 << 18      # orders of one unit on a board full of others


def every_order(Tables tables not None) -> bytes:
    """The codes, as bytes, of all orders that `Packed.legal` lists in some position on the map, in no order; some come
    more than once. `WAIVE` is the last.

    What a unit may do is asked on boards full of others: fleets at sea, and armies, or fleets on the first coast, the
    second and so on, elsewhere. Another unit more takes no order away. Raises ValueError for a map where one unit has
    more than 262,144 orders.
    """
    cdef const MapTables* m = tables.map
    cdef Order* out = <Order*>malloc(ROOM * sizeof(Order))
    cdef Order order
    cdef int l, k, n, coast
    parts = []
    if out == NULL:
        raise MemoryError
    try:
        for l in range(m.n_locations):
            for coast in range(-1, MAX_COASTS):
                with nogil:
                    n = orders_on_full_board(m, l, coast, out)
                if n > ROOM:
                    raise ValueError(f"{n} orders of one unit, more than {ROOM}")
                parts.append((<const unsigned char*>out)[:n * sizeof(Order)])
            with nogil:
                memset(out, 0, (MAX_NEIGHBOURS + 2) * sizeof(Order))
                for k in range(m.n_neighbours[l]):
                    out[k].kind, out[k].unit, out[k].target = RETREAT, l, m.neighbours[l][k]
                n = m.n_neighbours[l]
                out[n].kind, out[n].unit = DISBAND, l
                n += 1
                if m.is_centre[m.province[l]] and m.home_of[m.province[l]]:
                    out[n].kind, out[n].unit = BUILD, l
                    n += 1
            parts.append((<const unsigned char*>out)[:n * sizeof(Order)])
    finally:
        free(out)
    memset(&order, 0, sizeof(order))
    order.kind = WAIVE
    parts.append((<const unsigned char*>&order)[:sizeof(Order)])
    return b"".join(parts)


cdef int orders_on_full_board(const MapTables* m, int location, int coast, Order* out) noexcept nogil:
    """Write the movement orders of a unit beside fleets in all seas, and on all land armies (`coast` -1) or fleets on
    this coast where there is one."""
    cdef State s
    cdef Convoys convoys
    cdef int p
    memset(&s, 0, sizeof(s))
    for p in range(m.n_provinces):
        if m.terrain[p] == SEA:
            s.unit[p] = make_token(0, m.fleets_at[p][0])
        elif coast < 0:
            s.unit[p] = make_token(0, m.army_at[p])
        elif coast < m.n_fleets[p]:
            s.unit[p] = make_token(0, m.fleets_at[p][coast])
    p = m.province[location]
    s.unit[p] = make_token(0, location)
    find_convoys(m, s.unit, -1, &convoys)
    return orders_of_unit(m, &s, &convoys, p, out, ROOM)


cdef class OrderNumbers:
    """The number of every order in a table: `codes` is uint64[n], each different, all with locations of the map."""

    def __cinit__(self, Tables tables not None, const uint64_t[::1] codes):
        cdef const MapTables* m = tables.map
        cdef Order order
        cdef uint32_t key
        cdef int i, l, slot, bits, total = 0
        cdef int counts[1024]
        self.tables = tables
        self.n = codes.shape[0]
        self.codes = <uint64_t*>malloc((self.n + 1) * sizeof(uint64_t))
        if self.codes == NULL:
            raise MemoryError
        memset(counts, 0, sizeof(counts))
        for i in range(self.n):
            self.codes[i] = codes[i]
            memcpy(&order, &self.codes[i], sizeof(order))
            check_order(m, &order, WAIVE)
            counts[order.unit] += 1
        for l in range(m.n_locations):
            # At most half of the slots are taken, so that the search in them is short and has an end.
            bits = 1
            while 1 << bits < 2 * counts[l]:
                bits += 1
            self.first[l] = total
            self.shift[l] = <uint8_t>(32 - bits)
            total += 1 << bits
        self.slots = <Slot*>malloc(total * sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError
        memset(self.slots, 0xFF, total * sizeof(Slot))
        for i in range(self.n):
            memcpy(&order, &self.codes[i], sizeof(order))
            if self.number(&order) >= 0:
                raise ValueError(f"code {self.codes[i]:#x} is twice in the table")
            l = order.unit
            key = key_of(&order)
            slot = slot_of(key, self.shift[l])
            while self.slots[self.first[l] + slot].number >= 0:
                slot = (slot + 1) & ((1 << (32 - self.shift[l])) - 1)
            self.slots[self.first[l] + slot].key = key
            self.slots[self.first[l] + slot].number = i

    def __dealloc__(self):
        free(self.codes)
        free(self.slots)

    def numbers(self, const uint64_t[::1] codes, int32_t[::1] out):
        """Write the number of each code, or -1 for an order that the table lacks. Raises ValueError for codes that name
        no location of the map, and for arrays of different lengths."""
        cdef Order order
        cdef Py_ssize_t i
        if out.shape[0] != codes.shape[0]:
            raise ValueError(f"{out.shape[0]} numbers for {codes.shape[0]} codes")
        for i in range(codes.shape[0]):
            memcpy(&order, &codes[i], sizeof(order))
            check_order(self.tables.map, &order, WAIVE)
            out[i] = self.number(&order)

    cdef int32_t number(self, const Order* order) noexcept nogil:
        """The number of an order that is on the map, -1 if the table lacks it."""
        cdef int l = order.unit
        cdef uint32_t key = key_of(order)
        cdef const Slot* slots = self.slots + self.first[l]
        cdef int slot = slot_of(key, self.shift[l]), last = (1 << (32 - self.shift[l])) - 1
        while slots[slot].key != key:
            if slots[slot].number < 0:
                return -1
            slot = (slot + 1) & last
        return slots[slot].number


cdef inline uint32_t key_of(const Order* order) noexcept nogil:
    """An order without its unit; those that are on the map have no key in common."""
    return (
        (<uint32_t>order.kind << 24) | (<uint32_t>(order.flags & FLAG_VIA) << 20) | (<uint32_t>order.target << 10)
        | order.destination
    )


cdef inline int slot_of(uint32_t key, uint8_t shift) noexcept nogil:
    return <int>((key * <uint32_t>0x9E3779B1) >> shift)
