/** Take it with you: links, the study as a file, the game as a moving picture or as text, pictures, the state. */

import { attempt, get, linkWith, notify, saves } from "../api.js";
import { button, el } from "../dom.js";
import { look } from "../look.js";
import { store } from "../store.js";

export const id = "share";
export const title = "Share";

export function mount(element) {
  const here = linkField("Short link to this study", "Copy a short link", null, () => `${location.origin}/s/${store.study.id}?node=${encodeURIComponent(store.node.id)}`);
  const position = linkField("Link with the position in it", "Copy a link", (path) => `${path}/permalink`, ({ fragment }) => linkWith(fragment));
  const { lacks, gif, png } = store.about;
  const whole = linkField(
    "Link with the study in it",
    "Copy a link to the study",
    () => `${store.path()}/link?node=${encodeURIComponent(store.node.id)}`,
    ({ link, fragment }) => (lacks.server ? linkWith(fragment) : link),
  );
  const board = el("ul", { class: "downloads" });
  const study = el("ul", { class: "downloads" });
  element.append(
    el("h3", { text: "This study" }),
    ...(lacks.server
      ? [el("p", { class: "hint", text: lacks.server })]
      : [here.element, el("p", { class: "hint", text: "Opens this phase in your own browser, while the server runs." })]),
    study,
    el(
      "details",
      { class: "foldout" },
      el("summary", { text: "Link with the whole study in it" }),
      whole.element,
      el("p", { class: "hint", text: "Very long, but needs no server: paste it into the address bar of any browser, or under Open. Messages are left out." }),
    ),
    el("h3", { text: "This position" }),
    board,
    ...(lacks.pixels ? [el("p", { class: "hint", text: lacks.pixels })] : []),
    el("div", { class: "row" }, button("Copy the orders", copyOrders), el("span", { class: "hint", text: "as text, with results" })),
    position.element,
    el("p", { class: "hint", text: "Opens in any Bordeaux that runs at this address." }),
  );

  /** A download as a link that looks like what it is. */
  function item(text, path, told, wait = "") {
    const link = el("a", { download: true, text, on: wait ? { click: () => notify(wait) } : {} });
    saves(link, path);
    return el("li", {}, link, el("span", { class: "hint", text: told }));
  }

  /** The orders that are shown, in the address of a file. */
  const shownOrders = () => (store.chosen === null ? "" : `?child=${encodeURIComponent(store.chosen)}`);

  /** How the board looks, in the address of a file. */
  const looks = () => new URLSearchParams({ theme: look.theme, ...(look.patterns && { patterns: "" }) });

  async function copyOrders() {
    const text = await attempt(() => get(`${store.here}/orders.txt${shownOrders()}`));
    if (text !== null) await copied(text.trimEnd(), "The orders are copied.");
  }

  function show() {
    if (!store.node) return;
    for (const link of [here, position, whole]) link.clear();
    showBoard();
    const path = store.path();
    const line = `node=${encodeURIComponent(store.line().at(-1))}`;
    const phases = store.line().length;
    study.replaceChildren(
      item("Study, one HTML file", `${path}/study.html`, "for others; opens without a server"),
      ...(gif ? [item("Moving picture, GIF", `${path}/game.gif?${line}&${looks()}`, `${phases} ${phases === 1 ? "phase" : "phases"}, with orders`, "Drawing the phases; the download starts when it is done.")] : []),
      item("Orders, text", `${path}/game.json?form=text&${line}`, "all phases, with results"),
      item("Game, JSON", `${path}/game.json?${line}`, "a saved game, all phases of this line"),
      item("Game for jDip, text", `${path}/game.json?form=judge&${line}`, "a judge’s history, which jDip imports"),
    );
  }

  function showBoard() {
    if (!store.node) return;
    const path = store.here;
    const query = `${shownOrders() || "?"}&${looks()}`;
    const what = shownOrders() ? "with the orders that were given" : "with the draft’s orders";
    board.replaceChildren(
      item("Picture, SVG", `${path}/board.svg${query}`, what),
      ...(png ? [item("Picture, PNG", `${path}/board.png${query}`, what)] : []),
      item("State, JSON", `${path}/state.json`, "the position for other programs"),
    );
  }

  store.on("node study chosen", show);
  store.on("draft", showBoard);
  look.on("change", show);
  show();
}

/** Put a text on the clipboard, and say so; gives whether the browser allowed it. */
async function copied(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    notify(said, "good");
    return true;
  } catch {
    notify("The browser does not let the page copy; copy the marked link with the keyboard.");
    return false;
  }
}

/** A field with a link that is made, or asked for at `pathOf`, and copied, by a button. */
function linkField(told, text, pathOf, linkOf) {
  const field = el("input", { type: "text", readonly: true, "aria-label": told, placeholder: "the link appears here", on: { focus: () => field.select() } });
  const element = el("div", { class: "row" }, field, button(text, copy, { class: "strong" }));

  async function copy() {
    const at = store.here;
    const answer = pathOf ? await attempt(() => get(pathOf(at))) : {};
    if (!answer || at !== store.here) return;
    field.value = linkOf(answer);
    if (!(await copied(field.value, "The link is copied."))) field.focus();
  }

  return { element, clear: () => (field.value = "") };
}
