"""The page for a browser without a server, as a folder that any host of files serves: ``make browser``.

    python tools/browser/build.py [--out FOLDER] [--wheel WHEEL] [--core FOLDER] [--numpy ZIP]

It has the analysis page, Pyodide at the version of package-lock.json, numpy, and the package in bytecode. The
core comes out of a wheel for Pyodide (cibuildwheel --platform pyodide makes one), or is compiled here by Zig,
with the headers of ../shared/wasm, from the C that `make` has left. numpy is the wheel that Pyodide's
list of packages names, by its checksum, or the one of ../shared/wasm. Needs Node.js with npm.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import bordeaux
from bordeaux.view.board.paint import page_css

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHARED = ROOT.parent / "shared" / "wasm"
PYODIDE = HERE / "node_modules" / "pyodide"
OUT = ROOT / "build" / "browser"
MADE = ROOT / "build" / "pyodide"
"""Modules of the core, kept for the next build."""

WITHOUT = ("_ext/learn", "cli", "env", "protocols", "web/static", "web/server.py", "arena/data/puzzles.jsonl")
"""Parts of the package that no page asks for."""
PURE = ("sortedcontainers", "platformdirs")
FOREIGN = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
MODULE = ".cpython-314-wasm32-emscripten.so"

# In Zig's names a minus before a feature takes it away: older browsers refuse extended constant expressions.
CPU = "-mcpu=generic-extended_const+simd128"
FLAGS = [
    "-target",
    "wasm32-emscripten",
    CPU,
    "-O3",
    "-g0",
    "-fPIC",
    "-fvisibility=hidden",
    "-ffp-contract=off",
]
FLAGS += ["-DNDEBUG", "-DCYTHON_WITHOUT_ASSERTIONS=1", "-D__EMSCRIPTEN__=1", "-Wno-everything"]
SYSTEM = (
    "include/compat",
    "include",
    "lib/libc/musl/arch/emscripten",
    "lib/libc/musl/arch/generic",
    "lib/libc/musl/include",
)
LINK = ["wasm-ld", "-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "--strip-all"]

PROGRAM = "pyodide/pyodide.asm.wasm"
NETS = "python/nets.pack"
PACKED = {PROGRAM: "pyodide/program.pack", "python/first.tar": "python/first.pack", "python/nets.tar": NETS}
"""What the first answer needs, and the names under which it travels."""
PACKING = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 32 << 20}]

EMPTY = '{ version: "", first: {}, later: {} }'
"""What the service worker keeps, before the build writes it."""

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; form-action 'none'; "
    "base-uri 'none'"
)


def run(*words: object, **options: object) -> None:
    """Run a command; what it says is shown if it fails. Raises SystemExit."""
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, **options
    )  # type: ignore[call-overload]
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}make browser: {words[0]} failed")


def core(target: Path, given: Path | None) -> None:
    """Compile the C that Cython has left, by default in the last build, to modules of Pyodide: what is older
    than its source."""
    folders = sorted(ROOT.glob("build/core-*/bordeaux/_ext"), key=lambda folder: folder.stat().st_mtime)
    if given is not None:
        folders = [given.resolve()]
    if not folders:
        raise SystemExit("make browser: there is no C of the core in build; run make first")
    if not (SHARED / "headers.zip").exists():
        raise SystemExit(f"make browser: no headers in {SHARED}; give a wheel for Pyodide with --wheel")
    zig = [sys.executable, "-m", "ziglang"]
    asked = [path for path in folders[-1].rglob("*.c") if f"_ext/{path.parent.name}" not in WITHOUT]
    with tempfile.TemporaryDirectory() as work:
        headers = Path(work, "headers")
        zipfile.ZipFile(SHARED / "headers.zip").extractall(headers)
        places = [f"-isystem{headers / 'emscripten' / place}" for place in SYSTEM]
        places += [f"-I{headers / 'python3.14'}", f"-I{folders[-1]}"]

        def compiled(source: Path) -> None:
            name = source.relative_to(folders[-1]).with_suffix("")
            place = name.with_name(name.name + MODULE)
            made = MADE / place
            if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
                made.parent.mkdir(parents=True, exist_ok=True)
                part = Path(work, f"{'.'.join(name.parts)}.o")
                run(*zig, "cc", *FLAGS, *places, "-c", source, "-o", part, cwd=folders[-1])
                run(*zig, *LINK, f"--export=PyInit_{name.name}", "-o", made, part)
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(made, target / place)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compiled, sorted(asked)))


def staged(stage: Path, wheel: Path | None, given: Path | None) -> None:
    """Lay out the package, its core and what it needs beside numpy."""
    target = stage / "bordeaux"
    if wheel is not None:
        zipfile.ZipFile(wheel).extractall(target)
        for left in target.glob("*.dist-info"):
            shutil.rmtree(left)
    else:
        ignored = shutil.ignore_patterns("*.so", "__pycache__")
        shutil.copytree(ROOT / "bordeaux", target / "bordeaux", ignore=ignored)
        for folder in ("_ext", "openings", "metamap"):
            shutil.copytree(ROOT / folder, target / "bordeaux" / folder, ignore=ignored, dirs_exist_ok=True)
        core(target / "bordeaux" / "_ext", given)
    for name in WITHOUT:
        path = target / "bordeaux" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in PURE:
        spec = find_spec(name)
        assert spec is not None and spec.submodule_search_locations
        shutil.copytree(spec.submodule_search_locations[0], target / name)
    for name in ("later.py", "rehearsal.py"):
        shutil.copy(HERE / name, target)


def page(out: Path) -> None:
    """The page itself: its files, the style sheet of its boards, and the worker's address in the document."""
    static = ROOT / "bordeaux" / "web" / "static"
    shutil.copytree(static, out / "static")
    (out / "static" / "index.html").unlink()
    (out / "static" / "board.css").write_text(page_css(), encoding="utf-8")
    text = (static / "index.html").read_text(encoding="utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    # The worker loads beside the page, whose scripts come at once.
    scripts = sorted((out / "static").rglob("*.js"))
    preloaded = [f'<link rel="modulepreload" href="{path.relative_to(out).as_posix()}">' for path in scripts]
    worker = '<script src="begin.js"></script>'
    head = "\n".join(["<head>", policy, '<link rel="manifest" href="app.webmanifest">', worker, *preloaded])
    text = text.replace("<head>", head, 1).replace("<html ", '<html data-worker="worker.js" ', 1)
    (out / "index.html").write_text(text, encoding="utf-8")
    for path in (HERE / "site").iterdir():
        shutil.copy(path, out / path.name)
    # Hosts that make pages of files leave this folder as it is.
    (out / ".nojekyll").touch()


def foreign(out: Path) -> None:
    """Pyodide, with an empty list of packages, as none comes from elsewhere. Its library is with the rest."""
    (out / "pyodide").mkdir()
    zipfile.ZipFile(out / "pyodide" / "python_stdlib.zip", "w").close()
    for name in FOREIGN:
        shutil.copy(PYODIDE / name, out / "pyodide" / name)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    (out / "pyodide" / "pyodide-lock.json").write_text(json.dumps({"info": lock["info"], "packages": {}}))


def packed(out: Path) -> dict[str, int]:
    """Pack what the first answer needs, so that it travels alike from any host; gives the sizes before."""
    contents = {name: (out / name).read_bytes() for name in PACKED}

    def pack(name: str) -> None:
        if PACKED[name] == NETS:
            deflating = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_HUFFMAN_ONLY)
            made = deflating.compress(contents[name]) + deflating.flush()
        else:
            made = lzma.compress(contents[name], lzma.FORMAT_RAW, filters=PACKING)
        (out / PACKED[name]).write_bytes(made)
        (out / name).unlink()

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(pack, PACKED))
    return {PACKED[name]: len(content) for name, content in contents.items()}


