/**
 * node pack.mjs STAGE OUT [NUMPY]: Python's library, numpy and the packages in the folders of STAGE, in the bytecode of
 * Pyodide's own Python. OUT/first.tar has what the first answer needs, by trial, OUT/nets.tar its weights, first all the even
 * bytes, then all the odd ones, which pack better; OUT/later.zip has the other modules, and large files of data that are not
 * needed stand beside them. numpy is that of the zip NUMPY, or the wheel that Pyodide's list of packages names, by its
 * checksum.
 */

import fs from "node:fs";
import path from "node:path";
import { loadPyodide } from "pyodide";
import makeModule from "./node_modules/pyodide/pyodide.asm.mjs";
import { kitOf, start } from "./site/start.js";

// Without the program's one long line, which Node.js would show.
process.on("uncaughtException", ({ message }) => {
  process.exitCode = 1;
  process.stderr.write(`${message.trim()}\n`, () => process.exit());
});

const [stage, out, numpy] = process.argv.slice(2);
// Bytecode has lines, but no columns.
const py = await loadPyodide({ env: { HOME: "/home", PYTHONNODEBUGRANGES: "1" } });
if (numpy) py.unpackArchive(new Uint8Array(fs.readFileSync(numpy)), "zip");
else await py.loadPackage("numpy");
if (!numpy && !py.loadedPackages.numpy) throw new Error("the numpy of Pyodide's list cannot be fetched; give one with --numpy");
py.mountNodeFS("/stage", stage);
py.mountNodeFS("/out", out);
py.runPython(`
import io, pathlib, py_compile, shutil, sysconfig, tarfile, zipfile

# What numpy imports when it is asked for alone, and nothing here asks for.
ALONE = """_pyrepl unittest pdb.py bdb.py doctest.py pydoc.py pydoc_data xmlrpc wsgiref imaplib.py smtplib.py
    mailbox.py poplib.py ftplib.py ensurepip idlelib turtle.py turtledemo venv tkinter pickletools.py optparse.py
    profile.py cProfile.py pstats.py trace.py curses dbm sqlite3 lzma.py plistlib.py ssl.py _ssl.py""".split()
LEFT_OUT = {*ALONE, "tests", "f2py", "testing", "distutils", "_pyinstaller", "include", "__pycache__"}
SOURCES = {".pyi", ".pyx", ".pxd", ".h", ".c"}
LIBRARY = "lib/python3.14"
SITE = LIBRARY + "/site-packages"
LARGE = 100_000

# Read when numpy is imported, and used by nothing before the first answer.
LINEAR = SITE + "/numpy/linalg/_umath_linalg"
DOCS = SITE + "/numpy/_core/_add_newdocs"

# Docstrings are left out where nobody is shown them: players are described by theirs.
SHOWN = SITE + "/bordeaux/players/"

def compiled(folder, root):
    """All files of a folder by their places, in the order of their kinds, so that they pack well."""
    made = {}
    for path in sorted(folder.rglob("*"), key=lambda path: (path.suffix, path)):
        parts = path.relative_to(folder)
        if not path.is_file() or LEFT_OUT & set(parts.parts) or path.suffix in SOURCES:
            continue
        place, content = f"{root}/{parts.as_posix()}", path.read_bytes()
        if place.startswith(DOCS):
            path.write_text("")
        if path.suffix == ".py":
            pyc = py_compile.compile(str(path), "/tmp/made.pyc", f"/{place}", doraise=True,
                optimize=0 if place.startswith(SHOWN) else 2,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
            place, content = place + "c", pathlib.Path(pyc).read_bytes()
        made[place] = content
    return made

def stored(content):
    """Arrays without a packing of their own."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(made, "w") as plain:
        for name in packed.namelist():
            plain.writestr(zipfile.ZipInfo(name), packed.read(name))
    return made.getvalue()

def tarred(files):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as packed:
        for place, content in files.items():
            entry = tarfile.TarInfo(place)
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    return made.getvalue()

def module(place):
    """The name of a module, if that is what a file is."""
    if not place.endswith((".pyc", ".so")):
        return None
    name = place.removeprefix(SITE + "/").removeprefix(LIBRARY + "/").removesuffix("/__init__.pyc").removesuffix(".pyc")
    return name.partition(".cpython-")[0].replace("/", ".")

found = [p for p in (pathlib.Path("numpy"), pathlib.Path(sysconfig.get_path("purelib"), "numpy")) if p.exists()]
shutil.unpack_archive("/lib/python314.zip", "/library")
everything = compiled(pathlib.Path("/library"), LIBRARY) | compiled(found[0], SITE + "/numpy")
for folder in sorted(pathlib.Path("/stage").iterdir()):
    everything |= compiled(folder, SITE)
`);

const archive = py.runPython('tarred(everything | {SITE + "/later.txt": b""})').toJs();
const there = await start(await kitOf(archive), loadPyodide, makeModule, { indexURL: path.resolve(out, "../pyodide") });
there.runPython(fs.readFileSync(new URL("trial.py", import.meta.url), "utf8"));
const used = there.globals.get("used").toJs();

py.globals.set("used", py.toPy([...used]));
py.runPython(`
first, nets, late = {}, {}, {}
for place, content in everything.items():
    if place.endswith(".npz") and place in used:
        nets[place] = stored(content)
    elif place.startswith(LINEAR):
        late[place] = content
        first[LINEAR + ".py"] = b"import later; __getattr__ = later.stand_in(__name__)"
    elif place in used or (module(place) is None and len(content) < LARGE):
        first[place] = content
    elif module(place) is None:
        path = pathlib.Path("/out", place.removeprefix(SITE + "/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    else:
        late[place] = content
first[SITE + "/later.txt"] = "\\n".join(sorted(map(module, late))).encode()
with zipfile.ZipFile("/out/later.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for place, content in late.items():
        packed.writestr(zipfile.ZipInfo(place), content, zipfile.ZIP_DEFLATED, 9)
pathlib.Path("/out/first.tar").write_bytes(tarred(first))
weights = tarred(nets)
pathlib.Path("/out/nets.tar").write_bytes(weights[::2] + weights[1::2])
`);
