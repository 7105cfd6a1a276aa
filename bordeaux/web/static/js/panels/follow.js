/** Panels that ask the server something of each position: only while they can be seen, and once for each. */

import { button, el } from "../dom.js";
import { store } from "../store.js";

/** Quick steps through a game skip the answers for the phases on the way. */
const PATIENCE_MS = 120;

/**
 * Keep `element` true to the node that is shown, while it is seen: `load` asks for the news of a node by its path, `show`
 * shows them, or null where there are none; `busy` is of the position before meanwhile, and `note` tells of errors. Gives a
 * function that asks again, though the node is the same.
 */
export function follow(element, load, show, busy, note) {
  let seen = false;
  let asked = null;
  let timer = 0;

  async function ask() {
    const path = store.here;
    if (!seen || !path || path === asked) return;
    asked = path;
    const [told, error] = await load(path).then((news) => [news], (failed) => [null, failed]);
    if (path !== store.here || path !== asked) return;
    waiting(busy, false);
    show(told);
    if (!error) return;
    asked = null;
    note.replaceChildren(el("p", { class: "fault", role: "alert" }, `${error.message} `, button("Try again", again, { class: "quiet" })));
  }

  function moved() {
    if (store.here === asked) return;
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
  store.on("node", moved);
  return again;
}

/** Tell whether an element waits for news of the position that is shown, and has those of the one before. */
export const waiting = (element, still) => element.setAttribute("aria-busy", String(still));
