"""What every test may ask for."""

import gc
import inspect
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.jobs.seen import children
from tests.patience import examples, run_steadily

LARGE = "large"
"""Marks the tests that need data which are not a part of the project."""

SLOW = "slow"
"""Marks the tests that `make test` leaves to `make check`."""

ROOT = Path(__file__).resolve().parent.parent

# Programs that tests start must meet the installed package as well, never the tree they are started in.
os.environ["PYTHONSAFEPATH"] = "1"
# Nor are they to find the settings of the user who runs them.
os.environ["BORDEAUX_CONFIG"] = ""
# Nor the size of a terminal: pytest-xdist tells its workers that of its own.
for size in ("COLUMNS", "LINES"):
    os.environ.pop(size, None)
# They start quickly where they need not compile all modules. Who wants no bytecode beside the sources has
# it in the cache of pytest.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(ROOT / ".pytest_cache" / "bytecode")

# A shell has what it runs in the background ignore Ctrl-C, and `nohup` the end of a terminal. That is handed
# down to all that tests start.
for ignored, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, usual)

# Hypothesis measures wall time: on a busy machine that says how busy it is, nothing about what is tested.
settings.register_profile(
    "bordeaux", max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("bordeaux")


LARGE_DATA = Path(os.environ.get("BORDEAUX_SHARED") or ROOT.parent / "shared") / "data"
left_out: Counter[str] = Counter()
left_out_by_workers: list[dict[str, int]] = []


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests stay until the end: no search for garbage among them, neither now nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that need the large data, and leave them out where those are not there, except under
    CI, where they run and fail. Mark those in a browser, and count the slow ones that pytest is about to
    leave out."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "shared_data" in fixtures:
            item.add_marker(LARGE)
        if "browser" in fixtures:
            item.add_marker(SLOW)
    if not (LARGE_DATA.is_dir() or os.environ.get("CI")):
        large = [item for item in items if item.get_closest_marker(LARGE)]
        left_out[LARGE] = len(large)
        config.hook.pytest_deselected(items=large)
        items[:] = [item for item in items if not item.get_closest_marker(LARGE)]
    if config.getoption("markexpr") == f"not {SLOW}":
        left_out[SLOW] = sum(item.get_closest_marker(SLOW) is not None for item in items)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Under pytest-xdist, have the process that shows the summary know how many tests were left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of pytest-xdist has ended; each has collected the same tests."""
    left_out_by_workers.append(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were left out, and how to run them."""
    for marker, line in (
        (
            LARGE,
            f"optional tests were left out: they need the large data in {LARGE_DATA}"
            " (what that is, and from where: tests/data/README.md)",
        ),
        (SLOW, "slow tests were left to `make check`; `.venv/bin/pytest -m slow` runs them alone"),
    ):
        if count := max(counts.get(marker, 0) for counts in (left_out, *left_out_by_workers)):
            terminalreporter.write_line(f"{count} {line}")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in an event loop of its own, within PATIENCE. See `SteadyLoop`."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}

    run_steadily(pyfuncitem.obj(**given))
    return True


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes of a pool find functions of the tests; installed packages come first."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT)])


@pytest.fixture
def own_children() -> Callable[[], list[int]]:
    """What lists the living processes that this one has started since the test began. Those of other tests,
    such as the driver of a browser, are not counted."""
    others = set(children())
    return lambda: [process for process in children() if process not in others]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the large data, which are not a part of the project: see tests/data/README.md. It is
    ../shared/data, or $BORDEAUX_SHARED/data."""
    return LARGE_DATA


THOUSANDS = pytest.param(LARGE, marks=[pytest.mark.large, pytest.mark.slow])


@pytest.fixture(scope="session", params=["sample", THOUSANDS])
def recorded_games(request: pytest.FixtureRequest) -> Path:
    """A folder with `human.jsonl.gz` and `selfplay.jsonl.gz`: the samples that come with the tests, and the
    large collections where they are there."""
    return ROOT / "tests" / "data" if request.param == "sample" else LARGE_DATA / "games"
