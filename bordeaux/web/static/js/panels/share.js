/** Take it with you: links with the position or the study in them, pictures, the state, the game, the study as a file. */

import { attempt, get, notify } from "../api.js";
import { button, el } from "../dom.js";
import { store } from "../store.js";

export const id = "share";
export const title = "Share";

export function mount(element) {
  const position = linkField("Link with the position in it", "Copy a link", (path) => `${path}/permalink`, ({ fragment }) => `${location.origin}${location.pathname}#${fragment}`);
  const whole = linkField("Link with the study in it", "Copy a link to the study", () => `${store.path()}/link?node=${encodeURIComponent(store.node.id)}`, ({ link }) => link);
  const board = el("ul", { class: "downloads" });
  const study = el("ul", { class: "downloads" });
  element.append(
    el("h3", { text: "This position" }),
    position.element,
    el("p", { class: "hint", text: "The position is in the link itself: any Bordeaux that is running on this address opens it." }),
    board,
    el("h3", { text: "The study" }),
    whole.element,
    el("p", { class: "hint", text: "The whole study is in the link, without its talks. Paste it into the address bar of any browser: no server is needed. Open reads it too." }),
    study,
  );

  /** A download as a link that looks like what it is. */
  function item(text, path, told) {
    return el("li", {}, el("a", { href: path, download: true, text }), el("span", { class: "hint", text: told }));
  }

  function show() {
    if (!store.node) return;
    position.clear();
    whole.clear();
    showBoard();
    const path = store.path();
    const ends = store.study.nodes.some((node) => node.children.length > 1);
    study.replaceChildren(
      item("Study, one HTML file", `${path}/study.html`, "opens without a server: boards, lines, comments"),
      item("Game, JSON", `${path}/game.json`, ends ? "its main line" : "a saved game, all phases"),
      item("Game for godip, JSON", `${path}/game.json?form=godip`, "the phases of its server"),
      item("Game for jDip, text", `${path}/game.json?form=judge`, "a judge’s history, which jDip imports"),
      ...(ends || store.node.next.length
        ? [item("Line to this phase, JSON", `${path}/game.json?node=${encodeURIComponent(store.node.id)}`, "the phases on the way here")]
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

/** A field with a link that is asked for, and copied, by a button. */
function linkField(told, text, pathOf, linkOf) {
  const field = el("input", { type: "text", readonly: true, "aria-label": told, placeholder: "the link appears here", on: { focus: () => field.select() } });
  const element = el("div", { class: "row" }, field, button(text, copy, { class: "strong" }));

  async function copy() {
    const at = store.path(store.node.id);
    const answer = await attempt(() => get(pathOf(at)));
    if (!answer || at !== store.path(store.node.id)) return;
    field.value = linkOf(answer);
    try {
      await navigator.clipboard.writeText(field.value);
      notify("The link is copied.", "good");
    } catch {
      field.focus();
      notify("The browser lets no page copy: the link is marked, copy it with the keyboard.");
    }
  }

  return { element, clear: () => (field.value = "") };
}