def listed(out: Path, sizes: dict[str, int]) -> None:
    """Write what there is: for the worker, which checks it, and for the service worker, which keeps it.
    `sizes` has those of packed files before."""
    known: dict[str, dict[str, Any]] = {}
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.name not in ("sw.js", ".nojekyll"):
            content = path.read_bytes()
            known[path.relative_to(out).as_posix()] = {
                "size": len(content),
                "sha256": hashlib.sha256(content).hexdigest(),
            }
    for name, size in sizes.items():
        known[name] |= {"whole": size, "halves": name == NETS}
    engine = {name: known[name] for name in known if name.startswith(("pyodide/", "python/"))}
    later = [name for name in engine if name.startswith("python/") and name not in sizes]
    version = hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]
    text = json.dumps({"version": version, "files": engine, "later": later}, indent=1)
    (out / "files.json").write_text(text + "\n")
    worker = out / "sw.js"
    sums = {"files.json": hashlib.sha256((text + "\n").encode()).hexdigest()}
    sums |= {name: file["sha256"] for name, file in known.items()}
    checked = {name: f"sha256-{b64encode(bytes.fromhex(sha)).decode()}" for name, sha in sums.items()}
    last = {name: checked.pop(name) for name in later}
    kept = {"version": version, "first": checked, "later": last}
    text = worker.read_text(encoding="utf-8")
    assert EMPTY in text
    worker.write_text(text.replace(EMPTY, json.dumps(kept, indent=1), 1), encoding="utf-8")


def main() -> None:
    """Build the folder, and say how large it is."""
    parser = argparse.ArgumentParser(description="The page for a browser, as a folder")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--wheel", type=Path, help="of this version, for Pyodide")
    parser.add_argument("--core", type=Path, help="the folder with the C that Cython has made")
    parser.add_argument("--numpy", type=Path, help="a zip; else that of ../shared/wasm, or Pyodide's own")
    asked = parser.parse_args()
    bundled = next(iter(sorted(SHARED.glob("numpy-*.zip"))), None)
    numpy = asked.numpy or (None if asked.wheel else bundled)
    if not (HERE / "node_modules" / ".package-lock.json").exists():
        run("npm", "ci", "--silent", "--no-audit", "--no-fund", cwd=HERE)
    shutil.rmtree(asked.out, ignore_errors=True)
    asked.out.mkdir(parents=True)
    page(asked.out)
    foreign(asked.out)
    (asked.out / "python").mkdir()
    with tempfile.TemporaryDirectory() as work:
        staged(Path(work), asked.wheel, asked.core)
        run("node", HERE / "pack.mjs", work, asked.out / "python", *([numpy] if numpy else []))
    listed(asked.out, packed(asked.out))
    size = sum(path.stat().st_size for path in asked.out.rglob("*") if path.is_file())
    print(f"Bordeaux {bordeaux.__version__} for a browser: {size / 1e6:.1f} MB in {asked.out}")


if __name__ == "__main__":
    main()
