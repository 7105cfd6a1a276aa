"""The build of the Cython core; everything else that describes the project stands in pyproject.toml.

Three folders beside the package belong to it: _ext, openings and metamap. Switches, by environment:

BORDEAUX_DEBUG=1     bounds checks and assertions on, -O1 -g
BORDEAUX_SANITIZE=1  address and undefined-behaviour sanitizers, which a process needs from its start:
                     LD_PRELOAD="$(gcc -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0 pytest
BORDEAUX_COVERAGE=1  counts which lines run, for tools/core_coverage.py; keep the folder of the build
BORDEAUX_NATIVE=1    instructions of this very processor; the result may not run on another
BORDEAUX_PORTABLE=1  plain C in the place of the vectors of gcc and clang, as other compilers get it
"""

import gzip
import os
import re
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

ROOT = Path(__file__).resolve().parent
CORE = "bordeaux._ext"
FOLDERS = {CORE: "_ext", "bordeaux.openings": "openings", "bordeaux.metamap": "metamap"}
PAGE = ("*.css", "*.html", "*.js", "*.svg")
DATA = ("py.typed", "*.toml", "*.json", "*.jsonl", "*.csv", "*.npz", "*.ebnf", *PAGE, "*.pxd", "*.pyi")
EARLIEST = 315532800
STAGE = Path("build", "cython")
STAGED_CORE = STAGE / "bordeaux" / "_ext"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "nonecheck": False,
    "embedsignature": True,
}
# Not nonecheck: with it Cython wants the GIL wherever nogil code writes to an attribute.
DEBUG_DIRECTIVES = {"boundscheck": True, "initializedcheck": True}


def switch(name: str) -> bool:
    """Whether the environment turns BORDEAUX_`name` on: unset, empty and 0 are off."""
    return os.environ.get(f"BORDEAUX_{name}", "") not in ("", "0")


def settings() -> dict:
    """Compiler directives and flags as the environment asks for them."""
    debug, sanitize = switch("DEBUG"), switch("SANITIZE")
    link = ["-fsanitize=address,undefined"] if sanitize else []
    # Functions begin cache lines, lest a change elsewhere in a file shift them: that was 4 % of a rollout.
    flags = ["-O1", "-g"] if debug or sanitize else ["-O3", "-g0", "-falign-functions=64"]
    # No product and sum in one step where the processor could: values are the same everywhere.
    flags.append("-ffp-contract=off")
    if sanitize:
        flags += [*link, "-fno-omit-frame-pointer"]
    if switch("COVERAGE"):
        flags.append("--coverage")
        link.append("--coverage")
    if switch("NATIVE"):
        flags.append("-march=native")
    return {
        "directives": DIRECTIVES | (DEBUG_DIRECTIVES if debug else {}),
        "compile": flags,
        "link": link,
        "define": [
            *([] if debug else [("CYTHON_WITHOUT_ASSERTIONS", "1")]),
            *([("BORDEAUX_PORTABLE", "1")] if switch("PORTABLE") else []),
        ],
        "undefine": ["NDEBUG"] if debug else [],
        "lines": switch("COVERAGE"),
    }


def core_sources(*suffixes: str) -> list[Path]:
    """The files of _ext with one of these suffixes, sorted by name."""
    return sorted(path for path in (ROOT / "_ext").glob("*") if path.suffix in suffixes)


def check_sources() -> None:
    """Stop where a .pyx or .pxd is missing: a build without it would make a package that cannot work."""
    if not core_sources(".pyx"):
        raise SystemExit("bordeaux: no .pyx file in _ext: the core's sources are missing from this copy")
    implemented = {path.stem for path in core_sources(".pyx", ".py")}
    declared = {path.stem for path in core_sources(".pxd")}
    named = re.compile(
        r"^[ \t]*from[ \t]+(?:bordeaux\._ext\.|\.)(\w+)[ \t]+(import|cimport)\b"
        r"|^[ \t]*from[ \t]+(?:bordeaux\._ext|\.)[ \t]+(import|cimport)[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)",
        re.MULTILINE,
    )
    users = list((ROOT / "bordeaux").rglob("*.py")) + core_sources(".pyx", ".pxd", ".py")
    for user in users:
        for match in named.finditer(user.read_text(encoding="utf-8")):
            if user.parent.name != "_ext" and CORE not in match.group():
                continue
            compiled = "cimport" in (match[2], match[3])
            modules = [match[1]] if match[1] else re.split(r"[ \t]*,[ \t]*", match[4])
            missing = [name for name in modules if name not in (declared if compiled else implemented)]
            if missing:
                name = f"{missing[0]}.{'pxd' if compiled else 'pyx'}"
                raise SystemExit(f"bordeaux: {user.relative_to(ROOT)} needs _ext/{name}, which is missing")


NO_COMPILER = """\
bordeaux: no C compiler works here: install one, then try again (Debian: apt install gcc python3-dev; \
Fedora: dnf install gcc python3-devel; macOS: xcode-select --install; Windows: Build Tools of Visual \
Studio). {}"""
NO_HEADERS = """\
bordeaux: the headers of Python are missing: install them, then try again (Debian: apt install python3-dev; \
Fedora: dnf install python3-devel). {}"""


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


