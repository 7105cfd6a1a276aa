/**
 * A worker with a Python of its own. The one that the page begins answers its requests and keeps its studies. It begins
 * others: those by the name of engine do its long jobs, the one by the name of memory makes a memory for the next visit.
 */

import { SITE, kitOf, lay, memoryOf, start } from "./start.js";

const STUDIES = "/studies";
const LATER = "python/later.zip";
const BASE = new URL("./", import.meta.url);
const first = !["engine", "memory"].includes(self.name);

/** What the one that began a worker tells it before it has started: the page when it may begin, the page's worker from what. */
const told = {};
const tells = {};
for (const what of ["begin", "kit", "nets"]) told[what] = new Promise((resolve) => (tells[what] = resolve));
self.onmessage = ({ data }) => {
  for (const [what, content] of Object.entries(data)) tells[what](content);
};

/** What starts Python: it loads while the rest does. */
const glue = Promise.all([import("./pyodide/pyodide.mjs"), import("./pyodide/pyodide.asm.mjs")]);

/** What is to be loaded: by path the size and the SHA-256; those of later ones come when they are asked for. */
const { version, files, later } = await manifest();
/** What is packed: Pyodide's program, and archives. */
const [PROGRAM, MODULES, NETS] = ["pyodide/program.pack", "python/first.pack", "python/nets.pack"];
const CACHE = `bordeaux-${version}`;
/** What a visit stores for the next one: what was unpacked, and the memory of a Python that has answered once and knows its weights. */
const [PLAN, MEMORY] = ["memory.json", "memory"];
const STORED = [PROGRAM, MODULES, NETS, PLAN, MEMORY];
const at = (name) => new URL(`stored/${name}`, BASE).href;

async function manifest() {
  const answer = await fetch(new URL("files.json", BASE)).catch(() => null);
  const list = answer?.ok ? await answer.json().catch(() => null) : null;
  return list ?? broken(new Error("files.json cannot be loaded"));
}

/** Bytes that have come, by path, of all that is loaded before the first answer. */
const loaded = {};
const total = [PROGRAM, MODULES, NETS].reduce((sum, path) => sum + files[path].size, 0);

/** What a packed file holds, and when all of it has come. */
function load(path) {
  const worker = new Worker(new URL("load.js", BASE), { type: "module" });
  let came = null;
  const come = new Promise((resolve) => (came = resolve));
  const bytes = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.loaded) {
        loaded[path] = data.loaded;
        if (data.loaded === files[path].size) came();
        self.postMessage({ progress: { loaded: Object.values(loaded).reduce((sum, size) => sum + size), total } });
        return;
      }
      worker.terminate();
      if (data.bytes) resolve(data.bytes);
      else reject(new Error(data.fault));
    };
    worker.onerror = () => reject(new Error("load.js cannot be loaded"));
    worker.postMessage({ path, ...files[path] });
  });
  return { bytes, come };
}

/** What reads what earlier visits have stored under names; nothing if one of them is missing. */
async function stored(...names) {
  const cache = await self.caches?.open(CACHE).catch(() => null);
  const answers = await Promise.all(names.map((name) => cache?.match(at(name))));
  if (!answers.every(Boolean)) return null;
  return answers.map((answer, place) => async () => {
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length !== (files[names[place]]?.whole ?? bytes.length)) throw new Error(`${names[place]} is damaged`);
    return bytes;
  });
}

async function store(name, bytes) {
  const cache = await caches.open(CACHE);
  await cache.put(at(name), new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
}

/** Delete what earlier visits have stored. Gives whether there was anything. */
async function forget() {
  const cache = await self.caches?.open(CACHE).catch(() => null);
  const deleted = await Promise.all(STORED.map((name) => cache?.delete(at(name))));
  return deleted.some(Boolean);
}

/** A memory that an earlier visit has stored: its plan, and the promise of its pages. */
async function remembered([plan, memory]) {
  const pages = memory();
  pages.catch(() => {});
  return { plan: JSON.parse(new TextDecoder().decode(await plan())), pages, rehearsed: true };
}

/** All that Python is started from, and its weights: what an earlier visit has stored, or what comes from the host. */
async function gathered() {
  const found = await stored(...STORED);
  if (found) {
    const [program, archive, weights, ...rest] = found;
    // By way of the service worker, so that the browser keeps what it compiles.
    const wasm = WebAssembly.compileStreaming(fetch(at(PROGRAM))).catch(async () => WebAssembly.compile(await program()));
    const [memory, nets] = [remembered(rest), weights()];
    // All are waited for together, below.
    for (const each of [wasm, memory, nets]) each.catch(() => {});
    return { kit: { ...(await kitOf(await archive(), wasm)), memory: await memory }, nets };
  }
  const [program, modules] = [PROGRAM, MODULES].map(load);
  // Weights come last: Python starts beside them.
  const weights = Promise.all([program.come, modules.come]).then(() => load(NETS).bytes);
  weights.catch(() => {});
  const bytes = await Promise.all([program.bytes, modules.bytes]);
  return { kit: await kitOf(bytes[1], WebAssembly.compile(bytes[0])), nets: weights, program: bytes[0] };
}

/** Read a file at once: what is seldom needed is loaded when it is opened. */
function readNow(path) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(path, BASE).href, false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    throw new Error(`${path} cannot be loaded`);
  }
  if (request.status !== 200) throw new Error(`${path} cannot be loaded: the host says ${request.status}`);
  const bytes = new Uint8Array(request.response);
  if (bytes.length !== files[path].size) throw new Error(`${path} is of another version of the page; load the page again`);
  return bytes;
}

