/** Panels that ask the server something of each position: only while they can be seen, and once for each. */

import { button, el } from "../dom.js";
import { store } from "../store.js";

/** Quick steps through a game skip the answers for the phases on the way. */
const PATIENCE_MS = 120;

/**
 * Keep `element` true to the node that is shown.
 * @param {Element} element what must be seen
 * @param {function(string): Promise} load asks for the news of a node, given its path
 * @param {function(*): void} show shows what came
 * @param {{pending?: function(): void, failed?: function(Error): void}} [otherwise]
 * @returns {function(): void} ask again, though the node is the same
 */
export function follow(element, load, show, { pending = () => {}, failed = () => {} } = {}) {
  let seen = false;
  let asked = null;
  let timer = 0;
  const here = () => (store.node ? store.path(store.node.id) : null);

  async function ask() {
    const path = here();
    if (!seen || !path || path === asked) return;
    asked = path;
    try {
      const told = await load(path);
      if (path === here() && path === asked) show(told);
    } catch (error) {
      if (path !== here() || path !== asked) return;
      asked = null;
      failed(error);
    }
  }

  function moved() {
    if (here() === asked) return;
    pending();
    clearTimeout(timer);
    timer = setTimeout(ask, PATIENCE_MS);
  }

  new IntersectionObserver((entries) => {
    seen = entries.at(-1).isIntersecting;
    if (seen) ask();
  }).observe(element);
  store.addEventListener("node", moved);
  return () => {
    asked = null;
    moved();
  };
}

/** A line that says what went wrong, with a way to try again. */
export const fault = (error, again) =>
  el("p", { class: "fault", role: "alert" }, error.message, " ", button("Try again", again, { class: "quiet" }));

/** Tell whether an element waits for news of the position that is shown, and has those of the one before. */
export const waiting = (element, still) => element.setAttribute("aria-busy", String(still));
