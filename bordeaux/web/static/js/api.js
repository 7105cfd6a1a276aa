/** What the page says to what answers it, a server or a worker of this very tab, and how it tells its reader. */

import { el } from "./dom.js";
import { ApiError } from "./transports/fault.js";

export { ApiError };

/** Where the document names a worker, that answers; else the server that the page came from. */
const transport = await (document.documentElement.dataset.worker
  ? import("./transports/worker.js")
  : import("./transports/server.js"));

/** Ask for JSON; what is not JSON comes as text. Paths begin with "/api/". */
export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body = {}) => call("PUT", path, body);
export const patch = (path, body = {}) => call("PATCH", path, body);
export const del = (path) => call("DELETE", path);

async function call(method, path, body) {
  const { status, type, content } = await transport.ask(method, path, body === undefined ? undefined : JSON.stringify(body));
  const told = type.includes("json") && content ? JSON.parse(content) : content;
  if (status >= 400) throw new ApiError(told?.error ?? `The answer to ${method} ${path} was ${status}.`, status);
  return told;
}

/**
 * `stream(path, handlers)` listens to a stream of events, until it is closed. `handlers` maps an event's name to a function
 * of its data (parsed JSON); beside them stand `lost()` (the connection broke; it is sought again), `back()` (it stands
 * again, so that what was missed should be asked for) and `gone()` (nothing more will come).
 * `saves(link, path)` lets a link save the file at a path; `shown(path)` gives the address under which a page can be shown.
 */
export const { saves, shown, stream } = transport;

/** The address of this page with a fragment that holds what is shared. */
export const linkWith = (fragment) => `${location.origin}${location.pathname}#${fragment}`;

const SHOWN_MS = { good: 4000, news: 6000, bad: 12000 };
/** Notes of one kind that stand at once; they have a place of their own, which is small. */
const MOST_NOTES = 2;

/**
 * Tell the reader something: shown for a while, and read out by screen readers.
 * @param {string} text
 * @param {"good"|"news"|"bad"} [kind] `bad` interrupts a screen reader
 */
export function notify(text, kind = "news") {
  const region = document.getElementById(kind === "bad" ? "alerts" : "notices");
  const note = el("p", { class: `notice ${kind}`, text });
  for (const same of [...region.children].filter((each) => each.textContent === text)) same.remove();
  region.append(note);
  while (region.childElementCount > MOST_NOTES) region.firstElementChild.remove();
  setTimeout(() => note.remove(), SHOWN_MS[kind]);
}

/** Run something that may fail for a reason the reader should know; gives null where it failed. */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError)) console.error(error);
    notify(error.message, "bad");
    return null;
  }
}
