"""Messages and frames gone wrong, for tests that want rubbish which is nearly right."""

from __future__ import annotations

from random import Random

from bordeaux.daide.language import Token, Tokens

__all__ = ["mutated", "mutated_bytes"]

STRANGE: tuple[Token, ...] = (
    "(",
    ")",
    "ERR",
    "PRN",
    "HUH",
    "UNO",
    "0x4C01",
    "XXX",
    "'a",
    "')",
    0,
    -8192,
    "MRT",
    "FOR",
)


def mutated(tokens: Tokens, random: Random, times: int = 1) -> Tokens:
    """A message with some tokens lost, doubled, exchanged, moved or out of nowhere."""
    changed = list(tokens)
    for _ in range(times):
        at = random.randrange(len(changed) + 1)
        end = min(len(changed), at + random.choice((1, 1, 1, 2, 3, 8)))
        match random.randrange(6):
            case 0:
                del changed[at:end]
            case 1:
                changed[at:at] = changed[at:end]
            case 2:
                changed.insert(at, random.choice(STRANGE))
            case 3 if changed:
                changed[at : at + 1] = [random.choice(tokens or STRANGE)]
            case 4:
                del changed[at:]
            case _:
                changed[at:end] = reversed(changed[at:end])
    return tuple(changed)


def mutated_bytes(data: bytes, random: Random) -> bytes:
    """Bytes with some changed, lost, doubled or inserted."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(changed) + 1)
        match random.randrange(5):
            case 0 if at < len(changed):
                changed[at] = random.randrange(256)
            case 1 if at < len(changed):
                changed[at] ^= 1 << random.randrange(8)
            case 2:
                del changed[at : at + random.choice((1, 2, 4))]
            case 3:
                changed[at:at] = random.randbytes(random.choice((1, 2, 6)))
            case _:
                changed[at:at] = changed[at : at + random.choice((1, 2, 8))]
    return bytes(changed)
