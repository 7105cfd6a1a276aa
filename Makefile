# The README's two commands, each good for a fresh clone: they set up .venv when it is missing or out of
# date. The install there is an editable one, so that only the core and the metadata ever need it anew.
#
#   make orders     orders for all seven powers from the start position
#   make test       the tests
#   make check      what continuous integration runs, in an environment of its own
#   make sanitize   the tests on a core with bounds checks and sanitizers (TESTS=... for a part of them;
#                   BORDEAUX_FUZZ=2000 in the environment for so many examples of each fuzz test)
#   make book       the opening book that Bordeaux comes with, from the games in BOOK_DATA (docs/book.md)
#   make clean      remove what was built, .venv included

PYTHON ?= python3
VENV ?= .venv
TESTS ?= tests
BOOK_DATA ?= ../shared/data
BOOK_OUT ?= openings/data/standard.jsonl
BOOK_SEARCH ?= --nodes 200000
BIN := $(VENV)/bin
INGREDIENTS := pyproject.toml setup.py $(wildcard _ext/*.pyx _ext/*.pxd _ext/*.h)
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_ROOT_USER_ACTION = ignore

.PHONY: orders test check sanitize book clean

orders: $(VENV)/.installed
	$(BIN)/bordeaux orders start --power all --time 1

test: $(VENV)/.installed-test
	$(BIN)/pytest

check:
	.ci/run

$(VENV)/.installed: $(INGREDIENTS) | $(BIN)/pip
	@echo "Building Bordeaux into $(VENV); the first time takes a minute or two"
	@$(BIN)/pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-test: $(INGREDIENTS) | $(BIN)/pip
	@echo "Building Bordeaux into $(VENV) with what its tests need; the first time takes a minute or two"
	@$(BIN)/pip install --quiet --editable '.[test]'
	@touch $@ $(VENV)/.installed

define NEEDS
import os, shutil, sys, sysconfig
name = os.path.basename(sys.executable)
if sys.version_info < (3, 11):
    sys.exit("Bordeaux needs Python 3.11 or newer and " + name + " is " + sys.version.split()[0] + ": make PYTHON=...")
if not shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]):
    sys.exit("Bordeaux needs a C compiler (Debian: apt install gcc)")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    sys.exit("Bordeaux needs the headers of Python (Debian: apt install python3-dev)")
endef
export NEEDS

$(BIN)/pip:
	@$(PYTHON) -c "$$NEEDS"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "no venv module (Debian: apt install python3-venv)"; exit 1; }

sanitize:
	$(PYTHON) -m venv .venv-sanitize
	BORDEAUX_DEBUG=1 BORDEAUX_SANITIZE=1 .venv-sanitize/bin/pip install --quiet '.[test]'
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	.venv-sanitize/bin/pytest $(TESTS)

# It goes on where it was stopped. Its journal is removed at the end, so that another run searches anew.
book: $(VENV)/.installed
	$(BIN)/bordeaux book build --games $(BOOK_DATA)/games/human.jsonl.gz \
	    --self-play $(BOOK_DATA)/games/selfplay.jsonl.gz --statistics $(BOOK_DATA)/openings/frequencies.csv \
	    --depth 6 --min-games 5 --positions 150 $(BOOK_SEARCH) --out $(BOOK_OUT)
	$(BIN)/bordeaux book verify --book $(BOOK_OUT)
	rm -f $(BOOK_OUT).journal

clean:
	rm -rf $(VENV) .venv-sanitize build dist *.egg-info _ext/*.so
