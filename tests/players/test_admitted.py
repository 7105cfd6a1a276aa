"""Who may ask for which player: nothing that strangers may ask for touches a file, a module or a program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from bordeaux import Map, Position, evaluation
from bordeaux.board import mapfile
from bordeaux.board.errors import BordeauxError
from bordeaux.evaluation.prospect import BUNDLED
from bordeaux.openings import book
from bordeaux.players import catalogue, registry
from bordeaux.players.base import Limit, Seat
from bordeaux.players.catalogue import CATALOGUE
from bordeaux.players.spec import Spec, parameters, parse
from bordeaux.policy import net
from bordeaux.press.diplomat.payoffs import CHARACTERS
from tests.patience import examples

FRANCE = Seat("FRANCE", Map.standard(), 1)
START = Position.start()
FOLDERS = (Path(str(module.__file__)).parent for module in (registry, evaluation, net, book, mapfile))
OURS = tuple(map(str, FOLDERS))
"""Folders of the package, whose data any player may read."""
PROCESSES = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "os.forkpty",
    "pty.spawn",
)
PLACES = ("socket.", "urllib.", "ctypes.dlopen", "glob.")

_seen: list[str] | None = None


def _watch(name: str, arguments: tuple[object, ...]) -> None:
    """An audit hook, which cannot be removed again: it notes what is touched while somebody looks."""
    if _seen is None:
        return
    looked_at = name in ("open", "os.listdir", "os.scandir") and not str(arguments[0]).startswith(OURS)
    if looked_at or name.startswith(PROCESSES + PLACES):
        _seen.append(f"{name} {arguments[0] if arguments else ''}")


sys.addaudithook(_watch)


class Finder:
    """Notes which modules are looked for while somebody looks, and finds none."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if _seen is not None and name.partition(".")[0] not in (*sys.stdlib_module_names, "bordeaux"):
            _seen.append(f"import {name}")


@contextmanager
def watched() -> Iterator[list[str]]:
    """What is touched meanwhile: files of others, modules, programs, addresses."""
    global _seen
    touched = _seen = []
    sys.meta_path.insert(0, Finder)
    try:
        yield touched
    finally:
        sys.meta_path.remove(Finder)
        _seen = None


