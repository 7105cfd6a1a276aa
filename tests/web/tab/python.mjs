// node python.mjs PYODIDE FOLDER SCRIPT: what a script of Python prints in Pyodide, with the packages that a page is given.
import fs from "node:fs";

const [pyodide, folder, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const py = await loadPyodide();
const { files, packages, later } = JSON.parse(fs.readFileSync(`${folder}/files.json`, "utf8"));
const site = "/lib/python3.14/site-packages";
for (const path of packages) py.unpackArchive(new Uint8Array(fs.readFileSync(`${folder}/${path}`)), "zip", { extractDir: site });
for (const [path, place] of Object.entries(later)) {
  py.FS.mkdirTree(`${site}/${place.slice(0, place.lastIndexOf("/"))}`);
  py.FS.writeFile(`${site}/${place}`, fs.readFileSync(`${folder}/${path}`));
  if (!files[path]) throw new Error(`${path} is not listed`);
}
py.runPython(fs.readFileSync(script, "utf8"));
