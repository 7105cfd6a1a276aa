"""Sources of text: a file, a file under gzip, standard input, or a folder of saved pages. Read whole, or
document by document. Archives of arrays, such as weights, are read here too, within a limit."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import re
import struct
import sys
import warnings
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import IO, Any, BinaryIO, NoReturn, cast

import numpy as np
import numpy.typing as npt

from bordeaux.board.errors import FormatError, ReadingNote, name_of, placed, quote

LARGEST = 64 << 20
"""Most bytes of one document; a full saved game has about 3 million."""

LARGEST_TEXT = 4 << 20
"""Most bytes of a document written by hand: a position or orders in plain text."""

LARGEST_ARRAYS = 64 << 20
"""Most bytes of an archive, packed and unpacked; the largest of ours has 4 million."""
#: Exceptions of NumPy and its archives for invalid content.
DAMAGED: tuple[type[Exception], ...] = (ValueError, KeyError, TypeError, EOFError, NotImplementedError)
DAMAGED += (RuntimeError, OverflowError, MemoryError, OSError, struct.error, zipfile.BadZipFile, zlib.error)

MOST_TOLD = 12
"""Notes of one game that are reported one by one; the game has all of them."""

MOST_BLANK = 64 << 10
"""Most bytes of blank lines that are skipped at once."""

GZIP_MAGIC = b"\x1f\x8b"

NO_TEXT = re.compile(rb"[\0-\x08\x0e-\x1f]")
"""Bytes that no text contains: data with some of them are refused unless they are UTF-8."""
_SOLID = re.compile(r"\S")
PAGES = frozenset({".html", ".htm", ".mhtml", ".mht", ".xhtml", ".txt", ".text", ".eml", ""})
"""The ends of names of saved pages in a folder."""
MOST_FILES = 1000
BREAK = "\f"
"""The separator of several pages in one text."""


@contextmanager
def open_source(source: str | Path) -> Iterator[IO[bytes]]:
    """Open a file, or standard input for ``-``; gzip is detected and unpacked. A folder gives the pages saved
    in it, by name, separated by `BREAK`.

    Inside, and on opening, any failure to read is a FormatError.
    """
    shown = name_of(source)
    try:
        if str(source) == "-":
            yield unpacked(sys.stdin.buffer)
        elif "\0" in str(source):
            raise FormatError(f"cannot read {shown}: not a file name")
        elif is_address(str(source)):
            raise FormatError(f"cannot read {shown}: no page is fetched; save it in a browser, give the file")
        elif str(source) and Path(source).is_dir():
            yield io.BufferedReader(io.BytesIO(_pages_in(Path(source))))
        else:
            with Path(source).open("rb") as handle:
                yield unpacked(handle)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FormatError(f"{shown} is damaged or cut short: {str(error) or 'bad gzip data'}") from None
    except OSError as error:
        raise FormatError(f"cannot read {shown}: {error.strerror or error}") from None


def _pages_in(folder: Path) -> bytes:
    files = sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.suffix.lower() in PAGES and path.name[0] != "."
    )
    if not files:
        known = ", ".join(sorted(PAGES - {""}))
        raise FormatError(f"cannot read {name_of(folder)}: there is no saved page in it (files in {known})")
    if len(files) > MOST_FILES or sum(path.stat().st_size for path in files) > LARGEST:
        raise FormatError(f"cannot read {name_of(folder)}: too many pages in it; give those of one game")
    pages = (text_of_bytes(path.read_bytes()).replace(BREAK, " ") for path in files)
    return BREAK.join(pages).encode()


def is_address(source: str) -> bool:
    """Whether a source is a web address, not a file."""
    return source.lower().startswith(("http://", "https://"))


def unpacked(handle: BinaryIO) -> IO[bytes]:
    """The content in UTF-8 of what may be under gzip or in UTF-16."""
    buffered = (
        handle if isinstance(handle, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, handle))
    )
    if buffered.peek(2)[:2] == GZIP_MAGIC:
        buffered = io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=buffered)))
    if buffered.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return io.BytesIO(text_of_bytes(_limited(buffered.read(LARGEST + 1))).encode())
    return cast(IO[bytes], buffered)


def first_line(handle: IO[bytes]) -> bytes:
    """The text up to the end of the first non-blank line, without a byte order mark.

    "" if there is no such line. Raises FormatError if it is too long, or begins too late.
    """
    line = handle.readline(LARGEST + 1).removeprefix(codecs.BOM_UTF8)
    before = io.BytesIO()
    while line and not line.strip():
        before.write(line)
        if before.tell() > MOST_BLANK:
            raise FormatError(f"more than {MOST_BLANK >> 10} kB of blank lines")
        line = handle.readline(LARGEST + 1)
    return _limited(before.getvalue() + line) if line else b""


def read_text(handle: IO[bytes], first: bytes = b"", most: int = LARGEST, *, loose: bool = False) -> str:
    """`first` and the rest of `handle`, at most `most` bytes in all. Raises FormatError if it is longer, or
    not UTF-8; if `loose`, text in the old encoding of browsers is read too."""
    data = _limited(first + handle.read(max(0, most + 1 - len(first))), most)
    if loose and NO_TEXT.search(data) is None:
        return text_of_bytes(data)
    return decode(data.removeprefix(codecs.BOM_UTF8))


def _limited(data: bytes, most: int = LARGEST) -> bytes:
    if len(data) > most:
        raise FormatError(f"more than {most >> 20} MB in one document; give one position or game")
    return data


def text_of_bytes(data: bytes) -> str:
    """The text of a saved page: UTF-8, UTF-16 with its mark, or else the default encoding of browsers."""
    try:
        if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return data.decode("utf-16", "replace")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def decode(data: bytes) -> str:
    """The text of UTF-8 bytes. Raises FormatError."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8 text: byte {error.start + 1} is 0x{data[error.start]:02x}") from None


