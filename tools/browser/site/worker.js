/**
 * A worker with a Python of its own. The one that the page begins answers its requests and keeps its studies. It begins
 * others: those by the name of engine do its long jobs, the one by the name of memory makes a memory for the next visit.
 */

import { SITE, kitOf, lay, start } from "./start.js";

const STUDIES = "/studies";
const LATER = "python/later.zip";
const BASE = new URL("./", import.meta.url);
const first = !["engine", "memory"].includes(self.name);

/** What the one that began a worker says before it has started: what Python is started from, then its weights. */
const said = first ? null : [];
let hears = null;
if (!first) {
  self.onmessage = ({ data }) => {
    said.push(data);
    hears?.();
  };
}
async function told() {
  while (!said.length) await new Promise((resolve) => (hears = resolve));
  return said.shift();
}

/** What is to be loaded: by path the size and the SHA-256; those of later ones come when they are asked for. */
const { version, files, later } = await manifest();
/** What is packed: Pyodide's program, and archives. */
const [PROGRAM, MODULES, NETS] = ["pyodide/program.pack", "python/first.pack", "python/nets.pack"];
const CACHE = `bordeaux-${version}`;
/** What a visit keeps for the next one: what was unpacked, and the memory of a Python that has imported all it needs. */
const at = (name) => new URL(`kept/${name}`, BASE).href;
const MEMORY = at("memory");

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

/** What an earlier visit has kept under a name; null if it has not. */
async function keptBytes(address) {
  const cache = await self.caches?.open(CACHE).catch(() => null);
  const answer = await cache?.match(address);
  return answer ? new Uint8Array(await answer.arrayBuffer()) : null;
}

/** All that Python is started from, and its weights: what an earlier visit has kept, or what comes from the host. */
async function gathered() {
  const [archive, snapshot, nets] = await Promise.all([at(MODULES), MEMORY, at(NETS)].map(keptBytes));
  if (archive && snapshot && nets) {
    // By way of the service worker, so that the browser keeps what it compiles.
    const wasm = WebAssembly.compileStreaming(fetch(at(PROGRAM))).catch(async () => WebAssembly.compile(await keptBytes(at(PROGRAM))));
    return { kit: await kitOf(archive, wasm, snapshot), nets };
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

/** Python, with all that is imported for a first answer. */
async function python() {
  const glue = Promise.all([import("./pyodide/pyodide.mjs"), import("./pyodide/pyodide.asm.mjs")]);
  let spare = first ? launched("engine") : null;
  const memory = self.name === "engine" ? keptBytes(MEMORY) : null;
  let all = first ? await gathered() : { kit: await told(), nets: told() };
  all.kit.snapshot ??= await memory;
  const [{ loadPyodide }, { default: makeModule }] = await glue;
  let fresh = false;
  const begun = () => {
    fresh = !all.kit.snapshot;
    // With a memory the other one can start beside this one.
    if (!fresh) spare?.give(all);
    const kept = fresh && self.name !== "engine";
    return start(all.kit, loadPyodide, makeModule, { indexURL: new URL("pyodide/", BASE).href, kept });
  };
  const py = await begun().catch(async (error) => {
    if (!first || !all.kit.snapshot) throw error;
    // What was kept is damaged.
    spare.worker.terminate();
    const cache = await caches.open(CACHE);
    await Promise.all([MEMORY, ...[PROGRAM, MODULES, NETS].map(at)].map((address) => cache.delete(address)));
    spare = launched("engine");
    all = await gathered();
    return begun();
  });
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
  if (first && fresh) spare.give(all, py.makeMemorySnapshot());
  lay(py.FS, await all.nets);
  // A memory begins every time as it was.
  py.pyimport("random").seed();
  return { py, spare, ...all };
}

/** A copy of the bytes of Python, which lets go of them. */
function taken(proxy) {
  const bytes = proxy.toJs();
  proxy.destroy();
  return bytes;
}

/** Work for the worker that began this one: one job after another. */
async function work({ py }) {
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
  // What a search needs is read before it is asked for.
  py.pyimport("bordeaux.web.analyses").search(undefined);
  self.postMessage({ ready: true });
}

/** A worker by a name, and what it says before somebody listens. It starts when it is given what Python is started from. */
function launched(name, all) {
  const worker = new Worker(new URL("worker.js", BASE), { type: "module", name });
  const said = [];
  worker.onmessage = ({ data }) => said.push(data);
  worker.onerror = ({ message }) => said.push({ broken: message ?? "ended" });
  function give({ kit: { archive, modules, wasm }, nets }, snapshot) {
    worker.postMessage({ archive, modules, wasm, snapshot }, snapshot ? [snapshot.buffer] : []);
    Promise.resolve(nets).then((bytes) => worker.postMessage(bytes), () => {});
  }
  if (all) give(all);
  const ready = new Promise((resolve) => worker.addEventListener("message", ({ data }) => data.ready && resolve()));
  return { worker, said, give, ready };
}

/** Let Python give jobs to a worker. */
function begin(py, { worker, said }, heard, died) {
  const waiting = [];
  let ready = false;
  const [hear, die] = [heard.copy(), died.copy()];
  const end = () => {
    worker.onmessage = worker.onerror = null;
    worker.terminate();
    hear.destroy();
    die.destroy();
  };
  const dies = (text) => {
    die(text);
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
  worker.onerror = ({ message }) => dies(message ?? "ended");
  for (const data of said) setTimeout(listen, 0, data);
  const post = (message) => (ready ? worker.postMessage(message) : waiting.push(message));
  return { post: (content) => post({ job: content.toJs() }), stop: () => post({ stop: true }), end };
}

/** Keep the studies in the browser's own store. Gives what writes them there. */
async function kept(FS) {
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

async function keep(address, bytes) {
  const cache = await caches.open(CACHE);
  await cache.put(address, new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
}

/** Make a memory for the next visit: that of a Python that has answered once. */
async function remember({ py }) {
  py.pyimport("rehearsal").rehearse();
  await keep(MEMORY, py.makeMemorySnapshot());
  self.postMessage({ ready: true });
}

/** Keep what was unpacked for the next visit, and let another worker make the memory. */
async function keepAll({ program, ...all }) {
  await keep(at(PROGRAM), program);
  await keep(at(MODULES), all.kit.archive);
  await keep(at(NETS), await all.nets);
  const { worker, ready } = launched("memory", all);
  ready.then(() => worker.terminate());
}

/** Answer the page. */
async function answer({ py, spare, program, ...all }) {
  let unkept = program && { program, ...all };
  const save = await kept(py.FS);
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
    const { id, method, path, body, listen, leave, keep } = data;
    try {
      if (keep) {
        if (unkept) keepAll(unkept);
        unkept = null;
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
  spare.ready.then(() => self.postMessage({ calm: true }));
}

try {
  await python().then(first ? answer : self.name === "engine" ? work : remember);
} catch (error) {
  broken(error);
}