def seated(spec: Spec) -> None:
    """Make a player, and let it give orders, if its values are possible."""
    with suppress(BordeauxError):
        player = registry.create(spec, FRANCE)
        try:
            list(player.orders(START, Limit(0.01, 2)))
        finally:
            player.close()


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A folder with a player's file, whose run leaves a mark, in the place where modules are looked for. All
    that the package itself loads late is loaded by then."""
    folder = tmp_path_factory.mktemp("trap")
    marking = f"open({str(folder / 'marked')!r}, 'w').close()\n"
    (folder / "plain.py").write_text(marking + "class Bot:\n    def orders(self, p, l):\n        return []\n")
    os.mkfifo(folder / "pipe")
    for name in registry.open_names():
        seated(parse(name))
    sys.path.append(str(folder))
    yield str(folder)
    sys.path.remove(str(folder))
    sys.modules.pop("plain", None)


SIGNS = [*",;:=[]()'\" \t\n\0\u00a0\uff0c\uff1a*#"]
TRAPS = [
    *(
        "plain.py:Bot",
        "plain:Bot",
        "TRAP/plain.py:Bot",
        "/x;/../TRAP/plain.py:Bot",
        "/x=/../TRAP/plain.py:Bot",
    ),
    *("TRAP/pipe", "TRAP/x.npz", "TRAP/x.toml", "program:touch TRAP/marked", "dui:touch TRAP/marked"),
    *("daide:touch TRAP/marked {address}", "os:system", "http://127.0.0.1:9/x.npz", "-", "/dev/zero"),
]


def altered(word: str) -> st.SearchStrategy[str]:
    """The word in other letters, shortened, doubled, or with a sign in it."""
    others = [word.upper(), word.title(), word[:-1], word * 2, f"{word},{word}", f" {word} "]
    others.append(word.replace("o", "\N{CYRILLIC SMALL LETTER O}"))
    others.append("".join(chr(ord(letter) + 0xFEE0) for letter in word if "!" <= letter <= "~"))
    others += [f"{word}{sign}" for sign in SIGNS] + [f"{sign}{word}" for sign in SIGNS]
    return st.sampled_from(others)


NUMBERS = st.sampled_from(
    [*["1"] * 20, "0", "3", "0.5", "-1", "1e9", "nan", "inf", "9" * 40, "\u0661", "yes", "none"]
)
BAD = st.sampled_from(TRAPS) | st.sampled_from(TRAPS).flatmap(altered) | st.text(st.sampled_from(SIGNS))


@st.composite
def specs(draw: st.DrawFn, deep: int = 3) -> str:
    """Specs of all players, with options of theirs; about half of them are altered somewhere."""
    odds = draw(st.sampled_from([0, 0, 0, 4]))

    def put(word: str) -> str:
        return draw(altered(word)) if odds and draw(st.integers(0, odds)) == 0 else word

    name = draw(st.sampled_from([*CATALOGUE, *["liar", "parrot"] * 5, "daide"]))
    known = {} if name not in CATALOGUE or CATALOGUE[name].rest else parameters(CATALOGUE[name].kind())
    open_options = (CATALOGUE[name].open if name in CATALOGUE else None) or {}
    text = put(name)
    some = st.sampled_from([*known, *[*open_options] * 20] or ["player"])
    for number, option in enumerate(draw(st.lists(some, max_size=3, unique=not odds)) if known else ()):
        if option == "player" and deep:
            value = draw(specs(deep - 1))
        else:
            texts = open_options.get(option)
            value = draw(st.sampled_from(texts) if texts else NUMBERS)
        if odds and draw(st.integers(0, odds)) == 0:
            value = draw(BAD)
        sign = draw(st.sampled_from(SIGNS)) if odds and draw(st.integers(0, 9)) == 0 else ",:"[not number]
        text += f"{sign}{put(option)}={put(value)}"
    return text


@pytest.mark.usefixtures("trap")
@settings(
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(text=specs() | BAD)
@example(text="liar:player=/x;/../TRAP/plain.py:Bot")
@example(text="policy:file=TRAP/pipe")
@example(text="liar:player=parrot:player=program:touch TRAP/marked")
@example(text="bordeaux:book=standard")
@example(text="sampler:policy=people,value=league")
def test_nothing_that_strangers_may_ask_for_touches_anything(trap: str, text: str) -> None:
    text = text.replace("TRAP", trap)
    with watched() as touched:
        try:
            spec = registry.admitted(text)
        except BordeauxError:
            spec = None
        event("refused" if spec is None else f"admitted with {len(spec.options)} options")
        if spec is not None:
            seated(spec)
    assert touched == [] and not Path(trap, "marked").exists(), text


def test_the_watch_sees_what_it_is_to_see(trap: str) -> None:
    with watched() as touched:
        seated(parse(f"policy:file={trap}/x.npz"))
        seated(parse("program:/bin/false"))
        seated(parse("plain:Bot"))
    assert touched[0] == f"open {trap}/x.npz"
    assert any("subprocess.Popen" in line for line in touched) and "import plain" in touched
    Path(trap, "marked").unlink()


def test_the_catalogue_names_what_comes_with_the_package() -> None:
    assert set(catalogue.NETS) == set(net.BUNDLED)
    assert set(catalogue.LEARNT) == set(BUNDLED)
    assert set(catalogue.EVALUATIONS) == {*evaluation.evaluations(), *evaluation.VALUES}
    opened = CATALOGUE["bordeaux"].open or {}
    assert set(opened["character"]) == set(CHARACTERS)


@pytest.mark.parametrize("name", registry.open_names())
def test_what_is_open_exists_and_can_be_asked_for(name: str) -> None:
    entry = CATALOGUE[name]
    known = parameters(entry.kind())
    for option, texts in (entry.open or {}).items():
        assert option in known
        for text in texts:
            registry.admitted(f"{name}:{option}={text}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("program:ls", "player 'program' runs a file or a program"),
        ("dui:bordeaux engine", "player 'dui' runs a file or a program"),
        ("daide:ls {address}", "player 'daide' runs a file or a program"),
        ("mine.py:Bot", "player 'mine.py:Bot' runs a file or a program"),
        ("os:system", "player 'os:system' runs a file or a program"),
        ("deepmind:/checkout", "player 'deepmind' runs a file or a program"),
        ("liar:player=/x;/../mine.py:Bot", "player '/x;/../mine.py:Bot' runs a file or a program"),
        ("parrot: player = liar:player = program:ls", "player 'program' runs a file or a program"),
        ("bordeaux:processes=900", "option processes of player bordeaux is not for everybody"),
        ("bordeaux:models=x.npz=1", "option models of player bordeaux is not for everybody"),
        ("sampler:draws=10000", "option draws of player sampler is not for everybody"),
        ("policy:file=/dev/zero", "is one of people, engines, league, people-wide, not '/dev/zero'"),
        ("liar:player=policy:file=pipe", "league, people-wide, not 'pipe'"),
        ("hold" + " " * 300, "at most 300 characters"),
    ],
)
def test_what_not_everybody_may_ask_for_is_refused_with_a_reason(text: str, message: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        registry.admitted(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_check_starts_no_program_also_not_of_a_player_in_an_option(tmp_path: Path) -> None:
    for spec in ("program:touch", "liar:player=program:touch"):
        registry.check(f"{spec} {tmp_path}/started")
    assert not (tmp_path / "started").exists()
    with pytest.raises(BordeauxError, match="no program '/nonexistent'"):
        registry.check("liar:player=program:/nonexistent")
