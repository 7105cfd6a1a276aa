/**
 * node pack.mjs STAGE OUT [NUMPY]: the folders of STAGE become packages for the page, OUT/NAME.zip, in the bytecode of
 * Pyodide's own Python, and so does its library. numpy is that of the zip NUMPY, or the wheel that Pyodide's list of packages
 * names, by its checksum.
 */

import fs from "node:fs";
import { loadPyodide } from "pyodide";

const [stage, out, numpy] = process.argv.slice(2);
const py = await loadPyodide();
if (numpy) py.unpackArchive(new Uint8Array(fs.readFileSync(numpy)), "zip");
else await py.loadPackage("numpy");
py.mountNodeFS("/stage", stage);
py.mountNodeFS("/out", out);
py.runPython(`
import compileall, pathlib, py_compile, shutil, sysconfig, zipfile

# What numpy imports when it is asked for alone, and nothing here asks for.
ALONE = """_pyrepl unittest pdb.py bdb.py doctest.py pydoc.py pydoc_data xmlrpc wsgiref imaplib.py smtplib.py
    mailbox.py poplib.py ftplib.py ensurepip idlelib turtle.py turtledemo venv tkinter pickletools.py optparse.py
    profile.py cProfile.py pstats.py trace.py curses dbm sqlite3 lzma.py plistlib.py""".split()
LEFT_OUT = {*ALONE, "tests", "f2py", "testing", "distutils", "_pyinstaller", "include", "__pycache__"}
WRITTEN = (1980, 1, 1, 0, 0, 0)

# Docstrings are left out where nobody is shown them: players are described by theirs.
SHOWN = "bordeaux/players/"

def pack(folder, name, sources, root):
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and not LEFT_OUT & set(p.relative_to(folder).parts)]
    with zipfile.ZipFile(f"/out/{name}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in files:
            place, content = path.relative_to(root).as_posix(), path.read_bytes()
            if path.suffix in sources:
                continue
            if path.suffix == ".py":
                made = py_compile.compile(str(path), "/tmp/made.pyc", place, doraise=True,
                    optimize=0 if place.startswith(SHOWN) else 2,
                    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
                place, content = place + "c", pathlib.Path(made).read_bytes()
            packed.writestr(zipfile.ZipInfo(place, WRITTEN), content, zipfile.ZIP_DEFLATED, 9)

found = [p for p in (pathlib.Path("numpy"), pathlib.Path(sysconfig.get_path("purelib"), "numpy")) if p.exists()]
library = pathlib.Path("/library")
shutil.unpack_archive("/lib/python314.zip", library)
pack(library, "python_stdlib", set(), library)
pack(found[0], "numpy", {".pyi", ".pyx", ".pxd", ".h", ".c", ".txt"}, found[0].parent)
for folder in sorted(pathlib.Path("/stage").iterdir()):
    pack(folder, folder.name, {".pyi", ".pyx", ".pxd", ".h", ".c"}, folder)
`);
