"""``python dui_conformance COMMAND``: does an engine speak DUI? See `dui_table.USAGE`."""

import sys

from dui_table import main

sys.exit(main(sys.argv[1:]))