def stage(signature: str) -> None:
    """Lay _ext out as build/cython/bordeaux/_ext, since cimport does not know package_dir.

    A file is written only when its content changed, so that Cython's own comparison of times decides
    what to translate anew; another `signature` (directives, flags, Cython's version) starts afresh.
    """
    note = STAGE / "settings.txt"
    if STAGE.exists() and (not note.exists() or note.read_text(encoding="utf-8") != signature):
        shutil.rmtree(STAGE)
    STAGED_CORE.mkdir(parents=True, exist_ok=True)
    for package in (STAGED_CORE, STAGED_CORE.parent):
        (package / "__init__.py").touch()
    sources = core_sources(".pyx", ".pxd", ".h")
    for source in sources:
        copy, content = STAGED_CORE / source.name, source.read_bytes()
        if not copy.exists() or copy.read_bytes() != content:
            copy.write_bytes(content)
    kept = {"__init__.py"} | {source.name for source in sources} | {f"{source.stem}.c" for source in sources}
    for left in STAGED_CORE.iterdir():
        if left.name not in kept:
            left.unlink()
    if not note.exists():
        note.write_text(signature, encoding="utf-8")


def newest(module: str) -> float:
    """When the staged sources of a module were last changed: its own, and those that all may share."""
    shared = [path for path in STAGED_CORE.iterdir() if path.suffix in (".pxd", ".h")]
    return max(path.stat().st_mtime for path in (STAGED_CORE / f"{module}.pyx", *shared))


def keep_translations() -> None:
    """Make the C files that are still good look new: Cython compares them with the files of its own
    package too, which pip has unpacked just now if it builds in an environment of its own."""
    for translated in STAGED_CORE.glob("*.c"):
        if translated.stat().st_mtime >= newest(translated.stem):
            translated.touch()


class BuildExtensions(build_ext):
    """Translate the staged sources, then compile what is older than they are."""

    def finalize_options(self) -> None:
        """Compile as many modules at once as there are processors."""
        super().finalize_options()
        self.telling, self.built = threading.Lock(), 0
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        """Turn each .pyx into C with the switches applied, then build as usual."""
        try:
            import Cython
            from Cython.Build import cythonize
        except ImportError as error:
            raise SystemExit("bordeaux: the build needs Cython: pip install 'cython>=3.1,<4'") from error
        chosen = settings()
        stage(f"Cython {Cython.__version__} {chosen}\n")
        keep_translations()
        print(f"bordeaux: translating {len(self.extensions)} modules into C", flush=True)
        staged = [Extension(e.name, [str(STAGED_CORE / Path(e.sources[0]).name)]) for e in self.extensions]
        translated = cythonize(
            staged,
            include_path=[str(STAGE)],
            compiler_directives=chosen["directives"],
            # Lines of the C are then those of the .pyx to all tools.
            emit_linenums=chosen["lines"],
        )
        for extension, result in zip(self.extensions, translated, strict=True):
            headers = [str(STAGED_CORE / path.name) for path in core_sources(".h")]
            extension.sources, extension.depends = result.sources, [*result.depends, *headers]
            extension.include_dirs = [str(STAGED_CORE)]
            extension.define_macros, extension.undef_macros = chosen["define"], chosen["undefine"]
            extension.extra_compile_args, extension.extra_link_args = chosen["compile"], chosen["link"]
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Build one module; an editable install keeps the compiled file that is still good."""
        target = Path(self.get_ext_fullpath(ext.name))
        installed = Path("_ext", target.name)
        name = ext.name.rpartition(".")[2]
        if self.editable_mode and installed.exists() and installed.stat().st_mtime > newest(name):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(installed, target)
            return
        begun = time.monotonic()
        super().build_extension(ext)
        with self.telling:
            self.built += 1
            spent = time.monotonic() - begun
            progress = f"compiled {name} in {spent:.0f} s ({self.built} of {len(self.extensions)})"
            print(f"bordeaux: {progress}", flush=True)


class SourceDistribution(sdist):
    """The same tree gives the same archive, byte for byte: no times, owners or order of this machine in it.

    Times are $SOURCE_DATE_EPOCH, else 1980, the first that a wheel can have.
    """

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
                archive.add(
                    path, Path(base_dir, path.relative_to(top)).as_posix(), recursive=False, filter=plain
                )
        return str(target)


class BuildPython(build_py):
    """Copy the Python and data files, without those that an earlier build left and the tree has lost."""

    def run(self) -> None:
        """See that the core can be compiled, which comes next, and empty the build folder of all but the
        compiled modules that still have a source."""
        check_compiler()
        modules = {path.stem for path in core_sources(".pyx")}
        if not self.editable_mode:
            for path in Path(self.build_lib, "bordeaux").rglob("*"):
                compiled = path.suffix in (".so", ".pyd") and path.name.split(".")[0] in modules
                if path.is_file() and not compiled:
                    path.unlink()
        super().run()


def packages() -> list[str]:
    """The package and its subpackages, those in the folders beside it included."""
    beside = [f"{name}.{sub}" for name, folder in FOLDERS.items() for sub in find_packages(folder)]
    return [*find_packages(include=["bordeaux", "bordeaux.*"]), *FOLDERS, *beside]


check_sources()
setup(
    license="MIT",
    packages=packages(),
    package_dir={"bordeaux": "bordeaux", **FOLDERS},
    include_package_data=False,
    package_data={"": [f"{folder}{pattern}" for pattern in DATA for folder in ("", "**/")]},
    ext_modules=[Extension(f"{CORE}.{path.stem}", [f"_ext/{path.name}"]) for path in core_sources(".pyx")],
    cmdclass={"build_ext": BuildExtensions, "build_py": BuildPython, "sdist": SourceDistribution},
)
