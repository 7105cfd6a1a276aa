/** Keys of the page, and the help that lists them. */

import { attempt } from "./api.js";
import { board } from "./board.js";
import { dialog } from "./dialog.js";
import { button, el, tick, typing } from "./dom.js";
import { fresh, open, studies } from "./load.js";
import { askLook } from "./look.js";
import { ordering } from "./ordering.js";
import { reveal } from "./reveal.js";
import { setup } from "./setup.js";
import { store } from "./store.js";
import { threats } from "./threats.js";

/** Where the browser keeps that keys of one character do nothing. */
const SILENT = "bordeaux-keys-off";

const step = (by) => () => attempt(() => store.step(by));
const mode = (name) => () => ordering.setMode(name);

/**
 * What each key does: keys, what is said of them, and what is done. `always`: also while no node is shown; `only`: while
 * this is so; `menu`: the name of the button that does the same.
 * @type {{keys?: string[], shown: string, told: string, act?: function(): *, always?: boolean, shift?: boolean, only?: function(): boolean, menu?: string}[]}
 */
const KEYS = [
  { keys: ["ArrowLeft"], shown: "←", told: "Previous phase", act: step(-1) },
  { keys: ["ArrowRight"], shown: "→", told: "Next phase", act: step(1) },
  { keys: ["ArrowUp"], shown: "↑", told: "Previous variation", act: () => sideways(-1) },
  { keys: ["ArrowDown"], shown: "↓", told: "Next variation", act: () => sideways(1) },
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
  { keys: ["/"], shown: "/", told: "Type an order", act: () => document.getElementById("typed").focus() },
  { keys: ["u", "Backspace"], shown: "u", told: "Undo", act: () => ordering.undo() },
  { keys: ["Enter"], shift: true, shown: "Shift Enter", told: "Adjudicate, or submit orders", act: () => store.adjudicate() },
  { keys: ["o"], shown: "o", told: "Open a game or a position", always: true, act: open, menu: "Open" },
  { keys: ["f"], shown: "f", told: "New board on any map", always: true, act: fresh, menu: "New" },
  { keys: ["e"], shown: "e", told: "Set up a position by hand (Esc: cancel)", act: setup.open, menu: "Set up" },
  { keys: ["l"], shown: "l", told: "All studies", always: true, act: studies, menu: "Studies" },
  { keys: ["b"], shown: "b", told: "How the board looks: colours, patterns, names", always: true, act: askLook, menu: "Board" },
  { keys: ["?"], shown: "?", told: "What the keys do", always: true, act: help, menu: "Keys" },
];

function sideways(by) {
  const { node } = store;
  const parent = store.branch(store.branch(node.id)?.parent);
  const at = parent?.children.indexOf(node.id) ?? -1;
  const other = parent?.children[at + by];
  if (other !== undefined) attempt(() => store.goto(other));
}

function help() {
  const silent = () => (localStorage.getItem(SILENT) === null ? localStorage.setItem(SILENT, "1") : localStorage.removeItem(SILENT));
  const rows = KEYS.map(({ shown, told }) => el("div", {}, el("dt", {}, el("kbd", { text: shown })), el("dd", { text: told })));
  dialog(
    "Keys",
    el("dl", { class: "keys" }, ...rows),
    el("p", {
      class: "muted",
      text: "Mouse: click a unit and where it goes, or drag it. The wheel zooms the board; over the chart below, it goes through the phases.",
    }),
    tick("Turn off shortcuts of one letter (for speech input)", silent, localStorage.getItem(SILENT) !== null),
  );
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event)) return;
  if (document.querySelector("dialog[open]")) return;
  if (setup.editing()) {
    if (event.key === "Escape") setup.close();
    if (event.key !== "?") return;
  }
  const found = KEYS.find((each) => each.keys?.includes(event.key) && (!each.shift || event.shiftKey) && (each.only?.() ?? true));
  if (!found || (!store.node && !found.always)) return;
  if (event.key.length === 1 && localStorage.getItem(SILENT) !== null) return;
  // In a list of tabs arrow keys have their own meaning.
  const target = /** @type {Element} */ (event.target);
  if (event.key.startsWith("Arrow") && target.closest?.("[role=tablist]")) return;
  if (event.key === "Enter" && !event.shiftKey && target.closest?.("button, a")) return;
  if (event.key === " " && target.closest?.("button, a, summary, [role=button]")) return;
  event.preventDefault();
  found.act();
}

/** Listen to the keys, and fill the menu with the buttons that do the same. */
export function mountKeys(menu) {
  document.addEventListener("keydown", pressed);
  for (const { menu: name, act, shown, told } of KEYS) {
    if (name) menu.append(button(name, act, { class: "quiet", "aria-keyshortcuts": shown, title: `${told} (${shown})` }));
  }
}
