/** Setting up a position by hand: units, centres, the phase, dislodged units. */

import { ApiError, attempt, notify, post } from "./api.js";
import { board, standing } from "./board.js";
import { choose } from "./choice.js";
import { badge, button, el, select, titled } from "./dom.js";
import { ordering } from "./ordering.js";
import { store } from "./store.js";
import { coastLabel, provinceOf } from "./words.js";

const PHASES = Object.entries({ SM: "Spring moves", SR: "Spring retreats", FM: "Fall moves", FR: "Fall retreats", WA: "Winter builds" });
const PIECES = Object.entries({ A: "Army", F: "Fleet", "*A": "Dislodged army", "*F": "Dislodged fleet", centre: "Centre", erase: "Take away" });

const element = document.getElementById("setup");
/** The position that is set up, null where none is, and what the server makes of it. */
let state = null;
let answer = null;
/** What the next click puts on the board. */
let power = null;
let piece = "A";
/** The changes so far, one after the other. */
let changed = Promise.resolve(true);

/** Begin with the position that is shown. */
async function open() {
  if (!store.node || state) return;
  const { units, centers, name, map } = store.node.state;
  if (!(await change(() => ({ units, centers, name, ...(map && { map }) }), true))) return;
  if (!store.powers.includes(power)) power = store.powers[0];
  ordering.cancel();
  ordering.paused = true;
  board.instead = () => Promise.resolve(answer.svg);
  document.body.classList.add("editing");
  element.hidden = false;
  show();
  board.draw();
  /** @type {HTMLElement} */ (element.querySelector("input:checked")).focus();
}

function close() {
  if (!state) return;
  state = null;
  answer = null;
  board.instead = null;
  ordering.paused = false;
  element.hidden = true;
  document.body.classList.remove("editing");
  board.draw();
  store.goto(store.node.id, store.chosen);
}

/** Change the state, after the changes before; what the server refuses is told and changes nothing. */
function change(act, first = false) {
  changed = changed.catch(() => {}).then(() => carryOut(act, first));
  return changed;
}

async function carryOut(act, first) {
  // Closed meanwhile.
  if (state === null && !first) return false;
  const wanted = act(structuredClone(state));
  try {
    answer = await post(`${store.path()}/position`, { state: wanted });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify(error.message, "bad");
    if (!first) show();
    return false;
  }
  state = wanted;
  if (!element.hidden) {
    show();
    board.draw();
  }
  return true;
}

/** Take the units in a province away: those that are dislodged, or those that are not. */
function without(draft, province, dislodged) {
  const there = (unit) => unit.startsWith("*") === dislodged && provinceOf(unit.split(" ")[1]) === province;
  for (const owner of Object.keys(draft.units)) draft.units[owner] = draft.units[owner].filter((unit) => !there(unit));
}

/** Put something of the power into a table, or leave it out where it was there already. */
const put = (table, what, there) => (table[power] = [...(table[power] ?? []), ...(there ? [] : [what])]);

async function press({ place, event }) {
  const dislodged = piece.startsWith("*");
  const coasts = piece.endsWith("F") ? board.coastsOf(place) : [];
  const choices = coasts.map((each) => ({ text: coastLabel(each), value: each }));
  const location = choices.length ? await choose(place, event, choices, "On which coast?") : place;
  if (location === null) return;
  const unit = `${piece} ${location}`;
  await change((draft) => {
    if (piece === "erase") {
      for (const gone of [true, false]) without(draft, place, gone);
    } else if (piece === "centre") {
      const there = draft.centers[power]?.includes(place);
      for (const owner of Object.keys(draft.centers)) draft.centers[owner] = draft.centers[owner].filter((each) => each !== place);
      put(draft.centers, place, there);
    } else {
      const there = draft.units[power]?.includes(unit);
      without(draft, place, dislodged);
      put(draft.units, unit, there);
      // Units are dislodged in retreats alone: the phase goes along.
      if (dislodged && !draft.name.endsWith("R")) draft.name = `${draft.name.startsWith("S") ? "S" : "F"}${draft.name.slice(1, -1)}R`;
    }
    return draft;
  });
}

/** Radio buttons under a heading; `pick` is told which one is chosen. */
function picks(title, options, chosen, pick) {
  const rows = options.map(([value, ...label]) => {
    const id = `setup-${title}-${value.replace("*", "dislodged-")}`;
    const input = el("input", { type: "radio", name: title, id, checked: value === chosen, on: { change: () => pick(value) } });
    return el("span", { class: "pick" }, input, el("label", { for: id }, ...label));
  });
  return el("fieldset", {}, el("legend", { text: title }), ...rows);
}

function counted(name) {
  const [units, centres] = [state.units, state.centers].map((table) => (table[name] ?? []).length);
  return el("span", { class: "muted counted", text: `${units} units · ${centres} centres` });
}

function show() {
  const kept = document.activeElement?.id;
  const phase = state.name;
  const rephase = () => change((draft) => ({ ...draft, name: `${kind.value.charAt(0)}${year.value}${kind.value.charAt(1)}` }));
  const kind = select(PHASES, { id: "setup-phase", on: { change: rephase } }, phase.charAt(0) + phase.slice(-1));
  const year = el("input", { id: "setup-year", class: "few", type: "number", min: 1, max: 9999, value: phase.slice(1, -1), on: { change: rephase } });
  element.replaceChildren(
    el("h2", { id: "setup-title", text: "Set up a position" }),
    el("p", { class: "muted", text: "Choose a power and a piece, then click provinces. The same click again takes it away." }),
    el("p", { class: "row" }, el("label", { for: "setup-phase", text: "Phase" }), kind, el("label", { for: "setup-year", class: "unseen", text: "Year" }), year),
    picks("Power", store.powers.map((name) => [name, badge(store.study, name), titled(name), counted(name)]), power, (chosen) => (power = chosen)),
    picks("Piece", PIECES, piece, (chosen) => (piece = chosen)),
    el(
      "p",
      { class: "row" },
      button("Empty the board", () => change((draft) => ({ ...draft, units: {}, centers: {} }))),
      button("No units", () => change((draft) => ({ ...draft, units: {} })), { title: "Take all units away, leave the centres" }),
    ),
    el("p", { class: "row ends" }, button("Cancel", close), button("Study this position", finish, { class: "strong" })),
  );
  board.mark({ goal: new Set(), picked: new Set(), orderable: new Set() });
  board.describe((tag) => standing(answer, tag, board.names[tag]));
  if (kept) document.getElementById(kept)?.focus();
}

async function finish() {
  await changed.catch(() => {});
  if (await attempt(() => store.begin({ state: answer.state }, `${store.path()}/position/study`))) close();
}

board.on("press", ({ detail }) => state && press(detail));
/** The set-up editor. */
export const setup = { open, close, editing: () => state !== null };
