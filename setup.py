"""The build of the Cython core. Everything else that describes the project stands in pyproject.toml.

What setuptools does not do by itself, part by part:

settings            the switches below, as directives of Cython and flags of the compiler
check_sources       refuses a tree that lacks a file of the core: its package would fail at an import
check_compiler      says in one line what to install where nothing can be compiled
write_stubs         writes what type checkers see of each module of the core (tools/core_stubs.py)
stage               lays _ext out as BUILD/bordeaux/_ext, since cimport does not know package_dir
BuildExtensions     translates and compiles there what is older than its sources, and copies all of it
BuildPython         begins with an empty folder, so that a wheel has no files that were deleted
SourceDistribution  gives the same archive for the same tree, byte for byte
packages            adds the three folders beside the package that belong to it: _ext, openings, metamap

Switches, by environment; each set of them has a build folder of its own:

BORDEAUX_DEBUG=1     bounds checks and assertions on, -Og -g1: with sanitizers, half the time of -O1 -g
BORDEAUX_SANITIZE=1  address and undefined-behaviour sanitizers, which a process needs from its start:
                     LD_PRELOAD="$(gcc -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0 pytest
BORDEAUX_NATIVE=1    instructions of this very processor; the result may not run on another
"""

import gzip
import hashlib
import os
import re
import runpy
import shutil
import sysconfig
import tarfile
import tempfile
import threading
import time
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

SOURCES = Path("_ext")
FOLDERS = {"bordeaux._ext": "_ext", "bordeaux.openings": "openings", "bordeaux.metamap": "metamap"}
CORE_IMPORT = re.compile(r"^[ \t]*from[ \t]+bordeaux\._ext\.(\w+)\.(\w+)[ \t]+(c?)import\b", re.MULTILINE)
PAGE = ("*.css", "*.html", "*.js", "*.svg")
DATA = ("py.typed", "*.toml", "*.json", "*.jsonl", "*.csv", "*.npz", "*.ebnf", *PAGE, "*.pxd")
# What Cython adds to every module, once: without it, half as much again to compile.
SHARED = "bordeaux._ext._cyutility"
# In 1980, the first time that a file in a wheel can have.
EARLIEST = 315532800
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "nonecheck": False,
    "embedsignature": True,
    # Annotations are for the stubs: they check and convert nothing.
    "annotation_typing": False,
}
# Not nonecheck: with it Cython wants the GIL wherever nogil code writes to an attribute.
DEBUG_DIRECTIVES = {"boundscheck": True, "initializedcheck": True}
NO_COMPILER = """\
bordeaux: no C compiler works here: install one, then try again (Debian: apt install gcc python3-dev; \
Fedora: dnf install gcc python3-devel; macOS: xcode-select --install). {}"""
NO_HEADERS = """\
bordeaux: the headers of Python are missing: install them, then try again (Debian: apt install python3-dev; \
Fedora: dnf install python3-devel). {}"""


def switch(name: str) -> bool:
    """Whether the environment turns BORDEAUX_`name` on: unset, empty and 0 are off."""
    return os.environ.get(f"BORDEAUX_{name}", "") not in ("", "0")


def settings() -> tuple[dict, dict]:
    """What the environment asks for: arguments of `cythonize`, and of every `Extension`."""
    debug, sanitize = switch("DEBUG"), switch("SANITIZE")
    # A null pointer that is followed, and an address outside its object, are what the address sanitizer
    # finds: a third of the compilation less.
    found = "-fno-sanitize=null,object-size,pointer-overflow"
    link = ["-fsanitize=address,undefined", found] if sanitize else []
    # Functions begin cache lines. Otherwise a change elsewhere in a file shifts them: 4 % of a rollout.
    flags = ["-Og", "-g1"] if debug or sanitize else ["-O3", "-g0", "-falign-functions=64"]
    # No product and sum in one step where the processor could: values are the same everywhere.
    flags.append("-ffp-contract=off")
    if sanitize:
        flags += [*link, "-fno-omit-frame-pointer"]
    if switch("NATIVE"):
        flags.append("-march=native")
    directives = DIRECTIVES | (DEBUG_DIRECTIVES if debug else {})
    return {"compiler_directives": directives}, {
        "extra_compile_args": flags,
        "extra_link_args": link,
        "define_macros": [] if debug else [("CYTHON_WITHOUT_ASSERTIONS", "1")],
        "undef_macros": ["NDEBUG"] if debug else [],
    }


