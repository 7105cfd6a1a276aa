/**
 * A worker with a Python of its own. The one that the page begins answers its requests and keeps its studies; the
 * ones that this one begins, by the name of engine, do its long jobs.
 */

import { loadPyodide } from "./pyodide/pyodide.mjs";
import makeModule from "./pyodide/pyodide.asm.mjs";
import { SITE, kitOf, start } from "./start.js";

const STUDIES = "/studies";
const FIRST = "python/first.pack";
const LATER = "python/later.zip";
const WASM = "pyodide/pyodide.asm.wasm";
const BASE = new URL("./", import.meta.url);
const engine = self.name === "engine";

/** What the one that began a worker says before it has started. */
const told = engine && new Promise((resolve) => (self.onmessage = ({ data }) => resolve(data)));

/** What is to be loaded: by path the size and the SHA-256; those of later ones come when they are asked for. */
const { version, files, later } = engine ? (await told).list : await manifest();
const KEPT = [`bordeaux-${version}`, new URL("made/memory", BASE).href];

/** Bytes that have come, of all that is loaded before the first answer. */
let loaded = 0;
const total = [FIRST, WASM].reduce((sum, path) => sum + files[path].size, 0);

async function manifest() {
  const answer = await fetch(new URL("files.json", BASE)).catch(() => null);
  if (!answer?.ok) broken(new Error("files.json cannot be loaded"));
  return answer.json();
}

/** Fetch a file that is counted, and compared with what was built; gives its answer, and a promise of its being sound. */
async function checked(path) {
  const answer = await fetch(new URL(path, BASE)).catch((error) => {
    throw new Error(`${path} cannot be loaded: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${path} cannot be loaded: the host says ${answer.status}`);
  return { answer, sound: sound(path, answer.clone()) };
}

async function sound(path, answer) {
  const parts = [];
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    loaded += value.length;
    self.postMessage({ progress: { loaded, total, path } });
  }
  if (!crypto.subtle) return;
  const digest = await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer());
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== files[path].sha256) throw new Error(`${path} came damaged`);
}

/** Pyodide's program, compiled as it comes. */
async function program() {
  const { answer, sound } = await checked(WASM);
  const [module] = await Promise.all([WebAssembly.compileStreaming(answer).catch(() => sound), sound]);
  return module;
}

async function archive() {
  const { answer, sound } = await checked(FIRST);
  const [bytes] = await Promise.all([answer.arrayBuffer(), sound]);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** The memory of a Python that an earlier visit has kept. */
async function memory() {
  const cache = await self.caches?.open(KEPT[0]).catch(() => null);
  const kept = await cache?.match(KEPT[1]);
  return kept && new Uint8Array(await kept.arrayBuffer());
}

/** What an error says; of an exception of Python the line that names it. */
const lastLine = (error) => String(error.message ?? error).trim().split("\n").at(-1);

/** Nothing works: the page says so, once. */
function broken(error) {
  self.postMessage({ broken: lastLine(error) });
  throw error;
}

/** Read a file at once: what is seldom needed is loaded when it is opened. */
function readNow(FS, path) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(path, BASE).href, false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    throw new FS.ErrnoError(29);
  }
  if (request.status !== 200) throw new FS.ErrnoError(29);
  return new Uint8Array(request.response);
}

/** What Python is started from, and Python, with all that is imported for a first answer. */
async function python() {
  const wasm = program();
  const kit = engine ? (await told).kit : await kitOf(await archive(), wasm, await memory());
  const begun = () => start(kit, loadPyodide, makeModule, { indexURL: new URL("pyodide/", BASE).href });
  const py = await begun().catch((error) => {
    if (!kit.snapshot) throw error;
    // What was kept is damaged.
    kit.snapshot = null;
    return begun();
  });
  self.readLater = () => readNow(py.FS, LATER);
  for (const path of later.filter((each) => each !== LATER)) {
    const name = path.replace("python", SITE);
    py.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    py.FS.writeFile(name, "");
    const { node } = py.FS.lookupPath(name);
    let contents = null;
    Object.defineProperty(node, "contents", { get: () => (contents ??= readNow(py.FS, path)) });
    Object.defineProperty(node, "usedBytes", { get: () => files[path].size });
  }
  if (!kit.snapshot) {
    for (const name of ["later", "bordeaux.web.worker", "bordeaux.web.analyses"]) py.pyimport(name).destroy();
    kit.snapshot = py.makeMemorySnapshot();
    kit.made = true;
  }
  // A memory begins every time as it was.
  py.pyimport("random").seed();
  return { py, kit };
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
  // What a first search needs.
  const net = py.pyimport("bordeaux.policy.net");
  for (const name of ["people", "people-wide", "league"]) net.load_net(name).destroy();
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

/** Begin a worker for long jobs. */
function begin({ py, kit }, heard, died) {
  const worker = new Worker(new URL("worker.js", BASE), { type: "module", name: "engine" });
  worker.postMessage({ list: { version, files, later }, kit });
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
  worker.onmessage = ({ data }) => {
    if (data.told) hear(py.toPy(data.told));
    else if (data.died || data.broken) dies(data.died ?? data.broken);
    else if (data.ready) {
      ready = true;
      for (const message of waiting.splice(0)) worker.postMessage(message);
    }
  };
  worker.onerror = (event) => dies(event.message ?? "ended");
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

/** Answer the page. */
async function answer({ py, kit }) {
  const save = await kept(py.FS);
  const { workers } = py.pyimport("bordeaux.jobs.beside");
  workers.start = (heard, died) => begin({ py, kit }, heard, died);
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
        const cache = await caches.open(KEPT[0]);
        if (kit.made) await cache.put(KEPT[1], new Response(kit.snapshot));
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
