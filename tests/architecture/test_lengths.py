"""No file outgrows a reader."""

from tests.architecture.house import ROOT, sources

LONGEST = 800


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    files = sources(".py", ".pyx", ".pxd")
    lengths = {str(path.relative_to(ROOT)): path.read_text("utf-8").count("\n") for path in files}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}
