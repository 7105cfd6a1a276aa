/**
 * Starts Python from archives, in a worker of a browser and in Node.js. Python's own files, numpy and the package lie in
 * them as they are laid out; compiled modules are linked before Python begins, always at the same places. So the
 * memory of a Python that has imported all it needs (`kit.snapshot`) can be given to another, which then begins at once.
 */

const LIBRARY = "/lib/python3.14";
export const SITE = `${LIBRARY}/site-packages`;

/** The files of a tar archive, by path. */
export function* files(archive) {
  const text = (from, length) => new TextDecoder().decode(archive.subarray(from, from + length)).replace(/\0.*$/s, "");
  for (let at = 0; archive[at]; ) {
    const size = parseInt(text(at + 124, 12), 8);
    const folder = text(at + 345, 155);
    yield [`/${folder && `${folder}/`}${text(at, 100)}`, archive.subarray(at + 512, at + 512 + size)];
    at += 512 + 512 * Math.ceil(size / 512);
  }
}

/** What a Python is started from: archives, its modules and Pyodide's own compiled, and a memory if there is one. */
export async function kitOf(archives, wasm, snapshot) {
  const compiled = archives.flatMap((archive) => [...files(archive)]).filter(([path]) => path.endsWith(".so"));
  const modules = compiled.map(async ([path, bytes]) => [path, await WebAssembly.compile(bytes)]);
  return { archives, modules: await Promise.all(modules), wasm: await wasm, snapshot };
}

/** Start Python; without a memory it has imported nothing. */
export async function start(kit, loadPyodide, makeModule, options) {
  const { archives, modules, wasm, snapshot } = kit;
  if (wasm) {
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => (String(input.url ?? input).endsWith(".wasm") ? Promise.resolve(new Response()) : fetch(input, init));
    WebAssembly.instantiateStreaming = async (_, imports) => ({ module: wasm, instance: await WebAssembly.instantiate(wasm, imports) });
  }
  function lay(Module) {
    for (const [path, bytes] of archives.flatMap((archive) => [...files(archive)])) {
      Module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      Module.FS.writeFile(path, bytes, { canOwn: true });
    }
    for (const [at, [path, module]] of modules.entries()) {
      const linked = Module.newDSO(path, undefined, "loading");
      linked.global = false;
      // What one takes from others is found once, behind the last: relocations come later.
      const flags = { global: false, nodelete: true, allowUndefined: at < modules.length - 1 };
      linked.exports = Module.loadWebAssemblyModule(module, flags, path, {});
    }
  }
  return loadPyodide({
    env: { HOME: "/home", PYTHONHASHSEED: "0", PYTHONPATH: LIBRARY },
    _makeSnapshot: !snapshot,
    _loadSnapshot: snapshot,
    async createPyodideModule(settings) {
      settings.preRun.push(lay);
      const Module = await makeModule(settings);
      // The memory begins behind a header, that says how long it is.
      if (snapshot) Module._emscripten_resize_heap(snapshot.length - new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1]);
      return Module;
    },
    ...options,
  });
}
