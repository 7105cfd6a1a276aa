/** Take it with you: a link with the position in it, pictures, the state, the game. */

import { attempt, get, notify } from "../api.js";
import { button, el } from "../dom.js";
import { store } from "../store.js";

export const id = "share";
export const title = "Share";

export function mount(element) {
  const link = el("input", { type: "text", readonly: true, "aria-label": "Link with the position in it", placeholder: "the link appears here", on: { focus: () => link.select() } });
  const make = button("Copy a link", copy, { class: "strong" });
  const board = el("ul", { class: "downloads" });
  const game = el("ul", { class: "downloads" });
  element.append(
    el("h3", { text: "This position" }),
    el("div", { class: "row" }, link, make),
    el("p", { class: "hint", text: "The position is in the link itself: any Bordeaux that is running on this address opens it." }),
    board,
    el("h3", { text: "The game" }),
    game,
  );

  async function copy() {
    const path = store.path(store.node.id);
    const answer = await attempt(() => get(`${path}/permalink`));
    if (!answer || path !== store.path(store.node.id)) return;
    link.value = `${location.origin}${location.pathname}#${answer.fragment}`;
    try {
      await navigator.clipboard.writeText(link.value);
      notify("The link is copied.", "good");
    } catch {
      link.focus();
      notify("The browser lets no page copy: the link is marked, copy it with the keyboard.");
    }
  }

  /** A download as a link that looks like what it is. */
  function item(text, path, told) {
    return el("li", {}, el("a", { href: path, download: true, text }), el("span", { class: "hint", text: told }));
  }

  function show() {
    if (!store.node) return;
    link.value = "";
    showBoard();
    const study = store.path();
    const ends = store.study.nodes.some((node) => node.children.length > 1);
    game.replaceChildren(
      item("Game, JSON", `${study}/game.json`, ends ? "its main line" : "a saved game, all phases"),
      ...(ends || store.node.next.length
        ? [item("Line to this phase, JSON", `${study}/game.json?node=${encodeURIComponent(store.node.id)}`, "the phases on the way here")]
        : []),
    );
  }

  function showBoard() {
    if (!store.node) return;
    const path = store.path(store.node.id);
    const child = store.chosen === null ? "" : `?child=${encodeURIComponent(store.chosen)}`;
    const what = child ? "with the orders that were given" : "with the draft’s orders";
    board.replaceChildren(
      item("Picture, SVG", `${path}/board.svg${child}`, what),
      ...(store.about?.png ? [item("Picture, PNG", `${path}/board.png${child}`, what)] : []),
      item("State, JSON", `${path}/state.json`, "the position for other programs"),
    );
  }

  store.addEventListener("node", show);
  store.addEventListener("study", show);
  store.addEventListener("chosen", showBoard);
  store.addEventListener("draft", showBoard);
  show();
}
