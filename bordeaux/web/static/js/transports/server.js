/** The server that the page came from. */

import { ApiError } from "./fault.js";

/** Ask at a path; gives status, type and content. */
export async function ask(method, path, body) {
  const request = { method, headers: { Accept: "application/json, image/svg+xml, text/*" } };
  if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = body;
  }
  try {
    const answer = await fetch(path, request);
    return { status: answer.status, type: answer.headers.get("Content-Type") ?? "", content: await answer.text() };
  } catch {
    throw new ApiError("The server does not answer. Is “bordeaux analyse” still running?", 0);
  }
}

/** A link whose file the browser fetches by itself. */
export function saves(link, path) {
  link.href = path;
}

/** The address of a page of the server: its own. */
export const shown = async (path) => path;

/** Listen to a stream. A browser grants a server six connections for all its tabs, so a tab that nobody sees lets go of it. */
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
