"""``python -m bordeaux`` is the command ``bordeaux``."""

from bordeaux.cli import main

if __name__ == "__main__":
    main(prog_name="bordeaux")