/** What an error says; of an exception of Python the line that names it. */
function lastLine(error) {
  return String(error.message ?? error).trim().split("\n").at(-1);
}

/** Nothing works: the page says so, once. */
function broken(error) {
  self.postMessage({ broken: lastLine(error) });
  throw error;
}

/** What this worker works with: the page's own starts anew if what was stored is damaged. */
async function begun() {
  if (!first) {
    const kit = await told.kit;
    const found = kit.memory || self.name === "memory" ? null : await stored(PLAN, MEMORY);
    if (found) kit.memory = await remembered(found);
    return python({ kit, nets: told.nets });
  }
  let spare = null;
  const anew = async () => {
    spare = launched("engine");
    const all = await gathered();
    await told.begin;
    return python(all, spare);
  };
  return anew().catch(async (error) => {
    spare.end();
    if (!(await forget())) throw error;
    return anew();
  });
}

/** Python, with all that is imported for a first answer. */
async function python(all, spare) {
  const [{ loadPyodide }, { default: makeModule }] = await glue;
  const { memory } = all.kit;
  const _makeSnapshot = !memory && self.name !== "engine";
  const py = await start(all.kit, loadPyodide, makeModule, { indexURL: new URL("pyodide/", BASE).href, _makeSnapshot });
  all.kit.memory = null;
  self.readLater = () => readNow(LATER);
  for (const path of later.filter((each) => each !== LATER)) {
    const name = path.replace("python", SITE);
    py.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    py.FS.writeFile(name, "");
    const { node } = py.FS.lookupPath(name);
    let contents = null;
    const read = () => {
      try {
        return readNow(path);
      } catch {
        throw new py.FS.ErrnoError(29);
      }
    };
    Object.defineProperty(node, "contents", { get: () => (contents ??= read()) });
    Object.defineProperty(node, "usedBytes", { get: () => files[path].size });
  }
  for (const name of ["later", first ? "bordeaux.web.worker" : "bordeaux.web.analyses"]) py.pyimport(name).destroy();
  // The engine's Python starts after this one, for which the board waits, and from the same memory.
  if (spare) {
    const same = memory ?? memoryOf(py);
    spare.give(all, { ...same, pages: await same.pages });
  }
  lay(py.FS, await all.nets);
  // A memory begins every time as it was.
  py.pyimport("random").seed();
  return { py, spare, rehearsed: memory?.rehearsed, ...all };
}

/** A copy of the bytes of Python, which lets go of them. */
function taken(proxy) {
  const bytes = proxy.toJs();
  proxy.destroy();
  return bytes;
}

/** Work for the worker that began this one: one job after another. */
async function work({ py, rehearsed }) {
  const beside = py.pyimport("bordeaux.jobs.beside");
  let asked = false;
  const breathe = beside.breather(() => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(port1.close());
    port2.postMessage(null);
  }));
  const send = (content) => self.postMessage({ told: content.toJs() });
  self.onmessage = async ({ data }) => {
    if (data.stop) {
      asked = true;
      return;
    }
    asked = false;
    try {
      await beside.work.callPromising(py.toPy(data.job), send, () => asked, breathe);
    } catch (error) {
      self.postMessage({ died: lastLine(error) });
    }
  };
  // What a search needs is read before it is asked for. A stored memory knows most of it.
  if (!rehearsed) py.pyimport("bordeaux.web.analyses").search(undefined);
  self.postMessage({ ready: true });
}

/** Why a worker ended of which the browser tells no more. */
const NOT_LOADED = "worker.js cannot be loaded";

/** A worker by a name, and what it says before somebody listens. It starts when it is given what Python is started from. */
function launched(name, all) {
  const worker = new Worker(new URL("worker.js", BASE), { type: "module", name });
  const said = [];
  worker.onmessage = ({ data }) => said.push(data);
  worker.onerror = ({ message }) => said.push({ broken: message ?? NOT_LOADED });
  /** The pages of a memory then are in that worker, and here no more. */
  function give({ kit: { archive, modules, wasm }, nets }, memory) {
    worker.postMessage({ kit: { archive, modules, wasm, memory } }, memory ? [memory.pages.buffer] : []);
    Promise.resolve(nets).then((bytes) => worker.postMessage({ nets: bytes }), () => {});
  }
  if (all) give(all);
  let settle = null;
  /** It is ready, or never will be. */
  const settled = new Promise((resolve) => (settle = resolve));
  worker.addEventListener("message", ({ data }) => (data.ready || data.broken) && settle());
  worker.addEventListener("error", (event) => {
    // The page does without it.
    event.preventDefault();
    console.warn(`The worker ${name} has ended:`, event.message);
    settle();
  });
  function end() {
    worker.onmessage = worker.onerror = null;
    worker.terminate();
    settle();
  }
  return { worker, said, give, settled, end };
}

