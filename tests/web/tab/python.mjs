// node python.mjs PYODIDE FOLDER SCRIPT: what a script of Python prints in Pyodide, started as a page starts its second Python.
import fs from "node:fs";
import zlib from "node:zlib";

const [pyodide, folder, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const { default: makeModule } = await import(`${pyodide}/pyodide.asm.mjs`);
const { SITE, kitOf, start } = await import(`${folder}/start.js`);
const { later } = JSON.parse(fs.readFileSync(`${folder}/files.json`, "utf8"));

async function python(kit) {
  const py = await start(kit, loadPyodide, makeModule, { indexURL: `${folder}/pyodide` });
  globalThis.readLater = () => new Uint8Array(fs.readFileSync(`${folder}/python/later.zip`));
  for (const path of later.filter((each) => !each.endsWith("later.zip"))) py.FS.writeFile(path.replace("python", SITE), fs.readFileSync(`${folder}/${path}`));
  return py;
}

const kit = await kitOf(new Uint8Array(zlib.gunzipSync(fs.readFileSync(`${folder}/python/first.pack`))));
const first = await python(kit);
for (const name of ["later", "bordeaux"]) first.pyimport(name);
kit.snapshot = first.makeMemorySnapshot();
(await python(kit)).runPython(fs.readFileSync(script, "utf8"));
