"""A player in few lines, run as a process of its own: it holds in the first two turns, and then sits.

It knows no more of the protocol than this needs, and nothing of Bordeaux, so that it starts quickly.
``--fail`` makes it fail at once.
"""

import argparse
import os
import socket
import struct
import sys
from collections.abc import Sequence

BRA, KET, TEXT, HLD = 0x4000, 0x4001, 0x4B00, 0x4322
IAM, MAP, MIS, NME, NOW, OFF, REJ, SUB, YES = (
    0x4807, 0x4809, 0x480B, 0x480C, 0x480E, 0x4810, 0x4814, 0x4818, 0x481C,
)  # fmt: skip
POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")


def text(words: str) -> list[int]:
    return [BRA, *(TEXT + ord(letter) for letter in words), KET]


def groups(tokens: Sequence[int]) -> list[list[int]]:
    """The tokens within each outermost pair of brackets."""
    deep = 0
    groups: list[list[int]] = []
    for token in tokens:
        deep -= token == KET
        if deep:
            groups[-1].append(token)
        elif token == BRA:
            groups.append([])
        deep += token == BRA
    return groups


def play(options: argparse.Namespace) -> None:
    host, _, port = options.address.rpartition(":")
    connection = socket.create_connection((host, int(port)))
    stream = connection.makefile("rb")

    def say(*tokens: int) -> None:
        connection.sendall(struct.pack(f">BxH{len(tokens)}H", 2, 2 * len(tokens), *tokens))

    connection.sendall(bytes.fromhex("000000040001da10"))
    stream.read(4)
    if options.power:
        passcode = int(os.environ["BORDEAUX_PASSCODE"]) & 0x3FFF
        say(IAM, BRA, 0x4100 + POWERS.index(options.power), KET, BRA, passcode, KET)
    else:
        say(NME, *text(options.name), *text(options.version))
    turns = 0
    while True:
        header = stream.read(4)
        if len(header) < 4 or header[0] != 2:
            sys.exit("the server is gone")
        length = struct.unpack(">H", header[2:])[0]
        tokens = list(struct.unpack(f">{length // 2}H", stream.read(length)))
        said = tokens[0]
        if said == MAP:
            say(YES, BRA, *tokens, KET)
        elif said == REJ and tokens[2] != MIS:
            sys.exit("the server refuses")
        elif said == NOW or (said == YES and tokens[2] == IAM):
            turns += 1
            if turns <= 2:
                say(MIS)
        elif said == MIS:
            orders = [[BRA, BRA, *unit, KET, HLD, KET] for unit in groups(tokens[1:])]
            if orders:
                say(SUB, *(token for order in orders for token in order))
        elif said == OFF:
            return


parser = argparse.ArgumentParser()
parser.add_argument("address")
for option in ("--player", "--name", "--version", "--seed", "--power"):
    parser.add_argument(option)
parser.add_argument("--fail", action="store_true")
chosen = parser.parse_args()
if chosen.fail:
    sys.exit("no such luck")
play(chosen)
