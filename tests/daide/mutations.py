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
    found = list(tokens)
    for _ in range(times):
        at = random.randrange(len(found) + 1)
        end = min(len(found), at + random.choice((1, 1, 1, 2, 3, 8)))
        match random.randrange(6):
            case 0:
                del found[at:end]
            case 1:
                found[at:at] = found[at:end]
            case 2:
                found.insert(at, random.choice(STRANGE))
            case 3 if found:
                found[at : at + 1] = [random.choice(tokens or STRANGE)]
            case 4:
                del found[at:]
            case _:
                found[at:end] = reversed(found[at:end])
    return tuple(found)


def mutated_bytes(data: bytes, random: Random) -> bytes:
    """Bytes with some changed, lost, doubled or inserted."""
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(found) + 1)
        match random.randrange(5):
            case 0 if at < len(found):
                found[at] = random.randrange(256)
            case 1 if at < len(found):
                found[at] ^= 1 << random.randrange(8)
            case 2:
                del found[at : at + random.choice((1, 2, 4))]
            case 3:
                found[at:at] = random.randbytes(random.choice((1, 2, 6)))
            case _:
                found[at:at] = found[at : at + random.choice((1, 2, 8))]
    return bytes(found)
