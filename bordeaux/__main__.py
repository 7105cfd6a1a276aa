"""``python -m bordeaux`` is the command ``bordeaux``."""

import sys


def run() -> None:
    """The console script: `bordeaux.cli.main`, and Ctrl-C ends the program quietly while it loads as well."""
    try:
        from bordeaux.cli import main

        main(prog_name="bordeaux")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
