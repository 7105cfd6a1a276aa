// node python.mjs PYODIDE FOLDER SCRIPT: what a script of Python prints in Pyodide, started as a page starts its second Python.
import fs from "node:fs";

const [pyodide, folder, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const { default: makeModule } = await import(`${pyodide}/pyodide.asm.mjs`);
const { SITE, kitOf, lay, memoryOf, start } = await import(`${folder}/start.js`);
const { unpacked } = await import(`${folder}/unpack.js`);
const { files, later } = JSON.parse(fs.readFileSync(`${folder}/files.json`, "utf8"));
const read = (path) => new Uint8Array(fs.readFileSync(`${folder}/${path}`));
const archive = (path) => unpacked(read(path), files[path].whole, files[path].halves);

async function python(kit, _makeSnapshot) {
  const py = await start(kit, loadPyodide, makeModule, { _makeSnapshot, stdLibURL: `${folder}/pyodide/python_stdlib.zip` });
  lay(py.FS, await archive("python/nets.pack"));
  globalThis.readLater = () => read("python/later.zip");
  for (const path of later.filter((each) => !each.endsWith("later.zip"))) py.FS.writeFile(path.replace("python", SITE), read(path));
  return py;
}

const kit = await kitOf(await archive("python/first.pack"));
const first = await python(kit, true);
first.pyimport("rehearsal").rehearse();
kit.memory = memoryOf(first);
(await python(kit)).runPython(fs.readFileSync(script, "utf8"));
