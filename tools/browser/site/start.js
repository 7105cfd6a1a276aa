/**
 * Starts Python from archives, in a worker of a browser and in Node.js. Python's own files, numpy and the package lie in
 * them as they are laid out; compiled modules are linked before Python begins, always at the same places. So the
 * memory of a Python that has imported all it needs (`kit.memory`) can be given to another, which then begins at once.
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

/** What a Python is started from: an archive, its modules and Pyodide's own compiled. */
export async function kitOf(archive, wasm) {
  const compiled = [...files(archive)].filter(([path]) => path.endsWith(".so"));
  const modules = compiled.map(async ([path, bytes]) => [path, await WebAssembly.compile(bytes)]);
  const [program, ...linked] = await Promise.all([wasm, ...modules]);
  return { archive, modules: linked, wasm: program };
}

const PAGE_WORDS = 1024;

/** The memory of a Python without its empty pages: what Pyodide writes before it, how long it is, and where each part of it lies. */
export function memoryOf(py) {
  const snapshot = py.makeMemorySnapshot();
  const [, start] = new Uint32Array(snapshot.buffer, 0, 2);
  const words = new Uint32Array(snapshot.buffer, start);
  const parts = [];
  for (let at = 0; at < words.length; at += PAGE_WORDS) {
    if (!words.subarray(at, at + PAGE_WORDS).some(Boolean)) continue;
    if (parts.at(-1)?.[1] !== 4 * at) parts.push([4 * at, 4 * at]);
    parts.at(-1)[1] = 4 * Math.min(at + PAGE_WORDS, words.length);
  }
  const pages = new Uint8Array(parts.reduce((sum, [from, to]) => sum + to - from, 0));
  let size = 0;
  for (const [from, to] of parts) {
    pages.set(snapshot.subarray(start + from, start + to), size);
    size += to - from;
  }
  return { plan: { head: [...snapshot.subarray(0, start)], length: 4 * words.length, parts }, pages };
}

/** Write a memory. */
function restore(Module, { length, parts }, pages) {
  Module._emscripten_resize_heap(length);
  let at = 0;
  for (const [from, to] of parts) {
    Module.HEAPU8.set(pages.subarray(at, at + to - from), from);
    at += to - from;
  }
  if (at !== pages.length) throw new Error("the stored memory is damaged");
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
  const { archive, modules, wasm, memory } = kit;
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
  return loadPyodide({
    env: { HOME: "/home", PYTHONHASHSEED: "0", PYTHONPATH: LIBRARY },
    // The head alone: the rest is written while Pyodide starts.
    _loadSnapshot: memory && new Uint8Array(memory.plan.head),
    async createPyodideModule(settings) {
      settings.preRun.push(prepare);
      const Module = await makeModule(settings);
      if (memory) restore(Module, memory.plan, await memory.pages);
      return Module;
    },
    ...options,
  });
}
