"""The scores of a learnt policy: of every option of every power, from the view of that power.

Two rounds of message passing over the map's borders carry the inputs of a province to its neighbours, and those of a
wide net further: each of its further rounds updates every province from its own row, those of its neighbours and the
mean of the whole board, all normalised to a mean square of 1. Then an option is scored by the unit's province, its
destination and the unit that it helps. In movement a second pass adds the predicted orders of the others.

In a wide net orders of one power have queries and messages besides: an option gains the product of its query and the
sum of the messages of the chosen orders. Nothing is allocated here.
"""

from libc.math cimport expf, logf, sqrtf
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.net.facts cimport *
from bordeaux._ext.net.kernels cimport *
from bordeaux._ext.net.options cimport *
from bordeaux._ext.net.weights cimport SECONDS, WIDEST
from bordeaux._ext.rules.structures cimport *

cdef float LEAST_CHANCE = 0.00247875217667     # e to the power of -6


cdef void look_by(Looker* look, const MapTables* m, const Weights* weights, int names) noexcept nogil:
    """Prepare to look at boards of a map; `names` is where rows by name begin, 0 for none. The looker is zeroed."""
    cdef int p, q
    look.map, look.weights, look.names, look.wide = m, weights, names, wide_vectors()
    for p in range(m.n_provinces):
        for q in range(m.n_provinces):
            if has_bit(m.borders[p], q):
                look.near[p][look.n_near[p]] = q
                look.n_near[p] += 1


cdef inline int add(const uint64_t* bits, int n_words, Places* places, int n) noexcept nogil:
    """Append the provinces of these bits to the list; returns its length."""
    cdef int w, p
    cdef uint64_t left
    for w in range(n_words):
        left = bits[w]
        while left:
            p = 64 * w + lowest_bit(left)
            left &= left - 1
            places.place[p] = n
            places.listed[n] = p
            n += 1
    return n


cdef void find_places(const MapTables* m, bint far, Table* t, Places* places) noexcept nogil:
    """List the provinces that a power's options need, and the first option of each choice. Places in `far` matter to a
    wide net only."""
    cdef uint64_t sources[WORDS]
    cdef uint64_t goals[WORDS]
    cdef uint64_t others[WORDS]
    cdef uint64_t known[WORDS]
    cdef uint64_t more[WORDS]
    cdef const Option* o
    cdef int i, w, choice = -1, n, begun = 0, step
    memset(sources, 0, sizeof(sources))
    memset(goals, 0, sizeof(goals))
    memset(others, 0, sizeof(others))
    t.n_choices = 0
    for i in range(t.n_options):
        o = &t.options[i]
        if o.choice != choice:
            choice = o.choice
            t.first[t.n_choices] = i
            t.n_choices += 1
        if o.kind != OPTION_WAIVE:
            set_bit(sources, o.source)
            if is_far(o.kind):
                set_bit(others, o.goal)
            else:
                set_bit(goals, o.goal)
            set_bit(others, o.other)
    t.first[t.n_choices] = t.n_options
    for w in range(m.n_words):
        goals[w] &= ~sources[w]
        known[w] = sources[w] | goals[w]
    places.n_sources = add(sources, m.n_words, places, 0)
    if far:
        for w in range(m.n_words):
            goals[w] |= others[w] & ~sources[w]
            more[w] = ~(sources[w] | goals[w])
            if 64 * w + 64 > m.n_provinces:
                more[w] &= (<uint64_t>1 << (m.n_provinces - 64 * w)) - 1
        places.n_scored = add(goals, m.n_words, places, places.n_sources)
        places.n = places.n_second = add(more, m.n_words, places, places.n_scored)
        return
    places.n_scored = n = add(goals, m.n_words, places, places.n_sources)
    for step in range(2):
        memset(more, 0, sizeof(more))
        for i in range(begun, n):
            for w in range(m.n_words):
                more[w] |= m.borders[places.listed[i]][w]
        begun = n
        for w in range(m.n_words):
            more[w] &= ~known[w]
            known[w] |= more[w]
        n = add(more, m.n_words, places, n)
        if step == 0:
            places.n_second = n
    for w in range(m.n_words):
        others[w] &= ~known[w]
    places.n = add(others, m.n_words, places, n)


