"""A whole engine for DUI, the line protocol for Diplomacy engines, in one file without any library.

It holds in movement phases, disbands dislodged units, waives builds and disbands as many units as it must. It
uses no map, so its orders are legal everywhere. Copy it and improve `think`.

    python tools/dui_conformance.py python examples/tiny_engine.py
    bordeaux play --players 'dui:python examples/tiny_engine.py,dumbbot*6'
"""

import sys

POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")


def say(line):
    """Answer, and flush the line at once."""
    print(line, flush=True)


def read(dfen):
    """The phase, units, centres and dislodged units of a position: lists of texts such as ``Aavie``."""
    phase, *parts = dfen.replace(" ", "").split("/")
    units, centres, dislodged = ([] if part == "-" else part.split(",") for part in parts)
    if phase[-2:] not in ("sm", "fm", "sr", "fr", "fb"):
        raise ValueError(phase)
    return phase, units, centres, dislodged


def of(power, listed):
    """The entries that belong to a power."""
    return [order[1:] for order in listed if order[0].lower() == power[0]]


def named(unit):
    """``A vie`` for ``avie``, ``F stp/sc`` for ``fstp.sc``."""
    return f"{unit[0].upper()} {unit[1:].replace('.', '/')}"


def think(position, power):
    """The orders of a power."""
    phase, units, centres, dislodged = position
    own = [named(unit) for unit in of(power, units)]
    if phase.endswith("m"):
        return [f"{unit} H" for unit in own]
    if phase.endswith("r"):
        return [f"{named(unit.partition('<')[0])} D" for unit in of(power, dislodged)]
    due = len(of(power, centres)) - len(own)
    # Of builds that may not be made, for want of an empty home, a waive too many does no harm.
    return ["W"] * due if due >= 0 else [f"{unit} D" for unit in own[due:]]


def main():
    """Answer commands until the end."""
    sys.stdin.reconfigure(errors="replace")
    position = read("1901sm/-/-/-")
    power, searching = "", False
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "dui":
            say("id name Tiny\nid author anybody\nprotocol_version 1\nduiok")
        elif command == "protocol_version":
            say("protocol_version 1")
        elif command == "isready":
            say("readyok")
        elif command == "position":
            try:
                position = read(rest)
            except ValueError as error:
                say(f"info string error: no position: {error}")
        elif command == "setpower" and rest in POWERS:
            power = rest
        elif command == "go" and "infinite" in rest:
            searching = True
        elif command in ("go", "stop") and (command == "go" or searching):
            searching = False
            say(f"bestorders {' ; '.join(think(position, power) if power else [])}".rstrip())
        elif command == "quit":
            break


if __name__ == "__main__":
    main()
