/** What the page says to its server, and how it tells its reader. */

/** A call that failed: the server's own line, and its HTTP status (0 where it could not be reached). */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/** Ask for JSON; what is not JSON comes as text. Paths begin with "/api/". */
export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body = {}) => call("PUT", path, body);
export const patch = (path, body = {}) => call("PATCH", path, body);
export const del = (path) => call("DELETE", path);

async function call(method, path, body) {
  const request = { method, headers: { Accept: "application/json, image/svg+xml, text/*" } };
  if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let answer;
  let text;
  try {
    answer = await fetch(path, request);
    text = await answer.text();
  } catch {
    throw new ApiError("The server does not answer. Is “bordeaux analyse” still running?", 0);
  }
  const json = (answer.headers.get("Content-Type") ?? "").includes("json");
  const told = json && text ? JSON.parse(text) : text;
  if (!answer.ok) {
    throw new ApiError(told?.error ?? `The server said ${answer.status} to ${method} ${path}.`, answer.status);
  }
  return told;
}

/**
 * Listen to a stream of events. `handlers` maps an event's name to a function of its data (parsed JSON); beside
 * them stand `lost()` (the connection broke; it is sought again), `back()` (it stands again, so that what was
 * missed should be asked for) and `gone()` (the server knows no such stream; nothing more will come).
 *
 * A browser grants a server six connections for all its tabs, so a tab that nobody sees lets go of its streams.
 * @returns {{close: function(): void}}
 */
export function stream(path, handlers) {
  let source = null;
  let broken = false;
  let opened = false;

  function open() {
    source = new EventSource(path);
    source.addEventListener("open", () => {
      if (opened) handlers.back?.();
      opened = true;
      broken = false;
    });
    source.addEventListener("error", (/** @type {MessageEvent} */ event) => {
      // A server's own event may be named error too; it has data.
      if (event.data !== undefined) return;
      if (!broken) handlers.lost?.();
      broken = true;
      if (source?.readyState === EventSource.CLOSED) {
        close();
        handlers.gone?.();
      }
    });
    for (const [name, handler] of Object.entries(handlers)) {
      if (["lost", "back", "gone"].includes(name)) continue;
      source.addEventListener(name, (event) => {
        if (event.data !== undefined) handler(event.data ? JSON.parse(event.data) : null);
      });
    }
  }

  function seen() {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (!source) {
      open();
    }
  }

  function close() {
    document.removeEventListener("visibilitychange", seen);
    source?.close();
    source = null;
  }

  document.addEventListener("visibilitychange", seen);
  if (!document.hidden) open();
  return { close };
}

const SHOWN_MS = { good: 4000, news: 6000, bad: 12000 };
/** An error is read for so long at least, before what succeeds next takes it away. */
const READ_MS = 1500;
/** Notes of one kind that stand at once; they have a place of their own, which is small. */
const MOST_NOTES = 2;

/**
 * Tell the reader something: shown for a while, and read out by screen readers.
 * @param {string} text
 * @param {"good"|"news"|"bad"} [kind] `bad` interrupts a screen reader
 */
export function notify(text, kind = "news") {
  if (kind === "good") settled();
  const region = document.getElementById(kind === "bad" ? "alerts" : "notices");
  const note = document.createElement("p");
  note.className = `notice ${kind}`;
  note.textContent = text;
  note.dataset.since = String(performance.now());
  for (const same of [...region.children].filter((each) => each.textContent === text)) same.remove();
  region.append(note);
  while (region.childElementCount > MOST_NOTES) region.firstElementChild.remove();
  setTimeout(() => note.remove(), SHOWN_MS[kind] ?? SHOWN_MS.news);
}

/** Take away the errors of what was tried before, as soon as they have been read. */
function settled() {
  for (const note of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".notice.bad"))) {
    setTimeout(() => note.remove(), READ_MS - (performance.now() - Number(note.dataset.since)));
  }
}

/**
 * Run something that may fail for a reason the reader should know; gives null where it failed. Where it succeeds the
 * errors before it are over.
 */
export async function attempt(act) {
  try {
    const done = await act();
    settled();
    return done;
  } catch (error) {
    if (!(error instanceof ApiError)) console.error(error);
    notify(error.message, "bad");
    return null;
  }
}
