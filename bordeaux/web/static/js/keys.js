/** Keys of the page, and the help that lists them. */

import { attempt } from "./api.js";
import { dialog } from "./dialog.js";
import { el, typing } from "./dom.js";

/** Where the browser keeps that keys of one character do nothing. */
const SILENT = "bordeaux-keys-off";

/**
 * What each key does, as one table: keys, what is said of them, and what is done.
 * @returns {{keys?: string[], shown: string, told: string, act?: function(KeyboardEvent): *, always?: boolean, shift?: boolean, only?: function(): boolean}[]}
 *   `always`: also while no node is shown; `only`: while this is so
 */
function table({ store, board, ordering, orders, open, fresh, studies, setup, reveal, threats, look }) {
  const step = (by) => () => attempt(() => store.step(by));
  const mode = (name) => () => ordering.setMode(name);
  return [
    { keys: ["ArrowLeft"], shown: "←", told: "Previous phase", act: step(-1) },
    { keys: ["ArrowRight"], shown: "→", told: "Next phase", act: step(1) },
    { keys: ["ArrowUp"], shown: "↑", told: "Previous variation", act: () => sideways(store, -1) },
    { keys: ["ArrowDown"], shown: "↓", told: "Next variation", act: () => sideways(store, 1) },
    { keys: ["Home"], shown: "Home", told: "First phase", act: () => attempt(() => store.goto(store.line()[0])) },
    { keys: ["End"], shown: "End", told: "Last phase", act: () => attempt(() => store.goto(store.line().at(-1))) },
    { keys: ["n"], shown: "n", told: "Next unit without orders, or next place it can go", act: () => ordering.next() },
    { keys: ["N"], shown: "Shift n", told: "The one before it", act: () => ordering.next(true) },
    { shown: "Tab ← → Enter", told: "Go over the board, and click" },
    { keys: ["m"], shown: "m", told: "Move, retreat or build", act: mode("move") },
    { keys: ["s"], shown: "s", told: "Support", act: mode("support") },
    { keys: ["c"], shown: "c", told: "Convoy", act: mode("convoy") },
    { keys: ["h"], shown: "h", told: "Hold", act: mode("hold") },
    { keys: ["d"], shown: "d", told: "Disband a dislodged unit", act: mode("disband") },
    { shown: "Shift drag", told: "Support the unit there, or the one that goes there" },
    { keys: ["Escape"], shown: "Esc", told: "Stay at results; cancel the clicks so far", act: () => reveal.stay() || ordering.cancel() },
    { keys: [" "], shown: "Space", told: "Next phase, from results", only: () => reveal.shown, act: () => reveal.next() },
    { keys: ["+", "="], shown: "+", told: "Zoom in", act: () => board.view.nearer() },
    { keys: ["-"], shown: "−", told: "Zoom out", act: () => board.view.farther() },
    { keys: ["0"], shown: "0", told: "The whole board", act: () => board.view.whole() },
    { keys: ["t"], shown: "t", told: "Show or hide threats", act: () => threats.toggle() },
    { keys: ["/"], shown: "/", told: "Type an order", act: () => orders.focus() },
    { keys: ["u", "Backspace"], shown: "u", told: "Undo", act: () => ordering.undo() },
    { keys: ["Enter"], shift: true, shown: "Shift Enter", told: "Adjudicate, or submit orders", act: () => store.adjudicate() },
    { keys: ["o"], shown: "o", told: "Open a game or position", always: true, act: open },
    { keys: ["f"], shown: "f", told: "New board", always: true, act: fresh },
    { keys: ["l"], shown: "l", told: "Studies", always: true, act: studies },
    { keys: ["e"], shown: "e", told: "Set up a position (Esc: cancel)", act: setup.open },
    { keys: ["b"], shown: "b", told: "Board: colours, patterns, names", always: true, act: look },
    { keys: ["?"], shown: "?", told: "This help", always: true, act: null },
  ];
}

function sideways(store, by) {
  const { node } = store;
  const parent = store.branch(store.branch(node.id)?.parent);
  const at = parent?.children.indexOf(node.id) ?? -1;
  const other = parent?.children[at + by];
  if (other !== undefined) attempt(() => store.goto(other));
}

/** Listen to the keys; gives a function that shows the help. */
export function mountKeys(parts) {
  const keys = table(parts);

  function help() {
    const box = el("input", {
      type: "checkbox",
      id: "keys-off",
      checked: localStorage.getItem(SILENT) !== null,
      on: { change: () => (box.checked ? localStorage.setItem(SILENT, "1") : localStorage.removeItem(SILENT)) },
    });
    const rows = keys.map(({ shown, told }) =>
      el("div", {}, el("dt", {}, el("kbd", { text: shown })), el("dd", { text: told })),
    );
    dialog(
      "Keys",
      el("dl", { class: "keys" }, ...rows),
      el("p", {
        class: "muted",
        text: "Mouse: click a unit and where it goes, or drag it. The wheel zooms the board; over the chart below, it goes through the phases.",
      }),
      el("p", { class: "row" }, box, el("label", { for: "keys-off", text: "Turn off shortcuts of one letter (for speech input)" })),
    );
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event)) return;
    if (document.querySelector("dialog[open]")) return;
    if (parts.setup.editing()) {
      if (event.key === "Escape") parts.setup.close();
      if (event.key !== "?") return;
    }
    const found = keys.find((each) => each.keys?.includes(event.key) && (!each.shift || event.shiftKey) && (each.only?.() ?? true));
    if (!found || (!parts.store.node && !found.always)) return;
    if (event.key.length === 1 && localStorage.getItem(SILENT) !== null) return;
    // In a list of tabs or in a menu arrow keys have their own meaning.
    const target = /** @type {Element} */ (event.target);
    if (event.key.startsWith("Arrow") && target.closest?.("[role=tablist], [role=menu]")) return;
    if (event.key === "Enter" && !event.shiftKey && target.closest?.("button, a")) return;
    if (event.key === " " && target.closest?.("button, a, summary, [role=button]")) return;
    event.preventDefault();
    if (found.act) found.act(event);
    else help();
  });
  return help;
}