def core_sources(*suffixes: str) -> list[Path]:
    """The files of _ext with one of these suffixes, sorted."""
    return sorted(path for path in SOURCES.rglob("*") if path.suffix in suffixes)


def check_sources() -> None:
    """Stop where a .pyx or .pxd that something names is missing."""
    if not core_sources(".pyx"):
        raise SystemExit("bordeaux: no .pyx file in _ext: the core's sources are missing from this copy")
    for user in (*Path("bordeaux").rglob("*.py"), *core_sources(".pyx", ".pxd")):
        for folder, module, compiled in CORE_IMPORT.findall(user.read_text(encoding="utf-8")):
            needed = SOURCES / folder / f"{module}.{'pxd' if compiled else 'pyx'}"
            if not needed.exists():
                raise SystemExit(f"bordeaux: {user} needs {needed.as_posix()}, which is missing")


def check_compiler() -> None:
    """Stop with one line, before all that a build prints, where nothing can be compiled."""
    # setuptools brings these along where Python has them no more, once it has been imported.
    from distutils.ccompiler import new_compiler
    from distutils.sysconfig import customize_compiler

    compiler = new_compiler()
    customize_compiler(compiler)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        for text, message in (("int probe;\n", NO_COMPILER), ("#include <Python.h>\n", NO_HEADERS)):
            source.write_text(text, encoding="ascii")
            try:
                headers = [sysconfig.get_path("include"), sysconfig.get_path("platinclude")]
                compiler.compile([str(source)], output_dir=folder, include_dirs=headers)
            except Exception as error:  # what is raised differs between releases of setuptools
                raise SystemExit(message.format(f"({error})")) from None


def stage(folder: Path) -> None:
    """Make `folder` a copy of the core's sources. What has not changed keeps its time."""
    kinds = (".pyx", ".pxd", ".h", ".py")
    sources = {folder / path.relative_to(SOURCES): path.read_bytes() for path in core_sources(*kinds)}
    for left in folder.rglob("*"):
        if left.suffix in kinds and left not in sources:
            left.unlink()
    for copy, content in {folder.parent / "__init__.py": b"", **sources}.items():
        if not copy.exists() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)


def ingredients(folder: Path, source: Path) -> set[Path]:
    """The staged files of which a module is made: its .pyx, every .pxd that this needs, and all headers."""
    used, asked = set(folder.rglob("*.h")), [source, source.with_suffix(".pxd")]
    while asked:
        path = asked.pop()
        if path not in used and path.exists():
            used.add(path)
            names = CORE_IMPORT.findall(path.read_text(encoding="utf-8"))
            asked += [folder / inner / f"{module}.pxd" for inner, module, compiled in names if compiled]
    return used


def write_stubs(folder: Path) -> None:
    """Write the stubs of the core's modules below a folder, and remove those of modules that are gone."""
    made = runpy.run_path("tools/core_stubs.py")["stubs"](SOURCES)
    for left in {*folder.rglob("*.pyi")} - {folder / path for path in made}:
        left.unlink()
    for path, text in made.items():
        folder.joinpath(path).write_text(text, encoding="utf-8")


