// node python.mjs PYODIDE FOLDER SCRIPT: what a script of Python prints in Pyodide, started as a page starts its second Python.
import fs from "node:fs";

const [pyodide, folder, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const { default: makeModule } = await import(`${pyodide}/pyodide.asm.mjs`);
const { SITE, kitOf, start } = await import(`${folder}/start.js`);
const { unpacked } = await import(`${folder}/unpack.js`);
const { files, later } = JSON.parse(fs.readFileSync(`${folder}/files.json`, "utf8"));
const read = (path) => new Uint8Array(fs.readFileSync(`${folder}/${path}`));
const archive = (path) => unpacked(read(path), files[path].whole, files[path].halves);

async function python(kit) {
  const py = await start(kit, loadPyodide, makeModule, { stdLibURL: `${folder}/pyodide/python_stdlib.zip` });
  globalThis.readLater = () => read("python/later.zip");
  for (const path of later.filter((each) => !each.endsWith("later.zip"))) py.FS.writeFile(path.replace("python", SITE), read(path));
  return py;
}

const kit = await kitOf(["python/first.pack", "python/nets.pack"].map(archive));
const first = await python(kit);
for (const name of ["later", "bordeaux"]) first.pyimport(name);
kit.snapshot = first.makeMemorySnapshot();
(await python(kit)).runPython(fs.readFileSync(script, "utf8"));
