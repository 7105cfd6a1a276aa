"""Foreign texts are read where they can be stopped, and nobody waits for them."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bordeaux import BordeauxError, Map
from bordeaux.board.errors import FormatError
from bordeaux.jobs.background import GivenUp
from bordeaux.protocols import loopback
from bordeaux.studies import intake
from bordeaux.studies.intake import Reading, Readings
from tests.patience import PATIENCE
from tests.web.listening import serving

LONG = "Spring 1901\n" + "A PAR (\n" * 500_000


@pytest.fixture
def reader() -> Iterator[Readings]:
    made = Readings()
    yield made
    made.close()


def test_a_long_text_comes_back_whole_and_so_does_its_error(reader: Readings) -> None:
    text = "S1901M\nFRANCE: A PAR\n" + "#" * intake.SHORT
    study = reader.read(Reading(text, Map.standard(), name="mine")).study
    assert (study.name, study.root.state["units"]["FRANCE"]) == ("mine", ["A PAR"])
    assert study.position("0").units_of("FRANCE")
    with pytest.raises(FormatError, match="no study in this link"):
        reader.read(Reading("#shared=x", link=True))


@pytest.mark.slow
def test_the_limit_of_processor_time_is_one_line() -> None:
    reader = Readings(seconds=0)
    with pytest.raises(BordeauxError, match="takes more than 0 s of the processor"):
        reader.read(Reading(LONG))
    reader.close()


def test_the_end_of_the_page_ends_what_is_read() -> None:
    reader = Readings()
    came: list[BaseException] = []

    def ask() -> None:
        try:
            reader.read(Reading(LONG))
        except BordeauxError as error:
            came.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    while not reader.busy:
        time.sleep(0.01)
    reader.close()
    asking.join(PATIENCE)
    assert isinstance(came[0], GivenUp)
    with pytest.raises(GivenUp):
        reader.read(Reading(LONG))


@pytest.mark.slow
def test_idle_connections_make_room(tmp_path: Path) -> None:
    most = loopback.most_connections()
    with serving(tmp_path) as server:
        host, _, port = server.base.removeprefix("http://").partition(":")
        idle = [socket.create_connection((host, int(port))) for _ in range(most + 50)]
        assert server.ask("GET", "/api/about")["version"]
        held = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        assert held < most + loopback.BACKLOG
        for connection in idle:
            connection.close()


@pytest.mark.slow
def test_a_client_that_leaves_in_the_middle_of_a_body_is_no_fault(tmp_path: Path) -> None:
    with serving(tmp_path, stderr=subprocess.PIPE) as server:
        host, _, port = server.base.removeprefix("http://").partition(":")
        head = (
            f"POST /api/studies HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {server.token}\r\n"
        )
        with socket.create_connection((host, int(port))) as leaving:
            leaving.sendall(f"{head}Content-Length: 1000\r\n\r\n{{".encode())
        assert server.ask("GET", "/api/about")["version"]
        server.process.terminate()
        assert server.process.communicate(timeout=PATIENCE)[1] == ""
