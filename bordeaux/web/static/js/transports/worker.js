/** A worker of this tab: the page's own Python, which needs no server. What it loads is shown in a bar until it is there. */

import { el } from "../dom.js";
import { ApiError } from "./fault.js";

const MADE = "made/";
/** The page is kept some time after its engine is ready: its first answer would have to wait. */
const KEEPS_MS = 5000;
/** A new version takes over within this time, or this visit goes on with the old one. */
const TAKES_MS = 10_000;
/** The service worker that this page comes from. */
const source = navigator.serviceWorker?.controller;

/** What is noted is shown for so long. */
const NOTED_MS = 12_000;
let noted = 0;

/** Calls that wait for an answer, by number, and streams by key. */
const waiting = new Map();
const streams = new Map();
let asked = 0;
let fault = null;

const bar = el("progress", { "aria-label": "Loading the engine" });
const words = el("span", { text: "Loading the engine" });
const loading = el("p", { class: "loading", role: "status" }, words, bar);
document.body.append(loading);

/** The worker, once it answers. It waits for another tab of this page: their studies are the same. */
const ready = alone().then(renewed).then(begun);

/** If a new version of the page has come, this page makes way for it, as a whole, before it begins. */
async function renewed() {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => null);
  const newer = registration?.waiting;
  if (newer) {
    const over = new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
      newer.addEventListener("statechange", () => newer.state === "redundant" && resolve());
      setTimeout(resolve, TAKES_MS);
    });
    newer.postMessage("begin");
    await over;
  }
  // Another tab may have let it in.
  if (navigator.serviceWorker?.controller === source) return undefined;
  location.reload();
  return new Promise(() => {});
}

function alone() {
  if (!navigator.locks) return Promise.resolve();
  return new Promise((resolve) => {
    const hold = () => new Promise(() => resolve());
    navigator.locks.request("bordeaux", { ifAvailable: true }, (lock) => {
      if (lock) return hold();
      words.textContent = "Bordeaux is open in another tab. Close it there, and it opens here.";
      navigator.locks.request("bordeaux", hold);
      return undefined;
    });
  });
}

function begun() {
  words.textContent = "Loading the engine";
  return new Promise((resolve, reject) => {
    const { worker, said } = /** @type {any} */ (window).begun;
    const failed = () => reject(new ApiError("The engine could not be loaded. Load the page again; an older browser may lack WebAssembly.", 0));
    const hear = (data) => {
      if (!data) failed();
      else if (data.progress) progressed(data.progress);
      else if (data.broken) {
        worker.terminate();
        reject(new ApiError(`${data.broken}. Load the page again.`, 0));
      } else if (data.ready) {
        if (!noted) loading.remove();
        resolve(worker);
      } else if (data.calm) setTimeout(keep, KEEPS_MS, worker);
      else if (data.note) note(data.note);
      else heard(data);
    };
    said.forEach(hear);
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = failed;
    worker.postMessage({ begin: true });
  });
}

function progressed({ loaded, total }) {
  bar.max = total;
  bar.value = loaded;
  words.textContent = `Loading the engine: ${(loaded / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
  if (loaded >= total) words.textContent = "Starting the engine";
}

/** The one line that says why nothing works stays where the bar was. */
ready.catch((error) => {
  fault = error;
  clearTimeout(noted);
  bar.remove();
  words.textContent = error.message;
  loading.classList.add("fault");
});

function note(text) {
  words.textContent = text;
  bar.remove();
  document.body.append(loading);
  clearTimeout(noted);
  noted = setTimeout(() => loading.remove(), NOTED_MS);
}

function heard({ id, key, ...data }) {
  if (id !== undefined) {
    waiting.get(id)?.(data);
    waiting.delete(id);
  } else if (data.gone) {
    streams.get(key)?.gone?.();
    streams.delete(key);
  } else streams.get(key)?.[data.name]?.(JSON.parse(data.data));
}

/** Ask at a path; gives status, type and content, and the headers of a file. */
export async function ask(method, path, body) {
  if (fault) throw fault;
  const worker = await ready;
  const id = ++asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, method, path, body });
  });
}

/** Listen to a stream, whether or not the tab is seen. */
export function stream(path, handlers) {
  const key = `stream ${++asked}`;
  streams.set(key, handlers);
  ready.then((worker) => worker.postMessage({ listen: key, path })).catch(() => {});
  return {
    close() {
      if (streams.delete(key)) ready.then((worker) => worker.postMessage({ leave: key })).catch(() => {});
    },
  };
}

/** Let a link save what the worker answers at a path, as a file. */
export function saves(link, path) {
  link.href = "#";
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const { status, type, content, headers } = await ask("GET", path);
    const name = /filename="([^"]+)"/.exec(headers["Content-Disposition"] ?? "")?.[1] ?? "bordeaux";
    if (status >= 400) return note(JSON.parse(content).error);
    const href = URL.createObjectURL(new Blob([content], { type }));
    el("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
    return undefined;
  });
}

/** Put a page that the worker has made where the service worker finds it; gives its address. */
export async function shown(path) {
  const { status, type, content, headers } = await ask("GET", path);
  if (status >= 400) throw new ApiError(JSON.parse(content).error, status);
  const address = `${MADE}${path.split("/").slice(-2).join("-")}`;
  const made = await caches.open("bordeaux-made");
  await made.put(new URL(address, document.baseURI).href, new Response(content, { headers: { ...headers, "Content-Type": `${type}; charset=utf-8` } }));
  return address;
}

/** Keep the page for the next visit, and for one without a network. */
async function keep(worker) {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("sw.js");
    (await navigator.serviceWorker.ready).active.postMessage("later");
    worker.postMessage({ store: true });
  } catch (error) {
    console.warn("This browser does not keep the page:", error);
  }
}
