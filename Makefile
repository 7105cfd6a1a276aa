# The README's two commands, each good for a fresh clone: they set up .venv when it is missing or out of
# date. The install there is an editable one, so that only the core and the metadata ever need it anew.
#
#   make orders     orders for all seven powers from the start position
#   make test       all tests but the slow ones, on WORKERS processes: one more than there are cores if nothing is said,
#                   at most eight. Fuzz tests try a third of their examples (BORDEAUX_FUZZ=2000 for so many of each)
#   make lint       ruff, cython-lint and mypy (the tests too); where npm is there, Biome and tsc over the page's JavaScript
#   make check      what continuous integration runs, in an environment of its own
#   make golden     the golden signature and the outputs in the pages renewed: when the search changes on purpose
#   make site       the documentation as a site, in build/site
#   make browser    the page for a browser without a server, in build/browser (docs/browser.md); needs Node.js with npm
#   make sanitize   the tests on a core with bounds checks and sanitizers (TESTS=... for a part of them)
#   make book       the opening book that Bordeaux comes with, from the games in BOOK_DATA (docs/book.md)
#   make clean      remove what was built, .venv included

PYTHON ?= python3
VENV ?= .venv
TESTS ?= tests
# A quarter of the time goes by in waiting, for clocks and for other processes.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
BOOK_DATA ?= ../shared/data
BOOK_OUT ?= openings/data/standard.jsonl
BOOK_SEARCH ?= --nodes 200000
BIN := $(VENV)/bin
INGREDIENTS := pyproject.toml setup.py tools/core_stubs.py $(wildcard _ext/*/*.pyx _ext/*/*.pxd _ext/*/*.h)
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_ROOT_USER_ACTION = ignore

.PHONY: orders test lint check golden site browser sanitize book clean

orders: $(VENV)/.installed
	$(BIN)/bordeaux orders start --power all --time 1

test: $(VENV)/.installed-test
	BORDEAUX_FUZZ=$${BORDEAUX_FUZZ:-33%} $(BIN)/pytest -m "not slow" --numprocesses $(WORKERS) --maxprocesses 8 --dist worksteal

# mypy meets the package as it is installed: the core, openings and metamap inside it.
lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(abspath $(BIN)):$$PATH" cython-lint _ext
	@rm -rf build/typed && mkdir -p build/typed/bordeaux
	@ln -s $(CURDIR)/bordeaux/* $(CURDIR)/_ext $(CURDIR)/openings $(CURDIR)/metamap build/typed/bordeaux
	@ln -s $(addprefix $(CURDIR)/,training tools benchmarks tests) build/typed
	cd build/typed && $(abspath $(BIN))/mypy --config-file $(CURDIR)/pyproject.toml --cache-dir $(CURDIR)/.mypy_cache .
	@if command -v npm > /dev/null; then tools/page/check; else echo "there is no npm: the page's JavaScript is not checked"; fi

check:
	.ci/run

golden: $(VENV)/.installed
	$(BIN)/python tools/golden.py

$(VENV)/.installed: $(INGREDIENTS) | $(BIN)/pip
	@echo "Building Bordeaux into $(VENV); the first time takes a minute or two"
	@$(BIN)/python -c "$$INSTALL" --editable .
	@touch $@

# What the tests need comes on top, so that the package itself is not built once more. Most of it is never imported: no
# bytecode of it.
$(VENV)/.installed-test: $(VENV)/.installed pyproject.toml
	@echo "Installing what the tests need into $(VENV)"
	@$(BIN)/python -c "$$EXTRAS" > $(VENV)/test-requirements.txt
	@PIP_COMPILE=0 $(BIN)/pip install --quiet --requirement $(VENV)/test-requirements.txt
	@touch $@

# pip shows all of a build or nothing: here it is what setup.py says of its progress, and all if it fails.
define INSTALL
import subprocess, sys
pip = [sys.executable, "-m", "pip", "install", "--verbose", *sys.argv[1:]]
lines = []
with subprocess.Popen(pip, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as build:
    for line in build.stdout:
        lines.append(line)
        if line.strip().startswith("bordeaux: "):
            print(" ", line.strip()[10:], flush=True)
if build.returncode:
    sys.exit("".join(lines[-60:]) + "the build failed")
endef
export INSTALL

define EXTRAS
import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["test"], sep="\n")
endef
export EXTRAS

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

site: $(VENV)/.installed
	$(BIN)/pip install --quiet --editable '.[docs]'
	$(BIN)/mkdocs build

browser: $(VENV)/.installed-test
	$(BIN)/python tools/browser/build.py

# It goes on where it was stopped. Its journal is removed at the end, so that another run searches anew.
book: $(VENV)/.installed
	$(BIN)/bordeaux book build --games $(BOOK_DATA)/games/human.jsonl.gz \
	    --self-play $(BOOK_DATA)/games/selfplay.jsonl.gz --statistics $(BOOK_DATA)/openings/frequencies.csv \
	    --depth 6 --min-games 5 --positions 150 $(BOOK_SEARCH) --out $(BOOK_OUT)
	$(BIN)/bordeaux book verify --book $(BOOK_OUT)
	rm -f $(BOOK_OUT).journal

clean:
	rm -rf $(VENV) .venv-sanitize build dist *.egg-info _ext/*/*.so
