/**
 * Starts Python from archives, in a worker of a browser and in Node.js. Python's own files, numpy and the package lie in
 * them as they are laid out; compiled modules are linked before Python begins, always at the same places. So the
 * memory of a Python that has imported all it needs (`kit.snapshot`) can be given to another, which then begins at once.
 */

const LIBRARY = "/lib/python3.14";
export const SITE = `${LIBRARY}/site-packages`;

/** The files of a tar archive, by path. */
export function* files(archive) {
  const decoder = new TextDecoder();
  const text = (from, length) => decoder.decode(archive.subarray(from, from + length)).replace(/\0.*$/s, "");
  for (let at = 0; archive[at]; ) {
    const size = parseInt(text(at + 124, 12), 8);
    const folder = text(at + 345, 155);
    yield [`/${folder && `${folder}/`}${text(at, 100)}`, archive.subarray(at + 512, at + 512 + size)];
    at += 512 + 512 * Math.ceil(size / 512);
  }
}

/** What a Python is started from: an archive, its modules and Pyodide's own compiled, and a memory if there is one. */
export async function kitOf(archive, wasm, snapshot) {
  const compiled = [...files(archive)].filter(([path]) => path.endsWith(".so"));
  const modules = compiled.map(async ([path, bytes]) => [path, await WebAssembly.compile(bytes)]);
  const [program, ...linked] = await Promise.all([wasm, ...modules]);
  return { archive, modules: linked, wasm: program, snapshot };
}

/** Lay out the files of an archive. */
export function lay(FS, archive) {
  const folders = new Set();
  for (const [path, bytes] of files(archive)) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) FS.mkdirTree(folder);
    folders.add(folder);
    FS.writeFile(path, bytes, { canOwn: true });
  }
}

/** Start Python; without a memory it has imported nothing. A memory can be made of it with the option `_makeSnapshot`. */
export async function start(kit, loadPyodide, makeModule, options) {
  const { archive, modules, wasm } = kit;
  if (wasm) {
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => (String(input.url ?? input).endsWith(".wasm") ? Promise.resolve(new Response()) : fetch(input, init));
    WebAssembly.instantiateStreaming = async (_, imports) => ({ module: wasm, instance: await WebAssembly.instantiate(wasm, imports) });
  }
  function prepare(Module) {
    lay(Module.FS, archive);
    for (const [at, [path, module]] of modules.entries()) {
      const linked = Module.newDSO(path, undefined, "loading");
      linked.global = false;
      // What one takes from others is found once, behind the last: relocations come later.
      const flags = { global: false, nodelete: true, allowUndefined: at < modules.length - 1 };
      linked.exports = Module.loadWebAssemblyModule(module, flags, path, {});
    }
  }
  const py = await loadPyodide({
    env: { HOME: "/home", PYTHONHASHSEED: "0", PYTHONPATH: LIBRARY },
    _loadSnapshot: kit.snapshot,
    async createPyodideModule(settings) {
      settings.preRun.push(prepare);
      const Module = await makeModule(settings);
      // The memory begins behind a header, that says how long it is.
      const { snapshot } = kit;
      if (snapshot) Module._emscripten_resize_heap(snapshot.length - new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1]);
      return Module;
    },
    ...options,
  });
  // Python has its own copy.
  kit.snapshot = py._api.config._loadSnapshot = null;
  return py;
}
