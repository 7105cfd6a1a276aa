/** Panels that ask the server something of each position: only while they can be seen, and once for each. */

import { button, el } from "../dom.js";
import { store } from "../store.js";

/** Quick steps through a game skip the answers for the phases on the way. */
const PATIENCE_MS = 120;

/**
 * Keep `element` true to the node that is shown.
 * @param {Element} element what must be seen
 * @param {function(string): Promise} load asks for the news of a node, given its path
 * @param {function(*): void} show shows what came; null where nothing could be had
 * @param {Element} busy what is of the position before while news are waited for
 * @param {Element} note where it is told that there is none
 * @returns {function(): void} ask again, though the node is the same
 */
export function follow(element, load, show, busy, note) {
  let seen = false;
  let asked = null;
  let timer = 0;
  const here = () => (store.node ? store.path(store.node.id) : null);

  async function ask() {
    const path = here();
    if (!seen || !path || path === asked) return;
    asked = path;
    let told = null;
    let error = null;
    try {
      told = await load(path);
    } catch (failed) {
      error = failed;
    }
    if (path !== here() || path !== asked) return;
    waiting(busy, false);
    show(told);
    if (!error) return;
    asked = null;
    note.replaceChildren(fault(error, again));
  }

  function moved() {
    if (here() === asked) return;
    waiting(busy, true);
    clearTimeout(timer);
    timer = setTimeout(ask, PATIENCE_MS);
  }

  function again() {
    asked = null;
    moved();
  }

  new IntersectionObserver((entries) => {
    seen = entries.at(-1).isIntersecting;
    if (seen) ask();
  }).observe(element);
  store.addEventListener("node", moved);
  return again;
}

/** A line that says what went wrong, with a way to try again. */
const fault = (error, again) =>
  el("p", { class: "fault", role: "alert" }, error.message, " ", button("Try again", again, { class: "quiet" }));

/** Tell whether an element waits for news of the position that is shown, and has those of the one before. */
export const waiting = (element, still) => element.setAttribute("aria-busy", String(still));
