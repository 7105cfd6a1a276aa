"""Frames: extracting DAIDE's messages from a stream of bytes, and framing them. No sockets, no clocks.

A frame is a type, a pad byte, the length of its body and the body, all big-endian. A FrameReader receives
bytes as they arrive and returns whole frames, all of them or one at a time. A violation of the protocol is
returned as a Fault, with the code of the EM message to send before closing. Source: DAIDE Client-Server
Protocol 1 (PROTOCOL.md, sections 2 to 4).
"""

from __future__ import annotations

import contextlib
import socket
import struct
from typing import Literal, NamedTuple, TypeAlias

from bordeaux.board.errors import FormatError

VERSION = 1
LONGEST_BODY = 65534
"""Bytes that the body of a DM may have: 32767 tokens."""

LATE, NO_IM, SWAPPED, FOREIGN, UNSUPPORTED, SECOND_IM, SERVER_IM = range(1, 8)
UNKNOWN, SHORT, NO_RM_YET, NO_RM, SECOND_RM, CLIENT_RM, BAD_TOKEN = range(8, 15)

ERRORS = {
    LATE: "the initial message (IM) did not come in time",
    NO_IM: "the first message was not the initial one (IM)",
    SWAPPED: "the bytes of IM are in the wrong order",
    FOREIGN: "IM has a wrong magic number: this is no DAIDE client",
    UNSUPPORTED: "this version of the protocol is not supported",
    SECOND_IM: "a second IM came",
    SERVER_IM: "an IM came from a server",
    UNKNOWN: "a message of unknown type came",
    SHORT: "a message is too short, or of a length that its type cannot have",
    NO_RM_YET: "a diplomacy message (DM) came before the representation (RM)",
    NO_RM: "the server's first message was not RM",
    SECOND_RM: "a second RM came",
    CLIENT_RM: "an RM came from a client",
    BAD_TOKEN: "a DM holds a token that cannot be",
}
"""The meanings of the codes of EM, by number from 1."""

_HEADER = struct.Struct(">BxH")
_IM = struct.Struct(">HH")
_CODE = struct.Struct(">H")
_MAGIC, _SWAPPED_MAGIC = 0xDA10, 0x10DA
_SWAPPED_LENGTH = 0x0400
_ENTRY = 6
_LONGEST_TABLE = 2 * 256 * _ENTRY
_PRIVATE = frozenset(range(0x58, 0x60))
_IM_TYPE, _RM_TYPE, _DM_TYPE, _FM_TYPE, _EM_TYPE = range(5)


class IM(NamedTuple):
    """A client's first message."""

    version: int


class RM(NamedTuple):
    """A server's first message: the table of tokens, empty for the standard ones."""

    body: bytes


class DM(NamedTuple):
    """One message of the language, two bytes a token."""

    body: bytes


class FM(NamedTuple):
    """The other side closes the connection."""


class EM(NamedTuple):
    """The other side closes because of an error; 0 if its code was invalid."""

    code: int


class WireFault(NamedTuple):
    """The other side broke the protocol: send EM with the code, and close."""

    code: int
    reason: str


Frame: TypeAlias = IM | RM | DM | FM | EM


