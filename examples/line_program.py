"""A player in a program of its own, in any language: this one is Python and uses nothing of Bordeaux.

It holds, disbands dislodged units, builds nothing and removes as many units as it must, which is legal on any
map. Copy it and improve `think`. docs/program.md describes the lines.

    bordeaux play --players 'program:python examples/line_program.py,dumbbot*6' --until 1905
"""

import json
import sys


def say(**answer):
    """Answer in one line, and flush it at once."""
    print(json.dumps(answer), flush=True)


def think(position, power):
    """The orders of a power."""
    units = [unit for unit in position["units"].get(power, []) if not unit.startswith("*")]
    kind = position["name"][-1]
    if kind == "M":
        return [f"{unit} H" for unit in units]
    if kind == "R":
        return [f"{unit} D" for unit in position["retreats"][power]]
    due = position["builds"][power]["count"]
    return ["WAIVE"] * due if due > 0 else [f"{unit} D" for unit in units[:-due]]


def main():
    """Answer until the end."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "setup":
            say(type="ready")
        elif message["type"] == "orders":
            say(type="orders", id=message["id"], orders=think(message["position"], message["power"]))
        elif message["type"] == "close":
            break


if __name__ == "__main__":
    main()
