/**
 * A worker with a Python of its own. The one that the page begins answers its requests and keeps its studies; the
 * ones that this one begins, by the name of engine, do its long jobs.
 */

import { loadPyodide } from "./pyodide/pyodide.mjs";
import makeModule from "./pyodide/pyodide.asm.mjs";
import { SITE, kitOf, start } from "./start.js";

const STUDIES = "/studies";
const LATER = "python/later.zip";
const BASE = new URL("./", import.meta.url);
const engine = self.name === "engine";

/** What the one that began a worker says before it has started. */
const told = engine && new Promise((resolve) => (self.onmessage = ({ data }) => resolve(data)));

/** What is to be loaded: by path the size and the SHA-256; those of later ones come when they are asked for. */
const { version, files, later } = engine ? (await told).list : await manifest();
/** What is packed: Pyodide's program, and archives. */
const FIRST = ["pyodide/program.pack", "python/first.pack", "python/nets.pack"];
const CACHE = `bordeaux-${version}`;
/** What a visit keeps for the next one: what was unpacked, and the memory of a Python that has imported all it needs. */
const KEPT = [...FIRST, "memory"].map((name) => new URL(`kept/${name}`, BASE).href);

/** Bytes that have come, of all that is loaded before the first answer. */
let loaded = 0;
const total = FIRST.reduce((sum, path) => sum + files[path].size, 0);

async function manifest() {
  const answer = await fetch(new URL("files.json", BASE)).catch(() => null);
  if (!answer?.ok) broken(new Error("files.json cannot be loaded"));
  return answer.json();
}

/** What a packed file holds. */
function load(path) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("load.js", BASE), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.loaded) {
        loaded += data.loaded;
        self.postMessage({ progress: { loaded, total } });
        return;
      }
      worker.terminate();
      if (data.bytes) resolve(data.bytes);
      else reject(new Error(data.fault));
    };
    worker.onerror = () => reject(new Error("load.js cannot be loaded"));
    worker.postMessage({ path, ...files[path] });
  });
}

/** All that Python is started from: what an earlier visit has kept, or what comes from the host, and then `made`. */
async function gathered() {
  const cache = await self.caches?.open(CACHE).catch(() => null);
  const [program, ...others] = await Promise.all(KEPT.map((address) => cache?.match(address)));
  if (program && others.every(Boolean)) {
    // By way of the service worker, so that the browser keeps what it compiles.
    const wasm = WebAssembly.compileStreaming(fetch(KEPT[0])).catch(() => WebAssembly.compileStreaming(program));
    const archives = await Promise.all(others.map(async (answer) => new Uint8Array(await answer.arrayBuffer())));
    const memory = archives.pop();
    return { kit: await kitOf(archives, wasm, memory) };
  }
  const loading = FIRST.map(load);
  const wasm = loading[0].then((bytes) => WebAssembly.compile(bytes));
  const made = await Promise.all(loading);
  return { kit: await kitOf(made.slice(1), wasm), made };
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
  return new Uint8Array(request.response);
}

/** What an error says; of an exception of Python the line that names it. */
const lastLine = (error) => String(error.message ?? error).trim().split("\n").at(-1);

/** Nothing works: the page says so, once. */
function broken(error) {
  self.postMessage({ broken: lastLine(error) });
  throw error;
}

/** What Python is started from, and Python, with all that is imported for a first answer. */
async function python() {
  let spare = engine ? null : launched();
  let { kit, made } = engine ? await told : await gathered();
  // With a memory the other one can start beside this one.
  if (!made) spare?.give(kit);
  const begun = () => start(kit, loadPyodide, makeModule, { indexURL: new URL("pyodide/", BASE).href });
  const py = await begun().catch(async (error) => {
    if (made || engine) throw error;
    // What was kept is damaged.
    spare.worker.terminate();
    spare = launched();
    const cache = await caches.open(CACHE);
    await Promise.all(KEPT.map((address) => cache.delete(address)));
    ({ kit, made } = await gathered());
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
  if (!kit.snapshot) {
    for (const name of ["later", "bordeaux.web.worker"]) py.pyimport(name).destroy();
    const analyses = py.pyimport("bordeaux.web.analyses");
    analyses.standard_book().destroy();
    analyses.destroy();
    kit.snapshot = py.makeMemorySnapshot();
    spare.give(kit);
  }
  // A memory begins every time as it was.
  py.pyimport("random").seed();
  return { py, kit, made, spare };
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
  self.postMessage({ ready: true });
}

/** A worker for long jobs, and what it says before Python hears it. It starts when it is given a kit. */
function launched(kit) {
  const worker = new Worker(new URL("worker.js", BASE), { type: "module", name: "engine" });
  const said = [];
  worker.onmessage = ({ data }) => said.push(data);
  worker.onerror = ({ message }) => said.push({ broken: message ?? "ended" });
  const give = (kit) => worker.postMessage({ list: { version, files, later }, kit });
  if (kit) give(kit);
  return { worker, said, give };
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

/** Keep what was unpacked, and the memory, for the next visit. */
async function keepAll({ snapshot }, made) {
  const cache = await caches.open(CACHE);
  const headers = { "Content-Type": "application/wasm" };
  for (const [at, bytes] of [...made, snapshot].entries()) await cache.put(KEPT[at], new Response(bytes, { headers }));
}

/** Answer the page. */
async function answer({ py, kit, made, spare }) {
  const save = await kept(py.FS);
  const { workers } = py.pyimport("bordeaux.jobs.beside");
  const ready = [spare];
  workers.start = (heard, died) => begin(py, ready.pop() ?? launched(kit), heard, died);
  const { Path } = py.pyimport("pathlib");
  const host = py.pyimport("bordeaux.web.worker").PageHost(Path(STUDIES), (line) => console.error(line));
  host.warm_up();
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
        if (made) await keepAll(kit, made);
        made = null;
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
}

try {
  const begun = await python();
  await (engine ? work(begun) : answer(begun));
} catch (error) {
  broken(error);
}
