"""A player of your own in one class, which can sit wherever a player can.

Every unit takes the order that promises most: into a centre that is not ours, else nearer to one. It is here
to be copied and made better: give `worth` a brain.

    bordeaux play --players 'examples/my_player.py:Grabber,dumbbot*6' --until 1905
    bordeaux arena --players examples/my_player.py:Grabber:restless=0.3 --against dumbbot --games 14
    bordeaux bot 127.0.0.1:16713 --player examples/my_player.py:Grabber
"""

import random

from bordeaux import legal_orders
from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind


class Grabber:
    """Goes for the nearest centre of somebody else. `restless` is how much chance has in it, in moves."""

    def __init__(self, seat, restless: float = 0.5):
        self.seat = seat
        self.restless = restless
        self.chance = random.Random(f"{seat.seed} {seat.power}")

    def orders(self, position, limit):
        """One order for each unit; in Winter one for each build or disband that is due."""
        power = self.seat.power
        wanted = set(position.map.centres) - set(position.centres.get(power, ()))
        choices = legal_orders(position, power)
        if position.phase.kind == "A":
            due = abs(position.adjustments(power))
            return [self.chance.choice(choices[place]) for place in self.chance.sample(sorted(choices), due)]
        return [self.best(position, orders, wanted) for orders in choices.values()]

    def best(self, position, orders, wanted):
        """The order of a unit that is worth most."""
        return max(orders, key=lambda order: self.worth(position, order, wanted))

    def worth(self, position, order, wanted):
        """How good an order of a unit is: fewer moves from where it ends to a wanted centre are better."""
        read = parse_order(order, position.map, position)
        if read.kind == OrderKind.DISBAND:
            return -100
        end = read.destination if read.kind in (OrderKind.MOVE, OrderKind.RETREAT) else read.location
        moves = position.map.distance(read.unit, end)
        nearest = min((moves[centre] for centre in wanted if centre in moves), default=9)
        return self.chance.uniform(0, self.restless) - nearest

    def observe(self, turn):
        """What was played and what came of it may be learnt from; this one does not."""

    def close(self):
        """There is nothing to let go of."""