/** Let Python give jobs to a worker. */
function begin(py, launch, heard, died) {
  const { worker, said } = launch;
  const waiting = [];
  let ready = false;
  const [hear, die] = [heard.copy(), died.copy()];
  const end = () => {
    launch.end();
    hear.destroy();
    die.destroy();
  };
  const dies = (why) => {
    die(`ended (${why ?? NOT_LOADED})`);
    end();
  };
  const listen = (data) => {
    if (data.told) hear(py.toPy(data.told));
    else if (data.died || data.broken) dies(data.died ?? data.broken);
    else if (data.ready) {
      ready = true;
      for (const message of waiting.splice(0)) worker.postMessage(message);
    }
  };
  worker.onmessage = ({ data }) => listen(data);
  worker.onerror = ({ message }) => dies(message);
  for (const data of said) setTimeout(listen, 0, data);
  const post = (message) => (ready ? worker.postMessage(message) : waiting.push(message));
  return { post: (content) => post({ job: content.toJs() }), stop: () => post({ stop: true }), end };
}

/** Keep the studies in the browser's own store. Gives what writes them there. */
async function studies(FS) {
  FS.mkdirTree(STUDIES);
  // What is written later, as by a review, is kept as well.
  FS.mount(FS.filesystems.IDBFS, { autoPersist: true }, STUDIES);
  const sync = (populate) => new Promise((resolve, reject) => FS.syncfs(populate, (error) => (error ? reject(error) : resolve())));
  await sync(true).catch(() => self.postMessage({ note: "This browser keeps no studies: export what you want to keep." }));
  let running = null;
  let again = false;
  return function save() {
    if (running) {
      again = true;
      return running;
    }
    running = sync(false)
      .catch((error) => self.postMessage({ note: `The studies could not be saved: ${error.message ?? error}` }))
      .finally(() => {
        running = null;
        if (again) {
          again = false;
          save();
        }
      });
    return running;
  };
}

/** Make a memory for the next visit: that of a Python that has answered once. */
async function remember({ py }) {
  py.pyimport("rehearsal").rehearse();
  const { plan, pages } = memoryOf(py);
  await store(PLAN, JSON.stringify(plan));
  await store(MEMORY, pages);
  self.postMessage({ ready: true });
}

/** Store what was unpacked for the next visit, and let another worker make the memory. */
async function storeAll({ program, ...all }) {
  await forget();
  await store(PROGRAM, program);
  await store(MODULES, all.kit.archive);
  await store(NETS, await all.nets);
  const { settled, end } = launched("memory", all);
  settled.then(end);
}

/** Answer the page. */
async function answer({ py, spare, program, ...all }) {
  let unstored = program && { program, ...all };
  const save = await studies(py.FS);
  const { workers } = py.pyimport("bordeaux.jobs.beside");
  const ready = [spare];
  workers.start = (heard, died) => begin(py, ready.pop() ?? launched("engine", all), heard, died);
  const { Path } = py.pyimport("pathlib");
  const host = py.pyimport("bordeaux.web.worker").PageHost(Path(STUDIES), (line) => console.error(line));
  function content(reply) {
    const { content, media_type: type, status, headers } = reply;
    const whole = {
      content: typeof content === "string" ? content : taken(content),
      type,
      status,
      headers: headers.toJs({ dict_converter: Object.fromEntries }),
    };
    headers.destroy();
    reply.destroy();
    return whole;
  }

  self.onmessage = async ({ data }) => {
    const { id, method, path, body, listen, leave } = data;
    try {
      if (data.store) {
        if (unstored) storeAll(unstored).catch((error) => console.warn("This browser does not store the engine:", error));
        unstored = null;
        return;
      }
      if (leave !== undefined) host.leave(leave);
      else if (listen !== undefined) {
        const fault = host.listen(listen, path, (name, text) => self.postMessage({ key: listen, name, data: text }));
        if (fault) self.postMessage({ key: listen, gone: content(fault).status });
      } else {
        const whole = content(host.answer(method, path, body));
        // What was changed is kept before it is said to be.
        if (method !== "GET" && !path.endsWith("/picture")) await save();
        self.postMessage({ id, ...whole });
      }
    } catch (error) {
      self.postMessage({ id, status: 500, type: "application/json", headers: {}, content: JSON.stringify({ error: lastLine(error) }) });
    }
  };
  self.postMessage({ ready: true });
  spare.settled.then(() => self.postMessage({ calm: true }));
}

try {
  await begun().then(first ? answer : self.name === "engine" ? work : remember);
} catch (error) {
  broken(error);
}