cdef void base_scores(
    const Looker* look, const State* s, const Survey* v, const Record* memory, int power, Places* places, Scratch* x,
    Table* t
) noexcept nogil:
    """List the options of a power with their first scores, from the provinces that these need."""
    cdef const Weights* w = look.weights
    cdef int i
    t.n_options = options_of(look.map, s, memory, power, t.options, MAX_OPTIONS)
    if look.names:
        for i in range(t.n_options):
            rows_fetch(w.orders + t.options[i].row * w.e, w.e * sizeof(float))
    find_places(look.map, w.rounds > 0, t, places)
    if t.n_options:
        look_round(look, s, v, memory, power, places, x)
        if w.rounds:
            speak(look, places, x, t)
        helpers(look, t, places.place, x)
        if look.names:
            for i in range(t.n_options):
                recall_patterns(w, s, power, places, x, &t.options[i])
        score(look, t, places.place, x)


cdef inline void recall_patterns(
    const Weights* w, const State* s, int power, const Places* places, const Scratch* x, Option* o
) noexcept nogil:
    """Find the rows of an option in the table of patterns, and prefetch them."""
    cdef int k
    if o.kind == OPTION_WAIVE:
        return
    see_patterns(s, power, x.facts[places.place[o.source]], x.facts[places.place[o.goal]], o)
    for k in range(PATTERNS):
        rows_fetch(w.pattern + o.pattern[k], sizeof(float))


cdef void look_round(
    const Looker* look, const State* s, const Survey* v, const Record* memory, int power, const Places* places,
    Scratch* x
) noexcept nogil:
    """The transformed rows of the provinces for a power: as places of units and as goals."""
    cdef const Weights* w = look.weights
    cdef uint16_t known_rows[NODE_ROWS]
    cdef uint16_t power_rows[POWER_ROWS]
    cdef float power_sum[WIDEST]
    cdef int i, k, p, known, wide = look.wide
    # Further rounds begin with every province.
    cdef int n_third = places.n if w.rounds else places.n_scored
    see_power(look.map, s, v, memory, power, power_rows)
    memset(power_sum, 0, w.a * sizeof(float))
    for k in range(POWER_ROWS):
        for i in range(w.a):
            power_sum[i] += w.input[power_rows[k] * w.a + i]
    for i in range(places.n):
        see_province(look.map, s, v, memory, power, places.listed[i], look.names, x.facts[i])
        known = 0
        for k in range(NODE_ROWS):
            known_rows[known] = x.facts[i][k]
            known += x.facts[i][k] != 0
        net_gather(wide, w.input, known_rows, known, power_sum, w.a, x.h1 + i * w.a, 1)
    for i in range(places.n_second):
        p = places.listed[i]
        net_join(wide, x.h1, x.h1 + i * w.a, look.near[p], places.place, look.n_near[p], w.a, x.both + i * 2 * w.a)
    net_dense(wide, x.both, places.n_second, 2 * w.a, w.layer2, w.bias2, w.b, x.h2, 1)
    for i in range(n_third):
        p = places.listed[i]
        net_join(wide, x.h2, x.h2 + i * w.b, look.near[p], places.place, look.n_near[p], w.b, x.both + i * 2 * w.b)
    net_dense(wide, x.both, n_third, 2 * w.b, w.layer3, w.bias3, w.c, x.h3, 1)
    if w.rounds:
        further_rounds(look, places, x)
    net_dense(wide, x.h3, places.n_sources, w.c, w.source, NULL, w.k + w.e, x.source, 0)
    net_dense(wide, x.h3, places.n_scored, w.c, w.goals, NULL, 2 * w.k, x.goals, 0)


cdef void score(const Looker* look, Table* t, const uint8_t* place, Scratch* x) noexcept nogil:
    """The first scores of options, from the transformed rows of their provinces."""
    cdef const Weights* w = look.weights
    cdef const Option* o
    cdef const float* source
    cdef const float* goal
    cdef const float* other
    cdef int i
    for i in range(t.n_options):
        o = &t.options[i]
        t.helps[i] = 0
        if o.kind == OPTION_WAIVE:
            t.score[i] = t.base[i] = waived(look)
            continue
        other = NULL
        source = x.source + place[o.source] * (w.k + w.e)
        if is_far(o.kind):
            goal = x.far + place[o.goal] * w.k
        else:
            goal = x.goals + place[o.goal] * 2 * w.k + (w.k if is_help(o.kind) else 0)
        if is_help(o.kind):
            other = x.other + place[o.other] * w.k
        t.base[i] = w.kind_base[o.kind] + net_score(
            look.wide, source, goal, other, w.kind_bias + o.kind * w.k, w.kind_out + o.kind * w.k, w.k
        )
        if look.names:
            t.base[i] += w.pattern[o.pattern[0]] + w.pattern[o.pattern[1]] + w.pattern[o.pattern[2]]
            t.base[i] += w.order_bias[o.row] + net_dot(look.wide, w.orders + o.row * w.e, source + w.k, w.e)
        if o.again != AFRESH:
            t.base[i] += w.again[(o.again - 1) * OPTIONS + o.kind]
        t.score[i] = t.base[i]