class FrameReader:
    """Divides the bytes of one connection into frames.

    `side` is the reader, 'server' or 'client', which determines the allowed frames. `longest` is the maximum
    length of a DM's body in bytes.
    """

    def __init__(self, side: Literal["server", "client"], longest: int = LONGEST_BODY) -> None:
        self.side = side
        self.longest = longest
        self.closed = False
        """Whether a Fault, FM or EM ended the connection; later data are ignored."""
        self._begun = False
        self._buffer = bytearray()
        self._at = 0

    @property
    def held(self) -> int:
        """The number of bytes received and not processed yet."""
        return len(self._buffer) - self._at

    @property
    def pending(self) -> int:
        """The number of bytes that the next, incomplete frame is known to lack; 0 between frames, and if a
        complete one is there."""
        if not self.held:
            return 0
        if self.held < _HEADER.size:
            return _HEADER.size - self.held
        return max(0, _HEADER.size + _HEADER.unpack_from(self._buffer, self._at)[1] - self.held)

    @property
    def ready(self) -> bool:
        """Whether `cut` would return a frame."""
        if self.closed or self.held < _HEADER.size:
            return False
        kind, length = _HEADER.unpack_from(self._buffer, self._at)
        return self.held >= _HEADER.size + _needed(kind, length) or self._refused(kind, length) is not None

    def feed(self, data: bytes) -> list[Frame | WireFault]:
        """Add bytes; returns the frames that are complete now. Nothing follows a Fault."""
        self.add(data)
        frames: list[Frame | WireFault] = []
        while (frame := self.cut()) is not None:
            frames.append(frame)
        return frames

    def add(self, data: bytes | memoryview) -> None:
        """Add bytes without processing them."""
        if self.closed:
            return
        if self._at:
            del self._buffer[: self._at]
            self._at = 0
        self._buffer += data

    def cut(self) -> Frame | WireFault | None:
        """The next frame; None if it is incomplete."""
        if self.closed or self.held < _HEADER.size:
            return None
        kind, length = _HEADER.unpack_from(self._buffer, self._at)
        fault = self._refused(kind, length)
        if fault is not None:
            return self._close(WireFault(*fault))
        begin = self._at + _HEADER.size
        end = begin + _needed(kind, length)
        if end > len(self._buffer):
            return None
        frame = self._frame(kind, bytes(self._buffer[begin:end]))
        self._at = end
        self._begun = True
        return self._close(frame) if isinstance(frame, (FM, EM, WireFault)) else frame

    def _close(self, last: Frame | WireFault) -> Frame | WireFault:
        self.closed = True
        self._buffer.clear()
        self._at = 0
        return last

    def _refused(self, kind: int, length: int) -> tuple[int, str] | None:
        """The fault of a header, as code and words; None if it is valid."""
        if kind in (_FM_TYPE, _EM_TYPE):
            return None
        code = self._misplaced(kind)
        if code is not None:
            return code, ERRORS[code]
        if kind == _IM_TYPE and length == _SWAPPED_LENGTH:
            return SWAPPED, ERRORS[SWAPPED]
        wrong = {
            _IM_TYPE: length != _IM.size,
            _RM_TYPE: length % _ENTRY != 0 or length > _LONGEST_TABLE,
            _DM_TYPE: length % 2 != 0 or length == 0,
        }
        if wrong[kind]:
            return SHORT, f"{ERRORS[SHORT]}: {length} bytes"
        if kind == _DM_TYPE and length > self.longest:
            return SHORT, f"a message of {length} bytes is longer than the {self.longest} that are taken"
        return None

    def _misplaced(self, kind: int) -> int | None:
        """The code for a type of message that is not allowed now; None if it is."""
        server = self.side == "server"
        first, misplaced_first = (_IM_TYPE, NO_IM) if server else (_RM_TYPE, NO_RM)
        if kind > _EM_TYPE:
            return UNKNOWN
        if kind == _IM_TYPE and not server:
            return SERVER_IM
        if not self._begun:
            return None if kind == first else misplaced_first
        if kind == _IM_TYPE:
            return SECOND_IM
        if kind == _RM_TYPE:
            return CLIENT_RM if server else SECOND_RM
        return None

    def _frame(self, kind: int, body: bytes) -> Frame | WireFault:
        """The frame of a body with a valid header."""
        if kind == _IM_TYPE:
            version, magic = _IM.unpack(body)
            if magic != _MAGIC:
                code = SWAPPED if magic == _SWAPPED_MAGIC else FOREIGN
                return WireFault(code, ERRORS[code])
            return IM(version) if version == VERSION else WireFault(UNSUPPORTED, ERRORS[UNSUPPORTED])
        if kind == _DM_TYPE:
            # Tokens for a program's own use never go over the wire; others that nobody knows are answered in
            # the language.
            return DM(body) if _PRIVATE.isdisjoint(body[::2]) else WireFault(BAD_TOKEN, ERRORS[BAD_TOKEN])
        if kind == _EM_TYPE:
            return EM(_CODE.unpack(body)[0] if body else 0)
        return RM(body) if kind == _RM_TYPE else FM()


def _needed(kind: int, length: int) -> int:
    """The number of bytes of a body that must be there: none for FM, whatever length it states."""
    return 0 if kind == _FM_TYPE or (kind == _EM_TYPE and length != _CODE.size) else length


def _framed(kind: int, body: bytes) -> bytes:
    return _HEADER.pack(kind, len(body)) + body


def im(version: int = VERSION) -> bytes:
    """An IM, which a client sends at once after connecting."""
    return _framed(_IM_TYPE, _IM.pack(version, _MAGIC))


def rm(body: bytes = b"") -> bytes:
    """An RM, a server's answer to IM; `body` is that of `Vocabulary.rm`."""
    return _framed(_RM_TYPE, body)


def dm(body: bytes) -> bytes:
    """A DM. Raises FormatError for a body that is empty, holds half a token or is too long."""
    if not body or len(body) % 2 or len(body) > LONGEST_BODY:
        raise FormatError(f"DAIDE: a message has 2 to {LONGEST_BODY} bytes, an even number, not {len(body)}")
    return _framed(_DM_TYPE, body)


def fm() -> bytes:
    """An FM, the last message before closing."""
    return _framed(_FM_TYPE, b"")


def em(code: int) -> bytes:
    """An EM, sent before closing because of an error of the other side."""
    return _framed(_EM_TYPE, _CODE.pack(code))


_PROBES = 4
"""Probes that may remain unanswered."""


def watch_over(connection: socket.socket, seconds: int) -> None:
    """Ask the system to detect within about so many seconds that the other end is gone, which takes hours by
    default. Some systems do not support the times. Raises OSError for a closed socket."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", max(1, seconds // 2)),
        ("TCP_KEEPINTVL", max(1, seconds // (2 * _PROBES))),
        ("TCP_KEEPCNT", _PROBES),
        ("TCP_USER_TIMEOUT", 1000 * seconds),
    ):
        if hasattr(socket, name):
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