class BuildExtensions(build_ext):
    """Translate and compile, in a folder that is kept, the modules that are older than their sources."""

    def finalize_options(self) -> None:
        """Compile as many modules at once as there are processors."""
        super().finalize_options()
        self.telling, self.built = threading.Lock(), 0
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        """Build what is stale; copy all of it. What an earlier build left of a module that is gone goes."""
        try:
            import Cython
            from Cython.Build import cythonize
        except ImportError as error:
            raise SystemExit("bordeaux: the build needs Cython: pip install 'cython>=3.2.1,<4'") from error
        translation, compilation = settings()
        signature = f"{Cython.__version__} {translation} {compilation}"
        built = Path("build", "core-" + hashlib.sha256(signature.encode()).hexdigest()[:8])
        staged = built / "bordeaux" / "_ext"
        stage(staged)
        modules, wanted, self.build_lib = self.extensions, self.build_lib, str(built)
        self.extensions = []
        for module in modules:
            source = staged / Path(module.sources[0]).relative_to(SOURCES)
            target = Path(self.get_ext_fullpath(module.name))
            newest = max(path.stat().st_mtime for path in ingredients(staged, source))
            if not target.exists() or target.stat().st_mtime <= newest:
                module.sources, module.include_dirs = [str(source)], [str(staged)]
                self.extensions.append(module)
        print(f"bordeaux: translating {len(self.extensions)} modules into C", flush=True)
        translated = cythonize(
            [Extension(module.name, module.sources) for module in self.extensions],
            include_path=[str(built)],
            shared_utility_qualified_name=SHARED,
            force=True,
            **translation,
        )
        for module, result in zip(self.extensions, translated, strict=True):
            vars(module).update(compilation, sources=result.sources)
        # They are stale, whatever the times of objects that another build has left.
        self.force = True
        super().build_extensions()
        made = [Path(self.get_ext_fullpath(module.name)) for module in modules]
        self.extensions, self.build_lib = modules, wanted
        for module, path in zip(modules, made, strict=True):
            target = Path(self.get_ext_fullpath(module.name))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        write_stubs(Path(self.get_ext_fullpath("bordeaux._ext.core")).parent)
        known = {SOURCES.joinpath(*module.name.split(".")[2:]) for module in modules}
        for left in core_sources(".so", ".pyd"):
            if left.with_name(left.name.partition(".")[0]) not in known:
                left.unlink()

    def copy_extensions_to_source(self) -> None:
        """Where the package is installed to be edited, the stubs come along with the modules."""
        super().copy_extensions_to_source()
        write_stubs(SOURCES)

    def build_extension(self, ext: Extension) -> None:
        """Build one module, and say so."""
        begun = time.monotonic()
        super().build_extension(ext)
        with self.telling:
            self.built += 1
            name = ext.name.removeprefix("bordeaux._ext.")
            spent = time.monotonic() - begun
            progress = f"compiled {name} in {spent:.0f} s ({self.built} of {len(self.extensions)})"
            print(f"bordeaux: {progress}", flush=True)


class BuildPython(build_py):
    """Copy the Python and data files into a folder without what an earlier build left there."""

    def run(self) -> None:
        """See first that the core can be compiled, which comes next."""
        check_compiler()
        if not self.editable_mode:
            shutil.rmtree(Path(self.build_lib, "bordeaux"), ignore_errors=True)
        super().run()


class SourceDistribution(sdist):
    """An archive without this machine's times, owners or order: times are $SOURCE_DATE_EPOCH, else 1980."""

    def make_archive(self, base_name: str, format: str, root_dir=None, base_dir=None, **rest: object) -> str:
        """Pack the tree, gzip alone; other forms are as setuptools makes them."""
        if format != "gztar":
            return super().make_archive(base_name, format, root_dir, base_dir, **rest)
        when = int(os.environ.get("SOURCE_DATE_EPOCH") or EARLIEST)

        def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.mtime, member.uid, member.gid, member.uname, member.gname = when, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            return member

        top = Path(root_dir or ".", base_dir)
        target = Path(f"{base_name}.tar.gz")
        with (
            target.open("wb") as handle,
            gzip.GzipFile(filename="", mode="wb", fileobj=handle, mtime=when) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for path in (top, *sorted(top.rglob("*"))):
                name = Path(base_dir, path.relative_to(top)).as_posix()
                archive.add(path, name, recursive=False, filter=plain)
        return str(target)


def packages() -> list[str]:
    """The package and its subpackages, those in the folders beside it included."""
    beside = [f"{name}.{sub}" for name, folder in FOLDERS.items() for sub in find_packages(folder)]
    return [*find_packages(include=["bordeaux", "bordeaux.*"]), *FOLDERS, *beside]


def extensions() -> list[Extension]:
    """The modules of the core under the names by which they are imported, and Cython's own."""
    return [
        Extension(".".join(("bordeaux", *path.with_suffix("").parts)), [path.as_posix()])
        for path in (*core_sources(".pyx"), SOURCES / "_cyutility.c")
    ]


os.chdir(Path(__file__).resolve().parent)
check_sources()
setup(
    license="MIT",
    packages=packages(),
    package_dir={"bordeaux": "bordeaux", **FOLDERS},
    include_package_data=False,
    package_data={"": [f"{folder}{pattern}" for pattern in DATA for folder in ("", "**/")]},
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildExtensions, "build_py": BuildPython, "sdist": SourceDistribution},
)
