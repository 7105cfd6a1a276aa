"""What people see of positions and games: boards, charts, pages, and tables of a terminal."""

from importlib import resources

from bordeaux.board.cleaning import html_text as escape


def sheet(name: str) -> str:
    """A style sheet of this package; ``base.css`` is for every page that is one file."""
    return (resources.files("bordeaux.view") / name).read_text("utf-8")


def document(title: str, style: str, body: str) -> str:
    """A self-contained page without a script, with a style of its own beside the common one."""
    common = sheet("base.css") + sheet("pages.css")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{common}{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
