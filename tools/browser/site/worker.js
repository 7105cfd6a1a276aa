/**
 * A worker with a Python of its own. The one that the page begins answers its requests and keeps its studies; the
 * ones that this one begins, by the name of engine, do its long jobs.
 */

import { loadPyodide } from "./pyodide/pyodide.mjs";

const SITE = "/lib/python3.14/site-packages";
const STUDIES = "/studies";
const BASE = new URL("./", import.meta.url);
const engine = self.name === "engine";

/** What is to be loaded: by path the size and the SHA-256, and the packages and files of Python. */
const { files, packages, later } = await manifest();

/** Bytes that have come, of all that is loaded before the first answer. */
let loaded = 0;
const total = Object.entries(files).reduce((sum, [path, { size }]) => (later[path] || path.endsWith("mjs") ? sum : sum + size), 0);

/** Fetch, for Pyodide too: counted, checked, and a fault told in one line. */
const fetchAny = self.fetch.bind(self);
self.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input, BASE);
  const path = url.href.startsWith(BASE.href) ? url.href.slice(BASE.href.length) : url.href;
  const answer = await fetchAny(input, init).catch((error) => {
    throw new Error(`${path} cannot be loaded: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${path} cannot be loaded: the host says ${answer.status}`);
  if (files[path] && !engine) checked(path, answer.clone()).catch(broken);
  return answer;
};

async function manifest() {
  const answer = await fetch(new URL("files.json", BASE)).catch(() => null);
  if (!answer?.ok) broken(new Error("files.json cannot be loaded"));
  return answer.json();
}

/** Count what comes, and compare it with what was built. */
async function checked(path, answer) {
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

/** Python, with numpy, the package, and its files. */
async function python() {
  const bytes = packages.map(async (path) => new Uint8Array(await (await fetch(new URL(path, BASE))).arrayBuffer()));
  const py = await loadPyodide({ indexURL: new URL("pyodide/", BASE).href, env: { HOME: "/home", PYTHONHASHSEED: "0" } });
  for (const each of bytes) py.unpackArchive(await each, "zip", { extractDir: SITE });
  for (const [path, place] of Object.entries(later)) {
    const name = `${SITE}/${place}`;
    py.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    py.FS.writeFile(name, "");
    const { node } = py.FS.lookupPath(name);
    let contents = null;
    Object.defineProperty(node, "contents", { get: () => (contents ??= readNow(py.FS, path)) });
    Object.defineProperty(node, "usedBytes", { get: () => files[path].size });
  }
  return py;
}

/** A copy of the bytes of Python, which lets go of them. */
function taken(proxy) {
  const bytes = proxy.toJs();
  proxy.destroy();
  return bytes;
}

/** Work for the worker that began this one: one job after another. */
async function work(py) {
  const beside = py.pyimport("bordeaux.jobs.beside");
  // What a first search needs.
  py.pyimport("bordeaux.web.analyses");
  py.pyimport("bordeaux.policy.net").load_net();
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
function begin(py, heard, died) {
  const worker = new Worker(new URL("worker.js", BASE), { type: "module", name: "engine" });
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
async function answer(py) {
  const save = await kept(py.FS);
  const { workers } = py.pyimport("bordeaux.jobs.beside");
  workers.start = (heard, died) => begin(py, heard, died);
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
    const { id, method, path, body, listen, leave } = data;
    try {
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
  const py = await python();
  await (engine ? work(py) : answer(py));
} catch (error) {
  broken(error);
}