cdef float waived(const Looker* look) noexcept nogil:
    """The score of a waived build, which has no place on the board."""
    cdef const Weights* w = look.weights
    cdef float total = w.kind_base[OPTION_WAIVE], number
    cdef int i
    for i in range(w.k):
        number = w.kind_bias[OPTION_WAIVE * w.k + i]
        total += w.kind_out[OPTION_WAIVE * w.k + i] * (number if number > 0 else 0)
    return total


cdef void helpers(const Looker* look, const Table* t, const uint8_t* place, Scratch* x) noexcept nogil:
    """The rows of helped units, and of far goals, for options: once for each such place."""
    cdef const Weights* w = look.weights
    cdef const float* rows = &x.h3[0] if w.rounds else &x.h1[0]
    cdef int width = w.c if w.rounds else w.a
    cdef uint8_t seen[2][256]
    cdef uint8_t listed[256]
    cdef int part, i, k, n, p
    memset(seen, 0, sizeof(seen))
    for part in range(2):
        n = 0
        for i in range(t.n_options):
            if part == 0 and is_help(t.options[i].kind):
                p = place[t.options[i].other]
            elif part == 1 and is_far(t.options[i].kind):
                p = place[t.options[i].goal]
            else:
                continue
            if not seen[part][p]:
                seen[part][p] = 1
                listed[n] = p
                memcpy(x.packed + n * width, rows + p * width, width * sizeof(float))
                n += 1
        # The scores of the places listed, and then each to where its place has it.
        net_dense(look.wide, x.packed, n, width, w.other if part == 0 else w.far, NULL, w.k, x.both, 0)
        for k in range(n):
            memcpy((&x.other[0] if part == 0 else &x.far[0]) + listed[k] * w.k, x.both + k * w.k, w.k * sizeof(float))


cdef void second_look(const Looker* look, Scratch* x, Table* tables) noexcept nogil:
    """Add the predicted effects of all powers' moves on each other to the scores."""
    cdef int power
    for power in range(look.map.n_powers):
        clear(look.map, &tables[power], x)
    memset(x.all_arrivals, 0, look.map.n_provinces * sizeof(float))
    for power in range(look.map.n_powers):
        memset(x.arrivals[power], 0, look.map.n_provinces * sizeof(float))
        spread(look.map, power, &tables[power], x)
    for power in range(look.map.n_powers):
        look_again(look, power, &tables[power], x)


cdef void clear(const MapTables* m, const Table* t, Scratch* x) noexcept nogil:
    cdef int c, p
    for c in range(t.n_choices):
        p = t.options[t.first[c]].source
        memset(x.mass[p], 0, m.n_provinces * sizeof(float))
        memset(x.helped[p], 0, m.n_provinces * sizeof(float))


cdef void spread(const MapTables* m, int power, Table* t, Scratch* x) noexcept nogil:
    """Store the probabilities of a power's options on the board."""
    cdef int c, i, p
    cdef float top, total, chance, moved
    cdef const Option* o
    for c in range(t.n_choices):
        p = t.options[t.first[c]].source
        top = t.base[t.first[c]]
        for i in range(t.first[c], t.first[c + 1]):
            top = max(top, t.base[i])
        total = 0
        for i in range(t.first[c], t.first[c + 1]):
            t.score[i] = expf(t.base[i] - top)
            total += t.score[i]
        moved = 0
        for i in range(t.first[c], t.first[c + 1]):
            o = &t.options[i]
            chance = t.score[i] / total
            if o.kind == OPTION_MOVE or o.kind == OPTION_VIA:
                x.mass[p][o.goal] += chance
                x.arrivals[power][o.goal] += chance
                x.all_arrivals[o.goal] += chance
                moved += chance
            elif o.kind == OPTION_HOLD_OWN or o.kind == OPTION_MOVE_OWN:
                x.helped[o.other][o.goal] += chance
        x.stay[p] = 1 - moved