class _CutShort(FormatError):
    """The text ends before its JSON does."""


def parse_json(text: str) -> Any:
    """Parse JSON strictly. Raises FormatError with the place of the error."""
    with _places(text):
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_unequal)


@contextmanager
def _places(text: str) -> Iterator[None]:
    """Errors of JSON with their place in a text."""
    try:
        yield
    except FormatError:
        raise
    except RecursionError:
        raise FormatError("no position or game: its JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        place = f"column {error.colno}"
        if "\n" in text.strip():
            place = f"line {error.lineno}, {place}"
        if error.msg.startswith("Unterminated string"):
            raise _CutShort(f"JSON is cut short: the text that starts at {place} has no end") from None
        if error.pos >= len(text.rstrip()):
            raise _CutShort(f"JSON is cut short: it ends at {place}") from None
        near = quote(text[error.pos : error.pos + 20].partition("\n")[0])
        wrong = error.msg[0].lower() + error.msg[1:]
        raise FormatError(f"not JSON: {wrong} at {place}, near {near}") from None
    except ValueError:
        raise FormatError("no position or game: a number in its JSON has too many digits") from None


def _unequal(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Raises FormatError if a key stands in it twice, as one of both would be lost."""
    table = dict(pairs)
    if len(table) < len(pairs):
        twice = next(key for at, (key, _) in enumerate(pairs) if any(key == other for other, _ in pairs[:at]))
        raise FormatError(f"the key {quote(twice)} stands twice in one object of its JSON; put both into one")
    return table


def _no_constant(name: str) -> NoReturn:
    raise FormatError(f"no position or game: {name} in its JSON is no number")


def is_json(line: bytes) -> bool:
    """Whether a file that begins with this line is JSON."""
    return line.lstrip()[:1] in (b"{", b"[")


def documents(handle: IO[bytes], line: bytes) -> Iterator[Any]:
    """Each JSON object in turn: one a line, some over many lines each, or those of a list.

    `line` is the first line, already read. One a line, only one is held at a time. Raises FormatError, with
    the line.
    """
    number, later = 0, False
    while line:
        number += line.rstrip().count(b"\n") + 1
        with placed(f"line {number}", FormatError) if later else nullcontext():
            try:
                listed = iter([parse_json(decode(line))])
            except _CutShort:
                if later:
                    raise
                listed = _one_after_another(read_text(handle, line))
        for document in listed:
            yield from _items(document)
        later = True
        with placed(f"line {number + 1}", FormatError):
            line = first_line(handle)


def _one_after_another(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unequal)
    at = 0
    while (match := _SOLID.search(text, at)) is not None:
        with _places(text):
            document, at = decoder.raw_decode(text, match.start())
        yield document


def _items(document: Any) -> Iterator[Any]:
    """The objects of a list, or the document itself."""
    if isinstance(document, list) and document and all(isinstance(item, dict) for item in document):
        yield from document
    else:
        yield document


def read_arrays(
    path: str | Path | Traversable, most: int = LARGEST_ARRAYS, only: Collection[str] = ()
) -> dict[str, npt.NDArray[Any]]:
    """All arrays of an archive by their names, or `only` some of them, without pickled objects.

    Raises OSError for a file that cannot be read, and ValueError with a few words for one that is damaged, no
    archive, or has more than `most` bytes, packed or unpacked.
    """
    with (Path(path) if isinstance(path, str) else path).open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        if size > most:
            raise ValueError(f"more than {most >> 20} MB, which is too much")
        file.seek(0)
        data = file.read(size)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > most:
                raise ValueError(f"more than {most >> 20} MB when it is unpacked")
            # By `ZipFile.read`, as that alone holds every array against its checksum before it is believed.
            return {
                name: np.lib.format.read_array(io.BytesIO(archive.read(entry)), allow_pickle=False)
                for entry in archive.namelist()
                if (name := entry.removesuffix(".npy")) in only or not only
            }
    except zipfile.BadZipFile:
        raise ValueError("damaged, or no archive (.npz)") from None
    except DAMAGED as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"damaged: {said[:100]}") from None


def tell(notes: Iterable[str], source: str, most: int | None = MOST_TOLD) -> None:
    """Warn of every note, or of `most`, with the source; the command line prints them on standard error."""
    listed = list(notes)
    for note in listed[:most]:
        warnings.warn(f"{source}: {note}", ReadingNote, stacklevel=3)
    if most is not None and (more := len(listed) - most) > 0:
        warnings.warn(f"{source}: {more} more notes; replay --json has all", ReadingNote, stacklevel=3)
