"""The compiled form of a map, which every other module of the core reads."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.rules.structures cimport *


cdef class Tables:
    """A map compiled into C tables, once.

    `provinces` is a list of ``(terrain, is_centre, home_mask)``; `locations` a list of
    ``(province, is_fleet, neighbours)`` with neighbours as location numbers, in order;
    `alphabetical` the rank of every province's full name. Raises ValueError when a limit of the
    core (255 provinces, 1,023 locations, 32 neighbours, 4 coasts, 31 powers) is passed.
    """

    def __cinit__(
        self, int n_powers, provinces: Iterable[tuple[int, bool, int]],
        locations: Iterable[tuple[int, bool, Iterable[int]]], alphabetical: Iterable[int],
    ):
        cdef int p, l, k
        if not 1 <= n_powers <= MAX_POWERS:
            raise ValueError(f"{n_powers} powers; a map has 1 to {MAX_POWERS}")
        provinces, locations, alphabetical = tuple(provinces), tuple(locations), tuple(alphabetical)
        if not 1 <= len(provinces) <= MAX_PROVINCES:
            raise ValueError(f"{len(provinces)} provinces; a map has 1 to {MAX_PROVINCES}")
        if not 1 <= len(locations) <= MAX_LOCATIONS:
            raise ValueError(f"{len(locations)} locations; a map has 1 to {MAX_LOCATIONS}")
        if len(alphabetical) != len(provinces):
            raise ValueError(f"{len(alphabetical)} ranks for {len(provinces)} provinces")
        self.map = <MapTables*>calloc(1, sizeof(MapTables))
        if self.map == NULL:
            raise MemoryError
        cdef MapTables* m = self.map
        m.n_powers = n_powers
        m.n_provinces = len(provinces)
        m.n_locations = len(locations)
        m.n_words = (m.n_provinces + 63) // 64
        m.stride = (m.n_provinces + 15) // 16 * 16
        for p, (terrain, is_centre, home_mask) in enumerate(provinces):
            if not 0 <= terrain <= SEA:
                raise ValueError(f"province {p} has terrain {terrain}; there is 0 inland, 1 coastal, 2 sea")
            m.terrain[p] = terrain
            m.is_centre[p] = is_centre
            m.home_of[p] = home_mask
            m.army_at[p] = NO_LOCATION
            m.alphabetical[p] = alphabetical[p]
            if is_centre:
                m.centres[m.n_centres] = p
                m.n_centres += 1
        for l, (province, is_fleet, neighbours) in enumerate(locations):
            p, neighbours = province, tuple(neighbours)
            if not 0 <= p < m.n_provinces:
                raise ValueError(f"location {l} is in province {p}, which does not exist")
            if m.terrain[p] == (INLAND if is_fleet else SEA):
                raise ValueError(f"location {l} is for {'fleets' if is_fleet else 'armies'}: province {p} has none")
            m.province[l] = p
            m.is_fleet[l] = bool(is_fleet)
            if not is_fleet:
                m.army_at[p] = l
            elif m.n_fleets[p] == MAX_COASTS:
                raise ValueError(f"province {p} has more than {MAX_COASTS} coasts")
            else:
                m.fleets_at[p][m.n_fleets[p]] = l
                m.n_fleets[p] += 1
            if len(neighbours) > MAX_NEIGHBOURS:
                raise ValueError(f"location {l} has {len(neighbours)} neighbours; at most {MAX_NEIGHBOURS}")
            m.n_neighbours[l] = len(neighbours)
            for k, neighbour in enumerate(neighbours):
                if not 0 <= neighbour < m.n_locations:
                    raise ValueError(f"location {l} borders on location {neighbour}, which does not exist")
                m.neighbours[l][k] = neighbour
        for p in range(m.n_provinces):
            # The code below reads the location of an army on land, and of a fleet at sea, without a check.
            if m.n_fleets[p] == 0 if m.terrain[p] == SEA else m.army_at[p] == NO_LOCATION:
                raise ValueError(f"province {p} has no location for a unit")
        for l in range(m.n_locations):
            for k in range(m.n_neighbours[l]):
                if m.is_fleet[m.neighbours[l][k]] != m.is_fleet[l]:
                    raise ValueError(f"location {l} borders on location {m.neighbours[l][k]}, of another kind of unit")
                if m.province[m.neighbours[l][k]] == m.province[l]:
                    raise ValueError(f"location {l} borders on its own province")
        link(m)
        if not measure(m):
            raise MemoryError

    def __dealloc__(self):
        if self.map != NULL:
            free(self.map.distance)
            free(self.map.steps)
            free(self.map)

    def distances(self, int location) -> list[int]:
        """Moves from a location to every province, as a list; 255 where there is no way."""
        if not 0 <= location < self.map.n_locations:
            raise IndexError(f"location {location} is not on the map")
        return [self.map.distance[location * self.map.stride + p] for p in range(self.map.n_provinces)]

    def steps(self, int province) -> list[int]:
        """The steps over land and sea from a province to every other, as a list."""
        if not 0 <= province < self.map.n_provinces:
            raise IndexError(f"province {province} is not on the map")
        return [self.map.steps[province * self.map.stride + p] for p in range(self.map.n_provinces)]


cdef void link(MapTables* m) noexcept nogil:
    """Derive which provinces a location reaches, and which provinces and seas touch."""
    cdef int l, k, p, q, w
    for p in range(m.n_provinces):
        if m.terrain[p] == COASTAL:
            set_bit(m.coastal, p)
    for l in range(m.n_locations):
        p = m.province[l]
        for k in range(m.n_neighbours[l]):
            q = m.province[m.neighbours[l][k]]
            set_bit(m.reach[l], q)
            set_bit(m.borders[p], q)
            if m.is_fleet[l] and m.terrain[q] == SEA:
                set_bit(m.seas[p], q)
    for l in range(m.n_locations):
        for k in range(m.n_neighbours[l]):
            q = m.province[m.neighbours[l][k]]
            set_bit(m.nearby[l], q)
            for w in range(WORDS):
                m.nearby[l][w] |= m.borders[q][w]


cdef bint measure(MapTables* m) noexcept nogil:
    """Fill the distance tables, breadth first; convoys do not count (Hall and Loeb 1995, note 7).

    False when there is no memory."""
    cdef int l, k, p, q, head, tail, place, depth
    cdef int queue[1024]
    cdef uint8_t seen[1024]
    m.distance = <uint8_t*>calloc(m.n_locations * m.stride, 1)
    m.steps = <uint8_t*>calloc(m.n_provinces * m.stride, 1)
    if m.distance == NULL or m.steps == NULL:
        return False
    memset(m.distance, FAR_AWAY, m.n_locations * m.stride)
    memset(m.steps, FAR_AWAY, m.n_provinces * m.stride)
    for l in range(m.n_locations):
        memset(seen, FAR_AWAY, sizeof(seen))
        queue[0], head, tail, seen[l] = l, 0, 1, 0
        while head < tail:
            place = queue[head]
            head += 1
            p = m.province[place]
            depth = seen[place]
            if depth < m.distance[l * m.stride + p]:
                m.distance[l * m.stride + p] = depth
            for k in range(m.n_neighbours[place]):
                q = m.neighbours[place][k]
                if seen[q] == FAR_AWAY:
                    seen[q] = min(depth + 1, FAR_AWAY - 1)
                    queue[tail] = q
                    tail += 1
    for p in range(m.n_provinces):
        queue[0], head, tail = p, 0, 1
        m.steps[p * m.stride + p] = 0
        while head < tail:
            place = queue[head]
            head += 1
            depth = m.steps[p * m.stride + place]
            for q in range(m.n_provinces):
                if has_bit(m.borders[place], q) and m.steps[p * m.stride + q] == FAR_AWAY:
                    m.steps[p * m.stride + q] = min(depth + 1, FAR_AWAY - 1)
                    queue[tail] = q
                    tail += 1
    return True