cdef void look_again(const Looker* look, int power, Table* t, const Scratch* x) noexcept nogil:
    cdef int i
    cdef const Option* o
    cdef const float* second
    cdef float own, chance, support
    for i in range(t.n_options):
        o = &t.options[i]
        second = look.weights.second + o.kind * SECONDS
        own = x.arrivals[power][o.goal] - x.mass[o.source][o.goal]
        support = 0
        if is_help(o.kind):
            if o.kind == OPTION_HOLD_OWN or o.kind == OPTION_HOLD_OTHER:
                chance = x.stay[o.other]
            else:
                chance = x.mass[o.other][o.goal]
            t.helps[i] = logf(chance if chance > LEAST_CHANCE else LEAST_CHANCE)
        elif o.kind == OPTION_MOVE or o.kind == OPTION_VIA or o.kind == OPTION_HOLD:
            support = x.helped[o.source][o.goal]
        t.score[i] = (
            t.base[i] + second[0] * t.helps[i] + second[1] * own
            + second[2] * (x.all_arrivals[o.goal] - x.arrivals[power][o.goal])
            + second[3] * (x.all_arrivals[o.source] - x.arrivals[power][o.source]) + second[4] * support
        )


cdef float SMALLEST = 1e-3      # added to the mean square of a row


cdef inline void even(const Looker* look, const float* row, int n, float* out) noexcept nogil:
    """A row divided by its root mean square."""
    cdef float factor = 1 / sqrtf(net_dot(look.wide, row, row, n) / n + SMALLEST)
    cdef int k
    for k in range(n):
        out[k] = row[k] * factor


cdef void further_rounds(const Looker* look, const Places* places, Scratch* x) noexcept nogil:
    """Pass the rows of `h3` of all places through the rounds; at the end those of scored places are normalised, and
    others must not be used. Overwrites `h2`, `both` and `packed`."""
    cdef const Weights* w = look.weights
    cdef float mean[WIDEST]
    cdef float shift[WIDEST]
    cdef int i, k, p, turn, count, c = w.c
    for turn in range(w.rounds):
        # The last round computes only the rows that are used.
        count = places.n_scored if turn == w.rounds - 1 else places.n
        memset(mean, 0, c * sizeof(float))
        for i in range(places.n):
            even(look, x.h3 + i * c, c, x.h2 + i * c)
            for k in range(c):
                mean[k] += x.h2[i * c + k]
        for k in range(c):
            mean[k] /= places.n
        net_dense(look.wide, mean, 1, c, w.wholes + turn * c * c, w.biases + turn * c, c, shift, 0)
        for i in range(count):
            p = places.listed[i]
            net_join(look.wide, x.h2, x.h2 + i * c, look.near[p], places.place, look.n_near[p], c, x.both + i * 2 * c)
        net_dense(look.wide, x.both, count, 2 * c, w.layers + turn * 2 * c * c, shift, c, x.packed, 1)
        for k in range(count * c):
            x.h3[k] += x.packed[k]
    for i in range(places.n_scored):
        even(look, x.h3 + i * c, c, x.h3 + i * c)


cdef void speak(const Looker* look, const Places* places, Scratch* x, Table* t) noexcept nogil:
    """Compute the contributions of provinces to the queries and messages of options. Overwrites `both`."""
    t.named = look.names != 0
    carry(look, places, x, places.n_sources, look.weights.ask.source, t.ask_source)
    carry(look, places, x, places.n_scored, look.weights.ask.goal, t.ask_goal)
    carry(look, places, x, places.n_sources, look.weights.tell.source, t.tell_source)
    carry(look, places, x, places.n_scored, look.weights.tell.goal, t.tell_goal)


cdef void carry(
    const Looker* look, const Places* places, Scratch* x, int count, const float* weights, float* by_province
) noexcept nogil:
    cdef int i, q = look.weights.q
    net_dense(look.wide, x.h3, count, look.weights.c, weights, NULL, q, x.both, 0)
    for i in range(count):
        memcpy(by_province + places.listed[i] * q, x.both + i * q, q * sizeof(float))


cdef void listen(const Weights* w, const Table* t, const uint16_t* chosen, int n_chosen, float* heard) noexcept nogil:
    """The sum of the messages of chosen options, q numbers."""
    cdef const Option* o
    cdef int k, i, q = w.q
    memset(heard, 0, q * sizeof(float))
    for i in range(n_chosen):
        o = &t.options[chosen[i]]
        for k in range(q):
            heard[k] += t.tell_source[o.source * q + k] + t.tell_goal[o.goal * q + k] + w.tell.kind[o.kind * q + k]
        if t.named:
            for k in range(q):
                heard[k] += w.tell.order[o.row * q + k]


cdef float answer(const Weights* w, const Table* t, const Option* o, const float* heard) noexcept nogil:
    """The gain of an option from the messages."""
    cdef float total = 0
    cdef int k, q = w.q
    for k in range(q):
        total += heard[k] * (t.ask_source[o.source * q + k] + t.ask_goal[o.goal * q + k] + w.ask.kind[o.kind * q + k])
    if t.named:
        for k in range(q):
            total += heard[k] * w.ask.order[o.row * q + k]
    return total
